import type { WaitingWrite } from '../../../runtime/core/ports.ts'
import type { CurrentCipher } from '../storage/cipher.ts'
import { createStore, type Store } from '../store.ts'
import { decryptEntry, encryptEntry, isLost, isStored } from './encrypted-entries.ts'
import type { OfflineDatabase, OutboxEntry, StoredEntry } from './offline-database.ts'

export interface WaitingEntriesOptions {
  readonly database: OfflineDatabase
  /** Tenant and user; null while nobody is signed in. */
  readonly owner: () => string | null
  /** Encrypts entries. */
  readonly currentCipher: CurrentCipher
  /** The text of an entry that cannot be decrypted. */
  readonly lostText: string
}

/** The entries of an outbox on the device, encrypted. They are also listed while the device cannot write. */
export interface WaitingEntries {
  readonly entries: Store<readonly OutboxEntry[]>
  reload(): Promise<void>
  get(seq: number): Promise<OutboxEntry | undefined>
  change(seq: number, part: Partial<OutboxEntry>): Promise<void>
  remove(seq: number): Promise<void>
  /** False: the device cannot store it. */
  add(entry: NewEntry, replaces: number | undefined): Promise<boolean>
}

type NewEntry = Pick<WaitingWrite, 'title' | 'text' | 'draft'> &
  WaitingWrite['request'] & { readonly owner: string; readonly at: number; readonly place: string }

export function createWaitingEntries(options: WaitingEntriesOptions): WaitingEntries {
  const { database } = options
  const entries = createStore<readonly OutboxEntry[]>([])
  /** Changes that the device could not write. They are kept while the app is open, so that no entry is sent twice. */
  const unwritten = new Map<number, Partial<OutboxEntry> | 'gone'>()

  async function reload(): Promise<void> {
    const owner = options.owner()
    const all = await attempt(async () => {
      const cipher = await options.currentCipher()
      const rows = (await (await database()).getAll('outbox')).filter((row) => row.owner === owner)
      if (cipher === null) return []
      // An older version did not encrypt entries.
      for (const row of rows)
        if (!isStored(row)) await (await database()).put('outbox', encryptEntry(row, cipher) as StoredEntry)
      return rows.map((row) => decryptEntry(row, cipher, options.lostText))
    })
    entries.set((all ?? entries.get()).flatMap(withUnwritten).filter((entry) => entry.owner === owner))
  }
  function withUnwritten(entry: OutboxEntry): OutboxEntry[] {
    const part = unwritten.get(entry.seq)
    return part === 'gone' ? [] : [{ ...entry, ...part }]
  }
  async function change(seq: number, part: Partial<OutboxEntry>): Promise<void> {
    const pending = unwritten.get(seq)
    if (pending === 'gone') return
    const merged = { ...pending, ...part }
    unwritten.set(seq, merged)
    const written = await attempt(async () => {
      const cipher = await options.currentCipher()
      if (cipher === null) return false
      const transaction = (await database()).transaction('outbox', 'readwrite')
      const row = await transaction.store.get(seq)
      if (row) {
        const entry = decryptEntry(row, cipher, options.lostText)
        if (!isLost(entry))
          await transaction.store.put(encryptEntry({ ...entry, ...merged }, cipher) as StoredEntry)
      }
      await transaction.done
      return true
    })
    if (written === true) unwritten.delete(seq)
    await reload()
  }
  async function remove(seq: number): Promise<void> {
    unwritten.set(seq, 'gone')
    await attempt(async () => {
      await (await database()).delete('outbox', seq)
      unwritten.delete(seq)
    })
    await reload()
  }

  return {
    entries,
    reload,
    change,
    remove,
    get: (seq) =>
      attempt(async () => {
        const cipher = await options.currentCipher()
        const row = await (await database()).get('outbox', seq)
        return cipher === null || row?.owner !== options.owner()
          ? undefined
          : decryptEntry(row, cipher, options.lostText)
      }),
    async add(entry, replaces) {
      const fresh = { ...entry, state: 'waiting', message: '', triedAt: null } as const
      const stored = await attempt(async () => {
        const cipher = await options.currentCipher()
        if (cipher === null) return undefined
        // `seq` comes from the database, unless this replaces an entry.
        const row = replaces === undefined ? fresh : { ...fresh, seq: replaces }
        const seq = await (await database()).put('outbox', encryptEntry(row, cipher) as StoredEntry)
        unwritten.delete(seq)
        return seq
      })
      await reload()
      return stored !== undefined
    },
  }
}

async function attempt<T>(task: () => Promise<T>): Promise<T | undefined> {
  try {
    return await task()
  } catch {
    return undefined
  }
}
