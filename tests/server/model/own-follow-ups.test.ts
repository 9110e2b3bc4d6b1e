import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { recycle } from '../../../src/server/flows/pools/recycle.ts'
import { person } from '../business/support.ts'
import { right } from '../business5/deals.ts'
import { knownFile } from '../sheets/finished-job.ts'
import type { Client } from '../support.ts'
import { aModule, openOwnTenant } from './own-tenant.ts'

const { server, admin, demo, give, make, save } = await openOwnTenant([
  aModule({ behaviours: ['owned', 'follow', 'files', 'recycle'] }),
  aModule({ name: 'note', label: '便签', behaviours: [] }),
])
let id = ''
const FILE = { name: '照片.png', url: '/engine/web/file/abc', size: 2048, ext: 'png' }
const SCAN = { name: '合同.pdf', url: '/engine/web/file/def', size: 4096, ext: 'pdf' }
const SHEET = { name: '内部.pdf', url: '/engine/web/file/ghi', size: 4096, ext: 'pdf' }

beforeAll(async () => {
  for (const name of ['abc', 'def']) await knownFile(server, name)
  await knownFile(server, 'ghi', 'u-admin')
  await give('sales', 'ticket')
  id = await make(demo, 'ticket', { title: '屏幕不亮', attachments: [SCAN] })
})
afterAll(() => server.close())

const write = (client: Client, more: JsonObject = {}) =>
  client.post('/mini/follow/create', {
    target_type: 'm/ticket',
    target_id: id,
    method: 'call',
    content: '已远程排查',
    images: [FILE],
    ...more,
  })
const listed = (client: Client) => client.post('/mini/follow/list', { targetType: 'm/ticket', targetId: id })

describe('follow-ups on a record of an own module', () => {
  it('are written by users who see it, and its owner is notified of a colleague’s', async () => {
    const mine = await write(demo)
    const theirs = await write(admin, { content: '请尽快上门', images: [] })
    const timeline = await listed(demo)
    const detail = await demo.get(`/mini/m/ticket/detail?id=${id}`)
    const told = await demo.post('/mini/message/list', {})

    expect(mine.meta.code).toBe(200)
    expect(theirs.meta.code).toBe(200)
    expect(timeline.data.list.map(({ content }: JsonObject) => content).sort()).toEqual([
      '已远程排查',
      '请尽快上门',
    ])
    expect(detail.data.related).toMatchObject({ follow: 2 })
    expect(told.data.list.map(({ url }: JsonObject) => url)).toContain(`/pages/m/ticket/detail?id=${id}`)
  })

  it('are opened, commented and liked by users who see the record, and by no others', async () => {
    const other = await admin.post('/mini/m/ticket/create', { title: '别人的' })
    const hidden = await write(admin, { target_id: other.data.id, content: '内部处理', images: [SHEET] })
    const { data } = await listed(demo)
    const followId = data.list[0].id
    const seen = await demo.get(`/mini/follow/detail?id=${followId}`)
    const said = await admin.post('/mini/follow/comment', { id: followId, content: '收到' })
    const unseen = await demo.get(`/mini/follow/detail?id=${hidden.data.id}`)

    expect(seen.data.record).toMatchObject({ target_type: 'm/ticket', target_id: id })
    expect(said.meta.code).toBe(200)
    expect(unseen.meta.code).toBe(404)
    expect((await write(demo, { target_id: other.data.id })).meta.code).toBe(404)
    expect((await listed(await server.as('yfadmin'))).meta.code).toBe(404)
  })

  it('are not available if the module has none, and count no calls', async () => {
    const note = await admin.post('/mini/m/note/create', { title: '便签' })
    const refused = await admin.post('/mini/follow/create', {
      target_type: 'm/note',
      target_id: note.data.id,
      method: 'call',
      content: '不该有的',
    })
    const rung = await demo.post('/mini/follow/call-start', {
      targetType: 'm/ticket',
      targetId: id,
      phone: '13800000000',
    })
    const logged = await write(demo, { content: '打过电话', call: { phone: '13800000000' } })

    expect(refused.meta.code).toBe(404)
    expect(rung.meta.code).toBe(400)
    expect(logged.meta.code).toBe(200)
  })

  it('are deleted and restored with the record', async () => {
    const { data } = await listed(demo)
    const followId = data.list[0].id
    await demo.post('/mini/m/ticket/delete', { ids: [id] })
    const gone = await demo.get(`/mini/follow/detail?id=${followId}`)
    await demo.post('/mini/m/ticket/restore', { ids: [id] })

    expect(gone.meta.code).toBe(404)
    expect((await listed(demo)).data.list).toHaveLength(data.list.length)
  })
})

describe('files of a record of an own module', () => {
  it('include the record’s own and those of its follow-ups', async () => {
    const files = await demo.get(`/mini/m/ticket/attachment/list?id=${id}`)
    const { data } = await demo.get(`/mini/m/ticket/detail?id=${id}`)

    expect(files.data.list.map(({ name }: JsonObject) => name).sort()).toEqual([
      '合同.pdf',
      '照片.png',
      '照片.png',
    ])
    expect(data.record).toMatchObject({ attachments: [SCAN], attachments_name: '合同.pdf' })
  })

  it('are hidden from users who do not see it', async () => {
    const other = await admin.post('/mini/m/ticket/create', {
      title: '别人的',
      attachments: [SHEET],
    })
    const files = await demo.get(`/mini/m/ticket/attachment/list?id=${other.data.id}`)

    expect(files.meta.code).toBe(404)
  })

  it('are on its page, and so are follow-ups', async () => {
    const { body } = await demo.get('/engine/web/page/detail?path=/pages/m/ticket/detail')
    const form = await demo.get('/engine/web/page/detail?path=/pages/m/ticket/add')

    expect(body).toContain('"followRows"')
    expect(body).toContain('/mini/m/ticket/attachment/list')
    expect(form.body).toContain('"name":"attachments"')
  })
})

const DAY = 86_400_000
/** 10:00 in that time zone. */
const BEGIN = server.clock.now
const STATE = {
  name: 'state',
  kind: 'choice',
  label: '状态',
  default: 'open',
  options: [
    { value: 'open', label: '待处理' },
    { value: 'doing', label: '处理中' },
    { value: 'done', label: '完成' },
    { value: 'void', label: '作废' },
  ],
}
const VISIT = aModule({
  name: 'visit',
  label: '巡检单',
  behaviours: ['owned', 'follow', 'recycle', 'pool'],
  fields: [STATE],
  statuses: { field: 'state', moves: { open: ['doing', 'void'], doing: ['done'], done: ['open'] } },
})
const OFFER = aModule({
  name: 'offer',
  label: '报备单',
  behaviours: ['owned', 'recycle', 'pool'],
  approval: { steps: [{ kind: 'superior', mode: 'any' }] },
})

describe('a record without a timely follow-up', () => {
  const owner = async (of: string): Promise<string | null> => {
    const { rows } = await server.database.system((trx) =>
      sql<{ owner_id: string | null }>`select owner_id from record where id = ${of}`.execute(trx),
    )
    return rows[0]?.owner_id ?? null
  }
  const at = async (days: number) => {
    server.clock.now = BEGIN + days * DAY
    await recycle(server.database, server.clock.now)
  }
  const boss = person(server, 'admin')
  const seller = person(server, 'demo')
  const describedAs = async (description: JsonObject) =>
    right(await boss.post('/engine/web/module/save', { description }))
  const poolOf = async (module: string) =>
    (await boss.post('/engine/web/pool/list', { entity: `m.${module}` })).data.list[0]
  const setting = async (module: string, settings: JsonObject) =>
    boss.post('/mini/pool/setting', { id: (await poolOf(module)).id, settings })
  const follow = (module: string, of: string, more: JsonObject = {}) =>
    seller.post('/mini/follow/create', {
      target_type: `m/${module}`,
      target_id: of,
      method: 'call',
      content: '去看过了',
      ...more,
    })
  const news = async (title: string) =>
    (await seller.post('/mini/message/list', {})).data.list.filter((one: JsonObject) => one.title === title)

  const forgetGrace = () =>
    server.database.system((trx) =>
      sql`update pool set grace_until = null where entity like 'm.%'`.execute(trx),
    )

  beforeAll(async () => {
    await save(VISIT)
    await save(OFFER)
    await give('sales', 'visit')
    await give('sales', 'offer')
    await give('sales_manager', 'offer', { scope: 'all' })
  })
  beforeEach(() => {
    server.clock.now = BEGIN
  })
  afterEach(async () => {
    await setting('visit', {
      recycle_no_first_follow_days: null,
      recycle_no_follow_days: null,
      recycle_no_deal_days: null,
    })
    await forgetGrace()
  })

  it('returns to its pool: announced some days before, noted in its history, and reported when it is gone', async () => {
    await setting('visit', { recycle_no_follow_days: { default: 10 }, remind_days: 3 })
    const [one, other] = [
      await make(seller, 'visit', { title: '一号机房' }),
      await make(seller, 'visit', { title: '二号机房' }),
    ]
    const { record } = (await seller.get(`/mini/m/visit/detail?id=${one}`)).data
    const page = await seller.get('/engine/web/page/detail?path=/pages/m/visit/detail')
    await at(4)
    await follow('visit', other)
    await at(6.9)
    const early = await news('巡检单即将回收')
    await at(7.1)
    await at(7.2)
    const soon = await news('巡检单即将回收')
    await at(9.9)
    const held = await owner(one)
    await at(10)
    const gone = await news('巡检单已自动回收')
    const { data } = await boss.get(`/mini/m/visit/owner-record?id=${one}`)
    const { list } = (await boss.post('/mini/m/visit/pool/list', {})).data

    const day = new Date(BEGIN + 10 * DAY)
    expect(record.expire_at).toBe(day.toLocaleString('sv-SE', { timeZone: 'Asia/Shanghai' }))
    expect(page.body).toContain('预计回收')
    expect([early.length, soon.length, held]).toEqual([0, 1, 'u-demo'])
    expect(soon[0]).toMatchObject({
      content: expect.stringContaining('一号机房'),
      url: `/pages/m/visit/detail?id=${one}`,
    })
    expect(gone).toMatchObject([
      { content: expect.stringContaining('一号机房'), url: `/pages/m/visit/detail?id=${one}` },
    ])
    expect(list).toMatchObject([
      { id: one, pool_reason: 'follow_overdue', prev_owner_name: expect.any(String) },
    ])
    expect(data[0]).toMatchObject({ kind: 'recycle', title: '系统回收到公海', user_name: null })
    expect(await owner(other)).toBe('u-demo')
    await at(14)
    expect(await owner(other)).toBeNull()
  })

  it('is judged by its existing follow-ups: those before the rule, none that were deleted, from whoever held it last', async () => {
    const [kept, deleted] = [
      await make(seller, 'visit', { title: '三号' }),
      await make(seller, 'visit', { title: '四号' }),
    ]
    server.clock.now = BEGIN + 8 * DAY
    await follow('visit', kept)
    const written = await follow('visit', deleted)
    await seller.post('/mini/follow/delete', { ids: [written.data.id], id: written.data.id })
    await setting('visit', { recycle_no_follow_days: { default: 10 }, remind_days: 1 })
    const rows = await server.database.system((trx) =>
      sql<{
        at: Date | null
        by: string | null
        said: string | null
        id: string
      }>`select id, last_follow_at as at, last_follow_by as by,
        last_follow_content as said from record where id = any(${[kept, deleted]}::text[]) order by id`.execute(
        trx,
      ),
    )
    await at(12)
    const after = [await owner(kept), await owner(deleted)]
    const claimed = await seller.post('/mini/m/visit/pool/claim', {
      poolId: (await poolOf('visit')).id,
      ids: [deleted],
    })
    await at(20)

    expect(rows.rows).toEqual([
      { id: kept, at: new Date(BEGIN + 8 * DAY), by: 'u-demo', said: '去看过了' },
      { id: deleted, at: null, by: null, said: null },
    ])
    expect(after).toEqual(['u-demo', null])
    expect(claimed.data.ok).toEqual([deleted])
    expect([await owner(kept), await owner(deleted)]).toEqual([null, 'u-demo'])
  })

  it('stays while it is done: in a final status, and in the exempt statuses', async () => {
    await setting('visit', { recycle_no_deal_days: 5, remind_days: 1, exempt_statuses: ['done'] })
    const ids = await Promise.all(
      ['open', 'void', 'done', 'doing'].map((state) => make(seller, 'visit', { title: state, state })),
    )
    await at(6)
    const owners = await Promise.all(ids.map((one) => owner(one)))
    const { version } = (await boss.get(`/mini/m/visit/detail?id=${ids[2]}`)).data.record
    await seller.post('/mini/m/visit/update', { id: ids[2] ?? '', version, state: 'open' })
    await at(6.1)

    expect(owners).toEqual([null, 'u-demo', 'u-demo', null])
    expect(await owner(ids[2] ?? '')).toBeNull()
    await setting('visit', { exempt_statuses: null })
  })

  it('is judged by its last change if its module has no follow-ups, and waits while an approval is pending', async () => {
    await setting('offer', { recycle_no_follow_days: { default: 5 }, remind_days: 0 })
    const ids = await Promise.all(
      ['没人动', '改过', '在审批'].map((title) => make(seller, 'offer', { title })),
    )
    const [still, changed, waiting] = ids as [string, string, string]
    server.clock.now = BEGIN + 3 * DAY
    right(await seller.post('/mini/m/offer/update', { id: changed, version: 1, title: '改过了' }))
    right(await seller.post('/mini/m/offer/submit', { id: waiting }))
    await at(6)
    const owners = await Promise.all(ids.map((one) => owner(one)))
    await at(15)
    const decided = await owner(waiting)
    right(await seller.post('/mini/m/offer/withdraw', { id: waiting }))
    await at(19)
    const soon = await owner(waiting)
    await at(20)

    expect(owners).toEqual([null, 'u-demo', 'u-demo'])
    expect([decided, soon, await owner(waiting), await owner(changed), await owner(still)]).toEqual([
      'u-demo',
      'u-demo',
      null,
      null,
      null,
    ])
  })

  it('is in the tab 即将回收 of its owner during its last three days, the earliest first', async () => {
    await setting('visit', { recycle_no_follow_days: { default: 10 }, remind_days: 3 })
    const first = await make(seller, 'visit', { title: '先到期' })
    server.clock.now = BEGIN + 2 * DAY
    await make(seller, 'visit', { title: '后到期' })
    await make(boss, 'visit', { title: '别人的到期' })
    const soon = async (days: number, client = seller) => {
      server.clock.now = BEGIN + days * DAY
      const { data } = await client.post('/mini/m/visit/list', { tab: 'recycling', keyword: '到期' })
      return data.list.map(({ title, left_days: days }: JsonObject) => `${title} ${days}`)
    }
    const seen = [await soon(6.9), await soon(7.1), await soon(9.2), await soon(9.2, boss)]
    const counted = await seller.post('/mini/m/visit/count', { tabs: ['recycling'], keyword: '到期' })
    await recycle(server.database, server.clock.now)
    const links = (await news('巡检单即将回收')).map(({ url }: JsonObject) => url)
    await follow('visit', first)

    expect(seen).toEqual([[], ['先到期 3'], ['先到期 1', '后到期 3'], ['别人的到期 3']])
    expect(counted.data).toMatchObject({ recycling: 2 })
    expect(links).toContain('/pages/m/visit/index?tab=recycling')
    expect(await soon(9.2)).toEqual(['后到期 3'])
  })

  it('returns once, among many and with two servers, and not before a new rule has been announced', async () => {
    const ids: string[] = []
    for (let i = 0; i < 7; i += 1) ids.push(await make(seller, 'visit', { title: `多${i}` }))
    server.clock.now = BEGIN + 30 * DAY
    const saved = await setting('visit', { recycle_no_follow_days: { default: 5 }, remind_days: 3 })
    await at(32.9)
    const early = await Promise.all(ids.map((one) => owner(one)))
    server.clock.now = BEGIN + 33 * DAY
    await Promise.all([
      recycle(server.database, server.clock.now),
      recycle(server.database, server.clock.now),
    ])
    const { rows } = await server.database.system((trx) =>
      sql<{
        n: number
      }>`select count(*)::int as n from owner_record where kind = 'recycle' and record_id = any(${ids}::text[])`.execute(
        trx,
      ),
    )
    const told = await news('巡检单已自动回收')

    expect(saved.data.graceUntil).toBe('2026-04-18 10:00:00')
    expect(new Set(early)).toEqual(new Set(['u-demo']))
    expect(rows).toEqual([{ n: 7 }])
    expect(told[0]).toMatchObject({
      content: expect.stringMatching(/^\d+ 个巡检单因超期被回收/),
      url: expect.stringMatching(/^\/pages\/m\/visit\/pool\?poolId=/),
    })
  })

  it('stays as long with a new owner as with any receiver, and while the module has no pools', async () => {
    await setting('visit', { recycle_no_follow_days: { default: 5 }, remind_days: 0 })
    const [given, off] = [
      await make(seller, 'visit', { title: '转走的' }),
      await make(seller, 'visit', { title: '关掉公海' }),
    ]
    server.clock.now = BEGIN + 4 * DAY
    right(await boss.post('/mini/m/visit/transfer', { ids: [given], toUserId: 'u-zengke' }))
    await describedAs({ ...VISIT, behaviours: ['owned', 'follow', 'recycle'] })
    await at(6)
    const without = await owner(off)
    await describedAs(VISIT)
    // Saving grants grace time by the clock of the database.
    await forgetGrace()
    await at(8.9)
    right(await boss.post('/engine/web/user/handover', { id: 'u-zengke', toUserId: 'u-zhaolei' }))
    await at(13.8)
    const held = await owner(given)
    await at(13.9)

    expect([without, held]).toEqual(['u-demo', 'u-zhaolei'])
    expect(await owner(given)).toBeNull()
  })

  it('accepts only rules whose data its module has', async () => {
    const refused = async (module: string, settings: JsonObject) => (await setting(module, settings)).meta
    const form = async (module: string) =>
      (await boss.get(`/engine/web/pool/detail?id=${(await poolOf(module)).id}`)).data

    expect(await refused('offer', { recycle_no_first_follow_days: 3 })).toMatchObject({
      code: 400,
      message: '报备单没有跟进，不能按领取后未跟进回收',
    })
    expect(await refused('offer', { recycle_no_deal_days: 3 })).toMatchObject({
      code: 400,
      message: '报备单没有状态，看不出哪些已经完成，不能按未完成回收',
    })
    expect(await refused('visit', { exempt_statuses: ['gone'] })).toMatchObject({
      code: 400,
      message: '巡检单没有状态“gone”',
    })
    for (const wrong of [
      { recycle_no_follow_days: { A: 3 } },
      { lock_cap: 3 },
      { exempt_deal: false },
      { masked_fields: ['x'] },
    ])
      expect([wrong, (await refused('visit', wrong)).code]).toEqual([wrong, 400])
    expect(
      (
        await boss.post('/mini/pool/setting', {
          id: 'xinghai-pool-lead',
          settings: { exempt_statuses: ['a'] },
        })
      ).meta.code,
    ).toBe(400)
    expect((await form('offer')).judged).toMatchObject({
      followed: false,
      done: false,
      statuses: [],
      still: '未修改',
    })
    expect((await form('visit')).judged).toMatchObject({
      still: '未跟进',
      followed: true,
      done: true,
      statuses: [
        { value: 'open', label: '待处理' },
        { value: 'doing', label: '处理中' },
        { value: 'done', label: '完成' },
      ],
    })
  })

  it('takes its rules from the form: one number of days for all, and the chosen statuses', async () => {
    const { id: pool, version, name } = await poolOf('visit')
    const saved = await boss.post('/engine/web/pool/save', {
      id: pool,
      version,
      name,
      settings: { no_follow_days: 12, recycle_no_follow_days: [], exempt_statuses: ['done'], lock_cap: 0 },
    })
    const { form } = (await boss.get(`/engine/web/pool/detail?id=${pool}`)).data
    const emptied = await boss.post('/engine/web/pool/save', {
      id: pool,
      version: saved.data.version,
      name,
      settings: { no_follow_days: '', exempt_statuses: [] },
    })
    const lead = (await boss.post('/engine/web/pool/list', { entity: 'lead' })).data.list[0]
    const leads = await boss.post('/engine/web/pool/save', {
      ...lead,
      settings: {
        no_follow_days: '',
        exempt_statuses: '',
        recycle_no_follow_days: [{ key: 'default', days: 7 }],
      },
    })

    expect([saved.meta.code, emptied.meta.code, leads.meta.code]).toEqual([200, 200, 200])
    expect(form).toMatchObject({ no_follow_days: 12, exempt_statuses: ['done'] })
    expect((await boss.get(`/engine/web/pool/detail?id=${pool}`)).data.setting.settings).toMatchObject({
      recycle_no_follow_days: {},
      exempt_statuses: [],
    })
  })
})
