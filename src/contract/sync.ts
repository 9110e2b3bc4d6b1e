import type { Envelope } from './envelope.ts'

/** Kinds of records a client may keep a copy of, parents before what hangs on them; `record`: of all modules of the tenant's own. */
export const SYNC_ENTITIES = ['customer', 'contact', 'lead', 'bussiness', 'record', 'follow', 'todo'] as const
export type SyncEntity = (typeof SYNC_ENTITIES)[number]

/** Fields by name. */
type Fields = Readonly<Record<string, unknown>>

/** What POST /mini/sync/changes answers (DOMAIN 8.6). */
export interface SyncChanges {
  /** Forget every copy first: these are the first of all records. Also in the first answer of all. */
  readonly reset: boolean
  /** Records as they are now; take the place of the copy. */
  readonly changed: readonly {
    readonly entity: SyncEntity
    readonly id: string
    readonly record: Fields
  }[]
  /** Deleted, in a pool now, or no longer the caller's to see; perhaps never sent. */
  readonly deleted: readonly { readonly entity: SyncEntity; readonly id: string }[]
  /** The next `since`. */
  readonly next: string
  /** There is more at once. */
  readonly hasMore: boolean
}

/** One waiting write of POST /mini/sync/outbox. */
export interface OutboxOp {
  readonly clientToken: string
  /** Of the call: `/mini/customer/create`. */
  readonly path: string
  readonly body: Fields
  /** What the device's clock showed when it was written (`yyyy-MM-dd HH:mm:ss`). */
  readonly at?: string
  /** `tmp:…`: stands for the id of what this op makes, wherever a later op of the batch has it as a value. */
  readonly tempId?: string
}

/** What POST /mini/sync/outbox answers: an envelope per op, in their order, and the real ids. */
export interface OutboxAnswer {
  readonly results: readonly Envelope[]
  readonly ids: Readonly<Record<string, string>>
}
