import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noteHookFault, noteJobFault } from '../../../src/server/flows/operator/faults.ts'
import { startHeartbeat } from '../../../src/server/flows/operator/heartbeat.ts'
import { runJob } from '../../../src/server/flows/operator/run-job.ts'
import type { Status } from '../../../src/server/flows/operator/status.ts'
import { statusSummary } from '../../../src/server/http/operator/summaries.ts'
import { readConfig } from '../../../src/server/kernel/config/config.ts'
import { every } from '../../../src/server/kernel/context/job.ts'
import { openTestApp, type TestApp } from '../support.ts'

const TOKEN = 'the-token-of-the-operator'
let server: TestApp
beforeAll(async () => {
  server = await openTestApp({ OPERATOR_TOKEN: TOKEN, BACKUP_DIR: '/tmp/nowhere', BACKUP_HOURS: '24' })
})
afterAll(() => server.close())

const ask = async (path: string, method: 'GET' | 'POST' = 'GET', token = TOKEN) => {
  const { statusCode, body } = await server.app.inject({
    method,
    url: path,
    headers: { authorization: `Bearer ${token}` },
  })
  return { status: statusCode, data: statusCode === 200 ? JSON.parse(body) : body }
}
const statusNow = async (): Promise<Status> => (await ask('/operator/status')).data
const jobsNow = (run: () => Promise<number>) => ({
  jobs: [{ name: 'try', schedule: every(1), run }],
  database: server.database,
  now: () => server.clock.now,
})

describe('the operator', () => {
  it('sees the installation, and no tenant data', async () => {
    await server.database.system((trx) =>
      sql`insert into backup_run (id, kind, file, started_at, ended_at, ok, message)
        values ('b1', 'backup', 'f', ${new Date(server.clock.now)}, ${new Date(server.clock.now)}, true, '')`.execute(
        trx,
      ),
    )
    const stop = await startHeartbeat(server.database, {
      version: '9.9.9',
      dataDir: server.config.dataDir,
      now: Date.now,
      onError: () => undefined,
    })
    server.clock.now = Date.now()
    await server.database.system((trx) =>
      sql`update backup_run set started_at = ${new Date(server.clock.now)}`.execute(trx),
    )
    const status = await statusNow()
    await stop()

    expect(status.troubles).toEqual([])
    expect(status.schema.pending).toEqual([])
    expect(status.servers).toMatchObject([{ version: '9.9.9' }])
    expect(status.jobs.map((one) => one.job)).toContain('recycle')
    expect(status.tenants).toContainEqual(
      expect.objectContaining({ code: expect.any(String), status: 'normal' }),
    )
    expect(status.storage.database).toBeGreaterThan(1_000_000)
    expect(statusSummary(status)).toMatch(/^all is well\n/)
    expect((await statusNow()).servers).toEqual([])
    const { rows } = await server.database.system((trx) =>
      sql<{
        name: string
        mobile: string
      }>`select m.name, u.mobile from membership m join app_user u on u.id = m.user_id`.execute(trx),
    )
    expect(rows.filter(({ name, mobile }) => JSON.stringify(status).match(`${name}|${mobile}`))).toEqual([])
  })

  it('sees all problems, one sentence each', async () => {
    const now = server.clock.now
    const old = new Date(now - 3_600_000)
    await noteJobFault(server.database, { job: 'recycle', tenantId: null, error: new Error('broken'), now })
    await noteJobFault(server.database, {
      job: 'clean-up',
      tenantId: 'xinghai',
      error: new Error('again'),
      now,
    })
    await noteJobFault(server.database, {
      job: 'clean-up',
      tenantId: 'xinghai',
      error: new Error('again'),
      now,
    })
    await noteHookFault(server.database, { tenantId: 'xinghai', page: '/pages/x/a', hook: 'onValidate', now })
    await server.database.system(async (trx) => {
      await sql`insert into server_seen values ('s', 'killed/1', '1.0.0', ${old}, ${old}, null, null, null, null), ('t', 'b/2', '1.0.1', ${old}, ${new Date(now)},
        2000000, 40000000000, ${old}, ${new Date(now - 3_590_000)})`.execute(trx)
      await sql`update backup_run set started_at = ${new Date(now - 72 * 3_600_000)}`.execute(trx)
    })
    const status = await statusNow()

    expect(status.troubles.map((one) => one.sentence.replace(/\d{4}-[\dT:-]+Z/g, 'T')).sort()).toEqual([
      '1.9 MB of 37.3 GB are left on the disk of b/2',
      'b/2 had no database from T for 10 s',
      'hook onValidate of /pages/x/a (xinghai) was ended 1 times in a week',
      'job clean-up of xinghai failed at T: again',
      'job recycle failed at T: broken',
      'no backup went well since T',
      'server killed/1 has not been heard of since T',
      'servers of several versions serve this database: 1.0.0, 1.0.1',
    ])
    expect(status.jobs.find((one) => one.job === 'clean-up')?.faults).toMatchObject([
      { count: 2, isOver: false },
    ])
  })

  it('runs a job now, whether its slot was taken or not', async () => {
    const first = await ask('/operator/run?job=clean-up&tenant=xinghai', 'POST')
    const again = await ask('/operator/run?job=clean-up&tenant=xinghai', 'POST')
    const all = await ask('/operator/run?job=clean-logins', 'POST')

    expect([first, again]).toEqual(
      [1, 2].map(() => ({ status: 200, data: [{ tenant: 'xinghai', made: 0, message: '' }] })),
    )
    expect(all.data).toMatchObject([{ tenant: '', message: '' }])
  })

  it.each([
    ['job=nothing', /^there is no job nothing: the jobs are .*\bclean-up\b/],
    ['job=clean-up&tenant=nobody', /^there is no active tenant nobody$/],
    ['job=recycle&tenant=nobody', /^recycle goes over all tenants by itself: run it without a tenant$/],
  ])('is told why %s runs nothing', async (query, sentence) => {
    const { status, data } = await ask(`/operator/run?${query}`, 'POST')

    expect([status, JSON.parse(data)]).toEqual([404, { message: expect.stringMatching(sentence) }])
  })

  it('sees the failure of a job that was started manually, and the job still runs for other tenants', async () => {
    let times = 0
    const ends = await runJob(
      'try',
      null,
      jobsNow(async () => {
        times += 1
        if (times === 1) throw new Error('not today')
        return 7
      }),
    )

    expect(ends.map((one) => one.made)).toEqual([null, ...ends.slice(1).map(() => 7)])
    expect(ends.length).toBeGreaterThan(1)
    expect(ends[0]?.message).toBe('not today')
  })

  it('has a separate token: no other token, no administrator’s session and no short token works', async () => {
    const admin = await server.as('admin')
    expect((await ask('/operator/status', 'GET', 'another-token-of-somebody')).status).toBe(404)
    expect((await ask('/operator/run?job=clean-up', 'POST', admin.token)).status).toBe(404)
    expect((await admin.get('/operator/status')).status).toBe(404)
    expect(() => readConfig({ OPERATOR_TOKEN: 'short' })).toThrow(
      'OPERATOR_TOKEN needs at least 16 characters',
    )
    const closed = await openTestApp()
    const { statusCode } = await closed.app.inject({
      url: '/operator/status',
      headers: { authorization: 'Bearer ' },
    })
    await closed.close()
    expect(statusCode).toBe(404)
  })
})

describe('the operator’s page', () => {
  let opened: TestApp
  beforeAll(async () => {
    opened = await openTestApp({ OPERATORS: 'admin@xinghai, manager@yunfan' })
  })
  afterAll(() => opened.close())

  it('is for users that the settings name with their tenant, not for an administrator of any role', async () => {
    await opened.database.system((trx) =>
      sql`update role set permissions = permissions || '["operator:view"]'::jsonb where code = 'sales_manager'`.execute(
        trx,
      ),
    )
    const told = await Promise.all(
      ['admin', 'yfadmin', 'manager', 'demo'].map(async (account) => {
        const person = await opened.as(account)
        const detail = await person.get('/mini/user/detail')
        const seen = await person.get('/engine/web/operator/status')
        return [account, seen.meta.code, detail.data.permissions.includes('operator:view')]
      }),
    )

    expect(told).toEqual([
      ['admin', 200, true],
      ['yfadmin', 405, false],
      ['manager', 405, false],
      ['demo', 405, false],
    ])
    expect(() => readConfig({ OPERATORS: 'admin' })).toThrow('OPERATORS: admin is not like account@tenant')
  })

  it('describes problems and the last run of each job, and no tenant data', async () => {
    const { database, clock } = opened
    const old = new Date(clock.now - 3_600_000)
    await database.system((trx) =>
      sql`insert into server_seen values ('s', 'killed/1', '1.0.0', ${old}, ${old})`.execute(trx),
    )
    await noteJobFault(database, {
      job: 'recycle',
      tenantId: null,
      error: new Error('broken'),
      now: clock.now - 1000,
    })
    const admin = await opened.as('admin')
    const first = (await admin.get('/engine/web/operator/status')).data
    const ran = await admin.post('/engine/web/operator/run', { job: 'recycle', clientToken: 'operator-1' })
    const second = (await admin.get('/engine/web/operator/status')).data
    const job = (data: typeof first) => data.jobs.find((one: { id: string }) => one.id === 'recycle')

    expect(
      first.troubles.map((one: { title: string }) => one.title.replace(/\d{4}-[-\d]+ [:\d]+/, 'T')),
    ).toEqual(['服务器 killed/1 自 T 起没有回应', '任务“公海回收” 于 T 失败：broken'])
    expect(job(first)).toMatchObject({ title: '公海回收', note: '还没有运行过' })
    expect(ran.data).toEqual({ isOk: true, said: '公海回收：已完成，处理 0 条' })
    expect(job(second).note).toMatch(/^上次 .* · 处理 0 条$/)
    expect(job(second).fault).toContain('之后已正常')
    expect(second.troubles).toHaveLength(1)
    expect((await admin.post('/engine/web/operator/run', { job: 'nothing' })).meta.code).toBe(404)
    const log = await admin.post('/engine/web/log/list', { tab: 'all', limit: 5 })
    expect(log.data.list[0]).toMatchObject({ title: '运行后台任务', entity_name: '运行状况' })
  })

  it('has labels for every job', async () => {
    const { jobs } = (await (await opened.as('admin')).get('/engine/web/operator/status')).data
    expect(jobs.filter((one: { id: string; title: string }) => one.id === one.title)).toEqual([])
  })
})
