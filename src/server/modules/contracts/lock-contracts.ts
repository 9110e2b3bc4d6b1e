import { sql } from 'kysely'
import type { CallContext } from '../../kernel/context/call-context.ts'

/** Locks the customers of several contracts and then the contracts, both in the order of their ids. */
export async function lockContracts(ids: readonly string[], { trx, caller }: CallContext): Promise<void> {
  const wanted = [...ids]
  await sql`select 1 from customer where tenant_id = ${caller.tenantId} and id in (select customer_id from contract
    where tenant_id = ${caller.tenantId} and id = any(${wanted}::text[])) order by id for update`.execute(trx)
  await sql`select 1 from contract where tenant_id = ${caller.tenantId} and id = any(${wanted}::text[])
    order by id for update`.execute(trx)
}

/** Locks the contracts of several plans or payments in the order of their ids. */
export const lockContractsOf =
  (table: 'payment_plan' | 'payment') =>
  async (ids: readonly string[], { trx, caller }: CallContext): Promise<void> => {
    await sql`select 1 from contract where tenant_id = ${caller.tenantId} and id in (select contract_id
      from ${sql.table(table)} where tenant_id = ${caller.tenantId} and id = any(${[...ids]}::text[]))
      order by id for update`.execute(trx)
  }
