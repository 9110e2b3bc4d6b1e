import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import type { Trx } from '../../../src/server/kernel/db/database.ts'
import { right } from '../business5/deals.ts'
import { DEMO } from '../images.ts'
import { type ReadPlan, watchPlans } from '../plan-watch.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'

/** Maximum rows read per row shown; a page that is not full counts as one row. */
const MAX_READ = 10
const PAGE = 20
/** Rows of a list that are tested in list order before the indexes of its filters are used. */
const WALKED = 1000
/** Records of each module; of modules with pools, every second one is in a pool. */
const RECORDS = 4000

const MODULES = [
  'customer',
  'contact',
  'lead',
  'bussiness',
  'contract',
  'payment',
  'product',
  'activity',
] as const
/** An own module whose records are in a pool. */
const OWN = 'desk'
const POOLED: readonly string[] = ['customer', 'lead', 'bussiness', OWN]
const LISTS = [
  ...MODULES,
  'pool/customer',
  'pool/lead',
  'pool/bussiness',
  `m/${OWN}`,
  `m/${OWN}/pool`,
] as const
/** Fields of own modules are addressed by name alone. */
const fieldOf = (list: string, name: string): string => (list.startsWith('m/') ? name : `ext.${name}`)

const FIELDS: readonly JsonObject[] = [
  { name: 'own_amount', kind: 'money', label: '额', filter: true, sort: true },
  { name: 'own_town', kind: 'text', label: '镇', filter: true, sort: true },
  { name: 'own_code', kind: 'text', label: '码', filter: true },
]
/** Two records have a code, every second one a town out of two; one in seven has no amount. */
const EXT = sql`jsonb_strip_nulls(jsonb_build_object('own_code', 'c' || n / 4, 'own_town', '镇' || (n / 2) % 2,
  'own_amount', case when n % 7 > 0 then (n * 7919) % 5000 end))`

let server: TestApp
let watch: ReturnType<typeof watchPlans>
let director: Client
const large = new Set<string>()

beforeAll(async () => {
  if (!process.env.TEST_DATABASE_URL) throw new Error('TEST_DATABASE_URL names no PostgreSQL server')
  server = await openTestApp({}, DEMO, (source) => {
    watch = watchPlans(source)
    return watch.source
  })
  const admin = await server.as('admin')
  for (const name of MODULES)
    right(await admin.post('/engine/web/module/save', { description: { name, fields: [...FIELDS] } }))
  const title = { name: 'title', kind: 'text', label: '标题', required: true }
  const desk = { name: OWN, label: '工位', title: 'title', behaviours: ['owned', 'pool'] }
  right(await admin.post('/engine/web/module/save', { description: { ...desk, fields: [title, ...FIELDS] } }))
  await server.database.owner(async (trx) => {
    for (const name of MODULES) await multiply(trx, name)
    await multiplyOwn(trx)
    await sql`update role set permissions = permissions || ${JSON.stringify([`m.${OWN}:view`, `m.${OWN}:pool`])}::jsonb
      where tenant_id = 'xinghai'`.execute(trx)
    await sql`analyze`.execute(trx)
    const { rows } = await sql<{ name: string }>`select relname as name from pg_class
      where relkind = 'r' and reltuples > 1000`.execute(trx)
    for (const { name } of rows) large.add(name)
  })
  director = await server.as('director')
}, 300_000)
afterAll(() => server.close())

/** Multiplies a record, with custom field values, and updates the mirrors. */
async function multiply(trx: Trx, table: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER'`.execute(trx)
  const columns = rows.map(({ name }) => name)
  const number = columns.filter((name) => name === `${table}_no`)
  const said = (name: string) => {
    if (name === 'id') return sql`${`${table.slice(0, 4)}-`} || lpad(n::text, 6, '0')`
    if (name === 'ext') return EXT
    if (name === 'name' || name === 'name_norm') return sql`t.name || n`
    if (name === 'is_primary') return sql`false`
    if (name === 'credit_code' || name === 'revision_of' || name === 'reverses_id') return sql`null`
    if (number.includes(name)) return sql`'NO' || lpad(n::text, 8, '0')`
    const pool = sql`(select p.id from pool p where p.tenant_id = t.tenant_id and p.entity = ${table} limit 1)`
    if (POOLED.includes(table) && name === 'owner_id')
      return sql`case when n % 2 = 0 then null else t.owner_id end`
    if (POOLED.includes(table) && name === 'pool_id') return sql`case when n % 2 = 0 then ${pool} end`
    if (POOLED.includes(table) && name === 'pool_entered_at') return sql`case when n % 2 = 0 then now() end`
    return sql.ref(`t.${name}`)
  }
  await sql`set local session_replication_role = replica`.execute(trx)
  await sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
    select ${sql.join(columns.map(said))} from (select * from ${sql.table(table)} where tenant_id = 'xinghai'
      and deleted_at is null ${table === 'product' ? sql`and status = 1` : sql`and owner_id is not null`} limit 1) t,
      generate_series(1, ${RECORDS}::int) n`.execute(trx)
  await sql`set local session_replication_role = origin`.execute(trx)
  await sql`update own_index set state = 'filling', last_id = '', done = 0
    where tenant_id = 'xinghai' and module = ${table}`.execute(trx)
  for (const { name } of FIELDS)
    await sql`select crm_own_fill('xinghai', ${table}, ${name}, ${table}, ${RECORDS * 2})`.execute(trx)
}

/** The same for the own module: records without an owner are in its pool. */
async function multiplyOwn(trx: Trx): Promise<void> {
  await sql`insert into record (tenant_id, module, id, title, owner_id, owner_dept_id, pool_id, pool_entered_at, ext)
    select 'xinghai', ${OWN}, 'desk-' || lpad(n::text, 6, '0'), '工位' || n, case when n % 2 = 1 then 'u-demo' end,
      case when n % 2 = 1 then 'xh-sales-1' end, case when n % 2 = 0 then p.id end, case when n % 2 = 0 then now() end, ${EXT}
    from pool p, generate_series(1, ${RECORDS}::int) n where p.tenant_id = 'xinghai' and p.entity = ${`m.${OWN}`}`.execute(
    trx,
  )
  for (const { name } of FIELDS)
    await sql`select crm_own_fill('xinghai', ${OWN}, ${name}, 'record', ${RECORDS * 2})`.execute(trx)
}

const ask = async (list: string, body: { readonly [key: string]: Json }) => {
  let data: JsonObject = {}
  const plans = await watch.record(async () => {
    data = right(await director.post(`/mini/${list}/list`, body))
  })
  return { plans, data }
}

/** The statement that looks for the most selective filter. */
const isProbe = ({ sql: text }: ReadPlan): boolean => text.includes('array_agg(f.record_id)')

const tooMany = (plans: readonly ReadPlan[], most: number): readonly string[] =>
  plans
    .flatMap(({ scans }) => scans)
    .filter(({ table, read }) => read > most && large.has(table))
    .map(({ what, read }) => `${what} ${read} > ${most}`)

it.each(LISTS)('%s is sorted by an own field in the order of its mirror, page after page', async (list) => {
  const found: string[] = []
  for (const [name, dir] of [
    ['own_amount', 'desc'],
    ['own_amount', 'asc'],
    ['own_town', 'asc'],
  ] as const) {
    const field = fieldOf(list, name)
    let cursor: Json = null
    for (let page = 1; page <= 2; page += 1) {
      const { plans, data } = await ask(list, { sort: [{ field, dir }], cursor })
      found.push(...tooMany(plans, MAX_READ * PAGE).map((one) => `${field} ${dir}, page ${page}: ${one}`))
      expect(data.list).toHaveLength(PAGE)
      cursor = data.nextCursor ?? null
    }
  }

  expect(large.size).toBeGreaterThan(MODULES.length)
  expect(found).toEqual([])
})

it.each(LISTS)('%s filters and counts by own fields, reading few more rows than it shows', async (list) => {
  const found: string[] = []
  const counts: Json[] = []
  const [code, town, amount] = ['own_code', 'own_town', 'own_amount'].map((name) => fieldOf(list, name))
  for (const filters of [
    [{ field: code, op: 'eq', value: 'c77' }],
    [{ field: town, op: 'eq', value: '镇1' }],
    [{ field: amount, op: 'between', value: [100, 110] }],
    [
      { field: town, op: 'eq', value: '镇1' },
      { field: code, op: 'in', value: ['c1', 'c2', 'c3'] },
    ],
  ] as Json[][])
    for (const sort of [null, [{ field: amount, dir: 'desc' }]] as (Json | null)[]) {
      const { plans, data } = await ask(list, {
        filters,
        withTotal: true,
        ...(sort === null ? {} : { sort }),
      })
      const total = data.total === '999+' ? WALKED : Number(data.total)
      const most = Math.max(MAX_READ * PAGE, MAX_READ * total, filters.length > 1 ? 0 : WALKED + 1)
      found.push(...tooMany(plans.filter(isProbe), WALKED + 1))
      found.push(
        ...tooMany(
          plans.filter((plan) => !isProbe(plan)),
          total < PAGE ? MAX_READ * PAGE : most,
        ).map((one) => `${JSON.stringify(filters)} ${JSON.stringify(sort)}: ${one}`),
      )
      counts.push(data.total ?? null)
    }

  expect(found).toEqual([])
  expect(counts[0]).toBe(POOLED.some((name) => list.split('/').includes(name)) ? 2 : 4)
})

it('records that return to their pool soon are found by owner, in their order', async () => {
  const admin = await server.as('admin')
  const fields = [{ name: 'title', kind: 'text', label: '标题', required: true }]
  const loan = { name: 'loan', label: '借用', title: 'title', behaviours: ['owned', 'pool'], fields }
  right(await admin.post('/engine/web/module/save', { description: loan }))
  await server.database.owner(async (trx) => {
    await sql`insert into record (tenant_id, module, id, title, owner_id, owner_dept_id, expire_at)
      select 'xinghai', 'loan', 'loan-' || n, '借用' || n, (array['u-demo', 'u-manager', 'u-zengke', 'u-zhaolei'])[n % 4 + 1],
        'xh-sales-1', ${new Date(server.clock.now)}::timestamptz + n * interval '1 minute'
      from generate_series(1, ${RECORDS}::int) n`.execute(trx)
    await sql`update role set permissions = permissions || '["m.loan:view"]'::jsonb where tenant_id = 'xinghai'`.execute(
      trx,
    )
    await sql`analyze record`.execute(trx)
  })
  const demo = await server.as('demo')
  let shown = 0
  const plans = await watch.record(async () => {
    shown = right(await demo.post('/mini/m/loan/list', { tab: 'recycling' })).list.length
  })

  expect(shown).toBe(PAGE)
  expect(plans.flatMap(({ indexes }) => indexes)).toContain('record_owner_expire')
  expect(tooMany(plans, PAGE + 1)).toEqual([])
})

it('a keyword finds the one matching record of an own module without reading the others', async () => {
  const admin = await server.as('admin')
  const title = { name: 'title', kind: 'text', label: '标题', required: true, search: true }
  const note = { name: 'note', label: '便笺', title: 'title', behaviours: ['owned'], fields: [title] }
  right(await admin.post('/engine/web/module/save', { description: note }))
  await server.database.owner(async (trx) => {
    await sql`update role set permissions = permissions || '["m.note:view"]' where tenant_id = 'xinghai'`.execute(
      trx,
    )
    await sql`insert into record (tenant_id, module, id, title, owner_id, owner_dept_id, search_text, search_tokens, ext)
      select 'xinghai', 'note', 'note-' || n, said.word, 'u-demo', 'xh-sales-1', said.word, said.tokens, jsonb_build_object('title', said.word)
      from generate_series(1, ${RECORDS}::int) n,
        lateral (select case when n = 7 then '独一无二' else '平常便笺' end as word,
          case when n = 7 then '{独一,一无,无二}' else '{平常,常便,便笺}' end::text[] as tokens) said`.execute(
      trx,
    )
    await sql`select crm_own_fill('xinghai', 'note', 'title', 'record', ${RECORDS * 2})`.execute(trx)
    await sql`analyze record, own_text`.execute(trx)
  })
  const ctx = await server.as('director')
  let found: JsonObject = {}
  const plans = await watch.record(async () => {
    found = right(await ctx.get('/mini/search/global?keyword=独一&types=m'))
  })

  expect(found.groups).toMatchObject([{ type: 'm/note', total: 1, list: [{ title: '独一无二' }] }])
  const read = plans.flatMap(({ scans }) => scans).filter(({ table }) => /^(record|own_text)$/.test(table))
  // The few records of the demo's own modules may be scanned.
  expect(read.filter((scan) => scan.read > PAGE)).toEqual([])
})
