import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TODO_SECTIONS, TODO_TYPES, type TodoRow } from '../../../src/contract/todo.ts'
import { instantOf, startOfDay, wallTimeOf } from '../../../src/server/kernel/time/zone.ts'
import { anchorOf, dueOnDay, nextDue, reminderLike, snoozed } from '../../../src/server/modules/todos/due.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'
import { aContract, aCustomer, anApproval } from './rows.ts'

let server: TestApp
let demo: Client
let manager: Client
let stranger: Client
beforeAll(async () => {
  server = await openTestApp()
  demo = await server.as('demo')
  manager = await server.as('manager')
  stranger = await server.as('yfadmin')
  await server.database.system(async (trx) => {
    await aCustomer(trx, { id: 'c1', name: '华信软件' })
    await aCustomer(trx, { id: 'c2', name: '北辰电气' })
    await aContract(trx, { id: 'k1', customer: 'c1', status: 1 })
  })
})
afterAll(() => server.close())
beforeEach(async () => {
  server.clock.now = Date.parse('2026-03-16T02:00:00Z') // Monday 10:00 in Shanghai
  await server.database.system(async (trx) => {
    for (const table of ['todo', 'approval', 'message'])
      await sql`delete from ${sql.table(table)}`.execute(trx)
  })
})

const create = async (client: Client, body: object = {}) => {
  const answer = await client.post('/mini/todo/create', {
    title: '回电',
    due_at: '2026-03-16 15:00:00',
    ...body,
  })
  return answer.data?.record as TodoRow
}
const list = async (client: Client, body: object = {}): Promise<TodoRow[]> =>
  (await client.post('/mini/todo/list', { ...body })).data.list

describe('to-dos', () => {
  it('of today and overdue are counted at their tab; those of later days and of other users are not', async () => {
    const pages = async () => (await demo.get('/mini/message/unread-count')).data.pages
    const today = await create(demo)
    await create(demo, { due_at: '2026-03-20 15:00:00' })
    await create(manager)
    const before = await pages()
    server.clock.now = Date.parse('2026-03-16T10:00:00Z')
    const overdue = await pages()
    await demo.post('/mini/todo/done', { id: today.id })

    expect(before).toEqual({ '/pages/my/message/index': 0, '/pages/work/todo/index': 1 })
    expect(overdue['/pages/work/todo/index']).toBe(1)
    expect((await pages())['/pages/work/todo/index']).toBe(0)
  })

  it('are in the section of their day, and the counts equal the rows of each section and type', async () => {
    const days = [
      '2026-03-16 09:00:00',
      '2026-03-16',
      '2026-03-17',
      '2026-03-22 23:59:59',
      '2026-03-23',
      '2026-05-01',
    ]
    for (const due_at of days) await create(demo, { due_at, type: 'custom' })
    await create(demo, { due_at: '2026-03-16 18:00:00', type: 'payment' })
    await server.database.system((trx) =>
      anApproval(trx, { id: 'a1', record: 'k1', waiting: ['u-demo'], submitter: 'u-manager' }),
    )

    const sections = await Promise.all(
      TODO_SECTIONS.map(async (section) => [section, await list(demo, { section })] as const),
    )
    const counts = (await demo.get('/mini/todo/count')).data
    const [asked] = await list(demo, { tab: 'approval' })
    const rows = Object.fromEntries(sections.map(([section, found]) => [section, found.length]))

    expect(asked).toMatchObject({
      amount: 100,
      created_by_name: (await manager.get('/mini/user/detail')).data.userInfo.name,
    })
    expect(rows).toEqual({ overdue: 1, today: 3, tomorrow: 1, week: 1, later: 2, done: 0 })
    expect(counts.bySection).toEqual(rows)
    for (const [section, found] of sections) for (const row of found) expect(row.section).toBe(section)
    for (const type of TODO_TYPES) expect(await list(demo, { tab: type })).toHaveLength(counts.byType[type])
    expect(counts.total).toBe((await list(demo)).length)
    expect(counts.overdue).toBe(1)
    for (const [section, found] of sections) {
      const inIt = (await demo.get(`/mini/todo/count?section=${section}`)).data
      for (const type of TODO_TYPES)
        expect([section, type, inIt.byType[type]]).toEqual([
          section,
          type,
          found.filter((row) => row.type === type).length,
        ])
      expect(inIt.bySection, 'its own tabs stay').toEqual(rows)
    }
    const ofPayments = (await demo.get('/mini/todo/count?type=payment')).data
    expect(ofPayments.bySection).toEqual({ overdue: 0, today: 1, tomorrow: 0, week: 0, later: 0, done: 0 })
    expect(ofPayments.byType).toEqual(counts.byType)
  })

  it('of a day are due at its end with a reminder at nine; those of a time, fifteen minutes before', async () => {
    const day = await create(demo, { due_at: '2026-03-18' })
    const time = await create(demo, { due_at: '2026-03-18 15:30:00' })

    expect([day.all_day, day.due_at, day.remind_at]).toEqual([
      true,
      '2026-03-18 23:59:59',
      ['2026-03-18 09:00:00'],
    ])
    expect([time.all_day, time.remind_at]).toEqual([false, ['2026-03-18 15:15:00']])
  })

  it('are created once, however often the call arrives', async () => {
    const body = { clientToken: 'todo-token-1', title: '一次', due_at: '2026-03-18' }
    await Promise.all([1, 2, 3].map(() => demo.post('/mini/todo/create', body)))

    expect(await list(demo)).toHaveLength(1)
  })

  it('are completed and reopened; the next of a series is created once, and deleted when the previous one is reopened', async () => {
    const row = await create(demo, { repeat: 'week' })

    await demo.post('/mini/todo/done', { id: row.id, note: '已沟通' })
    await demo.post('/mini/todo/done', { id: row.id })
    const after = await list(demo)
    const done = await list(demo, { section: 'done' })
    await demo.post('/mini/todo/undo', { id: row.id })
    const back = await list(demo)

    expect(after.map((it) => it.due_at)).toEqual(['2026-03-23 15:00:00'])
    expect(done.map((it) => [it.id, it.done_note])).toEqual([[row.id, '已沟通']])
    expect(back.map((it) => it.id)).toEqual([row.id])
    await demo.post('/mini/todo/done', { id: row.id })
    expect((await list(demo)).map((it) => it.due_at)).toEqual(['2026-03-23 15:00:00'])
  })

  it('are postponed by an hour, to tomorrow, or to Monday', async () => {
    const row = await create(demo)
    const due: string[] = []
    for (const to of ['hour', 'tomorrow', 'week']) {
      await demo.post('/mini/todo/snooze', { id: row.id, to })
      due.push((await list(demo))[0]?.due_at ?? '')
    }

    expect(due).toEqual(['2026-03-16 16:00:00', '2026-03-17 16:00:00', '2026-03-23 16:00:00'])
    expect((await demo.post('/mini/todo/snooze', { id: row.id, to: 'never' })).meta.code).toBe(400)
  })

  it('are transferred to a colleague, who is notified, but not to an outsider', async () => {
    const row = await create(demo)

    const outside = await demo.post('/mini/todo/transfer', { id: row.id, toUserId: 'u-yfadmin' })
    await demo.post('/mini/todo/transfer', { id: row.id, toUserId: 'u-manager' })

    expect(outside.meta.code).toBe(404)
    expect((await list(manager)).map((it) => it.id)).toEqual([row.id])
    expect(await list(demo)).toEqual([])
    expect((await list(demo, { tab: 'assigned' })).map((it) => it.id)).toEqual([row.id])
    const [message] = (await manager.post('/mini/message/list', {})).data.list
    expect(message).toMatchObject({ event: 'todo.assigned', url: `/pages/work/todo/index?id=${row.id}` })
  })

  it('are listed singly for the message about them, and say what became of those that are gone', async () => {
    const one = async (client: Client, id: string) =>
      (await list(client, { tab: 'record', filters: [{ field: 'id', op: 'eq', value: id }] })).map(
        (it) => it.status,
      )
    const told = async (client: Client, id: string) =>
      (await client.get(`/mini/todo/detail?id=${id}`)).meta.message
    const done = await create(demo)
    const deleted = await create(demo)
    const given = await create(manager, { assignee_id: 'u-demo' })

    await demo.post('/mini/todo/done', { id: done.id })
    await demo.post('/mini/todo/delete', { id: deleted.id })
    await manager.post('/mini/todo/transfer', { id: given.id, toUserId: 'u-manager' })

    expect(await one(demo, done.id)).toEqual([1])
    expect(await one(stranger, done.id)).toEqual([])
    expect(await one(demo, deleted.id)).toEqual([])
    expect(await told(demo, deleted.id)).toBe('这条待办已删除')
    expect(await told(demo, given.id)).toBe('这条待办不在您名下，可能已转交给同事')
    expect(await told(stranger, deleted.id)).toBe('这条待办不在您名下，可能已转交给同事')
  })

  it('stay when their record goes to a pool or a colleague, say so, and lead only where their reader may go', async () => {
    await server.database.system(async (trx) => {
      await aCustomer(trx, { id: 'c3', name: '远景机械' })
      await aCustomer(trx, { id: 'c4', name: '宏图建材' })
    })
    const about = (target_id: string) => create(demo, { type: 'follow', target_type: 'customer', target_id })
    const kept = await about('c1')
    const released = await about('c3')
    const given = await about('c4')
    await server.database.system(async (trx) => {
      await sql`insert into pool (tenant_id, id, entity, name, member_all)
        values ('xinghai', 'p1', 'customer', '华东公海', true)`.execute(trx)
      await sql`update customer set owner_id = null, pool_id = 'p1' where id = 'c3'`.execute(trx)
      await sql`update customer set owner_id = 'u-director' where id = 'c4'`.execute(trx)
    })

    const rows = new Map((await list(demo)).map((row) => [row.id, row]))
    const shown = ({ id }: TodoRow) => {
      const { target_note, url, actions } = rows.get(id) ?? released
      return [target_note, url, actions.includes('follow'), actions.includes('done')]
    }

    expect(shown(kept)).toEqual(['', '/pages/customer/my/detail?id=c1', true, true])
    expect(shown(released)).toEqual([
      '客户已在「华东公海」',
      '/pages/customer/pool/detail?id=c3',
      false,
      true,
    ])
    expect(shown(given)).toEqual(['客户已不在您名下', '', false, true])
    const { record } = (await demo.get(`/mini/todo/detail?id=${given.id}`)).data
    expect(record.target_note).toBe('客户已不在您名下')
  })

  it('are seen but not changed by participants, and are not found by other users', async () => {
    const row = await create(demo, { participant_ids: ['u-manager'] })
    const calls = ['done', 'undo', 'delete'].map((name) => [`/mini/todo/${name}`, { ids: [row.id] }] as const)

    const looks = await manager.get(`/mini/todo/detail?id=${row.id}`)
    const changes = await manager.post('/mini/todo/done', { ids: [row.id] })

    expect(looks.data.record.actions).toEqual([])
    const { assignee_name: whose } = looks.data.record
    expect(changes.data.failed[0]).toMatchObject({
      code: 405,
      message: `该待办由${whose}负责，您没有操作权限，可联系${whose}处理`,
    })
    expect((await stranger.get(`/mini/todo/detail?id=${row.id}`)).meta.code).toBe(404)
    expect((await stranger.post('/mini/todo/update', { id: row.id, title: 'x' })).meta.code).toBe(404)
    for (const [path, body] of calls)
      expect((await stranger.post(path, body)).data.failed[0]).toMatchObject({ code: 404 })
    expect((await stranger.post('/mini/todo/snooze', { ids: [row.id], to: 'week' })).data.ok).toEqual([])
    expect((await stranger.post('/mini/todo/list', { tab: 'record' })).data.list).toEqual([])
  })

  it('are restored for the user who deleted them and undoes it at once, and for no other user', async () => {
    const row = await create(demo, { participant_ids: ['u-manager'] })
    await demo.post('/mini/todo/delete', { ids: [row.id] })

    const byOther = await stranger.post('/mini/todo/restore', { ids: [row.id] })
    const byColleague = await manager.post('/mini/todo/restore', { ids: [row.id] })
    const back = await demo.post('/mini/todo/restore', { ids: [row.id] })
    const again = await demo.post('/mini/todo/restore', { ids: [row.id] })
    const listed = (await list(demo)).map((it) => it.id)
    await demo.post('/mini/todo/delete', { ids: [row.id] })
    server.clock.now += 11 * 60_000
    const late = await demo.post('/mini/todo/restore', { ids: [row.id] })
    server.clock.now -= 11 * 60_000

    expect(back.data.ok).toEqual([row.id])
    expect(listed).toContain(row.id)
    for (const { data } of [byOther, byColleague, again, late])
      expect(data.failed[0]).toMatchObject({ code: 404 })
  })

  it('name only records that their author sees', async () => {
    const mine = await create(demo, { target_type: 'customer', target_id: 'c1' })
    const theirs = await stranger.post('/mini/todo/create', {
      title: '窥探',
      due_at: '2026-03-18',
      target_type: 'customer',
      target_id: 'c1',
    })

    expect([mine.target_name, mine.url]).toEqual(['华信软件', '/pages/customer/my/detail?id=c1'])
    expect(theirs.meta.code).toBe(404)
  })

  it('refuse invalid values, with a message per field, and an old version with the stored copy', async () => {
    const bad = await demo.post('/mini/todo/create', {
      title: '',
      due_at: 'morgen',
      priority: 'huge',
      repeat: 'sometimes',
    })
    const row = await create(demo)
    await demo.post('/mini/todo/update', { id: row.id, version: row.version, title: '新' })
    const late = await demo.post('/mini/todo/update', { id: row.id, version: row.version, title: '旧' })

    expect(Object.keys(bad.meta.error?.fields ?? {}).sort()).toEqual([
      'due_at',
      'priority',
      'repeat',
      'title',
    ])
    expect(late.meta.code).toBe(409)
    expect(late.data.current.title).toBe('新')
  })

  it('list approvals that wait for the caller and no others', async () => {
    await server.database.system((trx) => anApproval(trx, { id: 'a1', record: 'k1', waiting: ['u-manager'] }))

    const [row] = await list(manager, { tab: 'approval' })

    expect(row).toMatchObject({
      approval_id: 'a1',
      type: 'approval',
      actions: ['approve', 'reject'],
      overdue: false,
    })
    expect(row?.url).toBe('/pages/work/approval/detail?id=a1')
    expect(row?.title).toBe(`审批 华信软件 ${row?.target_name?.replace('华信软件 ', '')}`)
    expect(await list(demo)).toEqual([])
    expect((await manager.get('/mini/todo/today')).data.list).toHaveLength(1)
  })
})

describe('a follow-up', () => {
  const follow = (body: object) =>
    demo.post('/mini/follow/create', {
      target_type: 'customer',
      target_id: 'c1',
      method: 'call',
      content: '聊过了',
      ...body,
    })

  it('closes the open follow-up to-dos of its target and no others', async () => {
    await create(demo, { type: 'follow', target_type: 'customer', target_id: 'c1', title: '跟进华信' })
    await create(demo, { type: 'follow', target_type: 'customer', target_id: 'c2', title: '跟进北辰' })
    await create(demo, { type: 'custom', target_type: 'customer', target_id: 'c1', title: '寄样品' })

    await follow({})

    expect((await list(demo)).map((it) => it.title)).toEqual(['跟进北辰', '寄样品'])
    expect((await list(demo, { section: 'done' })).map((it) => it.title)).toEqual(['跟进华信'])
  })

  it('creates the next to-do from its next date, once per day, and reopens it if the same day is named again', async () => {
    await follow({ next_follow_at: '2026-03-18 15:00:00', next_plan: '送合同' })
    await follow({ next_follow_at: '2026-03-18 16:00:00' })

    const rows = await list(demo)

    expect(rows.map((it) => [it.type, it.due_at, it.target_name, it.remind_at[0]])).toEqual([
      ['follow', '2026-03-18 16:00:00', '华信软件', '2026-03-18 15:45:00'],
    ])
    expect(rows[0]?.title).toBe('跟进 华信软件')
    expect(rows[0]?.actions).toContain('follow')
  })

  it('closes no to-do if it is refused', async () => {
    await create(demo, { type: 'follow', target_type: 'customer', target_id: 'c1' })

    const refused = await follow({ content: '' })

    expect(refused.meta.code).toBe(400)
    expect(await list(demo)).toHaveLength(1)
  })
})

describe('a series', () => {
  const nextOf = async () => (await list(demo)).map((row) => row.due_at)

  it('continues from the planned day, however often one of its to-dos was postponed', async () => {
    server.clock.now = Date.parse('2026-01-31T02:00:00Z')
    const { id } = await create(demo, { due_at: '2026-01-31', repeat: 'month' })
    await demo.post('/mini/todo/snooze', { id, to: 'tomorrow' })
    await demo.post('/mini/todo/snooze', { id, to: 'tomorrow' })
    server.clock.now = Date.parse('2026-02-02T02:00:00Z')

    await demo.post('/mini/todo/done', { id })

    expect(await nextOf()).toEqual(['2026-02-28 23:59:59'])
  })

  it('keeps its weekday and its time after a postponement by an hour', async () => {
    const { id } = await create(demo, { due_at: '2026-03-16 23:30:00', repeat: 'week' })
    await demo.post('/mini/todo/snooze', { id, to: 'hour' })

    await demo.post('/mini/todo/done', { id })

    expect(await nextOf()).toEqual(['2026-03-23 23:30:00'])
  })

  it('changes once its date is changed', async () => {
    const { id, version } = await create(demo, { due_at: '2026-03-16 15:00:00', repeat: 'week' })
    await demo.post('/mini/todo/snooze', { id, to: 'tomorrow' })
    await demo.post('/mini/todo/update', { id, version: version + 1, due_at: '2026-03-18 09:00:00' })

    await demo.post('/mini/todo/done', { id })

    expect(await nextOf()).toEqual(['2026-03-25 09:00:00'])
  })

  it('deletes its next to-do even if the previous one had been postponed beyond it', async () => {
    const { id } = await create(demo, { due_at: '2026-03-16', repeat: 'day' })
    await demo.post('/mini/todo/snooze', { id, to: 'week' })
    await demo.post('/mini/todo/done', { id })

    await demo.post('/mini/todo/undo', { id })

    expect(await nextOf()).toEqual(['2026-03-23 23:59:59'])
  })
})

describe('a series in a time zone with daylight saving time', () => {
  const zone = (name: string) =>
    server.database.system((trx) =>
      sql`update tenant set timezone = ${name} where id = 'xinghai'`.execute(trx),
    )

  it('returns to its own time after a date in the skipped hour', async () => {
    await zone('Europe/Berlin')
    server.clock.now = Date.parse('2026-03-27T05:00:00Z')
    const demo = await server.as('demo')
    const due: string[] = []
    const remind: string[] = []
    let { id } = await create(demo, {
      due_at: '2026-03-28 02:30',
      repeat: 'day',
      remind_at: ['2026-03-27 09:00'],
    })
    for (let days = 0; days < 3; days++) {
      await demo.post('/mini/todo/done', { id })
      const next = await server.database.system(async (trx) => {
        const found = await sql<{ id: string; due: string; remind: string }>`select id,
          to_char(due_at at time zone 'Europe/Berlin', 'MM-DD HH24:MI') as due,
          to_char(remind_at[1] at time zone 'Europe/Berlin', 'MM-DD HH24:MI') as remind
          from todo where origin = 'repeat' and status = 0`.execute(trx)
        return found.rows[0]
      })
      id = next?.id ?? ''
      due.push(next?.due ?? '')
      remind.push(next?.remind ?? '')
    }
    await zone('Asia/Shanghai')

    expect(due).toEqual(['03-29 03:30', '03-30 02:30', '03-31 02:30'])
    expect(remind).toEqual(['03-28 10:00', '03-29 09:00', '03-30 09:00'])
  })
})

describe('dates', () => {
  const zones = fc.constantFrom('Asia/Shanghai', 'America/New_York', 'Pacific/Auckland')
  const moments = fc.date({ min: new Date('2025-01-01'), max: new Date('2027-12-31'), noInvalidDate: true })

  it('of a series are in the future, keep the time of day, and a monthly one its day or the last of the month', () => {
    fc.assert(
      fc.property(
        moments,
        moments,
        zones,
        fc.constantFrom('day', 'week', 'month'),
        (at, now, zone, repeat) => {
          const wall = new Date(wallTimeOf(at, zone))
          const due = { at, allDay: false }
          const next = nextDue(due, repeat, anchorOf(due, zone), { now, zone })
          const after = new Date(wallTimeOf(next.at, zone))

          expect(next.at > now && next.at > at).toBe(true)
          if (repeat === 'week') expect(after.getUTCDay()).toBe(wall.getUTCDay())
          const last = new Date(Date.UTC(after.getUTCFullYear(), after.getUTCMonth() + 1, 0)).getUTCDate()
          if (repeat === 'month') expect(after.getUTCDate()).toBe(Math.min(wall.getUTCDate(), last))
        },
      ),
      { numRuns: 300 },
    )
  })

  it('of a series keep their time of day for a year, across clock changes', () => {
    const changing = fc.constantFrom(
      'Europe/Berlin',
      'America/New_York',
      'America/Santiago',
      'Africa/Cairo',
      'Australia/Lord_Howe',
      'Asia/Shanghai',
    )
    const times = fc.oneof(fc.constant(9 * 60), fc.integer({ min: 0, max: 24 * 60 - 1 }))
    fc.assert(
      fc.property(
        changing,
        times,
        fc.integer({ min: 0, max: 364 }),
        fc.constantFrom('day', 'week'),
        fc.boolean(),
        (zone, minute, first, repeat, allDay) => {
          const day = startOfDay(Date.UTC(2026, 0, 1), first)
          const begin = allDay ? dueOnDay(day, zone) : { at: instantOf(day + minute * 60_000, zone), allDay }
          const anchor = { ...anchorOf(begin, zone), ...(allDay ? {} : { timeMs: minute * 60_000 }) }
          const stepDays = repeat === 'day' ? 1 : 7
          let due = begin
          for (let days = stepDays; days <= 365; days += stepDays) {
            const reminder = instantOf(wallTimeOf(due.at, zone) - 24 * 3_600_000, zone)
            const next = nextDue(due, repeat, anchor, { now: due.at, zone })
            const planned = allDay ? startOfDay(day, days + 1) - 1 : startOfDay(day, days) + minute * 60_000
            const exists = wallTimeOf(instantOf(planned, zone), zone) === planned

            if (exists) expect(wallTimeOf(next.at, zone)).toBe(planned)
            else expect(wallTimeOf(next.at, zone) - planned).toBeLessThanOrEqual(3_600_000)
            if (allDay)
              expect(new Date(wallTimeOf(new Date(next.at.getTime() + 1), zone)).getUTCDate()).toBe(
                new Date(startOfDay(day, days + 1)).getUTCDate(),
              )
            const reminded = reminderLike(reminder, due, next, zone)
            const wall = wallTimeOf(next.at, zone) - (wallTimeOf(due.at, zone) - wallTimeOf(reminder, zone))
            expect(wallTimeOf(reminded, zone) - wall).toBeGreaterThanOrEqual(0)
            expect(wallTimeOf(reminded, zone) - wall).toBeLessThanOrEqual(3_600_000)
            due = next
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('that are postponed are always in the future, and never earlier than before', () => {
    fc.assert(
      fc.property(
        moments,
        moments,
        zones,
        fc.constantFrom('hour', 'tomorrow', 'week'),
        fc.boolean(),
        (at, now, zone, how, allDay) => {
          const put = snoozed({ at, allDay }, how, { now, zone }).at
          const dayOf = (moment: Date) => startOfDay(wallTimeOf(moment, zone))

          expect(put > now).toBe(true)
          expect(dayOf(put)).toBeGreaterThanOrEqual(dayOf(at))
          if (how !== 'hour') expect(dayOf(put)).toBeGreaterThan(dayOf(at))
        },
      ),
      { numRuns: 300 },
    )
  })
})
