import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'kysely'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createInProcessScript } from '../../../runtime/sandbox/in-process.ts'
import { nodeQuickJs } from '../../../runtime/sandbox/node-quickjs.ts'
import { parseForScripts } from '../../../runtime/sandbox/parse-for-scripts.ts'
import { createApp } from '../../../src/server/http/app.ts'
import { DEMO_PASSWORD } from '../../../src/server/http/seed/accounts.ts'
import { readConfig } from '../../../src/server/kernel/config/config.ts'
import { createLog } from '../../../src/server/kernel/config/log.ts'
import { refuseUnsafe } from '../../../src/server/kernel/db/catalogue.ts'
import { createDatabase, type Database } from '../../../src/server/kernel/db/database.ts'
import { PGLITE_OPTIONS, pgliteSource } from '../../../src/server/kernel/db/embedded/pglite.ts'
import { MIGRATIONS, migrate } from '../../../src/server/kernel/db/migrate.ts'
import { openDatabase } from '../../../src/server/kernel/db/open.ts'
import { createOwnVerdicts } from '../../../src/server/kernel/forms/verdicts.ts'
import { type Cluster, startCluster } from '../../../src/tools/cluster.ts'
import { onServer } from '../images.ts'
import { call } from '../support.ts'

/**
 * Databases of released versions, one file per commit: schema, migrations with their checksums, and the rows of a tenant
 * (`pg_dump --inserts --no-owner`, without psql commands). Every later version must start on each of them; they never change.
 */
const RELEASED = join(import.meta.dirname, 'released')
const ROOT = join(import.meta.dirname, '../../..')

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
  for (const role of ['crm_app', 'crm_system'])
    await onServer(cluster.url, (client) => client.query(`create role ${role} nologin`))
})
afterAll(() => cluster.remove())

const versions = (await readdir(RELEASED)).map((name) => name.replace(/\.sql\.gz$/, ''))
/** Created before tenants had modules: their converted settings are checked by name. */
const FIRST = '8b24fed'
const dumpOf = async (version: string): Promise<string> =>
  gunzipSync(await readFile(join(RELEASED, `${version}.sql.gz`))).toString()

it('every release of the changelog is stored here, and so are the reports of the newest server', async () => {
  const changes = await readFile(join(ROOT, 'CHANGELOG.md'), 'utf8')
  const released = [...changes.matchAll(/^## (\d{4}-\d\d-\d\d) \(\d+\.\d+\.\d+\)$/gm)].map(([, name]) => name)
  const headings = [...changes.matchAll(/^## .*$/gm)]
  const statements = await readdir(`${RELEASED}-statements`)

  expect(headings).toHaveLength(released.length + 1)
  expect(changes).toContain('\n## Unreleased\n')
  expect(released).toEqual(
    versions
      .filter((name) => name.includes('-'))
      .sort()
      .reverse(),
  )
  expect(statements).toEqual([`${released[0]}.json.gz`])
})

/** Custom fields that a tenant had in its settings, and a customer with a value of each. */
const OLD_FIELDS = `
  update tenant set settings = settings || '{"ext_fields": {"customer": [
    {"key": "wechat_group", "label": "微信群名称", "kind": "text", "required": true, "max": 800},
    {"key": "area", "label": "面积", "kind": "number"},
    {"key": "renew_on", "label": "续费日期", "kind": "day"},
    {"key": "signed", "label": "已签", "kind": "flag"},
    {"key": "level", "label": "会员等级", "kind": "select", "options": ["金卡", "普通 会员"]},
    {"key": "wishes", "label": "意向", "kind": "multi", "options": ["甲", "乙"]},
    {"key": "Bad", "label": "坏的", "kind": "text"}, {"key": "odd", "kind": "unknown"}
  ], "lead": "nothing"}}' where id = 'yunfan';
  update customer set ext = '{"wechat_group": "老客户群", "area": 12.345, "renew_on": "2026-06-01", "signed": true, "level": "金卡",
    "wishes": ["乙"], "gone": "旧的"}' where tenant_id = 'yunfan' and id = (select min(id) from customer where tenant_id = 'yunfan');
`

/** Rights on own modules: as authors had them before records could be transferred, and as of a role with read access only. */
const OLD_RIGHTS = `
  update role set permissions = permissions || '["m.ticket:view", "m.ticket:add", "m.ticket:edit", "m.ticket:del", "m.ticket:export",
    "m.ticket:import"]' where tenant_id = 'yunfan' and code = 'sales_director';
  update role set permissions = permissions || '["m.ticket:view"]' where tenant_id = 'yunfan' and code = 'sales';
`

const OPEN = {
  async embedded(version: string): Promise<Database> {
    const pglite = await PGlite.create(PGLITE_OPTIONS)
    await pglite.exec(`create role crm_app nologin; create role crm_system nologin`)
    await pglite.exec(await dumpOf(version))
    await pglite.exec('reset all')
    await pglite.exec(OLD_FIELDS)
    await pglite.exec(OLD_RIGHTS)
    const database = createDatabase(pgliteSource(pglite))
    await migrate(database)
    await refuseUnsafe(database)
    return database
  },
  async postgresql(version: string): Promise<Database> {
    const url = new URL(cluster.url)
    url.pathname = `/released_${version}`
    await onServer(cluster.url, (client) => client.query(`create database "released_${version}"`))
    await onServer(url.href, async (client) => client.query(await dumpOf(version)))
    await onServer(url.href, (client) => client.query(OLD_FIELDS + OLD_RIGHTS))
    return (await openDatabase({ url: url.href, folder: null, onError: () => undefined })).database
  },
} as const

describe.each([
  [FIRST, 'embedded'],
  [FIRST, 'postgresql'],
] as const)('the database of %s, %s,', (version, kind) => {
  let database: Database
  beforeAll(async () => {
    database = await OPEN[kind](version)
  })
  afterAll(() => database.close())

  it('is migrated with all its data', async () => {
    const { rows } = await database.owner((trx) =>
      sql<{ name: string }>`select name from schema_migration order by name`.execute(trx),
    )
    const counted = await database.system((trx) =>
      sql<object>`select (select count(*) from customer) as customers, (select count(*) from follow) as follows,
          (select count(*) from contract) as contracts, (select count(*) from star) as stars,
          (select count(*) from app_user where is_demo) as demo`.execute(trx),
    )

    expect(rows.map((row) => row.name)).toEqual(Object.keys(MIGRATIONS).sort())
    expect(counted.rows).toEqual([{ customers: 80, follows: 300, contracts: 12, stars: 5, demo: 32 }])
  })

  it('lets users with all other rights import and export records, and no others', async () => {
    const all = ['bussiness:import', 'contract:import', 'product:import', 'product:export', 'activity:import']
    const directors = [...all, 'activity:export', 'm.ticket:transfer']
    const asked = [...directors, 'payment:import']
    const { rows } = await database.system((trx) =>
      sql<{ code: string; permissions: readonly string[] }>`select code, permissions from role
        where tenant_id = 'yunfan' and code in ('sales', 'sales_director', 'finance')`.execute(trx),
    )
    const held = Object.fromEntries(
      rows.map(({ code, permissions }) => [code, asked.filter((one) => permissions.includes(one))]),
    )

    expect(held).toEqual({ sales: [], sales_director: directors, finance: ['payment:import'] })
    for (const { permissions } of rows) expect(new Set(permissions).size).toBe(permissions.length)
  })

  it('works with this version: users sign in, read and write', async () => {
    const app = await appOn(database)
    const post = async (url: string, payload: object, token = '') =>
      (await app.inject({ method: 'POST', url, payload, headers: { authorization: token } })).json()
    const signIn = { account: 'yfadmin', password: DEMO_PASSWORD, agree: true, deviceId: 'd' }

    const { data: me } = await post('/mini/login/validate', signIn)
    const customers = await post('/mini/customer/list', { tab: 'all' }, me.token)
    const mine = customers.data.list.length
    const { rows } = await database.system((trx) =>
      sql<{ id: string }>`select min(id) as id from customer where tenant_id = 'yunfan'`.execute(trx),
    )
    const detail = (
      await app.inject({
        method: 'GET',
        url: `/mini/customer/detail?id=${rows[0]?.id}`,
        headers: { authorization: me.token },
      })
    ).json()
    const { ext, version: seen } = detail.data.record
    const { gone: _, ...known } = ext
    const kept = await post(
      '/mini/customer/update',
      { id: rows[0]?.id, version: seen, ext: known, clientToken: 'released-2' },
      me.token,
    )
    const without = await post(
      '/mini/customer/create',
      { name: '没有群名的客户有限公司', clientToken: 'released-3' },
      me.token,
    )
    const created = await post(
      '/mini/customer/create',
      {
        name: '新来客户有限公司',
        mobile: '13988887777',
        ext: { wechat_group: '新群', x_level: '普通 会员' },
        clientToken: 'released-1',
      },
      me.token,
    )
    await app.close()

    expect(mine).toBeGreaterThan(10)
    expect(ext).toEqual({
      wechat_group: '老客户群',
      area: 12.345,
      renew_on: '2026-06-01',
      signed: true,
      x_level: '金卡',
      wishes: ['乙'],
      gone: '旧的',
    })
    expect(detail.data.record).toMatchObject({ ext_x_level: '金卡', ext_wechat_group: '老客户群' })
    expect(kept.meta).toMatchObject({ code: 200 })
    expect(without.meta.error.fields).toEqual({ 'ext.wechat_group': '请填写微信群名称' })
    expect(created.meta).toMatchObject({ code: 200 })
  })
})

describe.each(versions.filter((version) => version !== FIRST))('the database of %s', (version) => {
  let before: Readonly<Record<string, number>>
  let database: Database
  let ran: readonly string[]
  beforeAll(async () => {
    const url = new URL(cluster.url)
    url.pathname = `/released_${version}`
    await onServer(cluster.url, (client) => client.query(`create database "released_${version}"`))
    await onServer(url.href, async (client) => client.query(await dumpOf(version)))
    before = await onServer(url.href, rowsByTable)
    ;({ database, ran } = await openDatabase({ url: url.href, folder: null, onError: () => undefined }))
  })
  afterAll(() => database.close())

  it('keeps every row through the migrations since, and they run once', async () => {
    const url = new URL(cluster.url)
    url.pathname = `/released_${version}`
    const after = await onServer(url.href, rowsByTable)
    const again = await migrate(database)

    expect(Object.keys(before).length).toBeGreaterThan(40)
    expect(before.record).toBeGreaterThan(20)
    const lost = Object.entries(before).filter(
      ([table, n]) => table !== 'schema_migration' && (after[table] ?? 0) < n,
    )
    expect(lost).toEqual([])
    expect(after.schema_migration).toBe((before.schema_migration ?? 0) + ran.length)
    expect(again).toEqual([])
  })

  it('works with this version: own fields and modules, quotations and files are read and written', async () => {
    const app = await appOn(database)
    const ask = (path: string, body: object | null, token = '') => call(app, path, body, token)
    const signIn = { account: 'yfadmin', password: DEMO_PASSWORD, agree: true, deviceId: 'd' }
    const { token } = (await ask('/mini/login/validate', signIn)).data
    const wide = await ask(
      '/mini/customer/list',
      { tab: 'all', filters: [{ field: 'ext.x_area', op: 'gte', value: 100 }], limit: 50 },
      token,
    )
    const tickets = await ask('/mini/m/ticket/list', { tab: 'all', limit: 50 }, token)
    const quotes = await ask('/mini/m/quotation/list', { tab: 'all', limit: 50 }, token)
    const [ticket] = tickets.data.list
    const seen = (await ask(`/mini/m/ticket/detail?id=${ticket.id}`, null, token)).data.record
    const changed = await ask(
      '/mini/m/ticket/update',
      { id: ticket.id, version: seen.version, hours: 99, clientToken: 'released-11' },
      token,
    )
    const made = await ask('/mini/m/ticket/create', { title: '升级之后', clientToken: 'released-12' }, token)
    const repeated = await ask(
      '/mini/customer/create',
      { name: '代码重复的客户', ext: { x_code: 'C1' }, clientToken: 'released-13' },
      token,
    )
    const { rows } = await database.system((trx) =>
      sql<{ id: string }>`select id from file where biz <> 'work' and tenant_id = 'yunfan'`.execute(trx),
    )
    const file = await app.inject({
      url: `/engine/web/file/${rows[0]?.id}`,
      headers: { authorization: token },
    })
    await NEW_IN[version]?.(ask)
    await app.close()

    expect(wide.data.list).toHaveLength(11)
    expect(tickets.data.list).toHaveLength(20)
    expect(quotes.data.list.filter((one: { amount: number }) => one.amount === 200)).toHaveLength(3)
    expect(changed.meta.code).toBe(200)
    expect(made.meta.code).toBe(200)
    expect(JSON.stringify(repeated.meta)).toContain('"ext.x_code"')
    expect(file.rawPayload.subarray(1, 4).toString()).toBe('PNG')
  })
})

type Ask = (path: string, body: object | null, token?: string) => ReturnType<typeof call>

/** Data that only databases from a certain release on contain: checked in that release's database. */
const NEW_IN: Readonly<Record<string, (ask: Ask) => Promise<void>>> = {
  async '2026-11-26'(ask) {
    const signIn = async (account: string): Promise<string> =>
      (await ask('/mini/login/validate', { account, password: DEMO_PASSWORD, agree: true, deviceId: 'n' }))
        .data.token
    const admin = await signIn('yfadmin')
    const xuli = await signIn('xuli')
    const [pool] = (await ask('/mini/pool/list?entity=m/site', null, xuli)).data.list
    const lying = await ask('/mini/m/site/pool/list', { keyword: '工地', limit: 50 }, xuli)
    const ids = [lying.data.list[0].id]
    const claimed = await ask(
      '/mini/m/site/pool/claim',
      { poolId: pool.id, ids, clientToken: 'released-14' },
      xuli,
    )
    const mine = await ask('/mini/m/site/list', { tab: 'all', limit: 50 }, xuli)
    const marked = await ask('/mini/m/site/list', { tab: 'starred', limit: 50 }, admin)
    const flow = await ask('/engine/web/flow/detail?id=contract', null, admin)
    const page = await ask('/engine/web/page/draft?path=/pages/my/about', null, admin)
    const [set] = (await ask('/engine/web/changeset/list', { tab: 'done' }, admin)).data.list
    const back = await ask(
      '/engine/web/changeset/rollback',
      { id: set.id, anyway: false, clientToken: 'released-15' },
      admin,
    )
    const connections = await ask('/engine/web/connection/list', {}, admin)

    expect(lying.data.list.map(({ phone }: { phone: string }) => phone)).toEqual(
      ['6', '5', '4'].map((last) => `138****000${last}`),
    )
    expect(claimed.data).toMatchObject({ ok: ids, quota: { limit: 9 } })
    expect(mine.data.list.map(({ title }: { title: string }) => title)).toEqual(['工地 6', '工地 1'])
    expect(marked.data.list).toMatchObject([{ title: '工地 2', starred: true }])
    expect(flow.data.form.steps[1]).toMatchObject({ values: ['ext.x_pay_by=credit'], from: 20 })
    expect(page.data.draft).toMatchObject({ base: 2 })
    expect([set.status, back.meta.code]).toEqual(['published', 200])
    expect(connections.data.list).toMatchObject([{ name: 'orders', base: 'https://orders.example.com' }])
  },
}

it('an older server refuses a newer database, and explains what to do', async () => {
  const [version = ''] = versions.filter((one) => one !== FIRST)
  const url = new URL(cluster.url)
  url.pathname = '/released_newer'
  await onServer(cluster.url, (client) => client.query('create database released_newer'))
  await onServer(url.href, async (client) => client.query(await dumpOf(version)))
  await onServer(url.href, (client) =>
    client.query(`insert into schema_migration (name, checksum) values ('9999-of-tomorrow.sql', 'x')`),
  )

  await expect(openDatabase({ url: url.href, folder: null, onError: () => undefined })).rejects.toThrow(
    /9999-of-tomorrow.sql ran here .* is of a newer version. Start that one/,
  )
})

/** The number of rows of each table. */
async function rowsByTable(client: Client): Promise<Readonly<Record<string, number>>> {
  const { rows } = await client.query<{ name: string; n: string }>(
    `select table_name as name, (xpath('/row/n/text()', query_to_xml(format('select count(*) as n from public.%I', table_name),
      false, true, '')))[1]::text as n from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  return Object.fromEntries(rows.map(({ name, n }) => [name, Number(n)]))
}

function appOn(database: Database) {
  const config = readConfig({
    APP_ROOT: ROOT,
    DATA_DIR: join(ROOT, 'tests/output/released'),
    DATABASE_URL: cluster.url,
    RATE_LIMITS: 'off',
  })
  return createApp({
    config,
    database,
    secret: 'x'.repeat(32),
    log: createLog('silent'),
    now: Date.now,
    verdicts: createOwnVerdicts(createInProcessScript(nodeQuickJs, parseForScripts)),
  })
}
