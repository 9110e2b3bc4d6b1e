import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openTestApp, type TestApp } from '../support.ts'

let server: TestApp
let demo: Client
let manager: Client
let other: Client
beforeAll(async () => {
  server = await openTestApp()
  demo = await server.as('demo')
  manager = await server.as('manager')
  other = await server.as('zengke')
})
afterAll(() => server.close())

let count = 0
const aName = () => `测试企业${(++count).toString(36)}号${'甲乙丙丁戊己庚辛壬癸'[count % 10]}${count}厂`
const create = (client: Client, more: object = {}) =>
  client.post('/mini/customer/create', { name: aName(), ...more })
const detail = (client: Client, id: string) => client.get(`/mini/customer/detail?id=${id}`)

describe('creating a customer', () => {
  it('gives it a number, makes the caller its owner, and creates its contacts', async () => {
    const answer = await create(demo, {
      level: 'A',
      contacts: [{ name: '单田芳', mobile: '13900001234', position: '总经理' }],
    })

    expect(answer.meta.message).toBe('')
    expect(answer.data.record).toMatchObject({
      owner_id: 'u-demo',
      owner_dept_id: 'xh-sales-1',
      level: 'A',
      version: 1,
      deal_status: 0,
      follow_status: 'none',
      created_at: '2026-03-16 10:00:00',
    })
    expect(answer.data.record.customer_no).toMatch(/^KH20260316\d{4}$/)
    const contacts = await demo.post('/mini/contact/list', {
      filters: [{ field: 'customer_id', op: 'eq', value: answer.data.id }],
    })
    expect(contacts.data.list).toMatchObject([{ name: '单田芳', is_primary: true, mobile: '13900001234' }])
    expect(contacts.data.list[0].py_initial).toBe('stf')
  })

  it('takes no fields of its contacts that the caller may not write, and names them', async () => {
    const contact = { name: '单田芳', mobile: '13900001235', position: '总经理' }
    const limit = (rights: object) =>
      server.database.system((trx) =>
        sql`update role set field_rights = ${JSON.stringify({ contact: rights })}::jsonb
          where tenant_id = 'xinghai' and code = 'sales'`.execute(trx),
      )
    await limit({ position: 'read', mobile: 'masked', remark: 'hidden' })
    const limited = await server.as('demo')
    const refused = await create(limited, { contacts: [{ ...contact, remark: '' }] })
    const taken = await create(limited, { contacts: [{ name: '单田芳', wechat: 'dantianfang' }] })
    await limit({})
    const free = await create(await server.as('demo'), { contacts: [contact] })

    expect(refused.meta.error?.fields).toEqual({
      'contacts.0.position': '您没有修改该字段的权限',
      'contacts.0.mobile': '您没有修改该字段的权限',
    })
    expect([taken.meta.code, free.meta.code]).toEqual([200, 200])
  })

  it('accepts a region from the province down, and returns its names', async () => {
    const region = ['440000', '440300', '440305']

    const { data } = await create(demo, { region, lng: 113.93, lat: 22.53 })
    const odd = await create(demo, { region: ['440300', '440000'] })

    expect(data.record).toMatchObject({
      region,
      region_name: '广东省深圳市南山区',
      city_name: '深圳市',
      lng: 113.93,
    })
    expect(odd.meta.error?.fields).toEqual({ region: expect.stringContaining('没有这个地区') })
  })

  it('comes from an activity that there is, as a lead does', async () => {
    const lead = { name: aName(), mobile: '13900005678', source: 'website', activity_id: 'nope' }
    const answers = [await create(demo, { activity_id: 'nope' }), await demo.post('/mini/lead/create', lead)]

    for (const { meta } of answers)
      expect(meta.error?.fields).toEqual({ activity_id: expect.stringContaining('没有找到“nope”') })
  })

  it('comes from no deleted activity, as a lead does', async () => {
    const [start_at, end_at] = ['2026-03-16 09:00:00', '2026-03-16 18:00:00']
    const activity = { name: '满格展会', type: 'salon', start_at, end_at }
    const { id: activity_id } = (await manager.post('/mini/activity/create', activity)).data
    const admin = await server.as('admin')
    expect(await admin.post('/mini/activity/delete', { ids: [activity_id] })).toMatchObject({
      data: { failed: [] },
    })

    const lead = { name: aName(), mobile: '13900005679', source: 'website', activity_id }
    const answers = [await create(demo, { activity_id }), await demo.post('/mini/lead/create', lead)]

    for (const { meta } of answers)
      expect(meta.error?.fields).toEqual({ activity_id: expect.stringContaining('没有找到') })
  })

  it('sends the regions once, with a hash', async () => {
    const first = await demo.get('/engine/web/region/list')
    expect(first.data.find(({ value }: { value: string }) => value === '310000').children).toContainEqual(
      expect.objectContaining({ label: '浦东新区', value: '310115' }),
    )
  })

  it('creates one record on a double tap', async () => {
    const body = { name: aName(), clientToken: 'double-tap-1' }

    const [first, second] = await Promise.all([
      demo.post('/mini/customer/create', body),
      demo.post('/mini/customer/create', body),
    ])

    expect(second.data).toEqual(first.data)
    const found = await demo.post('/mini/customer/list', { keyword: body.name, withTotal: true })
    expect(found.data.total).toBe(1)
  })

  it.each([
    [{ name: '甲' }, 'name'],
    [{ name: '' }, 'name'],
    [{ mobile: '12800138000' }, 'mobile'],
    [{ telephone: 'abc' }, 'telephone'],
    [{ email: 'a@b' }, 'email'],
    [{ credit_code: '914403007084611360' }, 'credit_code'],
    [{ level: 'Z' }, 'level'],
    [{ next_follow_at: '2026-03-15 10:00:00' }, 'next_follow_at'],
    [{ next_follow_at: '2026-02-30' }, 'next_follow_at'],
    [{ tags: ['no_such_tag'] }, 'tags'],
    [{ parent_id: 'nobody' }, 'parent_id'],
    [{ owner_id: 'u-manager' }, 'owner_id'],
    [{ deal_amount: 5 }, 'deal_amount'],
    [{ attachments: [{ url: 'https://evil.example/x', name: 'x' }] }, 'attachments'],
    [{ contacts: [{ name: '无号' }] }, 'contacts.0.mobile'],
  ])('refuses %j with a message at %s', async (fields, at) => {
    const answer = await create(demo, fields)

    expect(answer.meta.code).toBe(400)
    expect(answer.meta.error?.fields).toHaveProperty([at])
    expect(answer.meta.message).not.toBe('')
  })

  it('lets one of two concurrent creations with the same name succeed, and shows the winner to the other', async () => {
    const name = aName()

    const answers = await Promise.all([
      demo.post('/mini/customer/create', { name: `${name}有限公司` }),
      other.post('/mini/customer/create', { name: ` ${name}（集团）` }),
    ])

    const codes = answers.map((answer) => answer.meta.code).sort()
    expect(codes).toEqual([200, 409])
    const lost = answers.find((answer) => answer.meta.code === 409)
    expect(lost?.meta.error?.type).toBe('DUPLICATE')
    expect(lost?.data.items[0]).toMatchObject({ masked: true, id: null, match: ['name'], level: 'same' })
    expect(lost?.data.items[0].name).toContain('*')
    const found = await manager.post('/mini/customer/list', { keyword: name })
    const director = await server.as('director')
    const everywhere = await director.post('/mini/customer/list', { keyword: name, withTotal: true })
    expect(everywhere.data.total).toBe(1)
    expect(found.data.list.length).toBeLessThanOrEqual(1)
  })

  it('asks for confirmation of a number that other customers have', async () => {
    const mobile = '13900007777'
    await create(demo, { contacts: [{ name: '甲方', mobile }] })
    const name = aName()

    const asked = await demo.post('/mini/customer/create', { name, mobile })
    const confirmed = await demo.post('/mini/customer/create', { name, mobile, confirm: ['DUPLICATE_PHONE'] })

    expect(asked.meta.code).toBe(409)
    expect(asked.data).toMatchObject({ block: false, confirm: 'DUPLICATE_PHONE' })
    expect(confirmed.meta.code).toBe(200)
    expect(confirmed.data.warnings).toMatchObject([{ type: 'DUPLICATE_PHONE' }])
  })

  it('stops at the maximum number of held records', async () => {
    const seller = await server.as('luoting')
    const cap = (settings: object) =>
      server.database.system((trx) =>
        trx
          .updateTable('pool')
          .set({ settings: JSON.stringify(settings) })
          .where('id', '=', 'xinghai-pool-customer')
          .execute(),
      )
    await cap({ holding_cap: 2 })

    const answers = [await create(seller), await create(seller), await create(seller)]

    await cap({})
    expect(answers.map((answer) => answer.meta.code)).toEqual([200, 200, 422])
    expect(answers[2]?.meta).toMatchObject({
      message: '持有客户已达上限（2），可先退回或成交',
      error: { type: 'HOLDING_CAP' },
    })
  })

  it('is refused without the right', async () => {
    const finance = await server.as('finance')

    const answer = await create(finance)

    expect(answer.meta).toMatchObject({ code: 405, error: { type: 'NO_PERMISSION' } })
  })
})

describe('changing a customer', () => {
  it('changes the given fields, clears null ones and keeps the others', async () => {
    const { id, version } = (await create(demo, { short_name: '旧', remark: '备注', level: 'B' })).data

    const answer = await demo.post('/mini/customer/update', { id, version, remark: null, short_name: '新' })

    expect(answer.data.version).toBe(2)
    expect(answer.data.record).toMatchObject({ remark: null, short_name: '新', level: 'B' })
    const log = await demo.get(`/mini/customer/log?id=${id}`)
    expect(log.data.list[0]).toMatchObject({ title: '编辑客户', user_name: '李明轩' })
    expect(log.data.list[0].text).toContain('客户简称：旧 → 新')
  })

  it('refuses the second of two editors and returns the version of the first', async () => {
    const { id, version } = (await create(demo, { remark: '原样' })).data

    const answers = await Promise.all([
      demo.post('/mini/customer/update', { id, version, remark: '销售写的' }),
      manager.post('/mini/customer/update', { id, version, remark: '经理写的' }),
    ])

    expect(answers.map((answer) => answer.meta.code).sort()).toEqual([200, 409])
    const [won] = answers.filter((answer) => answer.meta.code === 200)
    const [lost] = answers.filter((answer) => answer.meta.code === 409)
    expect(lost?.meta.error?.type).toBe('VERSION_CONFLICT')
    expect(lost?.data.current).toMatchObject({ id, version: version + 1, remark: won?.data.record.remark })
  })

  it('lets searches find it only under its new name', async () => {
    const { id, version } = (await create(demo)).data

    await demo.post('/mini/customer/update', { id, version, name: '改名后的独特商号有限公司' })

    const found = await demo.post('/mini/customer/list', { keyword: 'gmhdd' })
    expect(found.data.list.map((row: { id: string }) => row.id)).toEqual([id])
  })

  it('refuses a name that another customer has, and a cycle of parents', async () => {
    const first = (await create(demo)).data
    const second = (await create(demo, { parent_id: first.id })).data

    const renamed = await demo.post('/mini/customer/update', {
      id: second.id,
      version: 1,
      name: first.record.name,
    })
    const circle = await demo.post('/mini/customer/update', {
      id: first.id,
      version: 1,
      parent_id: second.id,
    })

    expect(renamed.meta).toMatchObject({ code: 409, error: { type: 'DUPLICATE' } })
    expect(circle.meta.error?.fields).toHaveProperty('parent_id')
  })

  it('allows a read-only collaborator to read and a write collaborator to change, on every path', async () => {
    const { id } = (await create(demo)).data
    const share = (level: 'read' | 'write') =>
      server.database.system((trx) =>
        trx
          .insertInto('collaborator')
          .values({ tenant_id: 'xinghai', entity: 'customer', record_id: id, user_id: 'u-zengke', level })
          .onConflict((it) =>
            it.columns(['tenant_id', 'entity', 'record_id', 'user_id']).doUpdateSet({ level }),
          )
          .execute(),
      )
    const attempts = async () => [
      await other.post('/mini/customer/update', { id, version: 1, remark: '改' }),
      await other.post('/mini/customer/patch', { ids: [id], level: 'A' }),
      await other.post('/mini/follow/create', {
        target_type: 'customer',
        target_id: id,
        method: 'call',
        content: '跟进',
      }),
    ]
    expect((await detail(other, id)).meta.code).toBe(404)
    await share('read')

    const seen = await detail(other, id)
    const [update, patch, follow] = await attempts()

    expect(seen.meta.code).toBe(200)
    expect(seen.data.actions).toEqual(['star'])
    expect(update?.meta.code).toBe(405)
    expect(patch?.data).toMatchObject({ ok: [], failed: [{ id, code: 405 }] })
    expect(follow?.meta.code).toBe(405)
    await share('write')
    expect((await attempts()).map((answer) => answer.meta.code)).toEqual([200, 200, 200])
  })
})

describe('the tree of customers', () => {
  const relation = async (client: Client, id: string) =>
    (await client.get(`/mini/customer/relation?id=${id}`)).data.list as {
      id: string | null
      name: string
      masked: boolean
      depth: number
      current: boolean
      url: string | null
    }[]
  const put = (client: Client, id: string, parentId: string | null) =>
    client.post('/mini/customer/relation/save', { id, parentId })
  const make = async (client: Client, more: object = {}) => (await create(client, more)).data.record

  it('is shown from its root, and changed by users who may write the child', async () => {
    const [top, left, right, leaf] = [await make(demo), await make(demo), await make(demo), await make(demo)]
    for (const [id, parent] of [
      [left.id, top.id],
      [right.id, top.id],
      [leaf.id, left.id],
    ])
      expect((await put(demo, id, parent)).meta.message).toBe('')
    const tree = await relation(demo, left.id)

    const [first, ...others] = tree
    expect(first).toMatchObject({
      id: top.id,
      depth: 1,
      current: false,
      url: `/pages/customer/my/detail?id=${top.id}`,
    })
    expect(others.map(({ id, depth }) => `${id} ${depth}`).sort()).toEqual(
      [`${left.id} 2`, `${right.id} 2`, `${leaf.id} 3`].sort(),
    )
    expect(tree[tree.findIndex(({ id }) => id === leaf.id) - 1]?.id).toBe(left.id)
    expect(tree.filter(({ current }) => current).map(({ id }) => id)).toEqual([left.id])
    const circle = await put(demo, top.id, leaf.id)
    expect(circle.meta).toMatchObject({ code: 400, error: { fields: { parent_id: expect.any(String) } } })
    expect((await demo.post('/mini/customer/relation/save', { id: leaf.id })).meta.code).toBe(400)
    const log = await demo.get(`/mini/customer/log?id=${left.id}`)
    expect(log.data.list[0].text).toBe(`上级客户：空 → ${top.name}`)
    expect((await put(demo, leaf.id, null)).data.record.parent_id).toBeNull()
    expect((await relation(demo, top.id)).map(({ id }) => id)).not.toContain(leaf.id)
  })

  it('names only customers that the caller sees; one that connects the tree is masked', async () => {
    const [top, hidden, theirs] = [await make(demo), await make(demo), await make(other)]
    await put(demo, hidden.id, top.id)
    const share = { id: top.id, members: [{ userId: 'u-zengke', level: 'read' }] }
    await demo.post('/mini/customer/team/save', share)
    await put(other, theirs.id, top.id)
    await demo.post('/mini/customer/team/remove', { id: top.id, userIds: ['u-zengke'] })

    const answer = await other.get(`/mini/customer/relation?id=${theirs.id}`)

    expect(answer.data.list).toMatchObject([
      { id: null, url: null, masked: true, depth: 1 },
      { id: theirs.id, masked: false, depth: 2 },
    ])
    for (const { id, name } of [top, hidden])
      for (const secret of [id, name]) expect(answer.body).not.toContain(secret)
    const { record } = (await detail(other, theirs.id)).data
    expect(record).toMatchObject({ parent_name: expect.stringContaining('*'), parent_url: null })
    expect((await put(other, hidden.id, theirs.id)).meta.code).toBe(404)
    await demo.post('/mini/customer/team/save', { id: hidden.id, members: share.members })
    expect((await put(other, hidden.id, null)).meta.code).toBe(405)
  })

  it('never becomes a cycle, by two concurrent changes or by a merge', async () => {
    for (let round = 0; round < 4; round++) {
      const [one, two] = [await make(demo), await make(demo)]
      const edit = { id: two.id, version: two.version, parent_id: one.id }

      const answers = await Promise.all([
        put(demo, one.id, two.id),
        round % 2 === 0 ? put(demo, two.id, one.id) : demo.post('/mini/customer/update', edit),
      ])

      expect(answers.map(({ meta }) => meta.code).sort()).toEqual([200, 400])
    }
    const [top, middle, low] = [await make(manager), await make(manager), await make(manager)]
    await put(manager, middle.id, top.id)
    await put(manager, low.id, middle.id)
    await manager.post('/mini/customer/merge', { masterId: low.id, ids: [top.id] })
    expect((await relation(manager, low.id)).map(({ id, depth }) => [id, depth])).toEqual([
      [low.id, 1],
      [middle.id, 2],
    ])
  })
})

describe('customers nearby', () => {
  const [lng, lat] = [101.5, 30.2]
  const near = async (client: Client, radius: number, more: object = {}) =>
    client.post('/mini/customer/nearby', { lng, lat, radius, ...more })
  const names = ({ data }: { data: { list: { name: string }[] } }) => data.list.map(({ name }) => name)

  it('are those within the radius that the caller’s lists contain, the nearest first', async () => {
    const at = async (client: Client, north: number, east: number) =>
      (await create(client, { lng: lng + east, lat: lat + north, address: '某路1号' })).data.record
    // Half a degree of latitude is 55.6 km; a degree of longitude is 96 km here.
    const [far, corner, here] = [
      await at(demo, 0.04, 0),
      await at(demo, 0.04, 0.04),
      await at(demo, 0, 0.005),
    ]
    const [beyond, theirs] = [await at(demo, 0.5, 0), await at(other, 0.001, 0)]
    const released = await at(demo, 0.002, 0)
    await demo.post('/mini/customer/release', { ids: [released.id], reason: 'other' })

    const five = await near(demo, 5)

    expect(names(five)).toEqual([here.name, far.name])
    expect(five.data.list[0]).toMatchObject({ distance: 481, distance_text: '481 米', address: '某路1号' })
    expect(five.data.list[1].distance_text).toBe('4.4 公里')
    expect(names(await near(demo, 50))).toEqual([here.name, far.name, corner.name])
    expect(names(await near(other, 50))).toEqual([theirs.name])
    const all = names(await near(await server.as('director'), 50))
    expect(all).toEqual([theirs.name, here.name, far.name, corner.name])
    for (const name of [beyond.name, released.name]) expect(all).not.toContain(name)
  })

  it('are at most fifty, and the answer tells whether there are more', async () => {
    await server.database.system((trx) =>
      sql`insert into customer (tenant_id, id, name, customer_no, name_norm, search_text, search_tokens, py, py_initial, level,
          owner_id, owner_dept_id, lng, lat, created_by)
        select 'xinghai', 'near-' || i, '近邻' || i, 'N' || i, '近邻' || i, '', '{}', 'jl', 'jl', 'C', 'u-demo', 'xh-sales-1',
          99 + i * 0.0001, ${lat}, 'u-demo' from generate_series(1, 60) i`.execute(trx),
    )
    for (const who of [demo, await server.as('director')]) {
      const { data } = await near(who, 50, { lng: 99 })
      expect(data.list).toHaveLength(50)
      expect(data.most).toBe(50)
      expect(data.list[49].name).toBe('近邻50')
    }
    await server.database.system((trx) =>
      sql`delete from customer where starts_with(id, 'near-')`.execute(trx),
    )
  })

  it.each([{ radius: 51 }, { radius: 0 }, { lng: 181 }, { lat: '30' }])('refuses %j', async (odd) => {
    expect((await near(demo, 5, odd)).meta.code).toBe(400)
  })
})

describe('a request for collaboration', () => {
  const said = async (client: Client, event: string, id: string) =>
    (await client.post('/mini/message/list')).data.list.filter(
      (row: { event: string; link: { query: { id?: string } } | null }) =>
        row.event === event && row.link?.query.id === id,
    )
  const ask = async () => {
    const { id } = (await create(manager)).data
    await other.post('/mini/duplicate/request', { targetId: id, reason: '同一集团的老客户' })
    const [request] = await said(manager, 'duplicate.requested', id)
    return { id, request }
  }

  it('is accepted in the message, once, and only by its receiver; the requester may write from then on', async () => {
    const { id, request } = await ask()
    const before = (await detail(other, id)).meta.code
    const byAnother = await demo.post('/mini/duplicate/answer', { id: request.id, agree: true })
    const taps = await Promise.all(
      [1, 2].map(() => manager.post('/mini/duplicate/answer', { id: request.id, agree: true })),
    )

    expect(request.content).toContain('同一集团的老客户')
    expect([before, byAnother.meta.code]).toEqual([404, 404])
    expect(taps.map((tap) => tap.meta.code).sort()).toEqual([200, 404])
    expect((await detail(other, id)).data.actions).toContain('edit')
    expect(await said(other, 'collaborator.added', id)).toHaveLength(1)
    expect((await said(manager, 'duplicate.answered', id))[0]).toMatchObject({ read: true })
  })

  it('is refused in the message, and the requester is notified', async () => {
    const { id, request } = await ask()
    await manager.post('/mini/duplicate/answer', { id: request.id, agree: false })

    expect((await detail(other, id)).meta.code).toBe(404)
    expect(await said(other, 'duplicate.answered', id)).toMatchObject([
      { title: '周晓燕没有同意你的协作申请' },
    ])
    expect(await said(manager, 'duplicate.requested', id)).toEqual([])
  })
})

describe('the recycle bin', () => {
  it('takes contacts and follow-ups along and restores them', async () => {
    const { id } = (await create(demo, { contacts: [{ name: '王五', mobile: '13900002222' }] })).data
    await demo.post('/mini/follow/create', {
      target_type: 'customer',
      target_id: id,
      method: 'call',
      content: '首次联系',
    })

    const byOwner = await demo.post('/mini/customer/delete', { ids: [id] })
    const byDirector = await (await server.as('director')).post('/mini/customer/delete', { ids: [id] })
    const gone = await detail(demo, id)
    const restored = await (await server.as('director')).post('/mini/customer/restore', { ids: [id] })
    const back = await detail(demo, id)

    expect(byOwner.meta.code).toBe(405)
    expect(byDirector.data.ok).toEqual([id])
    expect(gone.meta.code).toBe(404)
    expect(restored.data.ok).toEqual([id])
    expect(back.data.related).toMatchObject({ contact: 1, follow: 1 })
  })

  it.each(['99999-01-01', 'x', '2026-03-16', 5])(
    'refuses the cursor %s, which no call has returned',
    async (cursor) => {
      const answer = await (await server.as('director')).post('/mini/customer/deleted', { cursor })

      expect(answer.meta).toMatchObject({ code: 400, error: { type: 'BAD_FILTER' } })
    },
  )

  it('lists the caller’s own records, and those of a pool for users who may delete there', async () => {
    const director = await server.as('director')
    const { id, record } = (await create(demo)).data
    const pooled = (await create(demo)).data
    await demo.post('/mini/customer/release', { ids: [pooled.id], reason: 'other' })
    await director.post('/mini/customer/delete', { ids: [id] })
    await director.post('/mini/pool/customer/delete', { ids: [pooled.id] })
    const contact = (await create(demo, { contacts: [{ name: '回收人', mobile: '13900003333' }] })).data
      .record
    await demo.post('/mini/contact/delete', { ids: [contact.primary_contact_id] })

    const bin = (await director.post('/mini/customer/deleted', {})).data
    const contacts = (await demo.post('/mini/contact/deleted', { keyword: '回收' })).data
    const foreign = await (await server.as('zengke')).post('/mini/contact/deleted', {})
    const restored = await director.post('/mini/customer/restore', { ids: [pooled.id] })

    expect(bin.list.slice(0, 2)).toMatchObject([
      { id: pooled.id, of_name: null, left_days: 30 },
      { id, name: record.name, of_name: '李明轩', deleted_at: expect.any(String) },
    ])
    expect(contacts.list).toMatchObject([{ name: '回收人', of_name: contact.name }])
    expect((await demo.post('/mini/customer/deleted', {})).meta.code).toBe(405)
    expect(foreign.data.list).toEqual([])
    expect(restored.data.ok).toEqual([pooled.id])
  })

  it('refuses to restore a name that is taken meanwhile', async () => {
    const admin = await server.as('admin')
    const { id, record } = (await create(demo)).data
    await admin.post('/mini/customer/delete', { ids: [id] })
    await demo.post('/mini/customer/create', { name: record.name })

    const restored = await admin.post('/mini/customer/restore', { ids: [id] })

    expect(restored.data.failed).toMatchObject([{ id, code: 409, type: 'DUPLICATE' }])
  })
})

describe('a search by pinyin', () => {
  it('finds companies by the place before their name, and by what follows it', async () => {
    const { data } = await create(demo, { name: '南京市蓝宇精工有限公司' })
    const found = async (keyword: string) =>
      (await demo.post('/mini/customer/list', { keyword, limit: 100 })).data.list.map(
        ({ id }: { id: string }) => id,
      )

    for (const keyword of ['nanjing', 'nanjingsh', 'nanjingshilanyu', 'NanJingLanYu', 'lanyu', 'njsly'])
      expect([keyword, await found(keyword)]).toEqual([keyword, expect.arrayContaining([data.id])])
    expect(await found('nanjingshilanyuan')).not.toContain(data.id)
    expect(await found('wuxishilanyu')).not.toContain(data.id)
  })
})

describe('a refused call', () => {
  it.each([
    ['release', { reason: 'other' }],
    ['lock', { lock: true }],
    ['transfer', { toUserId: 'u-zengke' }],
  ])('%s leaves nothing in the history of a record that the caller cannot see', async (call, more) => {
    const { id } = (await create(demo)).data
    const said = async () => (await demo.get(`/mini/customer/log?id=${id}`)).data.list.length
    const before = await said()

    const { data } = await other.post(`/mini/customer/${call}`, { ids: [id], ...more })

    expect(data).toMatchObject({ ok: [], failed: [{ code: 404 }] })
    expect(await said()).toBe(before)
  })
})

describe('records taken from their owners', () => {
  const news = async (client: Client) =>
    (await client.post('/mini/message/list', {})).data.list.filter(
      ({ event }: { event: string }) => event === 'record.taken',
    )
  it('are told to each of them by the names of their own', async () => {
    const [mine, theirs] = [(await create(demo)).data, (await create(other)).data]

    const director = await server.as('director')
    await director.post('/mini/customer/transfer', { ids: [mine.id, theirs.id], toUserId: 'u-manager' })

    const [[toDemo], [toOther]] = [await news(demo), await news(other)]
    expect(toDemo.content).toContain(`1 个客户 ${mine.record.name}`)
    expect(toOther.content).toContain(`1 个客户 ${theirs.record.name}`)
    expect(toDemo.content).not.toContain(theirs.record.name)
  })

  it('are told with their names and their pool, and shown there, if they were released', async () => {
    const { id, record } = (await create(demo)).data

    await manager.post('/mini/customer/release', { ids: [id], reason: 'other' })

    const [told] = await news(demo)
    expect(told.content).toContain(`1 个客户 ${record.name}，现在在“公共公海”`)
    expect(told.url).toBe(`/pages/customer/pool/detail?id=${id}`)
  })
})
