import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { removeAllDeletedContent } from '../../../src/server/flows/jobs/deleted-files.ts'
import {
  deleteUnreferenced,
  unreferencedFilesJob,
} from '../../../src/server/flows/jobs/unreferenced-files.ts'
import { deleteExpiredResults } from '../../../src/server/flows/work/result-file.ts'
import { addGauges } from '../../../src/server/http/metrics.ts'
import { filesAt } from '../../../src/server/kernel/files/file-places.ts'
import type { FileStore } from '../../../src/server/kernel/files/file-store.ts'
import { createMetrics } from '../../../src/server/kernel/metrics/metrics.ts'
import { type ObjectStorage, startObjectStorage } from '../../support/object-storage.ts'
import { uploadedBytes } from '../sheets/finished-job.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const RETENTION_DAYS = 90

let storage: ObjectStorage
let server: TestApp
let demo: Client
let begun: number
beforeAll(async () => {
  storage = await startObjectStorage()
  server = await openTestApp({
    STORAGE_URL: storage.url,
    OPERATORS: 'admin@xinghai',
  })
  demo = await server.as('demo')
  begun = server.clock.now
})
afterAll(async () => {
  await server.close()
  await storage.remove()
})
beforeEach(async () => {
  server.clock.now = begun
  await asSystem(sql`delete from file`)
})

const asSystem = <T>(query: ReturnType<typeof sql<T>>) =>
  server.database.system(async (trx) => (await query.execute(trx)).rows)
const store = (): FileStore => filesAt(server.config, server.database)
const takeGone = (from = store()) => removeAllDeletedContent(server.database, from, server.clock.now)
const turn = <T>(
  work: (turn: { trx: never; tenantId: string; now: Date; zone: string }) => Promise<T>,
): Promise<T> =>
  server.database.tenant({ tenantId: 'xinghai', userId: 'system' }, (trx) =>
    work({
      trx: trx as never,
      tenantId: 'xinghai',
      now: new Date(server.clock.now),
      zone: 'Asia/Shanghai',
    }),
  )
const look = () => turn((at) => deleteUnreferenced(at, RETENTION_DAYS))
const pass = (days: number) => {
  server.clock.now += days * DAY_MS
}

async function uploaded(name = 'a.txt', content = name): Promise<string> {
  const id = await uploadedBytes(server, demo, Buffer.from(content), name)
  if (id === null) throw new Error('the upload was refused')
  return id
}
const addressOf = (id: string) => `/engine/web/file/${id}?tenant=xinghai&until=1&session=s&sign=x`
const isThere = async (id: string) => {
  const stream = await store().read('xinghai', id)
  return stream !== null && (await buffer(stream)).length > 0
}

describe('an upload without a reference', () => {
  it('that was deleted while its form waited on a phone is requested again, by its name and field', async () => {
    const id = await uploaded('门头.txt')
    const other = await uploaded('合同.txt')
    const file = (of: string, name: string) => ({ id: of, name, size: 1, ext: 'txt', url: addressOf(of) })
    const write = (attachments: ReturnType<typeof file>[]) =>
      demo.post('/mini/customer/create', { name: '迟到的客户有限公司', mobile: '13911112222', attachments })
    pass(RETENTION_DAYS + 1)
    await look()
    pass(7)
    await asSystem(sql`update file set created_at = now() + interval '100 years' where id = ${other}`)
    expect(await look()).toBe(1)
    server.clock.now = begun

    const late = await write([file(other, '合同.txt'), file(id, '门头.txt')])
    const again = await write([file(other, '合同.txt')])

    expect(late.meta).toMatchObject({
      code: 422,
      message: '「门头.txt」已过期，请重新上传',
      error: { type: 'FILE_GONE', fields: { attachments: '「门头.txt」已过期，请重新上传' } },
    })
    expect(again.meta).toMatchObject({ code: 200 })
  })

  it('is deleted after two weekly checks, with its bytes', async () => {
    const id = await uploaded()
    pass(RETENTION_DAYS + 1)

    expect(await look()).toBe(0)
    expect(await look()).toBe(0)
    expect(await isThere(id)).toBe(true)
    pass(7)
    expect(await look()).toBe(1)
    expect(await isThere(id)).toBe(true)
    server.clock.now += 2 * HOUR_MS
    expect(await takeGone()).toBe(1)
    expect(await isThere(id)).toBe(false)
    expect(await takeGone()).toBe(0)
  })

  it('stays while it is young: unsent forms wait on phones', async () => {
    const ids = [await uploaded(), await uploaded()]
    server.clock.now += MINUTE_MS
    await look()
    pass(RETENTION_DAYS - 8)
    await look()
    pass(7)

    expect(await look()).toBe(0)
    expect(await takeGone()).toBe(0)
    for (const id of ids) expect(await isThere(id)).toBe(true)
  })

  it('stays if a record refers to it after the first check: a form that was sent late', async () => {
    const id = await uploaded()
    pass(RETENTION_DAYS + 1)
    await look()
    const late = await server.as('demo')
    const made = await late.post('/mini/customer/create', {
      name: `迟到的客户${id}`,
      attachments: [{ name: 'a.txt', url: addressOf(id), size: 5, ext: 'txt' }],
    })
    expect(made.meta.message).toBe('')
    pass(7)

    expect(await look()).toBe(0)
    pass(7)
    expect(await look()).toBe(0)
    expect(await isThere(id)).toBe(true)
  })

  it('stays forever if configured', async () => {
    await uploaded()
    pass(1_000)
    for (let n = 0; n < 3; n += 1, pass(7))
      expect(await turn((at) => unreferencedFilesJob(0).run(at))).toBe(0)
  })
})

describe('a file in use', () => {
  /** Columns that contain file addresses or ids. */
  const NAMED: Readonly<Record<string, (id: string) => ReturnType<typeof sql>>> = {
    'a record': (id) => sql`update customer set attachments =
      jsonb_build_array(jsonb_build_object('url', ${addressOf(id)}::text)) where id = (select min(id) from customer where tenant_id = 'xinghai')`,
    'a draft of a page': (id) => sql`insert into page_draft (tenant_id, path, user_id, text, base, stamp)
      values ('xinghai', ${`pages/${id}`}, 'u-demo', ${JSON.stringify({ src: addressOf(id) })}, 0, 's')`,
    'the history of a record': (id) => sql`insert into audit_log (tenant_id, id, action, entity, detail)
      values ('xinghai', ${id}, 'customer:edit', 'customer', jsonb_build_object('from', ${addressOf(id)}::text))`,
    'the logo of the tenant': (id) => sql`update tenant set logo = ${addressOf(id)} where id = 'xinghai'`,
    'the picture of a person': (id) =>
      sql`update membership set avatar = ${addressOf(id)} where tenant_id = 'xinghai' and user_id = 'u-demo'`,
    'an import': (
      id,
    ) => sql`insert into work (tenant_id, id, user_id, session_id, kind, entity, title, input, expires_at)
      values ('xinghai', ${id}, 'u-demo', 's', 'import', 'customer', '', jsonb_build_object('fileId', ${id}::text), now())`,
    'the result of an export': (
      id,
    ) => sql`insert into work (tenant_id, id, user_id, session_id, kind, entity, title, input, file_id, expires_at)
      values ('xinghai', ${id}, 'u-demo', 's', 'export', 'customer', '', '{}', ${id}, now())`,
  }

  it.each(Object.keys(NAMED))('stays, however old: referred to by %s', async (place) => {
    const [named, other] = [await uploaded('named.txt'), await uploaded('other.txt')]
    await asSystem(NAMED[place]?.(named) ?? sql`select`)
    pass(1_000)
    await look()
    pass(7)

    expect(await look()).toBe(1)
    server.clock.now += 2 * HOUR_MS
    await takeGone()
    expect([await isThere(named), await isThere(other)]).toEqual([true, false])
  })
})

describe('the result of background work', () => {
  it('is deleted when it expires, even if no user opens the list', async () => {
    const id = await uploaded('result.txt')
    await asSystem(sql`insert into work (tenant_id, id, user_id, session_id, kind, entity, title, input, status, file_id, expires_at)
      values ('xinghai', ${id}, 'u-demo', 's', 'export', 'customer', '', '{}', 'done', ${id}, ${new Date(begun + DAY_MS)})`)

    expect(await turn(deleteExpiredResults)).toBe(0)
    pass(2)
    expect(await turn(deleteExpiredResults)).toBe(1)
    server.clock.now += 2 * HOUR_MS
    expect(await takeGone()).toBe(1)
    expect(await isThere(id)).toBe(false)
  })
})

describe('bytes that cannot be deleted', () => {
  it('are retried, others are deleted at once, and the operator sees the number of pending ones', async () => {
    const ids = [await uploaded('1.txt'), await uploaded('2.txt'), await uploaded('3.txt')]
    await asSystem(sql`update file set deleted_at = ${new Date(begun)}`)
    server.clock.now += 2 * HOUR_MS
    const stuck: FileStore = {
      ...store(),
      remove: (tenantId, id) =>
        id === ids[0] ? Promise.reject(new Error('it is held')) : store().remove(tenantId, id),
    }

    await expect(takeGone(stuck)).rejects.toThrow('1 files of xinghai could not be removed: it is held')
    expect(await Promise.all(ids.map(isThere))).toEqual([true, false, false])
    const { data } = await (await server.as('admin')).get('/engine/web/operator/status')
    expect(data.facts.files).toContain('1 个已删除待清理')
    const metrics = createMetrics()
    addGauges(metrics, { database: server.database, pages: { broken: () => [] } })
    expect(await metrics.text()).toContain('crm_files{state="going"} 1')
    expect(await takeGone()).toBe(1)
    expect(await isThere(ids[0] ?? '')).toBe(false)
  })

  it('of an aborted upload are known and deleted, but not those of a running one', async () => {
    const id = await uploaded('half.txt')
    // As left by a server that was killed after the content was written.
    await asSystem(sql`update file set deleted_at = created_at where id = ${id}`)

    expect(await takeGone()).toBe(0)
    expect(await isThere(id)).toBe(true)
    server.clock.now += 2 * HOUR_MS
    expect(await takeGone()).toBe(1)
    expect(await isThere(id)).toBe(false)
  })

  it('are not a file if the storage refuses the upload', async () => {
    await storage.stop()
    const refused = await uploadedBytes(server, demo, Buffer.from('x'), 'x.txt')
    await storage.start()

    expect(refused).toBe(null)
    expect(await asSystem(sql`select 1 from file where deleted_at is null`)).toEqual([])
  }, 60_000)
})
