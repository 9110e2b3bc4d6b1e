import { sql } from 'kysely'
import type { Trx } from '../../../src/server/kernel/db/database.ts'

/** Rows for tests, inserted directly: only what a test is about is given. */
export async function aCustomer(
  trx: Trx,
  { id, tenant = 'xinghai', owner = 'u-demo', ...more }: RowOf & { readonly owner?: string | null },
): Promise<void> {
  if (owner === null)
    await sql`insert into pool (tenant_id, id, entity, name, member_all, is_default)
      values (${tenant}, ${`${tenant}-pool`}, 'customer', '公海', true, true) on conflict do nothing`.execute(
      trx,
    )
  await sql`insert into customer (tenant_id, id, name, customer_no, owner_id, owner_since, pool_id, next_follow_at,
      last_follow_at, expire_at, follow_status, created_at, name_norm, search_text, search_tokens, py, py_initial)
    values (${tenant}, ${id}, ${more.name ?? `客户${id}`}, ${id}, ${owner}, ${more.ownerSince ?? more.createdAt ?? null},
      ${owner === null ? `${tenant}-pool` : null}, ${more.nextFollowAt ?? null}, ${more.lastFollowAt ?? null},
      ${more.expireAt ?? null}, ${more.followStatus ?? 'followed'}, ${more.createdAt ?? new Date('2026-01-01')}, ${id}, '', '{}',
      '', '')`.execute(trx)
}

interface RowOf {
  readonly id: string
  readonly tenant?: string
  readonly name?: string
  readonly nextFollowAt?: Date
  readonly lastFollowAt?: Date
  readonly ownerSince?: Date
  readonly expireAt?: Date
  readonly createdAt?: Date
  readonly followStatus?: 'none' | 'followed'
}

/** An approved contract of a customer. */
export async function aContract(
  trx: Trx,
  {
    id,
    tenant = 'xinghai',
    owner = 'u-demo',
    ...more
  }: { id: string; customer: string } & Partial<{
    tenant: string
    owner: string
    amount: number
    signDate: string
    endDate: string
    status: number
  }>,
): Promise<void> {
  const amount = more.amount ?? 100
  await sql`insert into contract (tenant_id, id, contract_no, name, customer_id, type, amount, stat_amount, sign_date, end_date,
      owner_id, approval_status)
    values (${tenant}, ${id}, ${id}, ${`合同${id}`}, ${more.customer}, 'direct', ${amount}, ${amount},
      ${more.signDate ?? '2026-01-01'}, ${more.endDate ?? null}, ${owner}, ${more.status ?? 2})`.execute(trx)
}

/** An open payment plan of a contract. */
export async function aPlan(
  trx: Trx,
  { id, contract, day, tenant = 'xinghai' }: { id: string; contract: string; day: string; tenant?: string },
): Promise<void> {
  await sql`insert into payment_plan (tenant_id, id, contract_id, period_no, plan_amount, plan_date)
    values (${tenant}, ${id}, ${contract}, 1, 50, ${day})`.execute(trx)
}

/** An approval that waits for people. */
export async function anApproval(
  trx: Trx,
  {
    id,
    record,
    waiting,
    tenant = 'xinghai',
    submitter = 'u-demo',
  }: {
    id: string
    record: string
    waiting: readonly string[]
    tenant?: string
    submitter?: string
  },
): Promise<void> {
  await sql`insert into approval (tenant_id, id, entity, record_id, title, amount, submitter_id, waiting_ids, approver_ids,
      steps, submitted_at)
    values (${tenant}, ${id}, 'contract', ${record}, ${`合同${record}`}, 100, ${submitter}, ${[...waiting]}::text[],
      ${[...waiting]}::text[], ${JSON.stringify([{ name: '', mode: 'any', people: waiting, approved: [] }])}::jsonb,
      '2026-03-15T02:00:00Z')`.execute(trx)
}
