import { sql } from 'kysely'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { notYours } from '../../kernel/records/find-record.ts'
import { oldestMark } from '../../kernel/records/recycle-bin.ts'
import { updateRow } from '../../kernel/records/write-row.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { isInScope } from '../../kernel/visibility/predicate.ts'
import { findContract, isOpen, refuseState } from './find-contract.ts'

/**
 * Moves a draft, rejected or withdrawn contract to the recycle bin with its plans (DOMAIN 1.6, 1.16).
 * @throws Refusal 404, 405, 409 STATE_CONFLICT if it is approved or being approved, 422 REFERENCED if it has payments
 */
export async function removeContract(id: string, ctx: CallContext): Promise<void> {
  const { trx, caller, now } = ctx
  const found = await findContract(id, ctx, true)
  if (!found.in_scope) await notYours('contract', found, 'contract:del', ctx)
  if (!isOpen(found)) refuseState(found.approval_status)
  const { rows } =
    await sql`select 1 from payment where tenant_id = ${caller.tenantId} and contract_id = ${id}
      and deleted_at is null
    union all select 1 from payment_plan where tenant_id = ${caller.tenantId} and contract_id = ${id}
      and deleted_at is null and received_amount <> 0 limit 1`.execute(trx)
  if (rows.length > 0) refuse(422, 'REFERENCED', text('contract.used'))
  await updateRow('contract', id, { deleted_at: now }, ctx)
  await sql`update payment_plan set deleted_at = ${now} where tenant_id = ${caller.tenantId} and contract_id = ${id}
    and deleted_at is null`.execute(trx)
}

/** Restores a contract within 30 days, with the plans that were deleted together with it. */
export async function restoreContract(id: string, ctx: CallContext): Promise<void> {
  const { trx, caller } = ctx
  const { rows } = await sql<{ deleted_at: Date; blocked: boolean }>`select k.deleted_at,
      c.deleted_at is not null or exists (select 1 from contract x where x.tenant_id = k.tenant_id
        and x.revision_of = k.revision_of and x.deleted_at is null and x.approval_status <> 5) as blocked
    from contract k join customer c on c.tenant_id = k.tenant_id and c.id = k.customer_id
    where k.tenant_id = ${caller.tenantId} and k.id = ${id} and k.deleted_at >= ${oldestMark(ctx)}
      and ${isInScope(caller, 'contract', 'k')} for update of k`.execute(trx)
  const [found] = rows
  if (found === undefined) refuse(404, 'NOT_FOUND', text('record.not-deleted'))
  if (found.blocked) refuse(409, 'STATE_CONFLICT', text('contract.not-restorable'))
  await updateRow('contract', id, { deleted_at: null }, ctx)
  await sql`update payment_plan set deleted_at = null where tenant_id = ${caller.tenantId} and contract_id = ${id}
    and deleted_at = ${found.deleted_at}`.execute(trx)
}
