import { runActions } from './actions/run-actions.ts'
import { requestAnswerer } from './engine/answer-request.ts'
import { type Choices, createChoices } from './engine/choices.ts'
import { effectRunner } from './engine/effects.ts'
import { tellError } from './engine/error-display.ts'
import { createEvents, type Events } from './engine/events.ts'
import { createFieldActs } from './engine/field-acts.ts'
import { createPageHost } from './engine/page-host.ts'
import { createReports } from './engine/reports.ts'
import { createReveal } from './engine/reveal.ts'
import { createRowActs } from './engine/row-acts.ts'
import { createRowTiming } from './engine/row-timing.ts'
import { linkScript } from './engine/script-link.ts'
import { createSources } from './engine/sources.ts'
import { createSubmitter, type Submitter } from './engine/submit.ts'
import { createTouched } from './engine/touched.ts'
import { createUploads } from './engine/uploads.ts'
import { createWriting } from './engine/writing.ts'
import type { Engine, EngineOptions } from './engine.ts'
import { changeArgs } from './hooks/change-hooks.ts'
import { openingHooks } from './hooks/life-hooks.ts'
import { lowerLimits } from './hooks/script-limits.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { createModel, type ValueChange } from './model/model.ts'
import { errorCell, formCell, optionCell, VARIABLES_CELL } from './state/cells.ts'
import { joining } from './state/listeners.ts'
import { fillText } from './text/template.ts'

/**
 * Opens a page: builds its state, links its scripts and data sources. Wires the rooms of the core and decides nothing itself.
 *
 * Nothing is asked of the network before {@link Engine.pageEvent} `load`, and nothing at all by a page without sources or code.
 */
export function createEngine(options: EngineOptions): Engine {
  const { page, registry, ports } = options
  const reports = createReports()
  const model = createModel({
    ...options,
    onBound: reports.tellBound,
    text: ports.text,
    now: () => ports.clock.now(),
    newRowId: () => `id${ports.random.uuid().replaceAll('-', '')}`,
  })
  const variables = (): JsonObject => {
    const written = model.read(VARIABLES_CELL)
    return isObject(written) ? written : (options.variables ?? {})
  }
  const refreshers = new Set<(name: string | undefined) => Promise<void>>()
  const emitted = new Set<(name: string, args: readonly Json[]) => void>()

  const link = linkScript({
    model,
    script: ports.script,
    clock: ports.clock,
    variables: options.variables ?? {},
    limits: lowerLimits(page.settings.scriptLimits),
    onEffect: (effect) => runEffect(effect),
    onReport: reports.tell,
    onRequest: (name, args) => answerRequest(name, args),
    onChange: tellChange,
  })
  const touched = createTouched(model)
  const fields = createFieldActs({
    model,
    link,
    touched,
    text: ports.text,
    onChange: tellChange,
    tell: (message) => tellError(page.config, ports, message),
  })
  const timing = createRowTiming({ model, link, clock: ports.clock })
  const rows = createRowActs({ model, link, touched, timing })
  const { reveal, onReveal } = createReveal(model)
  const writing = createWriting({ model, link, fields, timing, touched, choices: () => choices })
  const sources = createSources({
    model,
    link,
    ports,
    variables,
    store: writing.storeSource,
    onBound: reports.tellBound,
  })
  const choices: Choices = createChoices({ model, link, ...sources })
  const host = createPageHost({
    model,
    link,
    ports,
    sources,
    touched,
    writing,
    submitter: () => submitter,
    onBound: reports.tellBound,
    refresh,
    emit,
  })
  const events: Events = createEvents({ model, link, host })
  const uploads = createUploads({
    model,
    link,
    fields,
    ports,
    variables,
    announce: (key, name, detail) => events.act(key, name, { args: [detail] }),
  })
  const submitter: Submitter = createSubmitter({
    model,
    link,
    fields,
    sources,
    touched,
    uploads,
    ports,
    reveal,
    assign: writing.assign,
    run: async (actions, frame) => void (await runActions(actions, host, frame)),
  })
  const runEffect = effectRunner({
    ports,
    host,
    fields,
    model,
    reveal,
    loadOptions: choices.reload,
    timing,
  })
  const answerRequest = requestAnswerer({ model, fields, sources, ports })

  function emit(name: string, args: readonly Json[]): void {
    for (const listener of emitted) listener(name, args)
  }
  /** The host's `formChange`; the form it is given is the live one, as in VForm. */
  function tellChange(change: ValueChange): void {
    emit('formChange', changeArgs(model, change, model.form))
  }
  async function refresh(name?: string): Promise<void> {
    if (refreshers.size > 0) await Promise.all([...refreshers].map((listener) => listener(name)))
    else await Promise.all((name === undefined ? sources.automatic() : [name]).map(sources.load))
  }

  if (options.draft) link.commit(touched.restore(options.draft))
  if (page.hasCode) link.commit([], openingHooks(model))
  timing.opened()

  return {
    page,
    registry,
    ports,
    node: model.node,
    hidden: model.hidden,
    subscribe: model.subscribe,
    subscribeScope: model.subscribeScope,
    scope: () => model.scope(),
    find: model.find,
    template: model.template,
    fill(text, row) {
      const scope = model.scope()
      const services = { now: ports.clock.now(), dict: scope.dict, text: ports.text }
      return fillText(text, row ? { ...scope, row } : scope, services)
    },
    values: () => plainValues(model.form),
    dirty: touched.any,
    draft: touched.draft,

    input: fields.input,
    change: (key, value) => {
      if (fields.change(key, value)) events.act(key, 'change', { at: key, acted: true })
    },
    focus: fields.focus,
    blur: fields.blur,
    event: events.event,
    consents: events.consents,
    addRow: rows.add,
    removeRow: rows.remove,
    upload: uploads.add,
    retryUpload: uploads.retry,
    removeUpload: uploads.remove,

    setOption: (key, option, value) => link.commit([{ cell: optionCell(key, option), value }]),
    setValues: writing.fill,
    setErrors: fields.setErrors,
    reset: () => {
      touched.clear()
      fields.forget()
      uploads.abandon()
      writing.commitRows([
        ...model.checkedKeys().map((key) => ({ cell: errorCell(key), value: null })),
        ...model.initialWrites({}, true),
      ])
    },
    setReadMode: (on) => link.commit([{ cell: formCell('readMode'), value: on }]),
    setData: writing.storeSource,
    setContext: link.setContext,
    validate: fields.checkAll,
    request: sources.request,
    source: sources.state,
    conflict: submitter.conflict,
    resolveConflict: submitter.resolveConflict,
    dismissConflict: submitter.dismissConflict,
    autoSources: sources.automatic,
    sourceKey: sources.key,
    refresh,
    pageEvent(name, result) {
      if (name === 'load') void choices.open()
      return events.pageEvent(name, result)
    },
    onReveal,
    reveal,
    onRefresh: joining(refreshers),
    onReport: reports.subscribe,
    onEmit: joining(emitted),
    dispose() {
      timing.dispose()
      link.dispose()
    },
  }
}

/** A copy of the live values that nobody else writes to. */
const plainValues = (form: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(form).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((part) => (isObject(part) ? { ...part } : part)) : value,
    ]),
  )
