import type { Failure } from '../../../runtime/core/errors.ts'
import { type Json, valueAt } from '../../../runtime/core/json.ts'
import type { Feedback, Http, Text } from '../../../runtime/core/ports.ts'

export interface OwnReadsOptions {
  readonly feedback: Feedback
  readonly text: Text
  readonly urls: { readonly detail: string; readonly dict: string }
}

/** The shell's own reads from the server. */
export function createOwnReads({ feedback, text, urls }: OwnReadsOptions, http: () => Http | undefined) {
  /** Shows the server's text; for the user's detail our own if there is none (SHELL 4.3). */
  function report(error: Failure, isDetail: boolean): void {
    const answered = !error.shown && error.status !== undefined
    if (!answered) return
    const message = error.code === 'REFUSED' ? error.message : ''
    const shown = message === '' && isDetail ? text('menu.failed') : message
    if (shown !== '') feedback.toast({ text: shown })
  }

  async function read(url: string): Promise<Json | undefined> {
    const outcome = await http()?.send({ url, method: 'GET', keep: true })
    if (!outcome?.ok) {
      if (outcome) report(outcome.error, url === urls.detail)
      return undefined
    }
    return valueAt(outcome.value.data, 'data')
  }

  return { detail: () => read(urls.detail), dict: () => read(urls.dict) }
}
