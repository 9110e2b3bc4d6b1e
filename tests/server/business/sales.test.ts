import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FULL_LEAD } from '../full-records.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'
import { copyOf, person } from './support.ts'

let server: TestApp
let demo: Client
let colleague: Client
let manager: Client
const START = Date.parse('2026-03-16T02:00:00Z')
const DAY = 86_400_000
beforeAll(async () => {
  server = await openTestApp()
  demo = person(server, 'demo')
  colleague = person(server, 'zhaolei')
  manager = person(server, 'manager')
})
afterAll(() => server.close())
beforeEach(() => {
  server.clock.now = START
})

let count = 0
const aName = (what = '企业') => `${what}${'甲乙丙丁戊己庚辛壬癸'[++count % 10]}${count}号工坊`
const aMobile = () => `1390000${String(1000 + ++count)}`
const lead = (more: object = {}, by: Client = demo) =>
  by.post('/mini/lead/create', { name: aName('线索'), mobile: aMobile(), source: 'website', ...more })
const customer = (more: object = {}, by: Client = demo) =>
  by.post('/mini/customer/create', { name: aName(), ...more })
const detail = async (entity: string, id: string, by: Client = demo) =>
  (await by.get(`/mini/${entity}/detail?id=${id}`)).data
async function opportunity(more: object = {}, by: Client = demo) {
  const owner = await customer({ contacts: [{ name: '王经理', mobile: aMobile() }] }, by)
  return by.post('/mini/bussiness/create', {
    customer_id: owner.data.id,
    contact_ids: [owner.data.record.primary_contact_id],
    amount: 50_000,
    expected_date: '2026-05-01',
    ...more,
  })
}

describe('a lead', () => {
  it('belongs to its creator, has a completeness score, and is found by tabs, filters and search', async () => {
    const mobile = aMobile()
    const made = await lead({
      mobile,
      contact_name: '单小姐',
      level: 'hot',
      demand: '二十台设备',
      budget: 30_000,
    })
    const name = made.data.record.name

    const tab = await demo.post('/mini/lead/list', {
      tab: 'pending',
      filters: [{ field: 'level', op: 'eq', value: 'hot' }],
      keyword: name.slice(0, 5),
    })
    const search = await demo.get(`/mini/search/global?keyword=${mobile.slice(-4)}&types=lead`)
    const counts = await demo.post('/mini/lead/count', { tabs: ['pending', 'invalid'] })

    expect(made.data.record).toMatchObject({ status: 10, owner_id: 'u-demo', company: name, score: 42 })
    expect(tab.data.list[0]).toMatchObject({ id: made.data.id, status: 10, left_days: 7 })
    expect(tab.data.list[0].actions).toContain('convert')
    expect(search.data.groups[0].list[0]).toMatchObject({ id: made.data.id, title: name })
    // The data a page needs to call them and to write a follow-up.
    expect(search.data.list[0]).toMatchObject({ type: 'lead', kind: '线索', phone: mobile, follow: true })
    expect(counts.data.pending).toBeGreaterThan(0)
  })

  it.each([
    [{ mobile: null }, 'mobile'],
    [{ source: null }, 'source'],
    [{ budget: -1 }, 'budget'],
    [{ status: 40 }, 'status'],
    [{ owner_id: 'u-manager' }, 'owner_id'],
  ])('is refused with %j', async (fields, at) => {
    const answer = await lead(fields)

    expect(answer.meta.code).toBe(400)
    expect(answer.meta.error?.fields).toHaveProperty([at])
  })

  it('warns of a number that others have, and reports an existing customer of that company', async () => {
    const mobile = aMobile()
    const known = await customer({ mobile })

    const warned = await lead({ mobile })
    const knowing = await lead({ mobile, confirm: ['DUPLICATE_PHONE'] })
    const named = await lead({ name: known.data.record.name })

    expect(warned.meta).toMatchObject({ code: 409, error: { type: 'DUPLICATE' } })
    expect(knowing.data.warnings).toMatchObject([{ type: 'DUPLICATE_PHONE' }])
    expect(named.data.warnings).toMatchObject([{ type: 'IS_CUSTOMER', message: '该公司已是客户' }])
  })

  it('changes its status by follow-up and manually, and is reactivated within 30 days', async () => {
    const { data } = await lead()
    const state = async () => (await detail('lead', data.id)).record.status
    await demo.post('/mini/follow/create', {
      target_type: 'lead',
      target_id: data.id,
      method: 'call',
      content: '有兴趣',
      stage_change: {},
    })
    const followed = await state()
    await demo.post('/mini/follow/create', {
      target_type: 'lead',
      target_id: data.id,
      method: 'call',
      content: '很有兴趣',
      stage_change: { status: 30 },
    })
    const intended = await state()
    const noReason = await demo.post('/mini/lead/invalid', { ids: [data.id] })
    await demo.post('/mini/lead/invalid', { ids: [data.id], reason: 'no_need' })
    const invalid = await state()
    server.clock.now = START + 31 * DAY
    const tooLate = await demo.post('/mini/lead/reactivate', { id: data.id })
    const superior = await manager.post('/mini/lead/reactivate', { id: data.id })

    expect([followed, intended, invalid]).toEqual([20, 30, 50])
    expect(noReason.meta.code).toBe(400)
    expect(tooLate.meta).toMatchObject({ code: 405, message: '超过 30 天，请联系上级处理' })
    expect(superior.data.record.status).toBe(20)
  })
})

describe('converting a lead', () => {
  it('creates customer, contact and opportunity, moves follow-ups, and answers 409 the second time (DOMAIN 8.8 no. 11)', async () => {
    const made = await lead({
      contact_name: '解女士',
      demand: '三年维保',
      budget: 80_000,
      expected_date: '2026-06-01',
    })
    await demo.post('/mini/follow/create', {
      target_type: 'lead',
      target_id: made.data.id,
      method: 'call',
      content: '转化前的沟通',
    })
    const body = { id: made.data.id, customer: { mode: 'create' }, bussiness: { name: '维保项目' } }

    const match = await demo.post('/mini/lead/match', { id: made.data.id })
    const first = await demo.post('/mini/lead/convert', body)
    const second = await demo.post('/mini/lead/convert', body)

    expect(match.data.proposal.customer.name).toBe(made.data.record.name)
    expect(first.meta.message).toBe('')
    const found = await detail('customer', first.data.customerId)
    expect(found.record).toMatchObject({
      name: made.data.record.name,
      owner_id: 'u-demo',
      obtain_way: 'converted',
      last_follow_content: '转化前的沟通',
      contact_name: '解女士',
    })
    expect(found.record.remark).toContain('需求描述：三年维保')
    const deal = await detail('bussiness', first.data.bussinessId)
    expect(deal.record).toMatchObject({ name: '维保项目', amount: 80_000, expected_date: '2026-06-01' })
    const timeline = await demo.get(`/mini/customer/timeline?id=${first.data.customerId}&types=follow`)
    expect(timeline.data.list[0].content).toBe('转化前的沟通')
    expect((await detail('lead', made.data.id)).record).toMatchObject({
      status: 40,
      score: expect.any(Number),
    })
    expect(second.meta).toMatchObject({ code: 409, error: { type: 'STATE_CONFLICT' } })
    expect(second.data.customerId).toBe(first.data.customerId)
    const edit = await demo.post('/mini/lead/update', { id: made.data.id, version: 99, remark: 'x' })
    expect(edit.meta.code).toBe(409)
  })

  it('converts a lead with all fields, whatever its form proposes', async () => {
    const mobile = aMobile()
    const activity = await manager.post('/mini/activity/create', {
      name: '满格展会',
      type: 'salon',
      start_at: '2026-03-16 09:00:00',
      end_at: '2026-03-16 18:00:00',
    })
    const name = aName('满格')
    const made = await lead({ ...FULL_LEAD, name, company: name, mobile, activity_id: activity.data.id })
    const { proposal } = (await demo.post('/mini/lead/match', { id: made.data.id })).data

    const done = await demo.post('/mini/lead/convert', {
      id: made.data.id,
      customer: { mode: 'create' },
      contact: { mode: 'create', fields: proposal.contact },
      bussiness: proposal.bussiness,
    })

    expect(done.meta).toMatchObject({ code: 200, message: '' })
    const { contact_name, position, demand, budget, expected_date, remark, ...rest } = FULL_LEAD
    const { telephone, wechat, email, source, industry, scale, region, address } = rest
    const customer = (await detail('customer', done.data.customerId)).record
    expect(customer).toMatchObject({
      name,
      mobile,
      telephone,
      wechat,
      email,
      source,
      industry,
      scale,
      region,
    })
    expect(customer).toMatchObject({ address, activity_id: activity.data.id, city_name: '深圳市' })
    expect(customer.remark).toBe(`${remark}\n需求描述：${demand}`)
    expect((await detail('contact', done.data.contactId)).record).toMatchObject({
      ...{ name: contact_name, position, mobile, telephone, wechat, email },
    })
    expect((await detail('bussiness', done.data.bussinessId)).record).toMatchObject({
      ...{ amount: budget, expected_date, remark: demand },
    })
  })

  it('converts a lead with only a name and one contact field', async () => {
    const made = await lead({ mobile: null, email: 'only@example.cn' })

    const done = await demo.post('/mini/lead/convert', { id: made.data.id, customer: { mode: 'create' } })

    expect(done.meta).toMatchObject({ code: 200, message: '' })
    expect(done.data).toMatchObject({ contactId: null, bussinessId: null })
  })

  it('tells a customer that is only called alike from the same one', async () => {
    const there = await customer({ name: '重庆博翔佳国际贸易有限责任公司' })
    const alike = await lead({ name: '重庆博翔美国际贸易有限责任公司', mobile: '13977770001' })
    const same = await lead({
      name: '重庆博翔佳国际贸易有限责任公司',
      mobile: '13977770002',
      confirm: ['duplicate'],
    })
    const found = async (id: string) => {
      const { customers } = (await demo.post('/mini/lead/match', { id })).data
      return customers.find((one: { id: string }) => one.id === there.data.id)
    }

    expect(await found(alike.data.id)).toMatchObject({ level: 'similar', match: ['similar_name'] })
    expect(await found(same.data.id)).toMatchObject({ level: 'same' })
  })

  it('marks the remark if it cannot hold everything', async () => {
    const made = await lead({ remark: '记'.repeat(1000), demand: '需要尽快' })
    const done = await demo.post('/mini/lead/convert', { id: made.data.id, customer: { mode: 'create' } })

    const { remark } = (await detail('customer', done.data.customerId)).record
    expect(remark).toHaveLength(1000)
    expect(remark).toMatch(/记…（放不下的内容见原线索）$/)
  })

  it('lets one of two concurrent conversions succeed', async () => {
    const made = await lead()
    const body = { id: made.data.id, customer: { mode: 'create' } }

    const answers = await Promise.all([
      demo.post('/mini/lead/convert', body),
      demo.post('/mini/lead/convert', body),
      manager.post('/mini/lead/convert', body),
    ])

    expect(answers.map((answer) => answer.meta.code).sort()).toEqual([200, 409, 409])
    const found = await demo.post('/mini/customer/list', { keyword: made.data.record.name })
    expect(found.data.list).toHaveLength(1)
  })

  it('leaves no record behind if its last part fails (DOMAIN 8.8 no. 11)', async () => {
    const made = await lead({ contact_name: '查先生' })
    const before = await run(counts())

    const answer = await demo.post('/mini/lead/convert', {
      id: made.data.id,
      customer: { mode: 'create' },
      bussiness: { name: '没有金额', expected_date: '2026-06-01', stage_id: 'no_such_stage', amount: 5 },
    })

    expect(answer.meta.code).toBe(400)
    expect(await run(counts())).toEqual(before)
    expect((await detail('lead', made.data.id)).record).toMatchObject({ status: 10, customer_id: null })
  })

  it.each([
    ['2026-03-20 10:00:00', null, '2026-03-20 10:00:00'],
    ['2026-03-20 10:00:00', '2026-03-18 10:00:00', '2026-03-18 10:00:00'],
    ['2026-03-20 10:00:00', '2026-03-25 10:00:00', '2026-03-20 10:00:00'],
    [null, '2026-03-25 10:00:00', '2026-03-25 10:00:00'],
    [null, null, null],
  ])(
    'plans the next follow-up of a linked customer: %s of the lead, %s of the customer',
    async (planned, own, next) => {
      const made = await lead({ next_follow_at: planned })
      const there = await customer({ next_follow_at: own })

      const done = await demo.post('/mini/lead/convert', {
        id: made.data.id,
        customer: { mode: 'link', id: there.data.id },
      })

      expect(done.meta.message).toBe('')
      expect((await detail('customer', there.data.id)).record.next_follow_at).toBe(next)
    },
  )

  it('gives a new customer the planned follow-up of the lead, and its open to-dos', async () => {
    const made = await lead({ next_follow_at: '2026-03-20 10:00:00', contact_name: '解女士', demand: '维保' })
    const { id } = made.data
    const todo = { due_at: '2026-03-20 10:00', target_type: 'lead', target_id: id }
    const own = (await demo.post('/mini/todo/create', { ...todo, title: '带样品' })).data.id
    const planned = (await demo.post('/mini/todo/create', { ...todo, title: '跟进' })).data.id
    await server.database.system((trx) =>
      sql`update todo set type = 'follow', origin = 'job', source_key = ${`u-demo/follow/lead/${id}/2026-03-20`}
        where id = ${planned}`.execute(trx),
    )

    const { customerId } = (await demo.post('/mini/lead/convert', { id, customer: { mode: 'create' } })).data

    const { record } = await detail('customer', customerId)
    expect(record.next_follow_at).toBe('2026-03-20 10:00:00')
    expect((await detail('lead', id)).record.next_follow_at).toBeNull()
    const { rows } = await server.database.system((trx) =>
      sql<object>`select id, status, target_type, target_id, target_name, source_key from todo
        where id in (${own}, ${planned}) order by created_at, id`.execute(trx),
    )
    const there = { status: 0, target_type: 'customer', target_id: customerId, target_name: record.name }
    expect(rows).toHaveLength(2)
    expect(rows).toEqual(
      expect.arrayContaining([
        { ...there, id: own, source_key: null },
        { ...there, id: planned, source_key: `u-demo/follow/customer/${customerId}/2026-03-20` },
      ]),
    )
  })

  it('links to a visible customer of a colleague, and makes the lead’s owner a write collaborator', async () => {
    const theirs = await customer({}, colleague)
    const made = await lead({}, colleague)
    await manager.post('/mini/lead/transfer', { ids: [made.data.id], toUserId: 'u-demo' })

    const hidden = await demo.post('/mini/lead/convert', {
      id: made.data.id,
      customer: { mode: 'link', id: theirs.data.id },
    })
    const linked = await manager.post('/mini/lead/convert', {
      id: made.data.id,
      customer: { mode: 'link', id: theirs.data.id },
    })

    expect(hidden.meta.code).toBe(404)
    expect(linked.data.customerId).toBe(theirs.data.id)
    const edit = await demo.post('/mini/customer/patch', { ids: [theirs.data.id], level: 'A' })
    expect(edit.data.ok).toEqual([theirs.data.id])
    expect((await detail('customer', theirs.data.id)).record.owner_id).toBe('u-zhaolei')
  })
})

describe('an opportunity', () => {
  it('begins in the first stage of the flow, with a number and a name', async () => {
    const made = await opportunity()

    expect(made.meta.message).toBe('')
    expect(made.data.record).toMatchObject({
      stage_id: 'first_contact',
      win_rate: 10,
      status: 1,
      weighted: 5000,
    })
    expect(made.data.record.bussiness_no).toMatch(/^SJ20260316\d{4}$/)
    expect(made.data.record.name).toMatch(/-202603$/)
  })

  it('is refused in a flow that the tenant does not have, at the field, instead of beginning in the default one', async () => {
    const unknown = await opportunity({ flow_id: 'no_such_flow' })

    expect(unknown.meta.code).toBe(400)
    expect(unknown.meta.error?.fields).toEqual({ flow_id: '销售流程不存在' })
    expect((await opportunity({ flow_id: '' })).data.record.flow_id).toBe('default')
  })

  it('moves forward if each stage has its required fields, and back with a reason', async () => {
    const made = await opportunity({ contact_ids: [] })
    const id = made.data.id
    const move = (stageId: string, more: object = {}) =>
      demo.post('/mini/bussiness/stage', { id, stageId, ...more })
    const contacts = await demo.get(`/mini/contact/options?filter=${made.data.record.customer_id}`)

    const unfilled = await move('negotiation')
    const filled = await move('negotiation', { fields: { contact_ids: [contacts.data.list[0].value] } })
    const back = await move('proposal')
    const withReason = await move('proposal', { reason: '方案要重做' })
    const timeline = await demo.get(`/mini/bussiness/timeline?id=${id}&types=stage,owner`)

    expect(unfilled.meta).toMatchObject({ code: 400, message: '推进前请先填写：联系人' })
    expect(filled.data.record).toMatchObject({ stage_id: 'negotiation', win_rate: 70 })
    expect(back.meta.error?.fields).toHaveProperty('reason')
    expect(withReason.data.record.stage_id).toBe('proposal')
    const titles: string[] = timeline.data.list.map((row: { title: string }) => row.title)
    expect(titles.filter((title) => title.startsWith('阶段'))).toEqual([
      '阶段变更为方案报价',
      '阶段变更为商务谈判',
    ])
    expect(titles).toContain('创建了商机')
  })

  it('is won, lost and reopened, and remembers its last stage', async () => {
    const [one, two] = [(await opportunity()).data.id, (await opportunity({ amount: 0 })).data.id]
    await demo.post('/mini/bussiness/stage', { id: one, stageId: 'requirement' })

    const worthless = await demo.post('/mini/bussiness/win', { id: two })
    const won = await demo.post('/mini/bussiness/win', { id: two, amount: 900 })
    const noReason = await demo.post('/mini/bussiness/lose', { id: one })
    const lost = await demo.post('/mini/bussiness/lose', { id: one, reason: 'price', remark: '贵' })
    const edit = await demo.post('/mini/bussiness/update', {
      id: one,
      version: lost.data.version,
      remark: 'x',
    })
    const reopened = await demo.post('/mini/bussiness/reopen', { id: one })
    server.clock.now = START + 31 * DAY
    await demo.post('/mini/bussiness/lose', { id: one, reason: 'price' })
    const again = await demo.post('/mini/bussiness/reopen', { id: two })
    const byManager = await manager.post('/mini/bussiness/reopen', { id: two })

    expect(worthless.meta.code).toBe(400)
    expect(won.data.record).toMatchObject({ status: 2, stage_id: 'won', win_rate: 100, amount: 900 })
    expect(noReason.meta.code).toBe(400)
    expect(lost.data.record).toMatchObject({ status: 3, last_stage_id: 'requirement', lose_reason: 'price' })
    expect(edit.meta).toMatchObject({ code: 409, message: '商机已结束，如需继续请先重启' })
    expect(reopened.data.record).toMatchObject({
      status: 1,
      stage_id: 'requirement',
      reopen_times: 1,
      lose_reason: null,
    })
    expect(again.meta.code).toBe(405)
    expect(byManager.data.record.status).toBe(1)
  })

  it.each([
    ['lose', { reason: 'price' }],
    ['invalid', { reason: 'mistake' }],
  ])('closes its open to-dos by %s, and keeps the done ones', async (how, why) => {
    const { id } = (await opportunity()).data
    const todo = { type: 'custom', target_type: 'bussiness', target_id: id, due_at: '2026-03-20 10:00:00' }
    const done = (await demo.post('/mini/todo/create', { ...todo, title: '发方案' })).data.id
    await demo.post('/mini/todo/done', { id: done })
    const open = (await demo.post('/mini/todo/create', { ...todo, title: '约演示' })).data.id

    const closed = await demo.post(`/mini/bussiness/${how}`, { id, ...why })

    expect(closed.meta.message).toBe('')
    const { rows } = await server.database.system((trx) =>
      sql<object>`select id, status, remind_next from todo where target_id = ${id} order by created_at`.execute(
        trx,
      ),
    )
    expect(rows).toMatchObject([
      { id: done, status: 1 },
      { id: open, status: 2, remind_next: null },
    ])
  })

  it('is in its column of the board, which has a count and sums', async () => {
    const made = await opportunity({ amount: 12_345.67, stage_id: 'signing' })

    const board = await demo.post('/mini/bussiness/board', { tab: 'mine' })

    const column = board.data.columns.find((it: { stage: { id: string } }) => it.stage.id === 'signing')
    expect(board.data.columns.map((it: { stage: { name: string } }) => it.stage.name)).toEqual([
      '初步接洽',
      '需求确认',
      '方案报价',
      '商务谈判',
      '合同签订',
    ])
    expect(column).toMatchObject({ count: 1, amount: 12_345.67, weighted: 11_111.1 })
    expect(column.list[0].id).toBe(made.data.id)
  })

  it('is counted without a sum on board and forecast for who does not see amounts: a keyword would tell each of them', async () => {
    const name = '金额不给看的商机'
    await opportunity({ name, amount: 185_500, expected_date: '2026-04-01' })
    const hidden = { bussiness: { amount: 'hidden' } }
    const setRights = (rights: object) =>
      server.database.system(async (trx) => {
        const { rows } = await sql<{
          before: object
        }>`update role r set field_rights = ${JSON.stringify(rights)}::jsonb
          from role old where r.tenant_id = 'xinghai' and r.code = 'sales' and old.tenant_id = r.tenant_id
            and old.id = r.id returning old.field_rights as before`.execute(trx)
        return rows[0]?.before ?? {}
      })
    const before = await setRights(hidden)
    const limited = await server.as('demo')
    const board = await limited.post('/mini/bussiness/board', { keyword: name })
    const forecast = await limited.post('/mini/bussiness/forecast', { keyword: name })
    await setRights(before)

    const [column] = board.data.columns.filter(({ count }: { count: number }) => count > 0)
    expect(column).toMatchObject({ count: 1, amount: null, weighted: null })
    expect(forecast.data).toMatchObject({ count: 1, amount: null, weighted: null })
    expect(board.body + forecast.body).not.toMatch(/185500|1[0-9]+550/)
  })

  it('counts postponements of its date, and accepts the win rate only from users who may set it', async () => {
    const made = await opportunity()
    const { id, version, record } = made.data

    const slipped = await demo.post('/mini/bussiness/update', {
      id,
      version,
      expected_date: '2026-06-01',
      win_rate: record.win_rate,
    })
    const own = await demo.post('/mini/bussiness/update', { id, version: slipped.data.version, win_rate: 99 })
    const boss = await manager.post('/mini/bussiness/update', {
      id,
      version: slipped.data.version,
      win_rate: 99,
    })

    expect(slipped.data.record.slip_times).toBe(1)
    expect(own.meta).toMatchObject({ code: 405, message: '您没有修改该字段的权限' })
    expect(boss.data.record.win_rate).toBe(99)
  })

  it('claimed from the pool makes its customer visible to the claimer', async () => {
    const made = await opportunity({}, manager)
    await manager.post('/mini/bussiness/release', { ids: [made.data.id], reason: 'other' })
    const hidden = await colleague.get(`/mini/pool/bussiness/detail?id=${made.data.id}`)

    const answer = await colleague.post('/mini/pool/bussiness/claim', {
      poolId: 'xinghai-pool-bussiness',
      ids: [made.data.id],
    })

    expect(hidden.data.record).toMatchObject({ amount: null, weighted: null })
    expect(answer.data.ok).toEqual([made.data.id])
    const edit = await colleague.post('/mini/customer/patch', {
      ids: [made.data.record.customer_id],
      level: 'B',
    })
    expect(edit.data.ok).toHaveLength(1)
  })
})

describe('the forecast of opportunities', () => {
  it('is by expected month, sum × win rate, equal to the lists behind it, for each user', async () => {
    const days = [
      '2026-02-27',
      '2026-03-01',
      '2026-03-31',
      '2026-04-01',
      '2026-08-31',
      '2026-09-01',
      '2027-05-05',
    ]
    const made = []
    for (const expected_date of days) made.push(await opportunity({ expected_date, amount: 1234.55 }))
    const [lost] = made.splice(3, 1)
    await demo.post('/mini/bussiness/lose', { id: lost?.data.id, reason: 'price' })
    const known = new Set(made.map(({ data }) => data.id))

    for (const [client, tab] of [
      [demo, 'mine'],
      [manager, 'all'],
    ] as const) {
      const { list, count, amount, weighted } = (await client.post('/mini/bussiness/forecast', { tab })).data
      let rows = 0
      for (const span of list) {
        const filters = [
          { field: 'status', op: 'eq', value: 1 },
          ...(span.from === null ? [] : [{ field: 'expected_date', op: 'gte', value: span.from }]),
          ...(span.until === null ? [] : [{ field: 'expected_date', op: 'lte', value: span.until }]),
        ]
        const behind = (await client.post('/mini/bussiness/list', { tab, filters, limit: 100 })).data.list
        const sum = (name: 'amount' | 'weighted') =>
          Math.round(
            behind.reduce((all: number, row: Record<string, number>) => all + (row[name] ?? 0) * 100, 0),
          ) / 100
        expect(span, span.key).toMatchObject({
          count: behind.length,
          amount: sum('amount'),
          weighted: sum('weighted'),
        })
        rows += behind.filter((row: { id: string }) => known.has(row.id)).length
      }
      expect(rows).toBe(known.size)
      expect(list.map(({ key }: { key: string }) => key)).toEqual([
        'past',
        ...['03', '04', '05', '06', '07', '08'].map((month) => `2026-${month}`),
        'later',
      ])
      const total = (name: string) =>
        Math.round(
          list.reduce((all: number, span: Record<string, number>) => all + (span[name] ?? 0) * 100, 0),
        ) / 100
      expect([count, amount, weighted]).toEqual(['count', 'amount', 'weighted'].map(total))
      expect(weighted).toBeLessThan(amount)
    }
    const others = (await colleague.post('/mini/bussiness/forecast', { tab: 'mine' })).data
    expect(others.list.find(({ key }: { key: string }) => key === 'later')).toBeUndefined()
  })
})

describe('the contacts of an opportunity', () => {
  const contact = async (customer_id: string, name: string, more: object = {}) =>
    (await demo.post('/mini/contact/create', { customer_id, name, mobile: aMobile(), ...more })).data
      .id as string
  const contacts = async (id: string, by: Client = demo) =>
    (await by.get(`/mini/bussiness/contact/list?id=${id}`)).data.list
  async function dealWithThree() {
    const deal = await opportunity()
    const { customer_id, contact_ids } = deal.data.record
    const boss = await contact(customer_id, '陈静', { role: 'finance', attitude: 'neutral' })
    const foe = await contact(customer_id, '李明')
    return { id: deal.data.id as string, customer_id, first: contact_ids[0] as string, boss, foe }
  }
  const save = (body: object, by: Client = demo) => by.post('/mini/bussiness/contact/save', { ...body })

  it('are added one by one with their roles, and are shown in list, history, sheet and copy', async () => {
    const { id, first, boss, foe } = await dealWithThree()

    const saved = await save({ id, contactId: boss, role: 'decision_maker', remark: '拍板' })
    await save({ id, contactId: foe, role: 'user', attitude: 'oppose' })
    await save({ id, contactId: foe, attitude: 'neutral' })

    expect(saved.data.record.contact_ids).toEqual([first, boss])
    expect(await contacts(id)).toMatchObject([
      { id: first, role: null, attitude: null },
      // Without a role in this opportunity the contact's own role is used.
      { id: boss, name: '陈静', role: 'decision_maker', attitude: 'neutral', remark: '拍板' },
      { id: foe, role: 'user', attitude: 'neutral', mobile: expect.stringMatching(/^139/) },
    ])
    expect((await detail('bussiness', id)).related.contact).toBe(3)
    const log = await demo.get(`/mini/bussiness/log?id=${id}`)
    expect(log.data.list[0].text).toBe(
      '联系人角色：陈静（决策人·拍板）、李明（使用者·反对） → 陈静（决策人·拍板）、李明（使用者·中立）',
    )
    expect(log.data.list[1].text).toMatch(/^联系人：王经理、陈静 → 王经理、陈静、李明\n/)
    const copy = copyOf(demo, ['bussiness'])
    await copy.pull()
    expect(copy.records.get(`bussiness/${id}`)).toMatchObject({
      contact_roles: [
        { contact_id: boss, role: 'decision_maker', attitude: null, remark: '拍板' },
        { contact_id: foe, role: 'user', attitude: 'neutral', remark: null },
      ],
    })
  })

  it('must belong to its customer and have roles of the dictionary, and cannot be set by read-only users', async () => {
    const { id, boss } = await dealWithThree()
    const stranger = await dealWithThree()

    const foreign = await save({ id, contactId: stranger.boss })
    const coded = await save({ id, contactId: boss, role: 'emperor' })
    const wordy = await save({ id, contactId: boss, remark: '长'.repeat(201) })
    const other = await save({ id, contactId: boss }, colleague)

    expect(foreign.meta.error).toMatchObject({
      type: 'VALIDATION',
      fields: { contactId: expect.any(String) },
    })
    expect(coded.meta.error?.fields).toHaveProperty('role')
    expect(wordy.meta.error?.fields).toHaveProperty('remark')
    expect(other.meta.code).toBe(404)
    expect((await colleague.get(`/mini/bussiness/contact/list?id=${id}`)).meta.code).toBe(404)
    expect(await contacts(id)).toHaveLength(1)
  })

  it('are removed by name or by its form, with their roles; those of a closed opportunity cannot change', async () => {
    const { id, first, boss, foe } = await dealWithThree()
    for (const contactId of [boss, foe]) await save({ id, contactId, role: 'user' })

    const removed = await demo.post('/mini/bussiness/contact/remove', { id, contactId: boss })
    const { version } = removed.data
    await demo.post('/mini/bussiness/update', { id, version, contact_ids: [first] })
    await save({ id, contactId: foe, attitude: 'support' })
    const again = await contacts(id)
    await demo.post('/mini/bussiness/lose', { id, reason: 'price' })
    const late = await save({ id, contactId: boss })

    expect(removed.data.record.contact_ids).toEqual([first, foe])
    expect(again.map((one: { id: string; role: string }) => [one.id, one.role])).toEqual([
      [first, null],
      [foe, null],
    ])
    expect(late.meta.error?.type).toBe('STATE_CONFLICT')
  })

  it('move with it to another owner, are hidden in a pool, and are merged with their customers', async () => {
    const { id, customer_id, boss } = await dealWithThree()
    await save({ id, contactId: boss, role: 'decision_maker' })
    await manager.post('/mini/bussiness/transfer', { ids: [id], toUserId: 'u-zhaolei' })
    const theirs = await contacts(id, colleague)

    const twin = { name: '陈静', mobile: theirs[1].mobile }
    const master = await customer({ contacts: [twin], confirm: ['DUPLICATE_PHONE'] }, manager)
    await manager.post('/mini/customer/merge', { masterId: master.data.id, ids: [customer_id] })
    const merged = await contacts(id, colleague)
    await colleague.post('/mini/bussiness/release', { ids: [id], reason: 'no_need' })
    const inPool = await contacts(id, manager)
    const log = await manager.get(`/mini/bussiness/log?id=${id}`)

    expect(theirs[1]).toMatchObject({ id: boss, role: 'decision_maker' })
    expect(merged[1]).toMatchObject({ name: '陈静', role: 'decision_maker' })
    expect(merged[1].id).toBe(master.data.record.primary_contact_id)
    expect(inPool).toEqual([])
    expect(log.body).toContain('某联系人（决策人）')
    expect(log.body).not.toContain('陈静')
  })
})

describe('a contact', () => {
  it('is created, becomes primary, leaves and moves; its customer always has one primary contact', async () => {
    const [here, there] = [(await customer()).data.id, (await customer()).data.id]
    const add = (name: string, more: object = {}) =>
      demo.post('/mini/contact/create', { customer_id: here, name, mobile: aMobile(), ...more })
    const [first, second] = [(await add('曾一')).data, (await add('单二', { is_key: true })).data]
    const primary = async (id: string) => (await detail('customer', id)).record.primary_contact_id

    const atFirst = await primary(here)
    await demo.post('/mini/contact/primary', { id: second.id })
    const chosen = await primary(here)
    const noReason = await demo.post('/mini/contact/leave', { id: second.id })
    await demo.post('/mini/contact/leave', { id: second.id, reason: '跳槽' })
    const afterLeaving = await primary(here)
    const moved = await demo.post('/mini/contact/move', { id: first.id, customerId: there })

    expect([atFirst, chosen, afterLeaving]).toEqual([first.id, second.id, first.id])
    expect(noReason.meta.code).toBe(400)
    expect(moved.data.record.customer_id).toBe(there)
    expect([await primary(here), await primary(there)]).toEqual([null, first.id])
    const options = await demo.get(`/mini/contact/options?filter=${here}`)
    expect(options.data.list).toEqual([])
    const card = await demo.get(`/mini/contact/vcard?id=${first.id}`)
    expect(card.body).toContain('FN;CHARSET=UTF-8:曾一')
  })

  it('is refused as a duplicate under one customer, without a number, and as its own superior', async () => {
    const here = (await customer()).data.id
    const mobile = aMobile()
    const add = (fields: object) =>
      demo.post('/mini/contact/create', { customer_id: here, name: '同名', mobile, ...fields })
    const made = await add({})

    const twin = await add({ confirm: ['DUPLICATE_PHONE'] })
    const unreachable = await add({ name: '无号', mobile: null })
    const circle = await demo.post('/mini/contact/update', {
      id: made.data.id,
      version: 1,
      report_to_id: made.data.id,
    })
    const stranger = await colleague.post('/mini/contact/create', {
      customer_id: here,
      name: '越权',
      mobile: aMobile(),
    })

    expect(twin.meta.code).toBe(409)
    expect(unreachable.meta.error?.fields).toHaveProperty('mobile')
    expect(circle.meta.code).toBe(400)
    expect(stranger.meta.code).toBe(404)
  })
})

describe('transferring', () => {
  it('changes only the owner: stage, status and timeline stay (DOMAIN 8.8 no. 6)', async () => {
    const deal = await opportunity({ stage_id: 'proposal' })
    const id = deal.data.record.customer_id
    await demo.post('/mini/follow/create', {
      target_type: 'bussiness',
      target_id: deal.data.id,
      method: 'call',
      content: '移交前',
    })
    await demo.post('/mini/customer/patch', { ids: [id], stage: 'intent' })
    const before = {
      customer: (await detail('customer', id)).record,
      deal: (await detail('bussiness', deal.data.id)).record,
    }
    const history = (await demo.get(`/mini/customer/timeline?id=${id}&types=follow,bussiness`)).data.list

    const answer = await demo.post('/mini/customer/transfer', {
      ids: [id],
      toUserId: 'u-zhaolei',
      withBussiness: true,
      keepOld: 'read',
      remark: '换区',
    })

    expect(answer.data.ok).toEqual([id])
    const after = {
      customer: (await detail('customer', id, colleague)).record,
      deal: (await detail('bussiness', deal.data.id, colleague)).record,
    }
    const kept = [
      'stage',
      'level',
      'deal_status',
      'follow_status',
      'last_follow_at',
      'last_follow_content',
      'stage_id',
      'status',
      'win_rate',
      'stage_since',
      'stage_history',
      'amount',
    ] as const
    for (const name of kept) {
      expect(after.customer[name], name).toEqual(before.customer[name])
      expect(after.deal[name], name).toEqual(before.deal[name])
    }
    expect([after.customer.owner_id, after.deal.owner_id]).toEqual(['u-zhaolei', 'u-zhaolei'])
    expect(
      (await colleague.get(`/mini/customer/timeline?id=${id}&types=follow,bussiness`)).data.list,
    ).toEqual(history)
    const reading = await demo.get(`/mini/customer/detail?id=${id}`)
    expect(reading.data.actions).not.toContain('edit')
    const owners = await colleague.get(`/mini/customer/owner-record?id=${id}`)
    expect(owners.data[0]).toMatchObject({ kind: 'transfer', text: '李明轩 → 赵磊 · 换区' })
  })

  it('is refused to the same user, to outsiders, above the cap and for more than 200 records', async () => {
    const made = await customer()
    const move = (toUserId: string, ids = [made.data.id]) =>
      demo.post('/mini/customer/transfer', { ids, toUserId })

    const same = await move('u-demo')
    const stranger = await move('u-xuli')
    const many = await move(
      'u-zhaolei',
      Array.from({ length: 201 }, (_, n) => `id-${n}`),
    )
    const notMine = await colleague.post('/mini/customer/transfer', {
      ids: [made.data.id],
      toUserId: 'u-zhaolei',
    })
    const powerless = await move('u-finance')

    expect(same.data.failed).toMatchObject([{ code: 409 }])
    expect(powerless.meta).toMatchObject({ code: 409, message: expect.stringContaining('王秀兰没有') })
    expect(stranger.meta.code).toBe(404)
    expect(many.meta.error?.type).toBe('BATCH_TOO_LARGE')
    expect(notMine.data.failed).toMatchObject([{ code: 404 }])
  })
})

describe('a read-only collaborator', () => {
  it('cannot change the record on any path (DOMAIN 8.8 no. 7)', async () => {
    const made = await opportunity()
    const id = made.data.record.customer_id
    const contactId = made.data.record.contact_ids[0]
    await demo.post('/mini/customer/team/save', { id, members: [{ userId: 'u-zengke', level: 'read' }] })
    await demo.post('/mini/bussiness/team/save', {
      id: made.data.id,
      members: [{ userId: 'u-zengke', level: 'read' }],
    })
    const reader = person(server, 'zengke')
    const before = JSON.stringify([await detail('customer', id), await detail('bussiness', made.data.id)])
    const batch = { ids: [id] }

    const answers = [
      await reader.post('/mini/customer/update', { id, version: 1, remark: 'x' }),
      await reader.post('/mini/customer/patch', { ...batch, level: 'A' }),
      await reader.post('/mini/customer/delete', batch),
      await reader.post('/mini/customer/transfer', { ...batch, toUserId: 'u-zengke' }),
      await reader.post('/mini/customer/release', { ...batch, reason: 'other' }),
      await reader.post('/mini/customer/lock', batch),
      await reader.post('/mini/customer/deal', { ...batch, dealStatus: 1 }),
      await reader.post('/mini/customer/merge', { masterId: id, ids: [id.replace(/.$/, '0')] }),
      await reader.post('/mini/customer/team/save', {
        id,
        members: [{ userId: 'u-zengke', level: 'write' }],
      }),
      await reader.post('/mini/contact/create', { customer_id: id, name: '越权', mobile: aMobile() }),
      await reader.post('/mini/contact/update', { id: contactId, version: 1, name: '越权' }),
      await reader.post('/mini/contact/primary', { id: contactId }),
      await reader.post('/mini/contact/leave', { id: contactId, reason: 'x' }),
      await reader.post('/mini/contact/delete', { ids: [contactId] }),
      await reader.post('/mini/follow/create', {
        target_type: 'customer',
        target_id: id,
        method: 'call',
        content: '越权',
      }),
      await reader.post('/mini/bussiness/update', { id: made.data.id, version: 1, remark: 'x' }),
      await reader.post('/mini/bussiness/stage', { id: made.data.id, stageId: 'signing' }),
      await reader.post('/mini/bussiness/win', { id: made.data.id }),
      await reader.post('/mini/bussiness/lose', { id: made.data.id, reason: 'price' }),
      await reader.post('/mini/bussiness/invalid', { id: made.data.id, reason: 'mistake' }),
      await reader.post('/mini/bussiness/reopen', { id: made.data.id }),
      await reader.post('/mini/bussiness/transfer', { ids: [made.data.id], toUserId: 'u-zengke' }),
    ]

    for (const [index, answer] of answers.entries()) {
      const code = answer.data?.failed ? answer.data.failed[0]?.code : answer.meta.code
      expect([404, 405, 409], `${index}: ${answer.body}`).toContain(code)
    }
    expect(JSON.stringify([await detail('customer', id), await detail('bussiness', made.data.id)])).toBe(
      before,
    )
    expect((await reader.get(`/mini/customer/detail?id=${id}`)).meta.code).toBe(200)
  })

  it('loses access when their time expires', async () => {
    const made = await customer()
    const reader = person(server, 'zengke')
    await demo.post('/mini/customer/team/save', {
      id: made.data.id,
      members: [{ userId: 'u-zengke', level: 'write', expireAt: '2099-03-17 10:00:00' }],
    })
    const look = () => reader.get(`/mini/customer/detail?id=${made.data.id}`)

    const during = await look()
    await server.database.system((trx) =>
      sql`update collaborator set expire_at = now() where record_id = ${made.data.id}`.execute(trx),
    )
    const after = await look()

    expect([during.meta.code, after.meta.code]).toEqual([200, 404])
  })
})

describe('merging customers', () => {
  it('moves everything to the master, keeps chosen values, and redirects the old id to it', async () => {
    const mobile = aMobile()
    const master = await customer({ contacts: [{ name: '同一人', mobile }] })
    const other = await customer({
      remark: '要留下的备注',
      level: 'A',
      wechat: 'only_theirs',
      confirm: ['DUPLICATE_PHONE'],
      contacts: [
        { name: '同一人', mobile },
        { name: '另一人', mobile: aMobile() },
      ],
    })
    const deal = await demo.post('/mini/bussiness/create', {
      customer_id: other.data.id,
      amount: 1,
      expected_date: '2026-05-01',
    })
    await demo.post('/mini/follow/create', {
      target_type: 'customer',
      target_id: other.data.id,
      method: 'call',
      content: '并入前',
    })
    const target = { target_type: 'customer', target_id: other.data.id }
    const todo = await demo.post('/mini/todo/create', {
      title: '回访',
      due_at: '2026-12-01 09:00',
      ...target,
    })

    const seller = await demo.post('/mini/customer/merge', { masterId: master.data.id, ids: [other.data.id] })
    const answer = await manager.post('/mini/customer/merge', {
      masterId: master.data.id,
      ids: [other.data.id],
      take: ['level'],
    })

    expect(seller.meta.code).toBe(405)
    expect(answer.data.record).toMatchObject({
      id: master.data.id,
      remark: '要留下的备注',
      wechat: 'only_theirs',
      level: 'A',
      last_follow_content: '并入前',
    })
    const moved = (await demo.get(`/mini/todo/detail?id=${todo.data.id}`)).data.record
    expect(moved.target_id).toBe(master.data.id)
    const old = await demo.get(`/mini/customer/detail?id=${other.data.id}`)
    expect(old.data).toMatchObject({
      redirectedFrom: other.data.id,
      related: { contact: 2, bussiness: 1, follow: 1 },
    })
    expect(old.data.record.id).toBe(master.data.id)
    expect((await detail('bussiness', deal.data.id)).record.customer_id).toBe(master.data.id)
    const back = await manager.post('/mini/customer/restore', { ids: [other.data.id] })
    expect(back.data.failed).toMatchObject([{ code: 404 }])
  })
})

describe('fields hidden by a role', () => {
  it('are masked for observers everywhere, and can be revealed one by one with the right', async () => {
    const observer = person(server, 'qianduo')
    const mobile = aMobile()
    const made = await customer({ mobile, contacts: [{ name: '孙某', mobile: aMobile() }] })
    await demo.post('/mini/customer/update', {
      id: made.data.id,
      version: made.data.version,
      mobile: aMobile(),
    })
    const looks = [
      await observer.get(`/mini/customer/detail?id=${made.data.id}`),
      await observer.post('/mini/customer/list', { keyword: made.data.record.name }),
      await observer.get(`/mini/customer/log?id=${made.data.id}`),
      await observer.get(`/mini/contact/list?customerId=${made.data.id}`),
      await observer.get(`/mini/search/global?keyword=${encodeURIComponent(made.data.record.name)}`),
    ]

    const filter = await observer.post('/mini/customer/list', {
      filters: [{ field: 'mobile', op: 'startsWith', value: '139' }],
    })
    const reveal = await observer.post('/mini/customer/reveal', { id: made.data.id, field: 'mobile' })

    for (const look of looks) {
      expect(look.meta.code).toBe(200)
      expect(look.body).not.toMatch(/139\d{8}/)
    }
    expect(looks[0]?.data.mask).toContain('mobile')
    expect(filter.meta.code).toBe(400)
    expect(reveal.meta.code).toBe(405)
  })
})

/** The number of records of each kind that a conversion creates. */
function counts() {
  return sql<object>`select (select count(*) from customer) as customers, (select count(*) from contact) as contacts,
    (select count(*) from bussiness) as deals, (select count(*) from owner_record) as moves,
    (select coalesce(sum(last_number), 0) from document_counter) as numbers, (select count(*) from audit_log) as audits`
}

async function run(query: ReturnType<typeof counts>): Promise<unknown> {
  return (await server.database.system((trx) => query.execute(trx))).rows[0]
}

describe('saved views', () => {
  const views = async (client = demo) => (await client.post('/mini/customer/view/list')).data.list
  const state = { tab: 'mine', f_level: ['A'], sort: 'created_at' }

  it('store the fields of their screen; one of them opens with the list, and replacing it keeps that', async () => {
    await demo.post('/mini/customer/view/save', { name: '重点', tab: 'mine', state, isDefault: true })
    const second = await demo.post('/mini/customer/view/save', { name: '全部的', tab: 'all' })
    await demo.post('/mini/customer/view/save', {
      name: '重点',
      tab: 'mine',
      state: { ...state, sort: 'py' },
    })

    expect(await views()).toMatchObject([
      { id: second.data.id, is_default: false, state: {} },
      { name: '重点', own: true, is_default: true, state: { ...state, sort: 'py' } },
    ])

    await demo.post('/mini/customer/view/default', { id: second.data.id })
    expect((await views()).map((it: { is_default: boolean }) => it.is_default)).toEqual([true, false])
    await demo.post('/mini/customer/view/default', {})
    expect((await views()).some((it: { is_default: boolean }) => it.is_default)).toBe(false)
  })

  it('are private: no other user sees, opens or deletes them', async () => {
    const saved = await demo.post('/mini/customer/view/save', { name: '我的', state, isDefault: true })
    const { id } = saved.data

    const others = [
      await colleague.post('/mini/customer/view/default', { id }),
      await colleague.post('/mini/customer/view/delete', { id }),
    ]

    expect(others.map((answer) => answer.meta.code)).toEqual([404, 404])
    expect((await views(colleague)).map((it: { id: string }) => it.id)).not.toContain(id)
    expect((await views()).find((it: { id: string }) => it.id === id)).toMatchObject({ is_default: true })
  })
})

describe('shared views', () => {
  const save = (client: Client, name: string, more: object = {}) =>
    client.post('/mini/customer/view/save', { name, tab: 'all', shared: true, ...more })
  const named = async (client: Client, name: string) =>
    (await client.post('/mini/customer/view/list')).data.list.find((it: { name: string }) => it.name === name)

  it('are renamed by their author, used by colleagues, and deleted by their author or whoever changes screens', async () => {
    const { id } = (await save(demo, '华东重点', { state: { f_level: ['A'] } })).data
    await save(demo, '华东 A 类', { id, state: { f_level: ['A'] } })

    expect(await named(colleague, '华东重点')).toBeUndefined()
    const seen = await named(colleague, '华东 A 类')
    expect(seen).toMatchObject({ own: false, removable: false, state: { f_level: ['A'] } })
    expect((await colleague.post('/mini/customer/view/delete', { id: seen.id })).meta.code).toBe(404)
    const admin = await server.as('admin')
    expect(await named(admin, '华东 A 类')).toMatchObject({ own: false, removable: true })
    expect((await admin.post('/mini/customer/view/delete', { id: seen.id })).meta.code).toBe(200)
    expect(await named(demo, '华东 A 类')).toBeUndefined()
    const own = await save(demo, '只给自己', { shared: false })
    expect((await admin.post('/mini/customer/view/delete', { id: own.data.id })).meta.code).toBe(404)
  })

  it('are the default of whoever chooses them, as long as they are shared', async () => {
    type View = { name: string; is_default: boolean }
    const opening = async (client: Client) =>
      (await client.post('/mini/customer/view/list')).data.list.flatMap(({ name, is_default }: View) =>
        is_default ? [name] : [],
      )
    const opens = async (client: Client, id?: string) =>
      (await client.post('/mini/customer/view/default', id === undefined ? {} : { id })).meta.code
    const mine = (await save(colleague, '自己的', { shared: false, isDefault: true })).data.id
    const { id } = (await save(demo, '华北重点')).data

    expect([await opens(colleague, id), await opening(colleague)]).toEqual([200, ['华北重点']])
    expect(await opening(demo)).not.toContain('华北重点')
    expect([await opens(colleague, mine), await opening(colleague)]).toEqual([200, ['自己的']])
    await opens(colleague, id)
    const renamed = (await save(demo, '华北 A 类', { id })).data.id
    expect(await opening(colleague)).toEqual(['华北 A 类'])
    expect([await opens(colleague), await opening(colleague)]).toEqual([200, []])
    await opens(colleague, renamed)
    const hidden = (await save(demo, '华北 A 类', { id: renamed, shared: false })).data.id
    expect([await opening(colleague), await opens(colleague, hidden)]).toEqual([[], 404])
    const again = (await save(demo, '华北 A 类', { id: hidden })).data.id
    expect(await opening(colleague)).toEqual([])
    await opens(colleague, again)
    await demo.post('/mini/customer/view/delete', { id: again })
    expect(await opening(colleague)).toEqual([])
    await colleague.post('/mini/customer/view/delete', { id: mine })
  })

  it('are five of one person at most, so that colleagues still share theirs', async () => {
    const answers = []
    for (const n of [1, 2, 3, 4, 5, 6]) answers.push((await save(colleague, `共享${n}`)).meta)

    expect(answers.map(({ code }) => code)).toEqual([200, 200, 200, 200, 200, 400])
    expect(answers.at(-1)?.message).toBe('最多保存 10 个个人视图、5 个自己的共享视图，全公司最多共享 20 个')
    expect((await save(demo, '还能共享')).meta.code).toBe(200)
  })
})

describe('a batch call', () => {
  it('names failed records that the caller sees', async () => {
    const mine = await customer()
    const shared = await customer({}, colleague)
    await colleague.post('/mini/customer/team/save', {
      id: shared.data.id,
      members: [{ userId: 'u-demo', level: 'read' }],
    })
    const hidden = await customer({}, colleague)

    const { data } = await demo.post('/mini/customer/transfer', {
      ids: [mine.data.id, shared.data.id, hidden.data.id],
      toUserId: 'u-zengke',
    })

    expect(data.ok).toEqual([mine.data.id])
    const names = Object.fromEntries(data.failed.map((it: { id: string; name: string }) => [it.id, it.name]))
    expect(names).toEqual({ [shared.data.id]: shared.data.record.name, [hidden.data.id]: '' })
  })
})
