import { sql } from 'kysely'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { PoolEntity } from '../../kernel/context/entities.ts'
import type { Pool } from '../../kernel/pools/pool.ts'
import type { FoundRecord } from '../../kernel/records/find-record.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

/** Refuses to give back what is agreed, done or on its way to be. */
export async function refuseUnreleasable(
  entity: PoolEntity,
  found: FoundRecord,
  pool: Pool,
  { trx, caller }: CallContext,
): Promise<void> {
  if (entity === 'lead' && found.status === 40) refuse(409, 'STATE_CONFLICT', text('lead.converted'))
  if (entity === 'bussiness' && found.status !== 1) refuse(409, 'STATE_CONFLICT', text('bussiness.closed'))
  if (entity !== 'customer') return
  if (found.lock_status === true) refuse(422, 'LOCKED', text('customer.locked'))
  if (found.deal_status === 1 && !pool.settings.release_deal)
    refuse(409, 'STATE_CONFLICT', text('customer.release-deal'))
  const { rows } =
    await sql`select 1 from contract where tenant_id = ${caller.tenantId} and customer_id = ${found.id}
    and approval_status = 1 and deleted_at is null limit 1`.execute(trx)
  if (rows.length > 0) refuse(409, 'STATE_CONFLICT', text('customer.release-approval'))
}
