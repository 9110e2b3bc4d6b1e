import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEMO } from '../images.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'

let server: TestApp
let demo: Client
let director: Client
beforeAll(async () => {
  server = await openTestApp({}, DEMO)
  demo = await server.as('demo')
  director = await server.as('director')
})
afterAll(() => server.close())

interface Card {
  readonly id: string
  readonly [field: string]: unknown
}

/** Every page of a list, one after the other; `between` runs after each page. */
async function allPages(
  client: Client,
  body: object,
  between: () => Promise<unknown> = async () => {},
): Promise<Card[]> {
  const rows: Card[] = []
  for (let cursor: string | null = null, page = 0; page < 200; page++) {
    const answer = await client.post('/mini/customer/list', { ...body, cursor })
    expect(answer.meta.message).toBe('')
    rows.push(...answer.data.list)
    await between()
    cursor = answer.data.nextCursor
    if (cursor === null) return rows
  }
  throw new Error('the list does not end')
}

const stored = (where: ReturnType<typeof sql>) =>
  server.database.system(async (trx) => {
    const { rows } =
      await sql<Card>`select * from customer c where tenant_id = 'xinghai' and deleted_at is null
      and owner_id is not null and (${where})`.execute(trx)
    return rows
  })

/** The later of last follow-up and last change of owner, as a sortable text. */
const lastMoved = ({ last_follow_at, owner_since }: Card) =>
  [last_follow_at, owner_since].map((at) => (at as Date | null)?.toISOString() ?? '').sort()[1] ?? null

describe('paging', () => {
  it.each([
    ['last_follow_at', 'desc'],
    ['last_follow_at', 'asc'],
    ['next_follow_at', 'asc'],
    ['next_follow_at', 'desc'],
    ['level', 'asc'],
    ['py', 'asc'],
    ['created_at', 'desc'],
  ] as const)('shows each row once, by %s %s, nulls last', async (field, dir) => {
    const rows = await allPages(director, { limit: 37, sort: [{ field, dir }] })

    const ids = rows.map((row) => row.id)
    expect(new Set(ids).size).toBe(ids.length)
    expect([...ids].sort()).toEqual((await stored(sql`true`)).map((row) => row.id).sort())
    if (field === 'py') return
    const moved = new Map((await stored(sql`true`)).map((row) => [row.id, lastMoved(row)]))
    const values = rows.map((row) =>
      field === 'last_follow_at' ? (moved.get(row.id) ?? null) : (row[field] as string | null),
    )
    const known = values.filter((value) => value !== null)
    const inOrder = [...known].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0) * (dir === 'asc' ? 1 : -1))
    expect(values).toEqual([...inOrder, ...values.filter((value) => value === null)])
  })

  it.each(['customer', 'lead', 'bussiness'] as const)(
    'sorts a %s by its last activity: the follow-up, or the receipt if that is later',
    async (entity) => {
      const { rows: some } = await server.database.owner((trx) =>
        sql<{
          id: string
        }>`select id from ${sql.table(entity)} where tenant_id = 'xinghai' and deleted_at is null
          and owner_id is not null order by id limit 3`.execute(trx),
      )
      const [received, followed, both] = some.map(({ id }) => id)
      const put = (id: string | undefined, since: string, follow: string | null) =>
        server.database.owner((trx) =>
          sql`update ${sql.table(entity)} set owner_since = ${since}, last_follow_at = ${follow} where id = ${id}`.execute(
            trx,
          ),
        )
      await put(received, '2031-01-02', null)
      await put(followed, '2020-01-01', '2031-01-01')
      await put(both, '2031-01-03', '2020-01-02')
      const sort = [{ field: 'last_follow_at', dir: 'desc' }]

      const { list, nextCursor } = (await director.post(`/mini/${entity}/list`, { limit: 3, sort })).data
      const rest = (await director.post(`/mini/${entity}/list`, { limit: 3, sort, cursor: nextCursor })).data

      expect(list.map((row: Card) => row.id)).toEqual([both, received, followed])
      expect(rest.list.map((row: Card) => row.id)).not.toContain(followed)
    },
  )

  it('shows each row once with sorts in both directions', async () => {
    const sort = [
      { field: 'level', dir: 'asc' },
      { field: 'created_at', dir: 'desc' },
    ]

    const rows = await allPages(director, { limit: 50, sort })

    expect(new Set(rows.map((row) => row.id)).size).toBe(450)
    expect(rows).toHaveLength(450)
  })

  it('shows each row once while others are inserted (DOMAIN 8.8 no. 13)', async () => {
    let n = 0
    const before = new Set((await stored(sql`owner_id = 'u-demo'`)).map((row) => row.id))

    const rows = await allPages(
      demo,
      { tab: 'mine', limit: 7, sort: [{ field: 'created_at', dir: 'desc' }] },
      () => demo.post('/mini/customer/create', { name: `插队客户${++n}号` }),
    )

    const ids = rows.map((row) => row.id)
    expect(n).toBeGreaterThan(4)
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(ids)).toEqual(before)
  })

  it('refuses a cursor that was altered, or belongs to another request or user', async () => {
    const body = { limit: 5, tab: 'mine' }
    const { nextCursor } = (await demo.post('/mini/customer/list', body)).data
    const at = Math.floor(nextCursor.length / 3)
    const altered = nextCursor.slice(0, at) + (nextCursor[at] === 'A' ? 'B' : 'A') + nextCursor.slice(at + 1)
    const manager = await server.as('manager')

    const answers = [
      await demo.post('/mini/customer/list', { ...body, cursor: altered }),
      await demo.post('/mini/customer/list', { ...body, cursor: 'x' }),
      await demo.post('/mini/customer/list', { ...body, cursor: nextCursor, tab: 'all' }),
      await demo.post('/mini/customer/list', { ...body, cursor: nextCursor, keyword: '科技' }),
      await manager.post('/mini/customer/list', { ...body, cursor: nextCursor }),
    ]

    expect(answers.map((answer) => answer.meta.code)).toEqual([400, 400, 400, 400, 400])
    expect((await demo.post('/mini/customer/list', { ...body, cursor: nextCursor })).meta.code).toBe(200)
  })

  it('returns the neighbours of a row in the order of its list', async () => {
    const from = { tab: 'mine', sort: [{ field: 'next_follow_at', dir: 'asc' }] }
    const ids = (await allPages(demo, { ...from, limit: 20 })).map((row) => row.id)

    for (const index of [0, 1, 17, ids.length - 1]) {
      const { data } = await demo.get(
        `/mini/customer/detail?id=${ids[index]}&from=${encodeURIComponent(JSON.stringify(from))}`,
      )
      expect([data.prevId, data.nextId]).toEqual([ids[index - 1] ?? null, ids[index + 1] ?? null])
    }
  })
})

describe('scopes', () => {
  it.each([
    [
      'demo',
      sql`owner_id = 'u-demo' or id in (select record_id from collaborator where user_id = 'u-demo')
      or id in (select customer_id from bussiness where owner_id = 'u-demo') or id in (select customer_id from contract where owner_id = 'u-demo')`,
    ],
    [
      'manager',
      sql`owner_dept_id = 'xh-sales-1' or id in (select customer_id from bussiness where owner_id = 'u-manager')
      or id in (select customer_id from contract where owner_id = 'u-manager')`,
    ],
    ['director', sql`owner_dept_id in ('xh-sales', 'xh-sales-1', 'xh-sales-2')`],
    ['finance', sql`true`],
    ['admin', sql`true`],
  ])('show %s exactly the customers of their scope', async (account, where) => {
    const client = await server.as(account)

    const rows = await allPages(client, { limit: 100 })

    expect(rows.map((row) => row.id).sort()).toEqual((await stored(where)).map((row) => row.id).sort())
  })

  it('allow finance users only to read', async () => {
    const finance = await server.as('finance')

    const { list } = (await finance.post('/mini/customer/list', {})).data

    expect(new Set(list.flatMap((row: Card) => row.actions))).toEqual(new Set(['star']))
  })

  it('mask the phones for an observer', async () => {
    const observer = await server.as('qianduo')

    const { list } = (await observer.post('/mini/customer/list', { limit: 50 })).data

    const phones = list
      .flatMap((row: Card) => [row.mobile, row.contact_mobile, row.telephone])
      .filter(Boolean)
    expect(phones.length).toBeGreaterThan(10)
    for (const phone of phones) expect(phone).toContain('*')
  })
})

describe('filters', () => {
  it.each([
    [[{ field: 'level', op: 'in', value: ['A', 'B'] }], sql`level in ('A', 'B')`],
    [[{ field: 'level', op: 'ne', value: 'A' }], sql`level <> 'A'`],
    [[{ field: 'tags', op: 'in', value: ['long_credit'] }], sql`'long_credit' = any(tags)`],
    [[{ field: 'region', op: 'eq', value: '440000' }], sql`'440000' = any(region)`],
    [[{ field: 'region', op: 'contains', value: ['440000', '440300'] }], sql`region[2] = '440300'`],
    [[{ field: 'deal_status', op: 'eq', value: '1' }], sql`deal_status = 1`],
    [[{ field: 'lock_status', op: 'eq', value: true }], sql`lock_status`],
    [[{ field: 'next_follow_at', op: 'empty' }], sql`next_follow_at is null`],
    [
      [{ field: 'next_follow_at', op: 'rel', value: 'today' }],
      sql`(next_follow_at at time zone 'Asia/Shanghai')::date = '2026-03-16'`,
    ],
    [
      [{ field: 'next_follow_at', op: 'rel', value: 'next7d' }],
      sql`(next_follow_at at time zone 'Asia/Shanghai')::date between '2026-03-16' and '2026-03-22'`,
    ],
    [
      [{ field: 'created_at', op: 'between', value: ['2026-02-01', '2026-02-28'] }],
      sql`to_char(created_at at time zone 'Asia/Shanghai', 'YYYY-MM') = '2026-02'`,
    ],
    [
      [
        { field: 'mobile', op: 'startsWith', value: '1' },
        { field: 'source', op: 'nin', value: ['other'] },
      ],
      sql`mobile like '1%' and source <> 'other'`,
    ],
  ])('return the matching rows for %j', async (filters, where) => {
    const rows = await allPages(director, { limit: 100, filters })

    expect(rows.map((row) => row.id).sort()).toEqual((await stored(where)).map((row) => row.id).sort())
  })

  it.each([
    { filters: [{ field: 'tenant_id', op: 'eq', value: 'yunfan' }] },
    { filters: [{ field: 'constructor', op: 'eq', value: 'x' }] },
    { filters: [{ field: 'level', op: 'like', value: 'x' }] },
    { filters: [{ field: 'level', op: 'gt', value: 'x' }] },
    { filters: [{ field: 'created_at', op: 'rel', value: 'someday' }] },
    { filters: [{ field: 'created_at', op: 'eq', value: '2026-02-31' }] },
    { filters: [{ field: 'deal_status', op: 'eq', value: { a: 1 } }] },
    { sort: [{ field: 'password', dir: 'asc' }] },
    { sort: [{ field: 'level', dir: 'asc; drop table customer' }] },
    { tab: 'toString' },
    { limit: 101 },
    { keyword: 'x'.repeat(51) },
    { offset: 20 },
    { stat: { key: 'new_contract', period: 'today' } },
  ])('refuse %j as unknown', async (body) => {
    const answer = await director.post('/mini/customer/list', body)

    expect(answer.meta).toMatchObject({ code: 400, error: { type: 'BAD_FILTER' } })
  })

  it.each(['manager', 'director', 'finance'])(
    'of home for the team of %s count the rows of the lists that they open',
    async (account) => {
      const client = await server.as(account)
      const { todo, forgotten } = (await client.get('/mini/home/overview?scope=team')).data
      const length = async (tab: string) => (await allPages(client, { tab, limit: 100 })).length

      expect([todo.overdue, todo.today]).toEqual([await length('team_overdue'), await length('team_today')])
      expect(forgotten).toEqual({
        7: await length('team_unfollowed7'),
        15: await length('team_unfollowed15'),
        30: await length('team_unfollowed30'),
        90: await length('team_unfollowed90'),
      })
      const own = (await client.get('/mini/home/overview')).data
      expect(todo.overdue).toBeGreaterThan(own.todo.overdue)
      expect(forgotten[7]).toBeGreaterThanOrEqual(own.forgotten[7])
    },
  )

  it('count on the tabs the rows of the lists', async () => {
    const tabs = [
      'all',
      'mine',
      'collaborating',
      'starred',
      'today',
      'overdue',
      'unfollowed7',
      'unfollowed15',
      'unfollowed30',
      'unfollowed90',
      'recycling',
      'deal',
    ]

    const counts = (await demo.post('/mini/customer/count', { tabs })).data

    for (const tab of tabs)
      expect([tab, counts[tab]]).toEqual([tab, (await allPages(demo, { tab, limit: 100 })).length])
    for (const tab of ['today', 'overdue', 'recycling']) expect(counts[tab], tab).toBeGreaterThan(0)
    const { forgotten } = (await demo.get('/mini/home/overview')).data
    expect(forgotten).toEqual({
      7: counts.unfollowed7,
      15: counts.unfollowed15,
      30: counts.unfollowed30,
      90: counts.unfollowed90,
    })
  })
})

describe('keywords', () => {
  it('find a customer by any part of its name, its pinyin, its initials, its number and its phone', async () => {
    const rows = await stored(
      sql`owner_id = 'u-demo' and mobile is not null and char_length(name) < 30 and name ~ '^[一-龥]+$'`,
    )
    const finds = async (keyword: string, id: string) => {
      const list = await allPages(demo, { keyword, limit: 100 })
      expect(
        list.map((row) => row.id),
        keyword,
      ).toContain(id)
    }

    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...rows),
        fc.nat(),
        fc.integer({ min: 1, max: 6 }),
        async (row, start, length) => {
          const name = String(row.name)
          const at = start % (name.length - 1)
          await finds(name.slice(at, at + length), row.id)
          await finds(String(row.py).slice(0, 2 + length), row.id)
          await finds(String(row.py_initial).slice(0, 1 + (length % 3)), row.id)
          await finds(String(row.customer_no), row.id)
          await finds(String(row.mobile).slice(-4), row.id)
        },
      ),
      { numRuns: 12 },
    )
  })

  it('may be written in full width', async () => {
    const [row] = await stored(sql`owner_id = 'u-demo' and mobile is not null`)
    const wide = (written: string) =>
      Array.from(written, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)).join('')
    const ids = async (keyword: string) => (await allPages(demo, { keyword, limit: 100 })).map(({ id }) => id)
    const [contract] = (await demo.post('/mini/contract/list', {})).data.list
    const found = (await demo.post('/mini/contract/list', { keyword: wide(contract.contract_no) })).data.list

    for (const written of [row?.mobile, String(row?.mobile).slice(-6), row?.customer_no])
      expect([written, await ids(wide(String(written)))]).toEqual([
        written,
        expect.arrayContaining([row?.id]),
      ])
    expect(found.map(({ id }: { id: string }) => id)).toEqual([contract.id])
  })

  it('find nothing that does not exist, and match wildcards literally', async () => {
    for (const keyword of ['%', '_', '不存在的企业名字', '%%%%', "'; drop table customer; --"]) {
      expect(await allPages(demo, { keyword, limit: 100 }), keyword).toEqual([])
    }
  })

  it('search customers and contacts, the exact phone first', async () => {
    const [row] = await stored(sql`owner_id = 'u-demo' and mobile is not null`)

    const { groups } = (await demo.get(`/mini/search/global?keyword=${String(row?.mobile)}`)).data

    expect(groups[0]).toMatchObject({ type: 'customer', title: '客户' })
    expect(groups[0].list[0].id).toBe(row?.id)
  })
})
