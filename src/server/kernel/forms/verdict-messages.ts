import type { CheckPlace, HttpRequest, HttpResponse, Outcome } from '../../../../runtime/core/index.ts'
import type { FormQuestion, Judgement } from './judge-form.ts'

/** To a thread that judges. */
export type ToJudge =
  | {
      readonly type: 'judge'
      readonly question: Omit<FormQuestion, 'document'>
      /** The page, unless the thread was told it before. */
      readonly document?: string
      /** What it was told before goes; it is as much as is kept. */
      readonly forgets?: boolean
    }
  | { readonly type: 'answer'; readonly id: number; readonly outcome: Outcome<HttpResponse> }

/** From it. Between `began` and `judged` the time of the submission runs. */
export type FromJudge =
  | { readonly type: 'began' }
  /** Which check comes next: the one to name when the thread has to be ended. */
  | { readonly type: 'check'; readonly place: CheckPlace }
  /** A check asks the server. */
  | { readonly type: 'ask'; readonly id: number; readonly request: HttpRequest }
  /** `isUsed`: it has run code of the page, and serves nobody else. */
  | { readonly type: 'judged'; readonly judgement: Judgement; readonly isUsed: boolean }
