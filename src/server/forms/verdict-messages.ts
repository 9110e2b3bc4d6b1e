import type { CheckPlace } from '../../../runtime/core/index.ts'
import type { FormQuestion, Judgement } from './judge-form.ts'

/** To a thread that judges. */
export type ToJudge = FormQuestion

/** From it. Between `began` and `judged` the time of the submission runs. */
export type FromJudge =
  | { readonly type: 'began' }
  /** Which check comes next: the one to name when the thread has to be ended. */
  | { readonly type: 'check'; readonly place: CheckPlace }
  /** `isUsed`: it has run code of the page, and serves nobody else. */
  | { readonly type: 'judged'; readonly judgement: Judgement; readonly isUsed: boolean }
