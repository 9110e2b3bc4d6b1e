import { changeHooks } from '../hooks/change-hooks.ts'
import type { Json, JsonObject } from '../json.ts'
import type { Model, ValueChange } from '../model/model.ts'
import type {
  Batch,
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

interface Parts {
  readonly model: Model
  readonly script: Script
  readonly variables: JsonObject
  readonly limits: ScriptLimits
  readonly onEffect: (effect: Effect) => void
  readonly onRequest: (name: string, args: readonly Json[]) => Promise<Json>
  readonly onReport: (report: ScriptReport) => void
}

/**
 * Keeps the page and its script replica in step (DESIGN 5). Every write goes through here; a page without code pays nothing.
 */
export interface ScriptLink {
  /** Applies the page's own writes and fires the hooks, with those of the values that were computed by them. */
  commit(writes: readonly Write[], fire?: readonly HookCall[]): void
  /** What rules and scripts read besides cells, on both sides. */
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

interface OpenSession {
  post(writes: readonly Write[], fire: readonly HookCall[]): void
  setContext: ScriptSession['setContext']
  ask: ScriptSession['ask']
  settled: ScriptSession['settled']
  dispose: ScriptSession['dispose']
}

function open({ model, variables, script, limits, onEffect, onRequest, onReport }: Parts): OpenSession {
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
      model.apply(batch.writes.filter(({ cell }) => (written.get(cell) ?? 0) <= batch.base))
      for (const effect of batch.effects) onEffect(effect)
    },
    onReport,
    onRequest,
  }
  const session = script.open(page)
  return {
    post(writes, fire) {
      turn += 1
      for (const { cell } of writes) written.set(cell, turn)
      session.post(turn, writes, fire)
    },
    setContext: (context) => session.setContext(context),
    ask: (call) => session.ask(call),
    settled: () => session.settled(),
    dispose: () => session.dispose(),
  }
}
