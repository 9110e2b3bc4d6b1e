import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteTenant } from '../../../src/server/flows/leaving/delete-tenant.ts'
import { exportTenant, LEFT_OUT } from '../../../src/server/flows/leaving/export-tenant.ts'
import { erasePerson, exportPerson } from '../../../src/server/flows/leaving/person.ts'
import { tenantTables } from '../../../src/server/flows/leaving/tenant-tables.ts'
import { GLOBAL_TABLES } from '../../../src/server/kernel/db/catalogue.ts'
import { createFileStore } from '../../../src/server/kernel/files/file-store.ts'
import { DEMO } from '../images.ts'
import { openTestApp, type TestApp } from '../support.ts'

let server: TestApp
let dataDir: string
beforeAll(async () => {
  server = await openTestApp({}, DEMO)
  dataDir = await mkdtemp(join(tmpdir(), 'crm-leaving-'))
}, 120_000)
afterAll(async () => {
  await server.close()
  await rm(dataDir, { recursive: true, force: true })
})

const kept = () => createFileStore(join(dataDir, 'files'))

/** All rows of a tenant and the logins of its people, as one checksum per table. */
async function sumsOf(tenantId: string): Promise<Readonly<Record<string, string>>> {
  return server.database.system(async (trx) => {
    const sums: Record<string, string> = {}
    for (const table of await tenantTables(trx)) {
      const { rows } = await sql<{
        sum: string
      }>`select count(*) || ' ' || coalesce(md5(string_agg(md5(to_jsonb(t)::text), '' order by to_jsonb(t)::text)), '') as sum
        from ${sql.table(table)} t where t.tenant_id = ${tenantId}`.execute(trx)
      sums[table] = rows[0]?.sum ?? ''
    }
    const { rows } = await sql<{
      sum: string
    }>`select count(*) || ' ' || coalesce(md5(string_agg(to_jsonb(u)::text, '' order by u.id)), '') as sum from app_user u
      where exists (select 1 from membership m where m.user_id = u.id and m.tenant_id = ${tenantId})`.execute(
      trx,
    )
    return { ...sums, app_user: rows[0]?.sum ?? '' }
  })
}
const linesOf = async (path: string): Promise<readonly Record<string, unknown>[]> =>
  (await readFile(path, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('a person who requests erasure', () => {
  const MOBILE = '13912340987'
  const NAME = '欧阳长风'
  const wanted = { code: 'xinghai', value: MOBILE, now: Date.parse('2026-03-16T02:00:00Z') }
  const holding = async (word: string): Promise<readonly string[]> =>
    server.database.system(async (trx) => {
      const found: string[] = []
      for (const table of await tenantTables(trx)) {
        const { rows } = await sql`select 1 from ${sql.table(table)} t where tenant_id = 'xinghai'
          and position(${word} in to_jsonb(t)::text) > 0 limit 1`.execute(trx)
        if (rows.length > 0) found.push(table)
      }
      return found
    })

  it('is exported with every row about them, and then erased from all; other rows stay', async () => {
    const demo = await server.as('demo')
    const made = await demo.post('/mini/customer/create', {
      name: '长风机电有限公司',
      mobile: MOBILE,
      source: 'website',
      remark: `找${NAME}，${MOBILE}`,
      contacts: [{ name: NAME, mobile: MOBILE, wechat: 'changfeng88', email: 'cf@example.com' }],
    })
    expect(made.meta.message).toBe('')
    const follow = await demo.post('/mini/follow/create', {
      target_type: 'customer',
      target_id: made.data.id,
      method: 'call',
      content: `${NAME} 的手机是 ${MOBILE}`,
    })
    expect(follow.meta.message).toBe('')
    const before = await sumsOf('yunfan')
    const held = await holding(MOBILE)
    const folder = join(dataDir, 'person')
    const exported = await exportPerson(server.database, wanted, folder)

    expect(Object.keys(exported).sort()).toEqual(expect.arrayContaining([...held].sort()))
    expect(await linesOf(join(folder, 'contact.jsonl'))).toMatchObject([{ name: NAME, mobile: MOBILE }])
    const erased = await erasePerson(server.database, wanted, kept())

    expect(erased.contact).toBeGreaterThan(0)
    expect(await holding(MOBILE)).toEqual([])
    expect(held).toEqual(expect.arrayContaining(['contact', 'customer', 'follow', 'idempotency']))
    expect(await holding('changfeng88')).toEqual([])
    const { rows } = await server.database.system((trx) =>
      sql<{
        tokens: string
      }>`select search_tokens::text as tokens from customer where id = ${made.data.id}`.execute(trx),
    )
    expect(rows[0]?.tokens).not.toContain('#0987')
    expect((await demo.get(`/mini/customer/detail?id=${made.data.id}`)).data.record).toMatchObject({
      name: '长风机电有限公司',
    })
    expect(await sumsOf('yunfan')).toEqual(before)
    await expect(erasePerson(server.database, wanted, kept())).rejects.toThrow('nobody is known')
    await expect(erasePerson(server.database, { ...wanted, value: '%' }, kept())).rejects.toThrow(
      'a person is named by',
    )
  })

  it('is not erased while they work for the tenant: a message explains it, and everything stays', async () => {
    const number = await server.database.system(async (trx) => {
      const { rows } = await sql<{ mobile: string }>`select mobile from membership
        where tenant_id = 'xinghai' and mobile <> '' limit 1`.execute(trx)
      return rows[0]?.mobile ?? ''
    })
    const before = await sumsOf('xinghai')

    await expect(erasePerson(server.database, { ...wanted, value: number }, kept())).rejects.toThrow(
      'works for this tenant, and people who do are not erased',
    )
    expect(await sumsOf('xinghai')).toEqual(before)
  })
})

describe('a tenant that leaves', () => {
  it('is exported with all its rows, in readable files, and no rows of another tenant', async () => {
    const folder = join(dataDir, 'out')
    const report = await exportTenant(server.database, 'xinghai', {
      folder,
      store: kept(),
      now: server.clock.now,
    })
    const files = await readdir(folder)
    const { rows } = await server.database.system(async (trx) =>
      sql<{ n: number }>`select count(*)::int as n from customer
      where tenant_id = 'xinghai'`.execute(trx),
    )

    expect(report.rows.customer).toBe(rows[0]?.n)
    expect(report.rows.customer).toBeGreaterThan(50)
    const customers = await linesOf(join(folder, 'customer.jsonl'))
    expect(customers).toHaveLength(report.rows.customer ?? 0)
    const all = (
      await Promise.all(
        files.filter((name) => name.endsWith('.jsonl')).map((name) => linesOf(join(folder, name))),
      )
    ).flat()
    expect(all.filter((row) => 'tenant_id' in row && row.tenant_id !== 'xinghai')).toEqual([])
    expect(JSON.stringify(all)).not.toContain('$argon2')
    expect((await stat(join(folder, 'customer.jsonl'))).mode & 0o077).toBe(0)
    expect(JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'))).toEqual(report)
    const known = await server.database.system(tenantTables)
    expect([...LEFT_OUT].filter((name) => !known.includes(name))).toEqual([])
  })

  it('is not exported over existing files, nor if it does not exist', async () => {
    const parts = { folder: join(dataDir, 'out'), store: kept(), now: server.clock.now }

    await expect(exportTenant(server.database, 'xinghai', parts)).rejects.toThrow('has something in it')
    await expect(
      exportTenant(server.database, 'nobody', { ...parts, folder: join(dataDir, 'new') }),
    ).rejects.toThrow('there is no tenant nobody')
    await expect(deleteTenant(server.database, 'nobody', parts)).rejects.toThrow('there is no tenant nobody')
  })

  it('is deleted with all its rows and users, and another tenant stays row for row', async () => {
    const demo = await server.as('demo')
    const stranger = await server.as('yfadmin')
    const before = await sumsOf('yunfan')
    await server.database.system((trx) =>
      sql`insert into file (tenant_id, id, name, file_ext, mime, size, sha256, created_by, updated_by)
        values ('xinghai', 'last', 'a.png', 'png', 'image/png', 1, '', 'u-demo', 'u-demo')`.execute(trx),
    )
    await kept().write('xinghai', 'last', Buffer.from('x'))
    const erased = await deleteTenant(server.database, 'xinghai', { store: kept(), now: server.clock.now })

    expect(await sumsOf('yunfan')).toEqual(before)
    expect(Object.values(before).filter((sum) => !sum.startsWith('0 ')).length).toBeGreaterThan(5)
    expect(erased.rows.customer).toBeGreaterThan(50)
    expect(erased.people).toBeGreaterThan(3)
    expect(await kept().has('xinghai', 'last')).toBe(false)
    const left = Object.entries(await sumsOf('xinghai')).filter(([, sum]) => !sum.startsWith('0 '))
    expect(left).toEqual([])
    expect((await demo.get('/mini/user/detail')).meta.code).toBe(401)
    await expect(server.as('manager')).rejects.toThrow('could not sign in')
    expect((await stranger.get('/mini/user/detail')).meta.code).toBe(200)
    const noted = await server.database.system((trx) =>
      sql<{ kind: string; tenant: string }>`select kind, tenant from erasure`.execute(trx),
    )
    expect(noted.rows).toContainEqual({ kind: 'tenant', tenant: 'xinghai' })
    expect(GLOBAL_TABLES.has('erasure')).toBe(true)
  }, 120_000)
})
