import type { ActionFrame, ActionHost } from './actions/action-host.ts'
import { runActions } from './actions/run-actions.ts'
import { requestAnswerer } from './engine/answer-request.ts'
import { createChoices } from './engine/choices.ts'
import { effectRunner } from './engine/effects.ts'
import { tellError } from './engine/error-display.ts'
import { createFieldActs } from './engine/field-acts.ts'
import { createReports } from './engine/reports.ts'
import { createReveal } from './engine/reveal.ts'
import { createRowActs } from './engine/row-acts.ts'
import { createRowTiming } from './engine/row-timing.ts'
import { linkScript } from './engine/script-link.ts'
import { createSources } from './engine/sources.ts'
import { createSubmitter } from './engine/submit.ts'
import { createTouched } from './engine/touched.ts'
import { createUploads } from './engine/uploads.ts'
import type { Engine, EngineOptions } from './engine.ts'
import { changeArgs } from './hooks/change-hooks.ts'
import { hasCode, hookCode } from './hooks/hook-code.ts'
import { openingHooks } from './hooks/life-hooks.ts'
import { lowerLimits } from './hooks/script-limits.ts'
import { isObject, type Json, type JsonObject, valueAt } from './json.ts'
import { createModel, type ValueChange } from './model/model.ts'
import type { NodeKey } from './page/page.ts'
import type { Scope } from './page/scope.ts'
import type { Write } from './ports.ts'
import {
  dataCell,
  errorCell,
  formCell,
  optionCell,
  rowKey,
  splitRowKey,
  VARIABLES_CELL,
} from './state/cells.ts'
import { fillText, templateValue } from './text/template.ts'

/**
 * Opens a page: builds its state, links its scripts and data sources. Wires the rooms of the core and decides nothing itself.
 *
 * Nothing is asked of the network before {@link Engine.pageEvent} `load`, and nothing at all by a page without sources or code.
 */
export function createEngine(options: EngineOptions): Engine {
  const { page, registry, ports } = options
  const reports = createReports()
  const model = createModel({
    page,
    onBound: reports.tellBound,
    text: ports.text,
    now: () => ports.clock.now(),
    newRowId: () => `id${ports.random.uuid().replaceAll('-', '')}`,
    ...pick(options, ['params', 'user', 'dict', 'values']),
  })
  const variables = (): JsonObject => {
    const written = model.read(VARIABLES_CELL)
    return isObject(written) ? written : (options.variables ?? {})
  }
  const refreshers = new Set<(name: string | undefined) => Promise<void>>()
  const emitted = new Set<(name: string, args: readonly Json[]) => void>()
  const running = new Set<string>()

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
  const revealing = createReveal(model)
  const sources = createSources({
    model,
    link,
    ports,
    variables,
    store: storeSource,
    onBound: reports.tellBound,
  })
  const choices = createChoices({ model, link, request: sources.request })
  const uploads = createUploads({
    model,
    link,
    fields,
    ports,
    variables,
    announce: (key, name, detail) => {
      const { on } = model.pageNode(key)?.options ?? {}
      void runActions(isObject(on) ? on[name] : undefined, host, { args: [detail] })
    },
  })
  const submitter = createSubmitter({
    model,
    link,
    fields,
    sources,
    touched,
    uploads,
    ports,
    reveal: revealing.reveal,
    assign,
    run: async (actions, frame) => void (await runActions(actions, host, frame)),
  })

  const rowIdOf = ({ at }: ActionFrame): string | null =>
    at === undefined || page.nodes.has(at) ? null : splitRowKey(at).rowId
  /** The field a name means: that of the event's own row first, then that of the page. */
  const fieldOf = (name: string, frame: ActionFrame): NodeKey | undefined => {
    const rowId = rowIdOf(frame)
    const subForm = model.subForms.get(model.pageNode(frame.at ?? '')?.subForm ?? '')
    const inRow = rowId === null ? undefined : subForm?.fields.find((field) => field.name === name)
    return inRow && rowId !== null ? rowKey(inRow.key, rowId) : model.find(name)
  }
  const scopeOf = (frame: ActionFrame): Scope => ({
    ...model.scope(rowIdOf(frame)),
    ...(frame.row ? { row: frame.row } : {}),
    ...(frame.result !== undefined ? { result: frame.result } : {}),
    ...(frame.error !== undefined ? { error: frame.error } : {}),
    ...(frame.args !== undefined ? { args: frame.args } : {}),
  })
  const services = (scope: Scope) => ({ now: ports.clock.now(), dict: scope.dict, text: ports.text })
  const host: ActionHost = {
    onBound: reports.tellBound,
    ports,
    scope: scopeOf,
    fill: (text, frame) => templateValue(text, scopeOf(frame), services(scopeOf(frame))) ?? null,
    request: (name, local, frame) =>
      sources.request(name, { clientToken: ports.random.uuid(), ...local }, { scope: scopeOf(frame) }),
    submit: submitter.submit,
    validateAndReveal: submitter.validateAndReveal,
    asked: (name) => {
      const key = sources.key(name)
      return isObject(key) ? (key.body ?? null) : null
    },
    setField: (name, value, frame) => {
      const key = fieldOf(name, frame)
      if (key === undefined) return
      if (frame.acted === true && value !== null && value !== '') touched.mark(key)
      assign(key, value)
    },
    setData: (name, value) => link.commit([{ cell: dataCell(name), value }]),
    setOption: (name, option, value) => {
      const key = model.find(name)
      if (key !== undefined) link.commit([{ cell: optionCell(key, option), value }])
    },
    refresh,
    pickFiles: (name) => {
      const key = model.find(name)
      if (key !== undefined) link.commit([{ cell: optionCell(key, 'picking'), value: ports.random.uuid() }])
    },
    emit: (name, args) => {
      for (const listener of emitted) listener(name, args)
    },
  }
  const runEffect = effectRunner({
    ports,
    host,
    fields,
    model,
    reveal: revealing.reveal,
    loadOptions: choices.reload,
    timing,
  })

  const answerRequest = requestAnswerer({ model, fields, sources, ports })
  /** The host's `formChange`; the form it is given is the live one, as in VForm. */
  function tellChange(change: ValueChange): void {
    for (const listener of emitted) listener('formChange', changeArgs(model, change, model.form))
  }
  async function refresh(name?: string): Promise<void> {
    if (refreshers.size > 0) await Promise.all([...refreshers].map((listener) => listener(name)))
    else await Promise.all((name === undefined ? sources.automatic() : [name]).map(sources.load))
  }
  /** Writes that may bring other rows: their hooks follow. */
  function commitRows(writes: readonly Write[]): void {
    link.commit(writes)
    timing.written(writes)
  }
  /** Sets a field, or all rows of a sub-form. */
  function assign(key: NodeKey, value: Json): void {
    if (!model.subForms.has(key)) fields.setValue(key, value)
    else commitRows(model.setRows(key, Array.isArray(value) ? value.filter(isObject) : []))
  }
  /** A result enters the page: as `data.<name>`, and into untouched fields where the source says `fill`. */
  function storeSource(name: string, value: Json): void {
    const from = page.dataSources.get(name)?.fill
    const record = typeof from === 'string' ? (from === '' ? value : valueAt(value, from)) : undefined
    commitRows([
      { cell: dataCell(name), value },
      ...choices.follow(name, value),
      ...(isObject(record) ? fillWrites(record, (field) => !touched.has(field)) : []),
    ])
  }
  function fillWrites(values: JsonObject, wanted: (name: string) => boolean): readonly Write[] {
    return Object.entries(values).flatMap(([name, value]) => {
      const key = model.page.byName.get(name)
      const node = key === undefined ? undefined : page.nodes.get(key)
      if (key === undefined || node === undefined || value === undefined || !wanted(name)) return []
      if (model.subForms.has(key))
        return Array.isArray(value) ? model.setRows(key, value.filter(isObject)) : []
      if (!node.field) return []
      return [model.valueWrite(key, node.spec.normalize ? node.spec.normalize(value, node.options) : value)]
    })
  }
  function actionsOf(key: NodeKey, name: string): Json | undefined {
    const on = model.pageNode(key)?.options.on
    return isObject(on) ? on[name] : undefined
  }
  async function event(
    key: NodeKey,
    name: string,
    detail: { args?: readonly Json[]; row?: JsonObject } = {},
  ): Promise<void> {
    const node = model.pageNode(key)
    const actions = actionsOf(key, name)
    const busy = `${key} ${name} ${JSON.stringify(detail.row?.id ?? null)}`
    if (running.has(busy)) return // a double tap
    running.add(busy)
    try {
      const hook = hookOf(name)
      if (hasCode(node?.options[hook])) link.commit([], [{ hook, key, args: detail.args ?? [] }])
      else if (node && HOST_EVENTS[name]?.type === node.type)
        host.emit(HOST_EVENTS[name].event, [{ type: node.type, name: node.name }])
      await runActions(actions, host, { at: key, ...pick(detail, ['row', 'args']), acted: true })
    } finally {
      running.delete(busy)
    }
  }

  async function consents(key: NodeKey, name: string): Promise<boolean> {
    const busy = `${key} ${name}`
    if (running.has(busy)) return false
    running.add(busy)
    try {
      await runActions(actionsOf(key, name), host, { at: key, acted: true })
      const hook = hookOf(name)
      if (!hasCode(model.pageNode(key)?.options[hook])) return true
      const answer = await link.ask({ hook, key, args: [] })
      return !answer.ok || answer.value !== false
    } finally {
      running.delete(busy)
    }
  }

  /** The form's hook of a page event; true when it vetoes going back. */
  async function pageHook(name: string, result: Json | undefined): Promise<boolean> {
    const hook = hookOf(name)
    if (hookCode(page, hook, '') === undefined) return false
    if (name !== 'backPress') {
      link.commit([], [{ hook, key: '', args: [] }])
      return false
    }
    const answer = await link.ask({ hook, key: '', args: result === undefined ? [] : [result] })
    return answer.ok && answer.value === true
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
    fill: (text, row) =>
      fillText(text, row ? { ...model.scope(), row } : model.scope(), services(model.scope())),
    values: () => plainValues(model.form),
    dirty: touched.any,
    draft: touched.draft,

    input: fields.input,
    change: (key, value) => {
      if (fields.change(key, value)) void runActions(actionsOf(key, 'change'), host, { at: key, acted: true })
    },
    focus: fields.focus,
    blur: fields.blur,
    event,
    consents,
    addRow: rows.add,
    removeRow: rows.remove,
    upload: uploads.add,
    retryUpload: uploads.retry,
    removeUpload: uploads.remove,

    setOption: (key, option, value) => link.commit([{ cell: optionCell(key, option), value }]),
    setValues: (values) => commitRows(fillWrites(values, () => true)),
    setErrors: fields.setErrors,
    reset: () => {
      touched.clear()
      fields.forget()
      uploads.abandon()
      const keys = model.fieldKeys()
      commitRows([
        ...keys.map((key) => ({ cell: errorCell(key), value: null })),
        ...model.initialWrites({}, true),
      ])
    },
    setReadMode: (on) => link.commit([{ cell: formCell('readMode'), value: on }]),
    setData: storeSource,
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
    async pageEvent(name, result) {
      if (name === 'load') void choices.open()
      const on = page.settings.on
      const actions = isObject(on) ? on[name] : undefined
      const vetoed = await pageHook(name, result)
      const ended = await runActions(actions, host, result === undefined ? {} : { result })
      return vetoed || !ended
    },
    onReveal: revealing.onReveal,
    reveal: revealing.reveal,
    onRefresh: (listener) => {
      refreshers.add(listener)
      return () => refreshers.delete(listener)
    },
    onReport: reports.subscribe,
    onEmit: (listener) => {
      emitted.add(listener)
      return () => emitted.delete(listener)
    },
    dispose() {
      timing.dispose()
      link.dispose()
    },
  }
}

/** What the host hears where the widget has no code for it (HOOKS 1.3). */
const HOST_EVENTS: Readonly<Record<string, { readonly type: string; readonly event: string }>> = {
  click: { type: 'button', event: 'buttonClick' },
  appendButtonClick: { type: 'input', event: 'appendButtonClick' },
}

const hookOf = (event: string): string => `on${event.charAt(0).toUpperCase()}${event.slice(1)}`

/** A copy of the live values that nobody else writes to. */
const plainValues = (form: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(form).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((part) => (isObject(part) ? { ...part } : part)) : value,
    ]),
  )

function pick<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(
    names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])),
  ) as Pick<T, K>
}
