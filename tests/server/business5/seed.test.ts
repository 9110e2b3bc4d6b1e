import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../../src/server/db/database.ts'
import { seedDemo } from '../../../src/server/seed/index.ts'
import { openTestDatabase } from '../support.ts'

let database: Database
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ database, drop } = await openTestDatabase())
  await seedDemo(database, new Date('2026-03-16T02:00:00Z'))
}, 90_000)
afterAll(() => drop())

const count = async (query: ReturnType<typeof sql<{ n: number }>>) =>
  (await database.system((trx) => query.execute(trx))).rows[0]?.n

it('every contract and payment that waits has one approval, with a named step and the person it waits for', async () => {
  const lost = await count(sql<{ n: number }>`select count(*) as n from (
      select tenant_id, id, approver_id, 'contract' as entity from contract where approval_status = 1
      union all select tenant_id, id, approver_id, 'payment' from payment where approval_status = 1) x
    where not exists (select 1 from approval a where a.tenant_id = x.tenant_id and a.entity = x.entity
      and a.record_id = x.id and a.status = 'running' and a.waiting_ids = array[x.approver_id])`)
  const running = await count(sql<{ n: number }>`select count(*) as n from approval where status = 'running'`)

  const nameless = await count(sql<{ n: number }>`select count(*) as n from approval a,
    jsonb_array_elements(a.steps) step where step ->> 'name' = ''`)

  expect(lost).toBe(0)
  expect(nameless).toBe(0)
  expect(running).toBeGreaterThan(4)
})

it('the lines of every contract make up its amount, and its products are on the list', async () => {
  const wrong = await count(sql<{ n: number }>`select count(*) as n from contract k where k.amount <> (
    select coalesce(sum((line ->> 'amount')::numeric), 0) from jsonb_array_elements(k.lines) line
    join product p on p.tenant_id = k.tenant_id and p.id = line ->> 'product_id'
    where round((line ->> 'price')::numeric * (line ->> 'quantity')::numeric, 2) = (line ->> 'amount')::numeric)`)

  expect(wrong).toBe(0)
})

it('both tenants have products, also one off the shelf, and activities before, now and later', async () => {
  const { rows } = await database.system((trx) =>
    sql<{ tenant_id: string; off: number; past: number; now: number; later: number }>`
      select t.id as tenant_id, (select count(*) from product p where p.tenant_id = t.id and p.status = 0) as off,
        (select count(*) from activity a where a.tenant_id = t.id and a.end_at < '2026-03-16T02:00:00Z') as past,
        (select count(*) from activity a where a.tenant_id = t.id and '2026-03-16T02:00:01Z' between a.start_at and a.end_at) as now,
        (select count(*) from activity a where a.tenant_id = t.id and a.start_at > '2026-03-16T02:00:00Z') as later
      from tenant t where t.id in ('xinghai', 'yunfan')`.execute(trx),
  )

  for (const row of rows) expect(row).toMatchObject({ off: 1, past: 2, now: 1, later: 2 })
  expect(rows).toHaveLength(2)
})
