import type { DBSchema, IDBPDatabase } from 'idb'
import type { Json } from '../../../runtime/core/json.ts'
import type { Draft, HttpMethod } from '../../../runtime/core/ports.ts'
import { openDatabase } from '../storage/open-database.ts'

/** An answer as it came, `at` in milliseconds since the epoch. */
export interface KeptAnswer {
  readonly key: string
  readonly at: number
  readonly data: Json
}

/** A write in the outbox. `seq` is its place in the order; `owner` the tenant and user it belongs to. */
export interface OutboxEntry {
  readonly seq: number
  readonly owner: string
  readonly at: number
  readonly url: string
  readonly method: HttpMethod
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Json
  /** The body once its pictures were uploaded; those stay in `body`, in case the uploads are gone before this arrives. */
  readonly uploaded?: Json | undefined
  readonly title: string
  readonly text: string
  /** The page it was written on, with its query. */
  readonly place: string
  readonly draft: Draft
  /** `refused`: the server has said no; it waits for the user. */
  readonly state: 'waiting' | 'refused'
  /** Why it was refused. */
  readonly message: string
  /** When it was first sent without an answer; null before. */
  readonly triedAt: number | null
}

/** An entry as it lies on the device: everything that its owner wrote, and what the server said to it, is locked. */
export interface StoredEntry extends Pick<OutboxEntry, 'seq' | 'owner' | 'at' | 'state' | 'triedAt'> {
  readonly locked: string
}

interface Tables extends DBSchema {
  answers: { key: string; value: KeptAnswer; indexes: { at: number } }
  outbox: { key: number; value: StoredEntry | OutboxEntry }
}

/** The device's own database for times without network. Rejects where the device cannot store (see `open-database.ts`). */
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
