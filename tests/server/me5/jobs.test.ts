import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { JOBS } from '../../../src/server/flows/jobs/index.ts'
import { runDueJobs } from '../../../src/server/flows/jobs/run-due.ts'
import { startJobs } from '../../../src/server/flows/jobs/scheduler.ts'
import { daily, every, type TenantJob, weekly } from '../../../src/server/kernel/context/job.ts'
import { announce } from '../../../src/server/kernel/notices/announce.ts'
import { shownAt } from '../../../src/server/kernel/notices/quiet.ts'
import { aContract, aCustomer, aPlan } from './rows.ts'
import { openTwoServers, type Server } from './two-servers.ts'

const clock = { now: 0 }
/** Monday 16 March 2026 in Shanghai. */
const monday = (time: string, days = 0) => Date.parse(`2026-03-16T${time}:00+08:00`) + days * 86_400_000
const TENANT_JOBS = JOBS.filter((job): job is TenantJob => 'run' in job)

let close: () => Promise<void>
let here: Server
let there: Server
beforeAll(async () => {
  const opened = await openTwoServers(clock)
  close = opened.close
  ;[here, there] = opened.servers
})
afterAll(() => close())

beforeEach(async () => {
  await here.database.system(async (trx) => {
    for (const table of [
      'todo',
      'message',
      'message_source',
      'message_setting',
      'job_slot',
      'owner_record',
      'follow',
      'payment_plan',
      'contract',
      'contact',
      'customer',
    ])
      await sql`delete from ${sql.table(table)}`.execute(trx)
    await aCustomer(trx, { id: 'c1', name: '华信软件', nextFollowAt: new Date(monday('15:00')) })
    await aCustomer(trx, {
      id: 'c2',
      name: '北辰电气',
      nextFollowAt: new Date(monday('10:00', -1)),
      expireAt: new Date(monday('12:00', 2)),
    })
    await aCustomer(trx, {
      id: 'c3',
      name: '久未联系',
      lastFollowAt: new Date(monday('10:00', -30)),
      ownerSince: new Date(monday('10:00', -60)),
    })
    // The contract in effect is a revision of another with the same end.
    await aContract(trx, { id: 'k0', customer: 'c1', endDate: '2026-03-23' })
    await aContract(trx, { id: 'k1', customer: 'c1', endDate: '2026-03-23' })
    await sql`update contract set replaced_by = 'k1' where id = 'k0'`.execute(trx)
    await sql`update contract set revision_of = 'k0' where id = 'k1'`.execute(trx)
    await aPlan(trx, { id: 'p1', contract: 'k1', day: '2026-03-16' })
    await sql`insert into contact (tenant_id, id, customer_id, name, mobile, birthday, search_text, search_tokens, py, py_initial)
      values ('xinghai', 'n1', 'c1', '单田芳', '13800001111', '1980-03-19', '', '{}', '', '')`.execute(trx)
    await aCustomer(trx, {
      id: 'y1',
      tenant: 'yunfan',
      owner: 'u-guopeng',
      name: '云帆客户',
      nextFollowAt: new Date(monday('16:00')),
    })
  })
})

const failures: unknown[] = []
const run = (server: Server, now: number, jobs = TENANT_JOBS) =>
  runDueJobs(jobs, { database: server.database, now, onError: (error) => failures.push(error) })
const countOf = async (table: 'todo' | 'message') =>
  here.database.system(async (trx) => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(trx)
    return rows[0]?.n ?? 0
  })
const eventsOf = (userId: string) =>
  here.database.system(async (trx) => {
    const { rows } = await sql<{
      event: string
      title: string
      content: string
    }>`select event, title, content from message
      where receiver_id = ${userId} order by event, content`.execute(trx)
    return rows
  })
const todosOf = (userId: string) =>
  here.database.system(async (trx) => {
    const { rows } = await sql<{
      type: string
      target_id: string
      status: number
    }>`select type, target_id, status from todo
      where assignee_id = ${userId} order by type, target_id`.execute(trx)
    return rows.map((row) => `${row.type} ${row.target_id} ${row.status}`)
  })

describe('the day plan', () => {
  it('creates to-dos from the records of each tenant, for their owners', async () => {
    await run(here, monday('09:00'))

    expect(failures).toEqual([])
    expect(await todosOf('u-demo')).toEqual([
      'contract_end k1 0',
      'follow c1 0',
      'payment p1 0',
      'recycle c2 0',
    ])
    expect(await todosOf('u-guopeng')).toEqual(['follow y1 0'])
  })

  it('is announced at nine: follow-ups, neglected customers, contracts, plans, birthdays; to finance as well', async () => {
    await run(here, monday('09:00'))

    const mine = await eventsOf('u-demo')
    expect(mine.map((row) => row.event)).toEqual([
      'contact.birthday',
      'contract.ending',
      'follow.due',
      'follow.none',
      'plan.due',
    ])
    expect(mine.find((row) => row.event === 'follow.none')?.title).toBe('今天有 1 个客户满 30 天未跟进')
    expect((await eventsOf('u-finance')).map((row) => row.event)).toEqual(['plan.due'])
    expect((await eventsOf('u-manager')).map((row) => row.event)).toEqual(['follow.none'])
  })

  it('notifies users with activities last week, on Monday and once, that a draft report exists', async () => {
    await here.database.system(async (trx) => {
      for (const [id, author, at] of [
        ['f1', 'u-demo', monday('00:00', -7)],
        ['f2', 'u-demo', monday('23:59', -1)],
        ['f3', 'u-demo', monday('00:00')],
        ['f4', 'u-zhaolei', monday('23:59', -8)],
      ] as const)
        await sql`insert into follow (tenant_id, id, target_type, target_id, customer_id, method, content, followed_at, author_id)
          values ('xinghai', ${id}, 'customer', 'c1', 'c1', 'call', '跟进', ${new Date(at)}, ${author})`.execute(
          trx,
        )
    })

    await run(here, monday('09:00'))
    await run(there, monday('09:00', 1))

    const told = async (userId: string) =>
      (await eventsOf(userId)).filter((row) => row.event === 'report.week').map((row) => row.content)
    expect(await told('u-demo')).toEqual(['跟进 2 次，新增客户 0 个，签订合同 0 份'])
    expect(await told('u-zhaolei')).toEqual([])
  })

  it('creates no to-do twice: in the same minute, a minute later, the next day, with slots forgotten', async () => {
    await run(here, monday('09:00'))
    const before = [await countOf('todo'), await countOf('message')]

    const again = await run(here, monday('09:00'))
    await run(here, monday('09:01'))
    await here.database.system((trx) => sql`delete from job_slot`.execute(trx))
    await run(here, monday('09:02'))

    expect(again).toEqual({})
    expect([await countOf('todo'), await countOf('message')]).toEqual(before)
    await run(here, monday('09:00', 1))
    expect(await todosOf('u-demo')).toEqual([
      'contract_end k1 0',
      'follow c1 0',
      'payment p1 0',
      'recycle c2 0',
    ])
  })

  it('is created once by two concurrent servers', async () => {
    const [a, b] = await Promise.all([run(here, monday('09:00')), run(there, monday('09:00'))])

    expect(failures).toEqual([])
    await run(there, monday('09:00') + 30_000)
    // Each tenant's slot is claimed by one of the two; which one is random.
    expect((a['day-plan'] ?? 0) + (b['day-plan'] ?? 0)).toBe(5)
    expect(await countOf('todo')).toBe(5)
    expect((await eventsOf('u-demo')).map((row) => row.event)).toHaveLength(5)
  })

  it('does not recreate done or deleted to-dos, and cancels to-dos whose reason has gone', async () => {
    await run(here, monday('09:00'))
    await here.database.system(async (trx) => {
      await sql`update todo set status = 1 where target_id = 'p1'`.execute(trx)
      await sql`update todo set deleted_at = now() where target_id = 'k1'`.execute(trx)
      await sql`update customer set owner_id = 'u-zhaolei' where id = 'c1'`.execute(trx)
      await sql`delete from job_slot`.execute(trx)
    })

    await run(here, monday('09:30'))

    expect(await todosOf('u-demo')).toEqual([
      'contract_end k1 0',
      'follow c1 2',
      'payment p1 1',
      'recycle c2 0',
    ])
    expect(await todosOf('u-zhaolei')).toEqual(['follow c1 0'])
  })

  it('waits for half past eight and catches up later on the same day', async () => {
    await run(here, monday('08:29'))
    expect(await countOf('todo')).toBe(0)

    await run(here, monday('13:00'))
    expect(await todosOf('u-guopeng')).toEqual(['follow y1 0'])
  })
})

describe('the job of every minute', () => {
  it('reminds fifteen minutes before, once, whichever of two servers is first', async () => {
    await run(here, monday('09:00'))
    await run(here, monday('14:44'))
    const early = (await eventsOf('u-demo')).filter(
      (row) => row.event === 'todo.due' && row.title.includes('华信'),
    )

    await Promise.all([run(here, monday('14:45')), run(there, monday('14:45'))])
    await run(there, monday('14:46'))

    const due = (await eventsOf('u-demo')).filter(
      (row) => row.event === 'todo.due' && row.title.includes('华信'),
    )
    expect(early).toEqual([])
    expect(due).toEqual([{ event: 'todo.due', title: '待办：跟进 华信软件', content: '03-16 15:00 到期' }])
  })

  it('creates the to-do of the first follow-up for the claimer of a customer', async () => {
    await here.database.system(async (trx) => {
      const at = new Date(monday('10:00'))
      await aCustomer(trx, { id: 'c9', name: '刚领取', ownerSince: at, followStatus: 'none' })
      await sql`insert into owner_record (tenant_id, id, entity, record_id, to_user, kind, at)
        values ('xinghai', 'o1', 'customer', 'c9', 'u-demo', 'claim', ${at})`.execute(trx)
    })

    await run(
      here,
      monday('10:01'),
      TENANT_JOBS.filter((job) => job.name === 'near'),
    )
    await run(
      there,
      monday('10:02'),
      TENANT_JOBS.filter((job) => job.name === 'near'),
    )

    expect(await todosOf('u-demo')).toEqual(['first_follow c9 0'])
  })

  it('sends messages held back by quiet hours when they end, and urgent ones at once', async () => {
    clock.now = monday('22:00')
    const live = await there.stream(await there.signIn('demo'))
    await live.until((event) => event.kind === 'unread')
    const told = {
      tenantId: 'xinghai',
      actorId: 'u-manager',
      now: new Date(clock.now),
      receivers: ['u-demo'],
      ids: ['c1'],
    }
    await here.database.tenant({ tenantId: 'xinghai', userId: 'u-manager' }, async (trx) => {
      await announce(trx, {
        ...told,
        event: 'record.assigned',
        entity: 'customer',
        params: { names: '夜里' },
      })
      await announce(trx, {
        ...told,
        event: 'contract.submit',
        entity: 'contract',
        params: { title: '急件' },
      })
    })
    await live.until((event) => event.kind === 'message' && event.message.content.includes('急件'))
    const atNight = JSON.stringify(live.events)

    const held = TENANT_JOBS.filter((job) => job.name === 'held')
    clock.now = monday('07:59', 1)
    const early = await run(here, clock.now, held)
    clock.now = monday('08:00', 1)
    await run(here, clock.now, held)

    await live.until((event) => event.kind === 'message' && event.message.content.includes('夜里'))
    expect(atNight).not.toContain('夜里')
    expect(early).toEqual({ held: 0 })
    live.close()
  })
})

describe('the scheduler', () => {
  it('continues with other jobs and tenants if one fails', async () => {
    const errors: string[] = []
    const jobs: TenantJob[] = [
      { name: 'breaks', schedule: every(1), run: () => Promise.reject(new Error('broken')) },
      { name: 'works', schedule: every(1), run: async () => 1 },
    ]

    const made = await runDueJobs(jobs, {
      database: here.database,
      now: monday('09:00'),
      onError: (_, job, tenantId) => errors.push(`${job} ${tenantId}`),
    })

    expect(made).toEqual({ works: 3 })
    expect(errors).toEqual(['breaks kongbai', 'breaks xinghai', 'breaks yunfan'])
  })

  it('runs repeatedly by the given clock, and stops', async () => {
    let now = monday('09:00')
    const waiting: (() => void)[] = []
    const slots: string[] = []
    const jobs: TenantJob[] = [
      {
        name: 'minute',
        schedule: every(1),
        run: async ({ now: at, tenantId }) => slots.push(`${tenantId} ${at.toISOString()}`),
      },
    ]
    const whole = { name: 'whole', everyMs: 900_000, runAll: async () => slots.push('whole') }
    const stop = startJobs({
      jobs: [...jobs, whole],
      database: here.database,
      now: () => now,
      later: (work) => {
        waiting.push(work)
        return () => waiting.splice(0)
      },
      onError: (error) => failures.push(error),
    })
    const look = async (): Promise<void> => {
      waiting.shift()?.()
      while (waiting.length === 0) await new Promise((done) => setTimeout(done, 5))
    }

    await look()
    await look()
    now += 60_000
    await look()
    await stop()

    expect(failures).toEqual([])
    expect(slots.filter((slot) => slot.startsWith('xinghai'))).toHaveLength(2)
    expect(slots.filter((slot) => slot === 'whole')).toHaveLength(1)
    expect(waiting).toEqual([])
  })

  it('has slots that never go backwards', () => {
    const moments = fc.integer({ min: Date.UTC(2025, 0, 1), max: Date.UTC(2027, 0, 1) })
    fc.assert(
      fc.property(
        moments,
        moments,
        fc.constantFrom(every(1), every(15), daily('08:30'), weekly('09:00')),
        (a, b, schedule) => {
          const [first, second] = a < b ? [a, b] : [b, a]
          const slots = [schedule(first), schedule(second)]
          if (slots[0] === null || slots[1] === null) return
          expect((slots[0] ?? '') <= (slots[1] ?? '')).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('quiet hours', () => {
  it('last until their end and never longer', () => {
    const hours = { quiet: true, quiet_from: '21:00', quiet_to: '08:00' }
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1439 }), (minute) => {
        const now = new Date(monday('00:00') + minute * 60_000)
        const shown = shownAt(hours, now, 'Asia/Shanghai')
        const isQuiet = minute >= 21 * 60 || minute < 8 * 60

        expect(shown > now).toBe(isQuiet)
        expect(shown.getTime() - now.getTime()).toBeLessThanOrEqual(11 * 3_600_000)
        if (isQuiet) expect(shown.toISOString().slice(11, 16)).toBe('00:00')
      }),
    )
  })
})
