import type { TypedStorage } from '../storage/typed-storage.ts'

const LAST_OWNER = 'last_owner'

export interface LastPerson {
  /** Tenant and user: of the present person, else of the one before; empty without one. */
  owner(): string
  /** The present person is about to be removed. */
  keep(): void
  /** Nothing remains of who was there. */
  forget(): void
  /** Somebody has signed in after the one who was kept. */
  follow(): void
  /** True once after that was another person: login would lead back to a page of the one before. */
  startsAtHome(): boolean
}

/**
 * Who was signed in last in this tab, kept across a reload: if the same person signs in again, they continue where they were.
 *
 * @param perVisit  lives as long as the tab
 * @param present   `tenant:user`, without a user if nobody is signed in
 */
export function createLastPerson(perVisit: TypedStorage, present: () => string): LastPerson {
  let isOther = false
  const kept = (): string => String(perVisit.get(LAST_OWNER) ?? '')
  const owner = (): string => (present().endsWith(':') ? kept() : present())
  return {
    owner,
    keep: () => perVisit.set(LAST_OWNER, owner()),
    forget: () => perVisit.remove(LAST_OWNER),
    follow() {
      isOther = kept() !== '' && kept() !== present()
    },
    startsAtHome() {
      const starts = isOther
      isOther = false
      return starts
    },
  }
}
