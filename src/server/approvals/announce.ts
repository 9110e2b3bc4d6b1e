import type { ApprovalEntity } from '../../contract/approval.ts'
import type { Asking } from '../records/asking.ts'

/** Something about a contract or a payment that people should hear of (CRM 5). */
export interface Announcement {
  readonly event: `${ApprovalEntity}.${'submit' | 'next' | 'approved' | 'rejected' | 'withdrawn' | 'void'}`
  readonly entity: ApprovalEntity
  readonly recordId: string
  readonly approvalId: string | null
  readonly title: string
  /** Yuan. */
  readonly amount: number
  /** Whom it concerns; the actor himself is never among those to be told. */
  readonly receiverIds: readonly string[]
  readonly opinion: string | null
}

/**
 * The single place where contracts, payments and approvals tell of themselves, inside the writing transaction.
 * Messages and to-dos are made from here; nobody listens yet.
 */
export async function notify(_announcement: Announcement, _asking: Asking): Promise<void> {}
