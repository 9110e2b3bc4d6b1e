import type { Json, JsonObject } from '../json.ts'
import { createModel, type Model, type ValueChange } from '../model/model.ts'
import type { Page } from '../page/page.ts'
import type { Batch, Effect, ScriptContext, Write } from '../ports.ts'

/** The initial state of a page's replica. */
export interface ReplicaStart {
  readonly turn: number
  readonly writes: readonly Write[]
  readonly context?: ScriptContext | undefined
}

interface Options {
  readonly page: Page
  readonly start: ReplicaStart
  readonly now: () => number
  readonly newRowId: () => string
}

/**
 * The replica's copy of the page's state (HOOKS 1.1). The page's writes always apply, in order; a script's writes apply here at once and are
 * collected for the page, which drops those to cells that it has written itself since `base`. So both sides reach the same state.
 */
export interface ReplicaState {
  readonly model: Model
  readonly variables: JsonObject
  /** Applies one turn of the page. */
  turn(turn: number, writes: readonly Write[]): void
  /** Updates inputs of rules other than cells; omitted parts stay. */
  setContext(context: ScriptContext): void
  /** Applies a script's writes; returns the computed values that changed. */
  write(writes: readonly Write[]): readonly ValueChange[]
  effect(effect: Effect): void
  /** Returns what a run did since it began or since the last part; undefined for nothing. It can still be rolled back. */
  part(): Batch | undefined
  /** Ends a run and returns its last part. */
  take(): Batch | undefined
  /** Ends a run and rolls it back. */
  rollBack(): void
}

export function createReplicaState(options: Options): ReplicaState {
  const { page, start, now, newRowId } = options
  let { variables = {}, ...context } = start.context ?? {}
  const open = (writes: readonly Write[]): Model =>
    createModel({ page, text: (code) => code, now, newRowId, ...context, writes })
  let model = open(start.writes)
  let base = start.turn
  let written = new Map<string, Json>()
  let before = new Map<string, Json | undefined>()
  let effects: Effect[] = []
  const forget = (): void => {
    written = new Map()
    effects = []
  }
  function part(): Batch | undefined {
    const batch = { base, writes: [...written].map(([cell, value]) => ({ cell, value })), effects }
    forget()
    return batch.writes.length > 0 || batch.effects.length > 0 ? batch : undefined
  }
  function apply(writes: readonly Write[]): readonly ValueChange[] {
    for (const { cell, value } of writes) {
      if (!before.has(cell)) before.set(cell, model.read(cell))
      written.set(cell, value)
    }
    return model.apply(writes)
  }
  return {
    get model() {
      return model
    },
    get variables() {
      return variables
    },
    setContext({ variables: given, ...next }) {
      variables = given ?? variables
      context = { ...context, ...next }
      model.setContext(next)
    },
    turn(turn, writes) {
      base = turn
      model.apply(writes)
    },
    write(writes) {
      const computed = apply(writes)
      const logic = model.logic.after(writes)
      return logic.length > 0 ? [...computed, ...apply(logic)] : computed
    },
    effect: (effect) => void effects.push(effect),
    part,
    take() {
      before = new Map()
      return part()
    },
    rollBack() {
      const undone = before
      before = new Map()
      forget()
      if (undone.size === 0) return
      const writes = model.snapshot().flatMap((write) => {
        if (!undone.has(write.cell)) return [write]
        const value = undone.get(write.cell)
        return value === undefined ? [] : [{ cell: write.cell, value }]
      })
      model = open(writes)
    },
  }
}
