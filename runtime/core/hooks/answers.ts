import type { Json } from '../json.ts'
import type { Outcome } from '../ports.ts'

/** The page's questions (onValidate, dataHandlerCode …) on their way to an answer; each is answered once. */
export interface Answers {
  /** A call was made for a question of the page. */
  asked(call: number, ask: number): void
  /** A call has its answer; it leaves with the run's writes, or not at all. */
  put(call: number, outcome: Outcome<Json>): void
  /** The run ended well: what was put goes out. */
  flush(): void
  /** Calls whose question is still open. */
  open(): readonly number[]
  /** Answers every open question the same; what was put is forgotten. */
  all(outcome: Outcome<Json>): void
}

export function createAnswers(send: (ask: number, outcome: Outcome<Json>) => void): Answers {
  const asks = new Map<number, number>()
  const ready = new Map<number, Outcome<Json>>()
  function answer(call: number, outcome: Outcome<Json>): void {
    const ask = asks.get(call)
    if (ask !== undefined && asks.delete(call)) send(ask, outcome)
  }
  return {
    asked: (call, ask) => void asks.set(call, ask),
    put(call, outcome) {
      if (asks.has(call)) ready.set(call, outcome)
    },
    flush() {
      for (const [call, outcome] of ready) answer(call, outcome)
      ready.clear()
    },
    open: () => [...asks.keys()],
    all(outcome) {
      ready.clear()
      for (const call of [...asks.keys()]) answer(call, outcome)
    },
  }
}
