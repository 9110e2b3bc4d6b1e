import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { newId } from '../../../src/server/kernel/db/id.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'

const server: TestApp = await openTestApp()
const TENANT = 'xinghai'
const OWNERS = ['u-demo', 'u-manager', 'u-director', 'u-admin']
const RECORDS = 160

interface Row {
  readonly id: string
  readonly owner: string
  readonly ext: JsonObject
}

const FIELDS: readonly JsonObject[] = [
  { name: 'score', kind: 'number', label: '评分', filter: true, sort: true },
  { name: 'renew', kind: 'day', label: '续费', filter: true, sort: true },
  { name: 'met', kind: 'moment', label: '见面', filter: true, sort: true },
  { name: 'town', kind: 'text', label: '城镇', filter: true, sort: true },
  { name: 'marks', kind: 'texts', label: '标签', filter: true },
  { name: 'vip', kind: 'flag', label: '贵宾', filter: true },
  { name: 'late', kind: 'integer', label: '晚加', filter: true },
]

/** Every third value is missing, and many are equal. */
function extOf(n: number): JsonObject {
  const all: JsonObject = {
    score: (n * 37) % 11 === 0 ? 0.1 * (n % 7) : (n * 37) % 50,
    renew: `2026-0${1 + (n % 9)}-1${n % 10}`,
    met: `2026-03-0${1 + (n % 9)} 0${n % 10}:30:00`,
    town: ['青岛', '烟台', 'a town', 'Zhen', '威海'][n % 5] ?? '',
    marks: [`t${n % 4}`, `t${(n + 1) % 4}`],
    vip: n % 3 === 0,
  }
  return Object.fromEntries(Object.entries(all).filter((_, at) => (n + at) % 3 !== 0))
}

/** Records inserted directly into the table with the same age: they are ordered by the field, then by id. */
async function insertRecords(module: string, table: 'customer' | 'record'): Promise<readonly Row[]> {
  const rows = Array.from({ length: RECORDS }, (_, n) => ({
    id: newId(Date.parse('2026-03-01T00:00:00Z') + ((n * 7919) % RECORDS)),
    owner: OWNERS[n % OWNERS.length] ?? '',
    ext: extOf(n),
  }))
  await server.database.system(async (trx) => {
    for (const { id, owner, ext } of rows) {
      const dept = sql`(select dept_id from membership where tenant_id = ${TENANT} and user_id = ${owner})`
      if (table === 'record')
        await sql`insert into record (tenant_id, module, id, title, owner_id, owner_dept_id, ext)
          values (${TENANT}, ${module}, ${id}, ${id}, ${owner}, ${dept}, ${JSON.stringify(ext)}::jsonb)`.execute(
          trx,
        )
      else
        await sql`insert into customer (tenant_id, id, customer_no, name, name_norm, py, py_initial, search_text, search_tokens, owner_id, owner_dept_id, ext)
          values (${TENANT}, ${id}, ${id.slice(-20)}, ${id}, ${id}, 'x', 'X', '', '{}', ${owner}, ${dept}, ${JSON.stringify(ext)}::jsonb)`.execute(
          trx,
        )
    }
  })
  return rows
}

let admin: Client
const all: Record<'customer' | 'm/visit', readonly Row[]> = { customer: [], 'm/visit': [] }
beforeAll(async () => {
  admin = await server.as('admin')
  const visit = {
    name: 'visit',
    label: '拜访',
    title: 'title',
    behaviours: ['owned', 'recycle'],
    fields: [{ name: 'title', kind: 'text', label: '标题', required: true }, ...FIELDS],
  }
  expect((await admin.post('/engine/web/module/save', { description: visit })).meta.code).toBe(200)
  for (const field of FIELDS)
    expect((await admin.post('/engine/web/field/save', { module: 'customer', field })).meta.code).toBe(200)
  await server.database.system(async (trx) => {
    await sql`update role set permissions = permissions || '["m.visit:view"]'::jsonb`.execute(trx)
  })
  all.customer = await insertRecords('customer', 'customer')
  all['m/visit'] = await insertRecords('visit', 'record')
}, 120_000)
afterAll(() => server.close())

const SORTS = ['score', 'renew', 'met', 'town'] as const
const nameIn = (path: string, field: string) => (path === 'customer' ? `ext.${field}` : field)

/** The expected order of a list: by value, nulls last, ties by id in the direction of the sort. */
function inOrder(rows: readonly Row[], field: string, dir: 'asc' | 'desc'): readonly string[] {
  const way = dir === 'asc' ? 1 : -1
  const compared = (a: Json, b: Json) => (a === b ? 0 : (a as string) < (b as string) ? -1 : 1)
  return [...rows]
    .sort((a, b) => {
      const [x = null, y = null] = [a.ext[field], b.ext[field]]
      if (x === null || y === null) {
        if (x !== y) return x === null ? 1 : -1
        return way * compared(a.id, b.id)
      }
      return way * (compared(x, y) || compared(a.id, b.id))
    })
    .map(({ id }) => id)
}

async function pagesOf(client: Client, path: string, body: JsonObject): Promise<readonly string[]> {
  const seen: string[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { meta, data } = await client.post(`/mini/${path}/list`, {
      ...body,
      limit: 23,
      cursor: cursor ?? null,
    })
    expect(meta).toMatchObject({ code: 200 })
    seen.push(...data.list.map(({ id }: { id: string }) => id))
    cursor = data.nextCursor
  }
  return seen
}

const seenBy = async (client: Client, path: 'customer' | 'm/visit') => {
  const visible = new Set(await pagesOf(client, path, {}))
  return all[path].filter(({ id }) => visible.has(id))
}

describe.each(['customer', 'm/visit'] as const)('the list of %s, by own fields', (path) => {
  describe.each(['demo', 'manager', 'director'])('for %s', (account) => {
    let client: Client
    let rows: readonly Row[]
    beforeAll(async () => {
      client = await server.as(account)
      rows = await seenBy(client, path)
    })

    it.each(SORTS.flatMap((field) => [[field, 'asc'] as const, [field, 'desc'] as const]))(
      'is in the order of %s %s, page after page, empty values last',
      async (field, dir) => {
        const sort = [{ field: nameIn(path, field), dir }]

        expect(rows.length).toBeGreaterThan(30)
        expect(await pagesOf(client, path, { sort })).toEqual(inOrder(rows, field, dir))
      },
    )

    it.each(SORTS.flatMap((field) => [[field, 'asc'] as const, [field, 'desc'] as const]))(
      'finds the neighbours of each record in the order of %s %s',
      async (field, dir) => {
        const sort = [{ field: nameIn(path, field), dir }]
        const ids = inOrder(rows, field, dir)
        const from = encodeURIComponent(JSON.stringify({ sort }))
        for (const at of [
          0,
          1,
          9,
          Math.floor(ids.length / 2),
          Math.floor(ids.length * 0.67),
          ids.length - 1,
        ]) {
          const { data } = await client.get(`/mini/${path}/detail?id=${ids[at]}&from=${from}`)

          expect([data.prevId, data.nextId]).toEqual([ids[at - 1] ?? null, ids[at + 1] ?? null])
        }
      },
    )

    it.each([
      ['score', 'gte', 20, ({ score }: JsonObject) => Number(score ?? -1) >= 20],
      ['score', 'in', [37, 24], ({ score }: JsonObject) => score === 37 || score === 24],
      [
        'score',
        'between',
        [0.1, 0.4],
        ({ score }: JsonObject) => Number(score ?? -1) >= 0.1 && Number(score) <= 0.4,
      ],
      ['score', 'ne', 37, ({ score }: JsonObject) => score !== 37],
      ['score', 'empty', null, ({ score }: JsonObject) => score === undefined],
      [
        'renew',
        'between',
        ['2026-02-01', '2026-04-30'],
        ({ renew = '' }: JsonObject) => String(renew) >= '2026-02-01' && String(renew) <= '2026-04-30',
      ],
      ['met', 'eq', '2026-03-04', ({ met = '' }: JsonObject) => String(met).startsWith('2026-03-04')],
      ['met', 'lt', '2026-03-04 03:30', ({ met = '9' }: JsonObject) => String(met) < '2026-03-04 03:30'],
      ['town', 'eq', '青岛', ({ town }: JsonObject) => town === '青岛'],
      ['town', 'startsWith', 'z', ({ town = '' }: JsonObject) => String(town) === 'Zhen'],
      ['marks', 'in', ['t1', 't9'], ({ marks = [] }: JsonObject) => (marks as Json[]).includes('t1')],
      ['marks', 'contains', 't2', ({ marks = [] }: JsonObject) => (marks as Json[]).includes('t2')],
      [
        'marks',
        'contains',
        ['t2', 't3'],
        ({ marks = [] }: JsonObject) => ['t2', 't3'].every((one) => (marks as Json[]).includes(one)),
      ],
      ['vip', 'eq', true, ({ vip }: JsonObject) => vip === true],
    ] as const)('finds and counts by %s %s %j', async (field, op, value, passes) => {
      const filters = [{ field: nameIn(path, field), op, value: value as Json }]
      const found = rows.filter(({ ext }) => passes(ext))
      const { data } = await client.post(`/mini/${path}/list`, { filters, withTotal: true, limit: 1 })
      const sort = [{ field: nameIn(path, 'renew'), dir: 'desc' }]

      expect(data.total).toBe(found.length)
      expect([...(await pagesOf(client, path, { filters }))].sort()).toEqual(found.map(({ id }) => id).sort())
      expect(await pagesOf(client, path, { filters, sort })).toEqual(inOrder(found, 'renew', 'desc'))
    })

    it('filters by two fields, in the order of a third', async () => {
      const filters = [
        { field: nameIn(path, 'score'), op: 'gte', value: 10 },
        { field: nameIn(path, 'town'), op: 'in', value: ['青岛', '烟台'] },
      ]
      const sort = [{ field: nameIn(path, 'met'), dir: 'asc' }]
      const found = rows.filter(
        ({ ext }) => Number(ext.score ?? -1) >= 10 && ['青岛', '烟台'].includes(String(ext.town)),
      )

      expect(found.length).toBeGreaterThan(3)
      expect(await pagesOf(client, path, { filters, sort })).toEqual(inOrder(found, 'met', 'asc'))
    })
  })
})
