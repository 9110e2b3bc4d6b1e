import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteExpired } from '../../../src/server/flows/jobs/expired-rows.ts'
import { jobsOf } from '../../../src/server/flows/jobs/index.ts'
import { tenantTables } from '../../../src/server/flows/leaving/tenant-tables.ts'
import { type Retention, readRetention } from '../../../src/server/kernel/config/retention.ts'
import { openTestApp, type TestApp } from '../support.ts'

const DAY_MS = 86_400_000
const NOW = Date.parse('2026-03-16T02:00:00Z')
const KEEPING = readRetention({})
const FOR_EVER: Retention = { log: 0, history: 0, messages: 0, work: 0, uploads: 0 }

let server: TestApp
beforeAll(async () => {
  server = await openTestApp()
})
afterAll(() => server.close())

const asSystem = <T>(query: ReturnType<typeof sql<T>>) =>
  server.database.system(async (trx) => (await query.execute(trx)).rows)
const dayBefore = (days: number) => new Date(NOW - days * DAY_MS)

/** A row of each kind that accumulates, this many days old, with `id`. */
const MADE: Readonly<Record<string, (id: string, at: Date, tenant: string) => ReturnType<typeof sql>>> = {
  'audit_log of who came': (id, at, tenant) =>
    sql`insert into audit_log (tenant_id, id, action, entity, at) values (${tenant}, ${id}, 'session:login', 'session', ${at})`,
  'audit_log of a record': (id, at, tenant) =>
    sql`insert into audit_log (tenant_id, id, action, entity, record_id, at) values (${tenant}, ${id}, 'customer:edit', 'customer', 'c', ${at})`,
  owner_record: (id, at, tenant) =>
    sql`insert into owner_record (tenant_id, id, entity, record_id, kind, at) values (${tenant}, ${id}, 'customer', 'c', 'create', ${at})`,
  message: (id, at, tenant) =>
    sql`insert into message (tenant_id, id, receiver_id, category, event, title, content, created_at, shown_at)
      values (${tenant}, ${id}, 'u-demo', 'system', 'notice', ${id}, '', ${at}, ${at})`,
  message_source: (id, at, tenant) =>
    sql`insert into message_source (tenant_id, source_key, created_at) values (${tenant}, ${id}, ${at})`,
  work: (id, at, tenant) =>
    sql`insert into work (tenant_id, id, user_id, session_id, kind, entity, title, input, status, finished_at, expires_at)
      values (${tenant}, ${id}, (select user_id from membership where tenant_id = ${tenant} order by 1 limit 1), 's', 'export', 'customer', '', '{}', 'done', ${at}, ${at})`,
  file: (id, at, tenant) =>
    sql`insert into file (tenant_id, id, name, file_ext, mime, size, sha256, gone_at)
      values (${tenant}, ${id}, 'a.xlsx', 'xlsx', 'x', 1, '', ${at})`,
  recent_view: (id, at, tenant) =>
    sql`insert into recent_view (tenant_id, user_id, entity, record_id, viewed_at) values (${tenant}, 'u', 'customer', ${id}, ${at})`,
  sync_change: (id, at, tenant) =>
    sql`insert into sync_change (tenant_id, key, entity, id, at) values (${tenant}, 'k', 'customer', ${id}, ${at})`,
  idempotency: (id, at, tenant) =>
    sql`insert into idempotency (tenant_id, user_id, client_token, path, body_hash, created_at)
      values (${tenant}, 'u', ${id}, '/', '', ${at})`,
}
const ID: Readonly<Record<string, string>> = {
  message_source: 'source_key',
  recent_view: 'record_id',
  idempotency: 'client_token',
}
const tableOf = (kind: string) => kind.split(' ')[0] ?? ''
const make = (kind: string, id: string, days: number, tenant = 'xinghai') =>
  asSystem(MADE[kind]?.(id, dayBefore(days), tenant) ?? sql`select`)
const idsOf = async (kind: string): Promise<readonly string[]> => {
  const rows = await asSystem(
    sql<{
      id: string
    }>`select ${sql.ref(ID[kind] ?? 'id')} as id from ${sql.table(tableOf(kind))} order by 1`,
  )
  return rows.map(({ id }) => id)
}

beforeEach(async () => {
  for (const kind of Object.keys(MADE)) await asSystem(sql`delete from ${sql.table(tableOf(kind))}`)
})

describe('rows that accumulate', () => {
  it.each([
    ['audit_log of who came', 1095],
    ['message', 180],
    ['message_source', 400],
    ['work', 180],
    ['file', 30],
    ['recent_view', 400],
    ['sync_change', 14],
    ['idempotency', 3],
  ])(
    'in %s are deleted when they are older than %i days; younger rows of each tenant stay',
    async (kind, days) => {
      await make(kind, 'older', days + 1)
      await make(kind, 'younger', days - 1)
      await make(kind, 'other', days + 1, 'yunfan')

      expect(await deleteExpired(server.database, KEEPING, NOW)).toBe(2)
      expect(await idsOf(kind)).toEqual(['younger'])
    },
  )

  it.each(['audit_log of a record', 'owner_record'])(
    'stay forever, or as long as configured: %s',
    async (kind) => {
      await make(kind, 'older', 5000)
      await make(kind, 'younger', 399)

      expect(await deleteExpired(server.database, KEEPING, NOW)).toBe(0)
      expect(await deleteExpired(server.database, { ...KEEPING, history: 400 }, NOW)).toBe(1)
      expect(await idsOf(kind)).toEqual(['younger'])
    },
  )

  it('stay forever if configured', async () => {
    const kept = ['audit_log of who came', 'audit_log of a record', 'owner_record', 'message', 'work']
    for (const kind of kept) await make(kind, `of ${kind}`, 30_000)

    expect(await deleteExpired(server.database, FOR_EVER, NOW)).toBe(0)
  })

  it('are deleted in small batches until none is left', async () => {
    await asSystem(sql`insert into message_source (tenant_id, source_key, created_at)
      select 'xinghai', n::text, ${dayBefore(500)}::timestamptz from generate_series(1, 4100) n`)

    expect(await deleteExpired(server.database, KEEPING, NOW)).toBe(4100)
    expect(await idsOf('message_source')).toEqual([])
  })

  it('stay while in use: running work, results that can be downloaded, existing files', async () => {
    await make('work', 'running', 500)
    await asSystem(sql`update work set status = 'running'`)
    await make('work', 'fetched', 500)
    await asSystem(sql`update work set file_id = 'f' where id = 'fetched'`)
    await make('file', 'there', 500)
    await asSystem(sql`update file set deleted_at = gone_at, gone_at = null`)

    expect(await deleteExpired(server.database, KEEPING, NOW)).toBe(0)
  })

  it('are checked by a job of every server', () => {
    expect(jobsOf({ ...server.config, keeping: KEEPING }).map(({ name }) => name)).toContain('old-rows')
  })
})

describe('the retention of rows', () => {
  it('is a setting, and at least half a year for the log', () => {
    expect(readRetention({ KEEP_LOG_DAYS: '180', KEEP_HISTORY_DAYS: '3650', KEEP_WORK_DAYS: '0' })).toEqual({
      log: 180,
      history: 3650,
      messages: 180,
      work: 0,
      uploads: 90,
    })
    expect(() => readRetention({ KEEP_LOG_DAYS: '90' })).toThrow('KEEP_LOG_DAYS is 0 (for ever) or from 180')
    expect(() => readRetention({ KEEP_MESSAGE_DAYS: 'x' })).toThrow('KEEP_MESSAGE_DAYS is a whole number')
  })

  it('is on the operator’s page', async () => {
    const operated = await openTestApp({ OPERATORS: 'admin@xinghai', KEEP_MESSAGE_DAYS: '90' })
    const { data } = await (await operated.as('admin')).get('/engine/web/operator/status')
    await operated.close()

    expect(data.keeps).toMatchObject([
      { title: '登录、查询与下载日志', note: '保留 1095 天' },
      { title: '记录的修改与负责人历史', note: '一直保留' },
      { title: '消息', note: '保留 90 天' },
      { title: '导入、导出与转移记录', note: '保留 180 天' },
      { title: '无人引用的附件', note: '保留 90 天' },
    ])
  })

  it('is documented in SCALE.md for existing tables', async () => {
    const book = await readFile(join(import.meta.dirname, '../../../src/SCALE.md'), 'utf8')
    const [, after = ''] = book.split('\n## Retention and growth\n')
    const [list = ''] = after.split('\n## ')
    const named = new Set([...list.matchAll(/`([a-z]+(?:_[a-z]+)*)`/g)].map(([, name = '']) => name))
    const tables = await server.database.system(tenantTables)

    expect(Object.keys(MADE).filter((kind) => !named.has(tableOf(kind)))).toEqual([])
    expect([...named].filter((name) => !tables.includes(name))).toEqual([])
  })
})
