import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import { DEMO } from '../images.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'

let server: TestApp
beforeAll(async () => {
  server = await openTestApp({}, DEMO)
}, 90_000)
afterAll(() => server.close())

const count = async (query: ReturnType<typeof sql<{ n: number }>>) =>
  (await server.database.system((trx) => query.execute(trx))).rows[0]?.n

it('every pending contract and payment has one approval, with a named step and its approver', async () => {
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

it.each(['manager', 'director', 'finance'])(
  '%s has finished approvals to view, or was in copy',
  async (account) => {
    const client = await server.as(account)
    const list = async (tab: string) =>
      (await client.post('/mini/approval/list', { tab, limit: 100 })).data.list

    const [done, copied] = [await list('done'), await list('cc')]
    const { acts, steps } = (await client.get(`/mini/approval/detail?id=${[...done, ...copied][0].id}`)).data

    expect((account === 'manager' ? done : copied).length).toBeGreaterThan(5)
    for (const card of [...done, ...copied])
      expect(card).toMatchObject({
        status: expect.stringMatching(/approved|rejected/),
        actions: [],
        waiting_names: null,
      })
    expect(acts.map((it: { action: string }) => it.action)).toEqual([
      'submit',
      expect.stringMatching(/approve|reject/),
    ])
    expect(steps).toMatchObject([{ state: expect.stringMatching(/done|stopped/) }])
  },
)

it('the lines of every contract add up to its amount, and its products are in the list', async () => {
  const wrong = await count(sql<{ n: number }>`select count(*) as n from contract k where k.amount <> (
    select coalesce(sum((line ->> 'amount')::numeric), 0) from jsonb_array_elements(k.lines) line
    join product p on p.tenant_id = k.tenant_id and p.id = line ->> 'product_id'
    where round((line ->> 'price')::numeric * (line ->> 'quantity')::numeric, 2) = (line ->> 'amount')::numeric)`)

  expect(wrong).toBe(0)
})

it('both tenants have products, including one off sale, and past, current and future activities', async () => {
  const { rows } = await server.database.system((trx) =>
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

it.each(['demo', 'manager', 'director', 'finance', 'admin'])(
  'pending and overdue items on the home page of %s: each figure equals the rows of its list',
  async (account) => {
    const client = await server.as(account)
    const { todo, forgotten } = (await client.get('/mini/home/overview')).data
    const numbers = { ...todo, ...forgotten }
    const tiles = await tilesOfHome()

    const listed = await Promise.all(
      tiles.map(async ({ name, url }) => [name, await rowsOf(client, `u-${account}`, url)]),
    )

    expect(Object.fromEntries(listed)).toEqual(
      Object.fromEntries(tiles.map(({ name }) => [name, numbers[name]])),
    )
    expect(tiles.length).toBe(11)
  },
)

it('the home pages of the demo user and of a manager have figures', async () => {
  for (const account of ['demo', 'manager']) {
    const { todo } = (await (await server.as(account)).get('/mini/home/overview')).data
    expect(Object.values(todo).filter((n) => n !== 0).length).toBeGreaterThan(3)
  }
})

/** The tiles of the home page that open a list, with the address they open. */
async function tilesOfHome(): Promise<readonly { readonly name: string; readonly url: string }[]> {
  const files = ['pages/index.json', 'fragments/home/today.json']
  const grids = await Promise.all(
    files.map(async (file) =>
      gridsIn(JSON.parse(await readFile(new URL(`../../../schemas/${file}`, import.meta.url), 'utf8'))),
    ),
  )
  return ['todo', 'soon', 'forgotten'].flatMap((name) => {
    const { items, on } = grids.flat().find((grid) => grid.name === name) ?? {}
    const clicks = isObject(on) && Array.isArray(on.itemClick) ? on.itemClick.filter(isObject) : []
    const urls = clicks.map(({ url }) => String(url)).filter((url) => !url.includes('team_'))
    return (Array.isArray(items) ? items : []).filter(isObject).map((item) => {
      const asked = urls.find((url) => (/{{ row\.(\w+) }}/.exec(url)?.[1] as string) in item) ?? ''
      return {
        name: String(item.name),
        url: asked.replace(/{{ row\.(\w+) }}/, (_, key: string) => String(item[key])),
      }
    })
  })
}

/** The options of every `stat-grid` below a node. */
function gridsIn(node: Json): readonly JsonObject[] {
  if (Array.isArray(node)) return node.flatMap(gridsIn)
  if (!isObject(node)) return []
  const here = node.type === 'stat-grid' && isObject(node.options) ? [node.options] : []
  return [...here, ...Object.values(node).flatMap((child) => (child === undefined ? [] : gridsIn(child)))]
}

/** The number of rows of the list at an address, requested as its page does. */
async function rowsOf(client: Client, me: string, url: string): Promise<number> {
  const { pathname, searchParams } = new URL(url, 'http://app')
  const tab = searchParams.get('tab') ?? searchParams.get('type') ?? ''
  const filters =
    searchParams.get('owner') === 'mine' ? [{ field: 'owner_id', op: 'eq', value: me }] : undefined
  const section = searchParams.get('section')
  const answer = await client.post(LISTS[pathname] ?? '', {
    tab,
    limit: 100,
    ...(filters && { filters }),
    ...(section && { section }),
  })
  expect(answer.data, `${url}: ${answer.body.slice(0, 200)}`).toMatchObject({ hasMore: false })
  return answer.data.list.length
}

const LISTS: Readonly<Record<string, string>> = {
  '/pages/customer/my/index': '/mini/customer/list',
  '/pages/work/todo/index': '/mini/todo/list',
  '/pages/contract/index': '/mini/contract/list',
  '/pages/contract/plan/index': '/mini/plan/list',
}

it('no follow-up contradicts its method, and none is older than its customer', async () => {
  const early = await count(sql<{ n: number }>`select count(*) as n from follow f
    join customer c on c.tenant_id = f.tenant_id and c.id = f.customer_id where f.followed_at < c.created_at`)
  const told = await count(sql<{ n: number }>`select count(*) as n from follow where
    (content like '电话沟通%') > (method = 'call') or (content like '上门拜访%') > (method = 'visit')
    or (content like '微信发送%') > (method = 'wechat') or (content like '线上会议%') > (method = 'online_meeting')`)

  expect([early, told]).toEqual([0, 0])
})

it('activities begin at full hours of working days, and stages change in working hours', async () => {
  const odd = await count(sql<{ n: number }>`select count(*) as n from (
    select start_at at time zone 'Asia/Shanghai' as at from activity) x
    where at <> date_trunc('hour', at) or extract(isodow from at) > 5 or extract(hour from at) not between 9 and 17`)
  const nightly = await count(sql<{ n: number }>`select count(*) as n from (
    select (step ->> 'at')::timestamptz at time zone 'Asia/Shanghai' as at, b.created_at from bussiness b,
      jsonb_array_elements(b.stage_history) with ordinality as s (step, place)
      where s.place > 1 and (step ->> 'at')::timestamptz < (select max(created_at) from bussiness)) x
    where extract(isodow from at) > 5 or extract(hour from at) not between 9 and 19`)

  expect([odd, nightly]).toEqual([0, 0])
})

it('the report of the last week is from Monday to Sunday', async () => {
  const { rows } = await server.database.system((trx) =>
    sql<{ first: number; last: number }>`select extract(isodow from from_day)::int as first,
      extract(isodow from to_day)::int as last from work_report`.execute(trx),
  )

  expect(rows.length).toBeGreaterThan(0)
  for (const row of rows) expect(row).toEqual({ first: 1, last: 7 })
})
