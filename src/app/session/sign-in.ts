import type { TypedStorage } from '../storage/typed-storage.ts'

const SIGN_IN = 'sign_in'

/**
 * The sign-in that this tab works in. All tabs share the token, but not what they show: once another tab has signed in or out, this tab must not make
 * calls with the stored token.
 */
export interface SignIn {
  /** Null without one. */
  id(): string | null
  /** False once another tab has begun or ended a session, until this tab switches to it. */
  isOurs(): boolean
  begin(): string
  end(): void
  /** Switches to the sign-in of another tab, or to none if it has ended. */
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
