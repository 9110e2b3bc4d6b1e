import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CalendarEntries } from '../../../src/contract/calendar.ts'
import { planDay } from '../../../src/server/flows/jobs/day-plan.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'
import { aContract, aCustomer, aPlan } from './rows.ts'

let server: TestApp
let demo: Client
let manager: Client
beforeAll(async () => {
  server = await openTestApp()
  demo = await server.as('demo')
  manager = await server.as('manager')
  await server.database.system(async (trx) => {
    await aCustomer(trx, { id: 'c1', name: '华信软件' })
    await aCustomer(trx, { id: 'c2', name: '北辰电气', owner: 'u-manager' })
    await aContract(trx, { id: 'k1', customer: 'c1', status: 2 })
  })
})
afterAll(() => server.close())
beforeEach(() => {
  server.clock.now = Date.parse('2026-03-16T02:00:00Z') // Monday 10:00 in Shanghai
})

const week = async (client: Client, from = '2026-03-16', until = '2026-03-22'): Promise<CalendarEntries> =>
  (await client.get(`/mini/calendar/list?from=${from}&until=${until}`)).data
const said = ({ list }: CalendarEntries) => list.map(({ kind, day, time, title }) => [kind, day, time, title])

describe('the calendar', () => {
  it('is empty without entries, and returns the current day', async () => {
    expect(await week(await server.as('yfadmin'))).toEqual({ today: '2026-03-16', list: [], more: false })
  })

  it('has the user’s to-dos, follow-ups, payments and birthdays in order of time, each with a link to its record', async () => {
    const { version } = (await demo.get('/mini/customer/detail?id=c1')).data.record
    await demo.post('/mini/customer/update', { id: 'c1', version, next_follow_at: '2026-03-18 09:30:00' })
    const person = await demo.post('/mini/contact/create', {
      customer_id: 'c1',
      name: '陈静',
      mobile: '13900007711',
      birthday: '1980-03-20',
    })
    const call = await demo.post('/mini/todo/create', { title: '回电', due_at: '2026-03-18 15:00:00' })
    const done = await demo.post('/mini/todo/create', { title: '寄样', due_at: '2026-03-17' })
    await demo.post('/mini/todo/done', { ids: [done.data.record.id] })
    await server.database.system((trx) => aPlan(trx, { id: 'p1', contract: 'k1', day: '2026-03-19' }))

    const mine = await week(demo)
    const theirs = await week(manager)

    expect(said(mine)).toEqual([
      ['todo', '2026-03-17', '', '寄样'],
      ['follow', '2026-03-18', '09:30', '跟进 华信软件'],
      ['todo', '2026-03-18', '15:00', '回电'],
      ['payment', '2026-03-19', '', expect.stringMatching(/^回款 ¥50\.00 · .* 第1期$/)],
      ['birthday', '2026-03-20', '', '陈静生日'],
    ])
    expect(mine.list.map(({ done }) => done)).toEqual([true, false, false, false, false])
    expect(mine.list.map(({ url }) => url)).toEqual([
      expect.stringContaining('/pages/work/todo/add?id='),
      '/pages/customer/my/detail?id=c1',
      `/pages/work/todo/add?id=${call.data.record.id}`,
      '/pages/contract/detail?id=k1',
      `/pages/customer/contact/index?id=${person.data.id}`,
    ])
    expect(theirs.list.filter(({ title }) => /华信|陈静|回电/.test(title))).toEqual([])
  })

  it('lists an item once even if it also has a to-do', async () => {
    server.clock.now = Date.parse('2026-03-18T00:40:00Z')
    await server.database.system((trx) =>
      planDay({ trx, tenantId: 'xinghai', now: new Date(server.clock.now), zone: 'Asia/Shanghai' }),
    )

    const { list } = await week(await server.as('demo'), '2026-03-18', '2026-03-18')

    expect(list.filter(({ title }) => title.includes('华信')).map(({ kind }) => kind)).toEqual(['follow'])
    expect(list.find(({ title }) => title.includes('华信'))?.id).not.toMatch(/^follow:/)
  })

  it('shows at most six weeks, and refuses invalid days', async () => {
    for (const [from, until] of [
      ['2026-03-01', '2026-04-12'],
      ['2026-03-02', '2026-03-01'],
      ['2026-02-30', '2026-03-01'],
    ])
      expect((await demo.get(`/mini/calendar/list?from=${from}&until=${until}`)).meta.code).toBe(400)
    expect((await week(demo, '2026-03-01', '2026-04-11')).list.length).toBeGreaterThan(0)
  })
})
