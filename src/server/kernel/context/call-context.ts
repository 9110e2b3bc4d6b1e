import type { Caller } from '../auth/caller.ts'
import type { Trx } from '../db/database.ts'
import type { TenantModel } from '../model/library.ts'

/** The context of a call: its transaction, caller and time, and the key that signs its cursors. */
export interface CallContext {
  readonly trx: Trx
  readonly caller: Caller
  readonly now: Date
  /** When the user made the change: before `now` if a phone had no network. Absent: same as `now`. */
  readonly writtenAt?: Date
  readonly zone: string
  readonly cursorSecret: string
  /** Modules and fields as defined for the caller's tenant. */
  readonly model: TenantModel
}
