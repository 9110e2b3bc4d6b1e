import type { Clock } from '../../../runtime/core/ports.ts'
import type { AppSession } from './session.ts'

/** A tab that signs in writes several values: they are evaluated together. */
const SETTLE_MS = 50
/** Time within which a tab that signed in stores the user, unless it was closed meanwhile. */
const PERSON_MS = 3_000

export interface TabsOptions {
  readonly session: Pick<AppSession, 'isOurs' | 'takeOver'>
  readonly clock: Clock
  /** Signed out, or ended by the server. */
  readonly onEnded: () => void
  /** The same person in the same company, with a new sign-in. */
  readonly onSamePerson: () => void
  readonly onOtherPerson: () => void
}

/**
 * Makes this tab follow the session of the others. Call the returned function when the shared storage has changed; changes that do not concern the
 * session have no effect.
 */
export function followTabs(options: TabsOptions): () => void {
  const { session, clock } = options
  let cancel = () => {}

  function decide(isLast: boolean): void {
    const now = session.takeOver(isLast)
    if (now === 'unknown') cancel = clock.after(PERSON_MS, () => decide(true))
    if (now === 'ended') options.onEnded()
    if (now === 'same') options.onSamePerson()
    if (now === 'other') options.onOtherPerson()
  }
  return () => {
    if (session.isOurs()) return
    cancel()
    cancel = clock.after(SETTLE_MS, () => decide(false))
  }
}
