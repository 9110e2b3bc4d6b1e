import type { Json } from '../../../runtime/core/json.ts'
import type * as SealRoom from './seal.ts'

/** Encrypts a user's data on the device. */
export interface Cipher {
  encrypt(value: Json, place: string): string
  /** The value; undefined if it was encrypted by another user or with another key. */
  decrypt(text: string, place: string): Json | undefined
}

/** The lock of the user signed in at the time of the call; null if there is none. */
export type CurrentCipher = () => Promise<Cipher | null>

/**
 * @param key  sent by the server to the owner at sign-in, forgotten by the device at sign-out
 * @param room  the cryptography module, loaded at its first use
 */
export function createCurrentCipher(
  key: () => string | null,
  room: () => Promise<typeof SealRoom>,
): CurrentCipher {
  return async () => {
    const now = key()
    if (now === null) return null
    const { seal, unseal } = await room()
    return {
      encrypt: (value, place) => seal(JSON.stringify(value), now, place),
      decrypt(text, place) {
        const opened = unseal(text, now, place)
        return opened === undefined ? undefined : (JSON.parse(opened) as Json)
      },
    }
  }
}
