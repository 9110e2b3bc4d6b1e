import { isObject } from '../../../runtime/core/json.ts'
import type { Cipher } from '../storage/cipher.ts'
import type { OutboxEntry, StoredEntry } from './offline-database.ts'

type NewEntry = Omit<OutboxEntry, 'seq'> & { readonly seq?: number }

/** The entry as stored on the device. */
export function encryptEntry(
  entry: NewEntry,
  cipher: Cipher,
): Omit<StoredEntry, 'seq'> & { readonly seq?: number } {
  const { seq, owner, at, state, triedAt, ...rest } = entry
  const locked = cipher.encrypt(JSON.parse(JSON.stringify(rest)), placeOf(entry))
  return { ...(seq === undefined ? {} : { seq }), owner, at, state, triedAt, locked }
}

/**
 * The entry as its owner wrote it. If it cannot be decrypted any more (the server's secret has changed), it is shown as refused with the text `lost`,
 * and can only be deleted.
 */
export function decryptEntry(row: StoredEntry | OutboxEntry, cipher: Cipher, lostText: string): OutboxEntry {
  if (!isStored(row)) return row
  const { locked, ...known } = row
  const rest = cipher.decrypt(locked, placeOf(row))
  if (isObject(rest)) return { ...known, ...(rest as unknown as Omit<OutboxEntry, keyof typeof known>) }
  return { ...known, ...NOTHING, state: 'refused', message: lostText }
}

export const isStored = (row: StoredEntry | OutboxEntry): row is StoredEntry => 'locked' in row

/** True for an entry that could not be decrypted and cannot be sent. */
export const isLost = ({ url }: OutboxEntry): boolean => url === ''

/** Binds an encrypted entry to its owner and time, so that entries cannot be swapped. */
const placeOf = ({ owner, at }: { readonly owner: string; readonly at: number }): string =>
  `outbox:${owner}:${at}`

const NOTHING = {
  url: '',
  method: 'POST',
  title: '',
  text: '',
  place: '/',
  draft: { values: {}, rows: {} },
} as const
