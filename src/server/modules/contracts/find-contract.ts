import { sql } from 'kysely'
import type { ProductLine } from '../../../contract/contract.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { notYours } from '../../kernel/records/find-record.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { isInScope, isVisible, isWritable } from '../../kernel/visibility/predicate.ts'

/** A contract as stored in the database. */
export interface StoredContract {
  readonly id: string
  readonly contract_no: string
  readonly name: string
  readonly customer_id: string
  readonly bussiness_id: string | null
  readonly type: string
  readonly amount: number
  readonly sign_date: string
  readonly start_date: string | null
  readonly end_date: string | null
  readonly lines: readonly ProductLine[]
  readonly discount_rate: number
  readonly owner_id: string
  readonly owner_dept_id: string | null
  readonly created_by: string | null
  readonly approval_status: number
  readonly perform_status: number
  readonly received_amount: number
  readonly revision_of: string | null
  readonly revision_no: number
  readonly replaced_by: string | null
  readonly amount_overridden: boolean
  readonly below_min: boolean
  readonly version: number
  readonly [column: string]: unknown
}

/** A contract with what the caller may do with it. */
export interface FoundContract extends StoredContract {
  readonly in_scope: boolean
  readonly can_write: boolean
}

/** Approval states of contracts and payments (DOMAIN 1.6). */
export const STATUS = { draft: 0, running: 1, approved: 2, rejected: 3, withdrawn: 4, void: 5 } as const

/** True in the states in which its author may still edit, delete and submit it. */
export function isOpen(row: { readonly approval_status: number }): boolean {
  return ([STATUS.draft, STATUS.rejected, STATUS.withdrawn] as readonly number[]).includes(
    row.approval_status,
  )
}

/** True for a contract that counts: approved, and not replaced by a revision. */
export function isEffective(row: {
  readonly approval_status: number
  readonly replaced_by: string | null
}): boolean {
  return row.approval_status === STATUS.approved && row.replaced_by === null
}

/** SQL condition: the contract behind an alias is in effect. */
export function effective(row: string) {
  return sql<boolean>`(${sql.ref(`${row}.approval_status`)} = ${STATUS.approved}
    and ${sql.ref(`${row}.replaced_by`)} is null and ${sql.ref(`${row}.deleted_at`)} is null)`
}

/**
 * The current state of the contract. 404 if the caller does not see it.
 * @param lock  lock it until the transaction ends
 */
export async function findContract(id: string, ctx: CallContext, lock = false): Promise<FoundContract> {
  const { trx, caller } = ctx
  const { rows } = await sql<FoundContract>`
    select k.*, ${isInScope(caller, 'contract', 'k')} as in_scope, ${isWritable(caller, 'contract', 'k')} as can_write
    from contract k where ${isVisible(caller, 'contract', 'k')} and k.id = ${id}
    ${lock ? sql`for update of k` : sql``}`.execute(trx)
  return rows[0] ?? refuse(404, 'NOT_FOUND', text('call.not-found'))
}

/**
 * Locks the customer of a contract and then the contract. Every writer of money uses this order, so totals are summed over rows that nobody changes
 * meanwhile, without a deadlock.
 * @throws Refusal 404, 409 if the customer of the contract was replaced at the same moment
 */
export async function lockDeal(id: string, ctx: CallContext): Promise<StoredContract> {
  const { trx, caller } = ctx
  const first = await sql<{ customer_id: string }>`select customer_id from contract
    where tenant_id = ${caller.tenantId} and id = ${id} and deleted_at is null`.execute(trx)
  const customerId = first.rows[0]?.customer_id ?? refuse(404, 'NOT_FOUND', text('call.not-found'))
  await sql`select 1 from customer where tenant_id = ${caller.tenantId} and id = ${customerId} for update`.execute(
    trx,
  )
  const { rows } = await sql<StoredContract>`select * from contract where tenant_id = ${caller.tenantId}
    and id = ${id} and deleted_at is null for update`.execute(trx)
  const contract = rows[0] ?? refuse(404, 'NOT_FOUND', text('call.not-found'))
  if (contract.customer_id !== customerId) refuse(409, 'STATE_CONFLICT', text('record.conflict'))
  return contract
}

/** The contract, which the caller must see, locked together with its customer. */
export async function findDeal(id: string, ctx: CallContext): Promise<FoundContract> {
  await findContract(id, ctx)
  await lockDeal(id, ctx)
  return findContract(id, ctx, true)
}

/** Refuses with 405 unless the caller may change the contract. */
export async function requireWrite(found: FoundContract, ctx: CallContext): Promise<void> {
  if (!found.can_write) await notYours('contract', found, 'contract:edit', ctx)
}

/** Refuses with 409 and the name of the state the record is in. */
export function refuseState(approval_status: number): never {
  const state = text(`approval.status.${approval_status as 0 | 1 | 2 | 3 | 4 | 5}`)
  refuse(409, 'STATE_CONFLICT', text('contract.state', { state }))
}
