import type { Json } from '../json.ts'
import type { Outcome } from '../ports.ts'
import type { OpenQuestion } from './requests.ts'

/** Pending questions of the page (onValidate, dataHandlerCode …); each is answered once. */
export interface PendingAnswers {
  /** A call was made for a question of the page. */
  asked(question: OpenQuestion, ask: number): void
  /** A call has its result, which is sent together with the run's writes, or not at all. */
  put(call: number, outcome: Outcome<Json>): void
  /** The run succeeded: its results are sent. */
  flush(): void
  open(): readonly OpenQuestion[]
  /** Gives every open question the same answer; collected results are discarded. */
  all(outcome: Outcome<Json>): void
}

export function createPendingAnswers(send: (ask: number, outcome: Outcome<Json>) => void): PendingAnswers {
  const openQuestions = new Map<number, { readonly question: OpenQuestion; readonly ask: number }>()
  const ready = new Map<number, Outcome<Json>>()
  function answer(call: number, outcome: Outcome<Json>): void {
    const open = openQuestions.get(call)
    if (open !== undefined && openQuestions.delete(call)) send(open.ask, outcome)
  }
  return {
    asked: (question, ask) => void openQuestions.set(question.id, { question, ask }),
    put(call, outcome) {
      if (openQuestions.has(call)) ready.set(call, outcome)
    },
    flush() {
      for (const [call, outcome] of ready) answer(call, outcome)
      ready.clear()
    },
    open: () => [...openQuestions.values()].map(({ question }) => question),
    all(outcome) {
      ready.clear()
      for (const call of [...openQuestions.keys()]) answer(call, outcome)
    },
  }
}
