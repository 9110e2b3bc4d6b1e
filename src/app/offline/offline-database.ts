import type { DBSchema, IDBPDatabase } from 'idb'
import type { Json } from '../../../runtime/core/json.ts'
import type { Draft, HttpMethod } from '../../../runtime/core/ports.ts'
import { openDatabase } from '../storage/open-database.ts'

/** A cached answer; `at` in milliseconds since the epoch. */
export interface CachedAnswer {
  readonly key: string
  readonly at: number
  readonly data: Json
}

/** A write in the outbox. `seq` is its position; `owner` its tenant and user. */
export interface OutboxEntry {
  readonly seq: number
  readonly owner: string
  readonly at: number
  readonly url: string
  readonly method: HttpMethod
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Json
  /** The body after its pictures were uploaded. They also stay in `body`, in case the uploaded files expire before the write arrives. */
  readonly uploaded?: Json | undefined
  readonly title: string
  readonly text: string
  /** The url of the page it was written on. */
  readonly place: string
  readonly draft: Draft
  /** `refused`: the server refused it, or failed at it too often; the user decides. */
  readonly state: 'waiting' | 'refused'
  /** Why it was not done at the last attempt. */
  readonly message: string
  /** Time of the first attempt without an answer; null before. */
  readonly triedAt: number | null
  /** Attempts at which the server failed; not stored before the first. */
  readonly failed?: number
}

/** An entry as stored on the device: the contents and the server's message are encrypted. */
export interface StoredEntry extends Pick<OutboxEntry, 'seq' | 'owner' | 'at' | 'state' | 'triedAt'> {
  readonly locked: string
}

interface Tables extends DBSchema {
  answers: { key: string; value: CachedAnswer; indexes: { at: number } }
  outbox: { key: number; value: StoredEntry | OutboxEntry }
}

/** The device's database for times without network. Rejects if the device cannot store (see `open-database.ts`). */
export type OfflineDatabase = () => Promise<IDBPDatabase<Tables>>

/** On the browser's IndexedDB. */
export function offlineDatabase(): OfflineDatabase {
  return openDatabase<Tables>({
    name: 'vform-crm-offline',
    version: 1,
    create(database) {
      database.createObjectStore('answers', { keyPath: 'key' }).createIndex('at', 'at')
      database.createObjectStore('outbox', { keyPath: 'seq', autoIncrement: true })
    },
  })
}
