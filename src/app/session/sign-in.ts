import type { TypedStorage } from '../storage/typed-storage.ts'

const SIGN_IN = 'sign_in'

/**
 * Which sign-in of this device the tab works in. The token is shared by all tabs, what a tab shows is not: once another tab has
 * signed in or out, nothing that is asked here may go out under the token that lies there now.
 */
export interface SignIn {
  /** Null without one. */
  id(): string | null
  /** False once another tab has begun or ended a session, until this one goes over to it. */
  isOurs(): boolean
  begin(): string
  end(): void
  /** Goes over to what another tab has begun, or ended. */
  adopt(): void
}

export function createSignIn(storage: TypedStorage, newId: () => string): SignIn {
  const stored = (): string | null => {
    const id = storage.get(SIGN_IN)
    return typeof id === 'string' ? id : null
  }
  let mine = stored()
  return {
    id: () => mine,
    isOurs: () => stored() === mine,
    begin() {
      mine = newId()
      storage.set(SIGN_IN, mine)
      return mine
    },
    end() {
      mine = null
      storage.remove(SIGN_IN)
    },
    adopt() {
      mine = stored()
    },
  }
}
