import type { Caller } from '../auth/caller.ts'
import type { Trx } from '../db/database.ts'
import type { TenantModel } from '../model/library.ts'

/** One call at work: in which transaction, for whom, when, and what its cursors are signed with. */
export interface Asking {
  readonly trx: Trx
  readonly caller: Caller
  readonly now: Date
  /** When the user wrote what is done now: before `now` where a phone had no network. Absent: then. */
  readonly writtenAt?: Date
  readonly zone: string
  readonly cursorSecret: string
  /** Modules and fields as the caller's tenant has them. */
  readonly model: TenantModel
}
