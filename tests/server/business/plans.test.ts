import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../../runtime/core/json.ts'
import type { DataScope } from '../../../src/server/kernel/auth/permissions.ts'
import { makeLargeData } from '../../../src/tools/load/large-data.ts'
import { long } from '../../support/long.ts'
import { DEMO } from '../images.ts'
import { type ReadPlan, watchPlans } from '../plan-watch.ts'
import { type Answer, type Client, openTestApp, type TestApp } from '../support.ts'
import { listCalls, narrowedCalls } from './list-calls.ts'

/** Maximum rows read per row shown; a page that is not full counts as one row. */
const MAX_READ = 10
const PAGE = 20
/** Maximum customers on the map. */
const NEARBY = 50
/** Names that share a pair of characters with one are compared with it. */
const LIKE_IT = 700
/** A table of fewer rows is rightly scanned: it has only a few pages. */
const SMALL = 1000

/**
 * A search by one filter or keyword may read ten times as many rows. A filter without an index of the owner reads the rows of one
 * person; for a keyword or several filters a thousand rows are tested before their indexes are used, which cover the whole tenant.
 */
const PERSON = 350
const WALKED = 1000
/** To find a thousand ordered rows in a table of a few thousand, sorting all of them is cheaper. */
const SORTED = 5000
/**
 * Contacts of the customers of one's own opportunities are not a page of an index, but a set per person that is sorted: its size
 * depends on the data, which differ with each day and seed.
 */
const SETS: ReadonlySet<string> = new Set(['contact_of_customer'])
const mostOf = (what: string, most: number): number => (SETS.has(what) ? Math.max(most, PERSON) : most)
const isTested = (body: object) =>
  'keyword' in body || ('filters' in body && (body.filters as Json[]).length > 1)

/** Thirty sellers with about 250 customers each: what one of them sees is a small part of the table, and more than a page. */
const SIZES = { people: 30, customers: 9_600, leads: 4_800, bussiness: 3_900, follows: 15_000, visits: 9_600 }

/** Accounts, each with a scope that its role is given. */
const SCOPES: readonly (readonly [account: string, role: string, scope: DataScope, options?: typeof long])[] =
  [
    ['demo', 'sales', 'self'],
    ['manager', 'sales_manager', 'dept_sub', long],
    ['manager', 'sales_manager', 'dept', long],
    ['manager', 'sales_manager', 'self_sub', long],
    ['manager', 'sales_manager', 'dept_custom', long],
    ['director', 'sales_director', 'all'],
  ]

/**
 * How many rows a list reads, as counted by PostgreSQL under row-level security: only on a PostgreSQL server, since its planner
 * is the relevant one. Under row-level security an index is used for leakproof conditions only: any other condition scans the whole tenant.
 */
describe('a list on PostgreSQL', () => {
  let server: TestApp
  const large = new Set<string>()
  let watch: ReturnType<typeof watchPlans>
  beforeAll(async () => {
    if (!process.env.TEST_DATABASE_URL) throw new Error('TEST_DATABASE_URL names no PostgreSQL server')
    server = await openTestApp({}, DEMO, (source) => {
      watch = watchPlans(source)
      return watch.source
    })
    await makeLargeData(server.url ?? '', SIZES, () => undefined)
    const { rows } = await server.database.owner((trx) =>
      sql<{
        name: string
      }>`select relname as name from pg_class where relkind = 'r' and reltuples > ${SMALL}`.execute(trx),
    )
    for (const { name } of rows) large.add(name)
  }, 300_000)
  afterAll(() => server.close())

  for (const [account, role, scope, options = {}] of SCOPES)
    it(
      `for ${account} (${role}, ${scope}) reads at most ten rows per row shown, in every tab and order`,
      options,
      async () => {
        const client = await inScope(account, role, scope)
        const tooMany: string[] = []
        for (const { name, path, body } of listCalls()) {
          const plans = await watch.record(async () => {
            const answer = await client.post(path, { ...body })
            if (answer.meta.code !== 200 && answer.meta.code !== 405)
              throw new Error(`${name}: ${answer.body}`)
          })
          for (const { table, what, read } of scansOfPage(plans))
            if (read > mostOf(what, MAX_READ * PAGE) && large.has(table))
              tooMany.push(`${name}: ${what} ${read}`)
        }

        expect(tooMany).toEqual([])
      },
    )

  // How many rows a tab would otherwise skip depends on the date of the demo data: no page of them proves the use of an index.
  it.each([
    ['pool/customer', 'high', 'customer_pool_high'],
    ['pool/lead', 'high', 'lead_pool_high'],
    ['pool/bussiness', 'high', 'bussiness_pool_high'],
    ['pool/customer', 'never_followed', 'customer_pool_never_followed'],
    ['pool/lead', 'never_followed', 'lead_pool_never_followed'],
    ['bussiness', 'won', 'bussiness_won_moved'],
    ['bussiness', 'lost', 'bussiness_lost_moved'],
    ['bussiness', 'open', 'bussiness_open_moved'],
    ['bussiness', 'recycling', 'bussiness_owner_expire'],
  ])('finds the rows of %s %s in their own index, whatever other rows exist', async (name, tab, index) => {
    const client = await inScope('director', 'sales_director', 'all')
    const plans = await watch.record(() => client.post(`/mini/${name}/list`, { tab }))

    expect(plans.find(({ sql: text }) => text.includes('sort_values'))?.indexes).toContain(index)
  })

  it.each([
    ['demo', 'sales', 'self'],
    ['manager', 'sales_manager', 'dept_sub'],
    ['director', 'sales_director', 'all'],
  ] as const)(
    'for %s (%s, %s) reads at most ten times the rows found on further pages, filtered and counted',
    async (account, role, scope) => {
      const client = await inScope(account, role, scope)
      const tooMany: string[] = []
      const check = (name: string, plans: readonly ReadPlan[], most: number) => {
        for (const { table, what, read } of plans.flatMap(({ scans }) => scans))
          if (read > mostOf(what, most) && large.has(table))
            tooMany.push(`${name}: ${what} ${read} > ${most}`)
      }
      const ask = async (path: string, body: { [key: string]: Json }) => {
        let answer: Answer | undefined
        const plans = await watch.record(async () => {
          answer = await client.post(path, body)
        })
        if (answer?.meta.code !== 200) throw new Error(`${path} ${JSON.stringify(body)}: ${answer?.body}`)
        return { plans, data: answer.data }
      }
      const pageOf = (plans: readonly ReadPlan[]) =>
        plans.filter(({ sql: text }) => text.includes('sort_values'))

      for (const name of [
        'customer',
        'contact',
        'lead',
        'bussiness',
        'follow',
        'pool/customer',
        'pool/lead',
        'pool/bussiness',
      ]) {
        let cursor: string | null = null
        for (let page = 1; page <= 3; page++) {
          const { plans, data } = await ask(`/mini/${name}/list`, { cursor })
          check(`${name} page ${page}`, pageOf(plans), MAX_READ * PAGE)
          cursor = data.nextCursor
          if (page !== 2 || name === 'follow' || name.includes('/')) continue
          const plansOfNeighbours = await watch.record(() =>
            client.get(`/mini/${name}/detail?id=${data.list[10].id}&from=${encodeURIComponent('{}')}`),
          )
          check(`neighbours of ${name}`, plansOfNeighbours.slice(-2), MAX_READ * PAGE)
        }
      }
      for (const [lng, lat] of [
        [113.945, 22.54],
        [121.6, 31.2],
      ] as const) {
        const { plans } = await ask('/mini/customer/nearby', { lng, lat, radius: 50 })
        const found = plans.filter(({ sql: text }) => text.includes('metres'))
        expect(found.flatMap(({ indexes }) => indexes).join()).toMatch(/customer_\w+_place/)
        check('nearby', found, MAX_READ * NEARBY)
      }
      for (const { name, path, body } of narrowedCalls()) {
        // The feed has no count.
        const isFeed = name.startsWith('follow')
        const { plans, data } = await ask(path, isFeed ? { ...body } : { ...body, withTotal: true })
        const found = data.total === undefined ? PAGE : data.total === '999+' ? 1000 : Number(data.total)
        const most = Math.max(MAX_READ * PAGE, MAX_READ * found, isTested(body) ? WALKED : PERSON)
        const isWalk = ({ sql: text }: ReadPlan) => text.includes('walked')
        check(name, plans.filter(isWalk), SORTED)
        check(
          name,
          plans.filter((plan) => !isWalk(plan)),
          most,
        )
      }
      // A column of the board is counted and summed by an index of its stage, whoever owns the opportunities.
      let columns: readonly { readonly stage: { readonly id: string }; readonly count: number }[] = []
      await client.post('/mini/bussiness/board', {}).then(({ data }) => {
        columns = data.columns
      })
      for (const { stage, count } of columns) {
        const { plans } = await ask('/mini/bussiness/board', { stageId: stage.id })
        check(`board ${stage.id}`, plans, Math.max(MAX_READ * Math.max(PAGE, count), WALKED))
      }

      expect(tooMany).toEqual([])
    },
  )

  const OWN_SORTS = [
    'own_renew asc',
    'own_renew desc',
    'own_met desc',
    'own_town asc',
    'own_amount desc',
  ] as const
  /** From a value of every fifth record to one of two records. */
  const OWN_FILTERS = [
    [{ field: 'own_level', op: 'in', value: ['b'] }],
    [{ field: 'own_town', op: 'eq', value: '镇7' }],
    [{ field: 'own_code', op: 'eq', value: 'c77' }],
    [{ field: 'own_renew', op: 'between', value: ['2025-03-01', '2025-03-31'] }],
    [{ field: 'own_tags', op: 'in', value: ['t3'] }],
    [
      { field: 'own_level', op: 'in', value: ['b'] },
      { field: 'own_score', op: 'between', value: [40, 49] },
    ],
    [
      { field: 'own_vip', op: 'eq', value: true },
      { field: 'own_town', op: 'in', value: ['镇1', '镇2', '镇3'] },
    ],
  ]
  const ownNamed = (name: string, field: string) => (name === 'customer' ? `ext.${field}` : field)
  const sortOf = (name: string, sort: string) => {
    const [field = '', dir = ''] = sort.split(' ')
    return [{ field: ownNamed(name, field), dir }]
  }
  const filtersOf = (name: string, filters: readonly { readonly field: string }[]) =>
    filters.map((filter) => ({ ...filter, field: ownNamed(name, filter.field) })) as Json[]

  it.each(
    ['customer', 'm/visit'].flatMap((name) =>
      (
        [
          ['demo', 'sales', 'self'],
          ['manager', 'sales_manager', 'dept_sub'],
          ['director', 'sales_director', 'all'],
        ] as const
      ).map((who) => [name, ...who] as const),
    ),
  )(
    'of %s for %s (%s, %s) reads few more rows than it shows by own fields',
    async (name, account, role, scope) => {
      const client = await inScope(account, role, scope)
      const tooMany: string[] = []
      const check = (what: string, plans: readonly ReadPlan[], most: number) => {
        for (const { table, what: by, read } of plans.flatMap(({ scans }) => scans))
          if (read > most && large.has(table)) tooMany.push(`${what}: ${by} ${read} > ${most}`)
      }
      const ask = async (body: { readonly [key: string]: Json }) => {
        let answer: Answer | undefined
        const plans = await watch.record(async () => {
          answer = await client.post(`/mini/${name}/list`, body)
        })
        if (answer?.meta.code !== 200) throw new Error(`${JSON.stringify(body)}: ${answer?.body}`)
        return { plans, data: answer.data }
      }
      for (const order of OWN_SORTS) {
        const sort = sortOf(name, order)
        let cursor: string | null = null
        for (let page = 1; page <= 3; page++) {
          const { plans, data } = await ask({ sort, cursor })
          check(`${order}, page ${page}`, plans, MAX_READ * PAGE)
          cursor = data.nextCursor
          if (page !== 2) continue
          const from = encodeURIComponent(JSON.stringify({ sort }))
          const neighbours = await watch.record(() =>
            client.get(`/mini/${name}/detail?id=${data.list[10].id}&from=${from}`),
          )
          check(`neighbours by ${order}`, neighbours.slice(-2), MAX_READ * PAGE)
        }
      }
      for (const filters of OWN_FILTERS)
        for (const order of [null, 'own_amount desc']) {
          const sort = order === null ? {} : { sort: sortOf(name, order) }
          const { plans, data } = await ask({ filters: filtersOf(name, filters), ...sort, withTotal: true })
          const found = data.total === '999+' ? 1000 : Number(data.total)
          const most = Math.max(MAX_READ * PAGE, MAX_READ * found, WALKED)
          const isPage = ({ sql: text }: ReadPlan) => text.includes('sort_values')
          const what = `${JSON.stringify(filters)} ${order}`
          // Two unselective filters are both evaluated by index alone, and their intersection is looked up.
          check(what, plans.filter(isPage), filters.length > 1 ? SORTED : most)
          check(
            `${what}, walked`,
            plans.filter(({ sql: text }) => text.includes('walked')),
            SORTED,
          )
        }

      expect(tooMany).toEqual([])
    },
  )

  it.each(['customer', 'm/visit'])(
    'of %s by own fields finds all matches, page after page, however rare',
    async (name) => {
      const client = await inScope('director', 'sales_director', 'all')
      const table = name === 'customer' ? 'customer' : 'record'
      const { rows: codes } = await server.database.owner((trx) =>
        sql<{ rare: string }>`select min(ext ->> 'own_code') as rare from ${sql.table(table)}
          where tenant_id = 'xinghai' and deleted_at is null and owner_id is not null`.execute(trx),
      )
      const rare = codes[0]?.rare ?? ''
      const ofRare = [{ field: 'own_code', op: 'eq', value: rare }]
      let found = 0
      for (const [filters, passes] of [
        [ofRare, sql`ext ->> 'own_code' = ${rare}`],
        [OWN_FILTERS[5], sql`ext ->> 'own_level' = 'b' and (ext ->> 'own_score')::int between 40 and 49`],
        [OWN_FILTERS[6], sql`ext ->> 'own_vip' = 'true' and ext ->> 'own_town' = any('{镇1,镇2,镇3}')`],
      ] as const) {
        const seen: string[] = []
        for (let cursor: string | null | undefined; cursor !== null; ) {
          const { data } = await client.post(`/mini/${name}/list`, {
            filters: filtersOf(name, filters ?? []),
            sort: sortOf(name, 'own_renew desc'),
            limit: 50,
            cursor: cursor ?? null,
          })
          seen.push(...data.list.map(({ id }: { id: string }) => id))
          cursor = data.nextCursor
        }
        const { rows } = await server.database.owner((trx) =>
          sql<{
            id: string
          }>`select id from ${sql.table(table)} where tenant_id = 'xinghai' and deleted_at is null
          and owner_id is not null and ${passes} order by ext ->> 'own_renew' desc nulls last, id desc`.execute(
            trx,
          ),
        )

        found += rows.length
        expect(seen).toEqual(rows.map(({ id }) => id))
      }
      expect(found).toBeGreaterThan(0)
    },
  )

  // 公司 is in every name, 科技 in many, 精密 in few of the first thousand, and 王 matches only contacts.
  it.each(
    ['demo', 'director'].flatMap((account) =>
      ['公司', '科技', '精密', '王', '没有这个'].map((keyword) => [account, keyword] as const),
    ),
  )('shows %s each customer with %s once and in order, page after page', async (account, keyword) => {
    const client = await inScope(
      account,
      account === 'demo' ? 'sales' : 'sales_director',
      account === 'demo' ? 'self' : 'all',
    )
    const seen: string[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { data } = await client.post('/mini/customer/list', {
        keyword,
        limit: 100,
        cursor: cursor ?? null,
      })
      seen.push(...data.list.map(({ id }: { id: string }) => id))
      cursor = seen.length < 700 ? data.nextCursor : null
    }
    const like = `%${keyword}%`
    const { rows } = await server.database.owner((trx) =>
      sql<{ id: string }>`select c.id from customer c where c.tenant_id = 'xinghai' and c.deleted_at is null
        and c.owner_id is not null and ${account === 'demo' ? sql`(c.owner_id = 'u-demo' or exists (select 1 from collaborator x where x.record_id = c.id and x.user_id = 'u-demo') or exists (select 1 from bussiness b where b.customer_id = c.id and b.owner_id = 'u-demo'))` : sql`true`}
        and (c.name like ${like} or exists (select 1 from contact k
          where k.customer_id = c.id and k.deleted_at is null and k.name like ${like}))
        order by greatest(c.last_follow_at, c.owner_since) desc nulls last, c.id desc limit 700`.execute(trx),
    )

    expect(seen.slice(0, 700)).toEqual(rows.map(({ id }) => id))
    for (const at of seen.length === 0 ? [] : [0, Math.floor(seen.length / 2), seen.length - 1]) {
      const from = encodeURIComponent(JSON.stringify({ keyword }))
      const { data } = await client.get(`/mini/customer/detail?id=${seen[at]}&from=${from}`)
      expect([data.prevId, at === 699 ? null : data.nextId]).toEqual([
        seen[at - 1] ?? null,
        seen[at + 1] ?? null,
      ])
    }
  })

  it.each(
    ['customer', 'lead', 'bussiness'].flatMap((entity) =>
      ['精密', 'jm', 'jingmi', '1234', 'ZZ9'].map((keyword) => [entity, keyword] as const),
    ),
  )('of %s for %s is found by the trigram index', async (entity, keyword) => {
    const client = await server.as('director')
    const plans = await watch.record(() =>
      client.get(`/mini/search/global?keyword=${encodeURIComponent(keyword)}&types=${entity}`),
    )

    expect(plans.flatMap(({ indexes }) => indexes).join()).toMatch(/\w+_tokens/)
  })

  it.each(['customer', 'lead', 'contact'])(
    'reads few more rows than the similar ones for the duplicate check of a %s',
    async (entity) => {
      const client = await server.as('director')
      const { data: known } = await client.post('/mini/customer/list', { limit: 1 })
      const { data } = await client.get(`/mini/customer/detail?id=${known.list[0].id}`)
      const plans = await watch.record(async () => {
        const answer = await client.post('/mini/duplicate/check', {
          entity,
          name: data.name,
          mobile: data.mobile ?? '13900001111',
          telephone: '021-55556666',
          creditCode: '91310000ABCDEF1234',
          website: 'https://www.example.com',
        })
        expect(answer.meta.code).toBe(200)
      })

      const scans = plans.flatMap(({ scans }) => scans).filter(({ table }) => large.has(table))
      expect(scans.filter(({ read }) => read > LIKE_IT)).toEqual([])
      expect(scans.length).toBeGreaterThan(0)
    },
  )

  it('synchronises a copy by reading at most ten rows per reported row', async () => {
    const tooMany: string[] = []
    const change = (statement: ReturnType<typeof sql>) =>
      server.database.system((trx) => statement.execute(trx))
    const copies = [
      await copyOf('demo', 'sales', 'self', ['customer', 'contact', 'lead', 'bussiness', 'follow']),
      await copyOf('manager', 'sales_manager', 'dept_sub', ['customer']),
      await copyOf('director', 'sales_director', 'all', ['lead']),
    ]
    for (const copy of copies) {
      await copy.watched('first page')
      await copy.watched('second page')
      while ((await copy.ask()).hasMore);
    }
    await change(sql`update customer set remark = 'x' where tenant_id = 'xinghai'`)
    await change(sql`update lead set remark = 'x' where tenant_id = 'xinghai'`)
    for (const copy of copies) {
      await copy.watched('much')
      while ((await copy.ask()).hasMore);
    }
    for (const table of ['customer', 'lead'])
      await change(sql`update ${sql.table(table)} set remark = 'y' where tenant_id = 'xinghai' and id in (select id
        from ${sql.table(table)} where owner_id = 'u-demo' order by id limit 30)`)
    for (const copy of copies) expect(await copy.watched('little')).toBeGreaterThan(0)

    expect(tooMany).toEqual([])

    async function copyOf(account: string, role: string, scope: DataScope, entities: readonly string[]) {
      const client = await inScope(account, role, scope)
      let since: string | null = null
      const ask = async () => {
        const { data } = await client.post('/mini/sync/changes', { since, entities })
        since = data.next
        return { told: data.changed.length + data.deleted.length, hasMore: data.hasMore }
      }
      const watched = async (name: string) => {
        let told = 0
        const plans = await watch.record(async () => {
          told = (await ask()).told
        })
        for (const { table, what, read } of plans.flatMap(({ scans }) => scans))
          if (read > MAX_READ * Math.max(told, PAGE) && (large.has(table) || table === 'sync_change'))
            tooMany.push(`${account}, ${name}: ${what} ${read} for ${told}`)
        return told
      }
      return { ask, watched }
    }
  })

  async function inScope(account: string, role: string, scope: DataScope): Promise<Client> {
    await server.database.system((trx) =>
      sql`update role set scopes = ${JSON.stringify({ default: scope })}::jsonb, custom_depts = '{"default": ["xh-sales-2"]}'
        where tenant_id = 'xinghai' and code = ${role}`.execute(trx),
    )
    return server.as(account)
  }

  function scansOfPage(plans: readonly ReadPlan[]): ReadPlan['scans'] {
    return plans.find(({ sql: text }) => text.includes('sort_values'))?.scans ?? []
  }
})
