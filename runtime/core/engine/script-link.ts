import { failure } from '../errors.ts'
import { changeHooks } from '../hooks/change-hooks.ts'
import type { Json, JsonObject } from '../json.ts'
import type { Model, ValueChange } from '../model/model.ts'
import type {
  Batch,
  Clock,
  Effect,
  HookCall,
  Outcome,
  Script,
  ScriptContext,
  ScriptLimits,
  ScriptPage,
  ScriptReport,
  ScriptSession,
  Write,
} from '../ports.ts'
import { parseCell } from '../state/cells.ts'

interface Parts {
  readonly model: Model
  readonly script: Script
  readonly clock: Clock
  readonly variables: JsonObject
  readonly limits: ScriptLimits
  readonly onEffect: (effect: Effect) => void
  readonly onRequest: (name: string, args: readonly Json[]) => Promise<Json>
  readonly onReport: (report: ScriptReport) => void
  /** A value changed by a rule, the dynamic logic or a script. */
  readonly onChange: (change: ValueChange) => void
}

/** Synchronises the page with its script replica (HOOKS 1.1). Every write passes through here; a page without code has no overhead. */
export interface ScriptLink {
  /** Applies the page's own writes and runs the hooks, including those for values computed from them. */
  commit(writes: readonly Write[], fire?: readonly HookCall[]): void
  /** Inputs of rules and scripts other than cells, on both sides. */
  setContext(context: Omit<ScriptContext, 'variables'>): void
  ask(call: HookCall): Promise<Outcome<Json>>
  settled(): Promise<void>
  dispose(): void
}

const NOTHING: readonly HookCall[] = []

export function linkScript(parts: Parts): ScriptLink {
  const { model } = parts
  const session = model.page.hasCode ? open(parts) : null
  const hooksOf = (changes: readonly ValueChange[]): readonly HookCall[] =>
    session ? changes.flatMap((change) => changeHooks(model, change)) : NOTHING
  return {
    commit(writes, fire = NOTHING) {
      const computed = model.apply(writes)
      const logic = model.logic.after(writes)
      const caused = logic.length > 0 ? model.apply(logic) : []
      for (const change of [...computed, ...caused]) parts.onChange(change)
      session?.post(logic.length > 0 ? [...writes, ...logic] : writes, [
        ...fire,
        ...hooksOf([...computed, ...caused]),
      ])
    },
    setContext(context) {
      model.setContext(context)
      session?.setContext(context)
    },
    ask: (call) => session?.ask(call) ?? Promise.resolve({ ok: true, value: null }),
    settled: () => session?.settled() ?? Promise.resolve(),
    dispose: () => session?.dispose(),
  }
}

/** Fields that the writes set; those of new rows are new, not changed. */
function valuesSet(model: Model, writes: readonly Write[]): readonly ValueChange[] {
  return writes.flatMap(({ cell, value }) => {
    const at = parseCell(cell)
    const before = at?.kind === 'value' ? model.read(cell) : undefined
    const key = at?.kind === 'value' ? model.find(at.key) : undefined
    return before === undefined || key === undefined ? [] : [{ key, value, before }]
  })
}

type OpenSession = Pick<ScriptSession, 'setContext' | 'ask' | 'settled' | 'dispose'> & {
  post(writes: readonly Write[], fire: readonly HookCall[]): void
}

/** Hooks for which the user waits; other code may itself be waiting for the user. */
const CHECKS: ReadonlySet<string> = new Set(['onValidate', 'onFormValidate'])
/** Timeout for the result of a check whose code has finished. */
const CHECK_MS = 5_000

/** Delay before the engine of a page without immediate hooks is started, so that the page is drawn first. */
const START_MS = 100

function open(parts: Parts): OpenSession {
  const { model, variables, script, clock, limits, onEffect, onRequest, onReport, onChange } = parts
  let turn = 0
  const written = new Map<string, number>() // cell → the last turn in which the page itself wrote it
  const page: ScriptPage = {
    document: model.page.document,
    limits,
    snapshot: () => {
      const { params, user, dict } = model.scope()
      return { turn, writes: model.snapshot(), context: { params, user, dict, variables } }
    },
    onBatch(batch: Batch) {
      const writes = batch.writes.filter(({ cell }) => (written.get(cell) ?? 0) <= batch.base)
      const set = valuesSet(model, writes)
      for (const change of [...set, ...model.apply(writes)]) onChange(change)
      for (const effect of batch.effects) onEffect(effect)
    },
    onReport,
    onRequest,
  }
  let session: ScriptSession | undefined
  const started = (): ScriptSession => {
    session ??= script.open(page)
    return session
  }
  const cancel = clock.after(START_MS, started)
  /** Runs a check; one without a result in time has failed, and its author is told. */
  function check(call: HookCall): Promise<Outcome<Json>> {
    return new Promise((resolve) => {
      let stop = (): void => {}
      function onTimeout(): void {
        const reason = `gave no answer within ${CHECK_MS / 1000} s: callback was not called`
        onReport({ hook: call.hook, key: call.key, code: 'SCRIPT_ERROR', message: reason, stopped: false })
        resolve({ ok: false, error: failure('SCRIPT_ERROR', { reason }) })
      }
      const wait = (): void => {
        stop = clock.after(CHECK_MS, onTimeout)
      }
      void started()
        .ask(call, wait)
        .then((answer) => {
          stop()
          resolve(answer)
        })
    })
  }
  return {
    post(writes, fire) {
      turn += 1
      for (const { cell } of writes) written.set(cell, turn)
      if (session === undefined && fire.length === 0) return // its snapshot will hold them
      started().post(turn, writes, fire)
    },
    setContext: (context) => session?.setContext(context),
    ask: (call) => (CHECKS.has(call.hook) ? check(call) : started().ask(call)),
    settled: () => session?.settled() ?? Promise.resolve(),
    dispose() {
      cancel()
      session?.dispose()
    },
  }
}
