import type { CheckPlace, HttpRequest, HttpResponse, Outcome } from '../../../../runtime/core/index.ts'
import type { FormQuestion, Judgement } from './judge-form.ts'

/** Messages to a judging thread. */
export type ToJudge =
  | {
      readonly type: 'judge'
      readonly question: Omit<FormQuestion, 'document'>
      /** The page, unless the thread already has it. */
      readonly document?: string
      /** Drops the pages it has; the limit is reached. */
      readonly forgets?: boolean
    }
  | { readonly type: 'answer'; readonly id: number; readonly outcome: Outcome<HttpResponse> }

/** Messages from the thread. The time of a submission is measured between `began` and `judged`. */
export type FromJudge =
  | { readonly type: 'began' }
  /** The next check: named if the thread has to be terminated. */
  | { readonly type: 'check'; readonly place: CheckPlace }
  /** A check calls the server. */
  | { readonly type: 'ask'; readonly id: number; readonly request: HttpRequest }
  /** `isSpent`: the page's code exceeded its time, so the thread must not be reused. */
  | { readonly type: 'judged'; readonly judgement: Judgement; readonly isSpent: boolean }
