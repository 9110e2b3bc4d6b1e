import type { Json } from '../../../runtime/core/json.ts'
import type * as SealRoom from './seal.ts'

/** Locks what one person leaves on the device. */
export interface Lock {
  shut(value: Json, place: string): string
  /** The value; undefined if it was encrypted by somebody else or for another key. */
  open(text: string, place: string): Json | undefined
}

/** The lock of whoever is signed in when it is asked for; null while nobody is. */
export type Locker = () => Promise<Lock | null>

/**
 * @param key  what the server tells the owner at sign-in and the device forgets at sign-out
 * @param room  the cryptography, fetched when it is needed first
 */
export function createLocker(key: () => string | null, room: () => Promise<typeof SealRoom>): Locker {
  return async () => {
    const now = key()
    if (now === null) return null
    const { seal, unseal } = await room()
    return {
      shut: (value, place) => seal(JSON.stringify(value), now, place),
      open(text, place) {
        const opened = unseal(text, now, place)
        return opened === undefined ? undefined : (JSON.parse(opened) as Json)
      },
    }
  }
}
