import type { Clock } from '../../../runtime/core/ports.ts'
import type { AppSession } from './session.ts'

/** A tab that signs in writes several values: they are looked at together. */
const SETTLE_MS = 50
/** A tab that signed in tells who it is within this time, unless it was closed meanwhile. */
const PERSON_MS = 3_000

export interface TabsOptions {
  readonly session: Pick<AppSession, 'isOurs' | 'takeOver'>
  readonly clock: Clock
  /** Signed out, or ended by the server. */
  readonly onEnded: () => void
  /** The same person in the same company, under a new sign-in. */
  readonly onSamePerson: () => void
  readonly onOtherPerson: () => void
}

/**
 * Lets this tab follow the session of the others. The returned function is told that something in the shared storage has changed;
 * what is not about the session changes nothing.
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
