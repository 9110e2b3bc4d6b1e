import { runActions } from '../actions/run-actions.ts'
import type { EngineOptions } from '../engine.ts'
import { changeArgs } from '../hooks/change-hooks.ts'
import { hasCode } from '../hooks/hook-code.ts'
import { lowerLimits } from '../hooks/script-limits.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { createModel, type ValueChange } from '../model/model.ts'
import type { HookCall } from '../ports.ts'
import { VARIABLES_CELL } from '../state/cells.ts'
import { subscriber } from '../state/listeners.ts'
import { requestAnswerer } from './answer-request.ts'
import { createChoices } from './choices.ts'
import { effectRunner } from './effects.ts'
import { showError } from './error-display.ts'
import { createEvents } from './events.ts'
import { createFieldActs } from './field-acts.ts'
import { once } from './once.ts'
import { createPageHost } from './page-host.ts'
import { createReports } from './reports.ts'
import { createReveal } from './reveal.ts'
import { createRowActs } from './row-acts.ts'
import { createRowTiming } from './row-timing.ts'
import { linkScript } from './script-link.ts'
import { createSources } from './sources.ts'
import { createSubmitter } from './submit.ts'
import { createTouched } from './touched.ts'
import type { UploadParts, Uploads } from './uploads.ts'
import { createWriting } from './writing.ts'

/** Answered when the hooks posted before have run. */
const NO_HOOK: HookCall = { hook: '', key: '', args: [] }

/**
 * Creates the parts of an open page and connects them; mutual dependencies are passed as functions. Parts that only user actions need are created
 * with the first action, so that a page is drawn without them.
 */
export function joinParts(options: EngineOptions) {
  const { page, ports } = options
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
    onEffect: (effect) => runEffect()(effect),
    onReport: reports.tell,
    onRequest: (name, args) => answerRequest()(name, args),
    onChange: tellChange,
  })
  const touched = createTouched(model)
  const fields = once(() =>
    createFieldActs({
      model,
      link,
      touched,
      text: ports.text,
      onChange: tellChange,
      tell: (message) => showError(page.config, ports, message),
    }),
  )
  const timing = createRowTiming({ model, link, clock: ports.clock })
  const rows = once(() => createRowActs({ model, link, touched, timing }))
  const { reveal, onReveal } = createReveal(model)
  const writing = once(() => createWriting({ model, link, fields: fields(), timing, touched, choices }))
  let opened: Promise<unknown> | null = null
  const sources = once(() =>
    createSources({
      model,
      link,
      ports,
      variables,
      store: (name, value) => writing().storeSource(name, value),
      opened: () => (opened ??= hasCode(page.config.onFormCreated) ? link.ask(NO_HOOK) : null),
      onBound: reports.tellBound,
    }),
  )
  const choices = once(() => createChoices({ model, link, ...sources() }))
  const host = once(() =>
    createPageHost({
      model,
      link,
      ports,
      sources: sources(),
      touched,
      writing: writing(),
      submitter,
      onBound: reports.tellBound,
      refresh,
      emit,
    }),
  )
  const events = once(() => createEvents({ model, link, host: host() }))
  let uploading: Uploads | null = null
  /** Without the code that sends files, no file is being sent. */
  const uploads = {
    by(create: (parts: UploadParts) => Uploads): Uploads {
      uploading ??= create({
        model,
        link,
        fields: fields(),
        ports,
        variables,
        announce: (key, name, detail) => events().act(key, name, { args: [detail] }),
      })
      return uploading
    },
    settled: async () => (await uploading?.settled()) ?? [],
    abandon: () => uploading?.abandon(),
  }
  const submitter = once(() =>
    createSubmitter({
      model,
      link,
      fields: fields(),
      sources: sources(),
      touched,
      uploads,
      ports,
      reveal,
      assign: writing().assign,
      run: async (actions, frame) => void (await runActions(actions, host(), frame)),
    }),
  )
  const runEffect = once(() =>
    effectRunner({
      ports,
      host: host(),
      fields: fields(),
      model,
      reveal,
      loadOptions: (names) => choices().reload(names),
      timing,
    }),
  )
  const answerRequest = once(() => requestAnswerer({ model, fields: fields(), sources: sources(), ports }))

  function emit(name: string, args: readonly Json[]): void {
    for (const listener of emitted) listener(name, args)
  }
  /** The host's `formChange`; the form it is given is the live one, as in VForm. */
  function tellChange(change: ValueChange): void {
    emit('formChange', changeArgs(model, change, model.form))
  }
  async function refresh(name?: string): Promise<void> {
    if (refreshers.size > 0) await Promise.all([...refreshers].map((listener) => listener(name)))
    else await Promise.all((name === undefined ? sources().automatic() : [name]).map(sources().load))
  }

  return {
    model,
    link,
    reports,
    touched,
    fields,
    timing,
    rows,
    writing,
    sources,
    choices,
    events,
    uploads,
    submitter,
    reveal,
    onReveal,
    refresh,
    onRefresh: subscriber(refreshers),
    onEmit: subscriber(emitted),
  }
}
