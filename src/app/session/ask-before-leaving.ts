import type { Feedback, Text } from '../../../runtime/core/ports.ts'
import type { AppOutbox } from '../offline/outbox.ts'
import type { Drafts } from '../pages/drafts.ts'

interface LeavingParts {
  readonly feedback: Pick<Feedback, 'modal'>
  readonly text: Text
  readonly drafts: Pick<Drafts, 'of' | 'remove'>
  readonly outbox: Pick<AppOutbox, 'entries'>
}

/**
 * Before a sign-out: says how many writes have not been sent, which only this device has, and asks what becomes of the drafts.
 *
 * @returns false if the user stays
 */
export async function askBeforeLeaving(owner: string, parts: LeavingParts): Promise<boolean> {
  const { feedback, text, drafts, outbox } = parts
  const waiting = outbox.entries.get().length
  if (waiting > 0 && !(await feedback.modal({ content: text('outbox.leave', { n: waiting }) })).confirm)
    return false
  const savedDrafts = await drafts.of(owner)
  if (savedDrafts.length === 0) return true
  const { confirm } = await feedback.modal({
    content: text('draft.leave', { n: savedDrafts.length }),
    confirmText: text('draft.leave.remove'),
    cancelText: text('draft.leave.keep'),
  })
  if (confirm) for (const key of savedDrafts) await drafts.remove(key)
  return true
}
