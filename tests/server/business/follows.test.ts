import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { knownFile } from '../sheets/finished-job.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'

const HOUR = 3_600_000
let server: TestApp
let demo: Client
let manager: Client
let customerId = ''
let count = 0
beforeAll(async () => {
  server = await openTestApp()
  demo = await server.as('demo')
  manager = await server.as('manager')
  await knownFile(server, '1')
})
afterAll(() => server.close())

async function aCustomer(more: object = {}): Promise<string> {
  const answer = await demo.post('/mini/customer/create', { name: `跟进对象${++count}号工厂`, ...more })
  return answer.data.id
}
const write = (client: Client, more: object = {}) =>
  client.post('/mini/follow/create', {
    target_type: 'customer',
    target_id: customerId,
    method: 'call',
    content: '电话沟通报价',
    ...more,
  })
const aRecord = async (kind: string, values: object): Promise<string> =>
  (await demo.post(`/mini/${kind}/create`, { ...values })).data.id
async function writeQueued(content: string, waitedMs: number) {
  const answer = await server.app.inject({
    method: 'POST',
    url: '/mini/follow/create',
    headers: { authorization: demo.token, 'x-queued-ms': String(waitedMs) },
    payload: {
      target_type: 'customer',
      target_id: customerId,
      method: 'call',
      content,
      clientToken: `queued-follow-${waitedMs}`,
    },
  })
  return answer.json().data.record
}
interface Message {
  readonly title: string
  readonly content: string
  readonly link: { readonly query?: { readonly id?: string } } | null
}
const messages = async (client: Client): Promise<Message[]> =>
  (await client.post('/mini/message/list')).data.list
const nameOf = async (id: string): Promise<string> =>
  (await demo.get(`/mini/user/options?ids=${id}`)).data.list[0].label
const record = async (id = customerId) => (await demo.get(`/mini/customer/detail?id=${id}`)).data.record

describe('creating a follow-up', () => {
  it('makes its method the default of the next one; a logged call does not', async () => {
    customerId = await aCustomer()
    const habit = async () => (await demo.get('/mini/user/preference')).data.follow

    await write(demo, { method: 'wechat' })
    const first = await habit()
    await write(demo, { call: { phone: '13900001111', outcome: 'connected' } })

    expect(first).toEqual({ method: 'wechat' })
    expect(await habit()).toEqual({ method: 'wechat' })
  })

  it('updates summary, status, next date and recycling date', async () => {
    customerId = await aCustomer()
    const before = await record()

    const answer = await write(demo, {
      next_follow_at: '2026-03-18 09:30',
      images: [{ name: '门头.jpg', url: '/engine/web/file/1', size: 10, ext: 'jpg' }],
    })

    expect(answer.meta.message).toBe('')
    expect(answer.data.record).toMatchObject({
      author_name: '李明轩',
      late: false,
      actions: ['edit', 'delete', 'comment'],
    })
    expect(answer.data.record.images).toHaveLength(1)
    expect(before.follow_status).toBe('none')
    expect(await record()).toMatchObject({
      follow_status: 'followed',
      last_follow_content: '电话沟通报价',
      last_follow_at: '2026-03-16 10:00:00',
      next_follow_at: '2026-03-18 09:30:00',
      version: before.version,
      left_days: 15,
    })
  })

  it('keeps a later summary if an earlier visit is added afterwards, and marks the visit as late', async () => {
    customerId = await aCustomer()
    await write(demo, { content: '今天的电话' })

    const late = await write(demo, {
      content: '上周的拜访',
      method: 'visit',
      followed_at: '2026-03-10 15:00',
    })

    expect(late.data.record.late).toBe(true)
    expect(await record()).toMatchObject({ last_follow_content: '今天的电话' })
  })

  it('a detail says that the next date has passed, from the moment the home page counts it, until the next follow-up', async () => {
    const made = {
      customer: await aCustomer({ next_follow_at: '2026-03-16 10:30' }),
      lead: await aRecord('lead', {
        name: '逾期线索',
        mobile: '13900004411',
        source: 'website',
        next_follow_at: '2026-03-16 10:30',
      }),
    }
    const bussiness = await aRecord('bussiness', {
      name: '逾期商机',
      customer_id: made.customer,
      amount: 100,
      expected_date: '2026-06-30',
      next_follow_at: '2026-03-16 10:30',
    })
    const all = { ...made, bussiness }
    const late = () =>
      Promise.all(
        Object.entries(all).map(async ([kind, id]) => {
          const { record } = (await demo.get(`/mini/${kind}/detail?id=${id}`)).data
          return record[kind === 'bussiness' ? 'follow_overdue' : 'overdue']
        }),
      )

    expect(await late()).toEqual([false, false, false])
    server.clock.now += HOUR
    expect(await late()).toEqual([true, true, true])
    const told = []
    for (const [kind, id] of Object.entries(all)) {
      const { data } = await write(demo, {
        target_type: kind,
        target_id: id,
        next_follow_at: '2026-03-18 09:30',
      })
      told.push(data.target[kind === 'bussiness' ? 'follow_overdue' : 'overdue'])
    }
    const then = await late()
    server.clock.now -= HOUR
    expect(told).toEqual([false, false, false])
    expect(then).toEqual([false, false, false])
  })

  it('clears a next date that is due and keeps a future one if none is given', async () => {
    customerId = await aCustomer({ next_follow_at: '2026-03-16 10:30' })
    await write(demo)
    expect((await record()).next_follow_at).toBe('2026-03-16 10:30:00')

    server.clock.now += HOUR
    await write(demo)
    server.clock.now -= HOUR

    expect((await record()).next_follow_at).toBeNull()
  })

  it('changes stage and level in the same transaction, or not at all', async () => {
    customerId = await aCustomer({ level: 'B' })

    const good = await write(demo, { stage_change: { stage: 'intent', level: 'A' } })
    const bad = await write(demo, { content: '不应保存', stage_change: { stage: 'no_such_stage' } })

    expect(good.data.target).toMatchObject({ stage: 'intent', level: 'A' })
    expect(bad.meta.code).toBe(400)
    const list = await demo.post('/mini/follow/list', { targetType: 'customer', targetId: customerId })
    expect(list.data.list).toHaveLength(1)
  })

  it.each([
    [{ content: '一' }, 'content'],
    [{ content: '' }, 'content'],
    [{ content: '长'.repeat(2001) }, 'content'],
    [{ method: 'telepathy' }, 'method'],
    [{ followed_at: '2026-03-16 10:06:00' }, 'followed_at'],
    [{ followed_at: '2026-02-10 10:00' }, 'followed_at'],
    [{ next_follow_at: '2026-03-16 09:59' }, 'next_follow_at'],
    [{ contact_ids: ['somebody'] }, 'contact_ids'],
    [{ author_id: 'u-manager' }, 'author_id'],
    [{ images: Array.from({ length: 10 }, () => ({ name: 'x', url: '/x', size: 1, ext: 'png' })) }, 'images'],
  ])('refuses %j with a message at %s', async (fields, at) => {
    const answer = await write(demo, fields)

    expect(answer.meta.code).toBe(400)
    expect(answer.meta.error?.fields).toHaveProperty([at])
  })

  it('accepts dates up to five minutes ahead and thirty days back', async () => {
    const answers = [
      await write(demo, { followed_at: '2026-03-16 10:05:00' }),
      await write(demo, { followed_at: '2026-02-14 10:00:00' }),
    ]

    expect(answers.map((answer) => answer.meta.code)).toEqual([200, 200])
  })

  it('written offline is dated by its time of writing, whatever the phone’s clock shows', async () => {
    customerId = await aCustomer()
    const answer = await writeQueued('地下室里写的', 2 * HOUR)

    expect(answer.followed_at).toBe('2026-03-16 08:00:00')
  })

  it('written offline keeps its order, however long each call took', async () => {
    customerId = await aCustomer()
    await writeQueued('第一条', 60_000)
    await writeQueued('第二条', 62_000) // written a second later, three seconds faster on its way
    await writeQueued('昨天在别的手机上写的', 24 * HOUR)

    const { list } = (await demo.post('/mini/follow/list', { targetType: 'customer', targetId: customerId }))
      .data

    expect(list.map(({ content }: { content: string }) => content)).toEqual([
      '第二条',
      '第一条',
      '昨天在别的手机上写的',
    ])
  })

  it('returns the first result for the same token', async () => {
    customerId = await aCustomer()
    const answers = [
      await write(demo, { clientToken: 'outbox-0001' }),
      await write(demo, { clientToken: 'outbox-0001' }),
    ]

    expect(answers[1]?.data.id).toBe(answers[0]?.data.id)
    const list = await demo.post('/mini/follow/list', { targetType: 'customer', targetId: customerId })
    expect(list.data.list).toHaveLength(1)
  })

  it('is hidden from users who do not see the customer', async () => {
    const stranger = await server.as('zengke')
    const { id } = (await write(demo)).data

    const answers = [
      await stranger.get(`/mini/follow/detail?id=${id}`),
      await stranger.post('/mini/follow/list', { targetType: 'customer', targetId: customerId }),
      await stranger.get(`/mini/customer/timeline?id=${customerId}`),
      await write(stranger),
    ]

    expect(answers.map((answer) => answer.meta.code)).toEqual([404, 404, 404, 404])
    const feed = await stranger.post('/mini/follow/list', { tab: 'all', limit: 100 })
    expect(feed.data.list.map((row: { id: string }) => row.id)).not.toContain(id)
  })
})

describe('changing a follow-up', () => {
  it('is allowed to its author within 24 hours, afterwards only to a superior', async () => {
    customerId = await aCustomer()
    const { id } = (await write(demo)).data
    const colleague = await server.as('zhaolei')
    const change = (client: Client, content: string) => client.post('/mini/follow/update', { id, content })

    const first = await change(demo, '作者改过的内容')
    const stranger = await change(colleague, '同事不能改')
    server.clock.now += 24 * HOUR + 1000
    const late = await (await server.as('demo')).post('/mini/follow/update', { id, content: '太晚了' })
    const boss = await (await server.as('manager')).post('/mini/follow/update', { id, content: '经理改过' })
    server.clock.now -= 24 * HOUR + 1000

    expect(first.data.record.content).toBe('作者改过的内容')
    expect(stranger.meta.code).toBe(404)
    expect(late.meta).toMatchObject({ code: 405, message: '跟进记录只能由本人在 24 小时内修改或删除' })
    expect(boss.data.record.content).toBe('经理改过')
    expect((await record()).last_follow_content).toBe('经理改过')
  })

  it('is undone with its summary if its author undoes the deletion at once', async () => {
    customerId = await aCustomer()
    await write(demo, { content: '第一次联系', followed_at: '2026-03-15 10:00' })
    const { id } = (await write(demo, { content: '第二次联系' })).data
    await demo.post('/mini/follow/delete', { ids: [id] })

    const byBoss = await (await server.as('manager')).post('/mini/follow/restore', { ids: [id] })
    const back = await demo.post('/mini/follow/restore', { ids: [id] })
    const again = await demo.post('/mini/follow/restore', { ids: [id] })

    expect(byBoss.data.failed[0]).toMatchObject({ id, code: 404 })
    expect(back.data).toMatchObject({ ok: [id], failed: [] })
    expect(again.data.failed[0]).toMatchObject({ code: 404 })
    expect((await record()).last_follow_content).toBe('第二次联系')
    expect((await demo.get(`/mini/follow/detail?id=${id}`)).data.record.content).toBe('第二次联系')
  })

  it('shows the previous follow-up if the last one is deleted', async () => {
    customerId = await aCustomer()
    await write(demo, { content: '第一次联系', followed_at: '2026-03-15 10:00' })
    const { id } = (await write(demo, { content: '第二次联系' })).data

    await demo.post('/mini/follow/delete', { ids: [id] })

    expect(await record()).toMatchObject({
      last_follow_content: '第一次联系',
      last_follow_at: '2026-03-15 10:00:00',
    })
    const timeline = await demo.get(`/mini/customer/timeline?id=${customerId}`)
    expect(
      timeline.data.list.map((row: { kind: string; content: string }) => [row.kind, row.content]),
    ).toEqual([
      ['owner', ''],
      ['follow', '第一次联系'],
    ])
  })

  it('accepts comments from users who see it and may comment, and counts them', async () => {
    const { id } = (await write(demo)).data

    const byReader = await (await server.as('finance')).post('/mini/follow/comment', { id, content: '看看' })
    await manager.post('/mini/follow/comment', { id, content: '继续跟进' })

    expect(byReader.meta.code).toBe(405)
    const { data } = await demo.get(`/mini/follow/detail?id=${id}`)
    expect(data.comments).toMatchObject([{ content: '继续跟进', author_name: '周晓燕' }])
    expect(data.record.comment_count).toBe(1)
    expect(await messages(demo)).toContainEqual(
      expect.objectContaining({ title: '周晓燕点评了你的跟进', content: '继续跟进' }),
    )
  })

  it('accepts a reply to a comment on the same follow-up, and no other', async () => {
    const [{ id }, other] = [(await write(demo)).data, (await write(demo)).data]
    const first = (await manager.post('/mini/follow/comment', { id, content: '继续跟进' })).data.id
    const strange = (await manager.post('/mini/follow/comment', { id: other.id, content: '在别处' })).data.id

    for (const replyToId of [id, strange, 'nobody']) {
      const refused = await manager.post('/mini/follow/comment', { id, content: '好', replyToId })
      expect(refused.meta, replyToId).toMatchObject({ code: 400, error: { type: 'VALIDATION' } })
    }
    const taken = await demo.post('/mini/follow/comment', { id, content: '好', replyToId: first })
    expect(taken.meta.code).toBe(200)
    const { data } = await demo.get(`/mini/follow/detail?id=${id}`)
    expect(data.comments).toMatchObject([
      { id: first, reply_to_name: null },
      { author_name: '李明轩', reply_to_id: first, reply_to_name: '周晓燕' },
    ])
    const told = (await messages(manager)).filter(({ title }) => title === '李明轩回复了你的点评')
    expect(told).toMatchObject([{ content: '好' }])
  })

  it('notifies the mentioned colleagues, and those that its comments mention, each once and never the author', async () => {
    const director = await server.as('director')
    const { id } = (await write(demo, { content: '请周经理看看报价', mention_ids: ['u-manager', 'u-demo'] }))
      .data
    await manager.post('/mini/follow/comment', {
      id,
      content: '总监也看看',
      mentionIds: ['u-director', 'u-demo'],
    })

    const told = async (client: Client) =>
      (await messages(client))
        .filter(({ title }: { title: string }) => title.includes('在跟进中提到了你'))
        .map(({ content }: { content: string }) => content)
    expect(await told(manager)).toEqual(['请周经理看看报价'])
    expect(await told(director)).toEqual(['总监也看看'])
    expect(await told(demo)).toEqual([])
  })

  it('is refused while it mentions a colleague who may not see its record, who gets no message of it', async () => {
    const stranger = await server.as('zengke')
    const target_id = await aCustomer()
    const mention = { target_id, content: '报价 88 万，请看看', mention_ids: ['u-manager', 'u-zengke'] }

    const refused = await write(demo, mention)

    expect(refused.meta).toMatchObject({
      code: 400,
      error: {
        type: 'VALIDATION',
        fields: { mention_ids: `${await nameOf('u-zengke')}无权查看这条记录，不能提醒，请移除` },
      },
    })
    const { id } = (await write(demo, { target_id, content: '报价已发给客户' })).data
    const comment = { id, content: '报价 88 万，同意', mentionIds: ['u-zengke'] }
    expect((await manager.post('/mini/follow/comment', comment)).meta.error?.fields).toEqual(
      refused.meta.error?.fields,
    )
    expect((await manager.get(`/mini/follow/detail?id=${id}`)).data.comments).toEqual([])
    expect((await messages(stranger)).filter(({ content }) => content.includes('88 万'))).toEqual([])
    expect((await messages(manager)).filter(({ content }) => content.includes('88 万'))).toEqual([])

    const team = { id: target_id, members: [{ userId: 'u-zengke', level: 'read' }] }
    expect((await demo.post('/mini/customer/team/save', team)).meta.code).toBe(200)
    expect((await write(demo, mention)).meta.code).toBe(200)
    expect((await messages(stranger)).filter(({ content }) => content.includes('88 万'))).toHaveLength(1)
  })

  it('tells its author nothing more once they may not see its record', async () => {
    const author = await server.as('zengke')
    const target_id = await aCustomer()
    const members = [{ userId: 'u-zengke', level: 'write' }]
    await demo.post('/mini/customer/team/save', { id: target_id, members })
    const { id } = (await write(author, { target_id, content: '我去拜访过了' })).data
    const comment = (content: string) => manager.post('/mini/follow/comment', { id, content })
    await comment('辛苦，报价 66 万')
    await demo.post('/mini/customer/team/remove', { id: target_id, userIds: ['u-zengke'] })
    const codes = [await comment('改报 77 万'), await manager.post('/mini/follow/like', { id, on: true })]

    expect(codes.map(({ meta }) => meta.code)).toEqual([200, 200])
    const told = (await messages(author)).filter(({ link }) => link?.query?.id === id)
    expect(told.map(({ content }) => content)).toEqual(['辛苦，报价 66 万'])
  })

  it('can be liked once by each user who sees it; its author is notified once, never of their own like', async () => {
    const { id } = (await write(demo, { content: '谈成了第一期' })).data
    const like = (client: Client, on?: boolean) => client.post('/mini/follow/like', { id, on })
    const likes = async (client: Client) => {
      const { like_count, liked } = (await client.get(`/mini/follow/detail?id=${id}`)).data.record
      return [like_count, liked]
    }
    const told = async () => (await messages(demo)).filter(({ title }) => title === '周晓燕赞了你的跟进')

    const taps = await Promise.all([like(manager, true), like(manager, true), like(demo)])

    expect(taps.map(({ meta }) => meta.code)).toEqual([200, 200, 200])
    expect(await likes(manager)).toEqual([2, true])
    expect(await told()).toMatchObject([{ content: '谈成了第一期', link: { query: { id } } }])
    expect((await messages(demo)).filter(({ title }) => title.includes('李明轩'))).toEqual([])
    expect((await like(manager)).data).toEqual({ id, like_count: 1, liked: false })
    await like(manager)
    expect(await told()).toHaveLength(1)
    await like(demo, false)
    expect(await likes(demo)).toEqual([1, false])
    const row = (await manager.get(`/mini/customer/timeline?id=${customerId}`)).data.list[0]
    expect(row).toMatchObject({ follow_id: id, like_count: 1, liked: true })
    const listed = await demo.post('/mini/follow/list', { targetType: 'customer', targetId: customerId })
    expect(listed.data.list[0]).toMatchObject({ id, like_count: 1, liked: false })
    const stranger = await server.as('zengke')
    expect((await stranger.post('/mini/follow/like', { id })).meta.code).toBe(404)
  })
})

describe('a call', () => {
  const phone = '13900001234'
  const start = (client: Client, more: object = {}) =>
    client.post('/mini/follow/call-start', { targetType: 'customer', targetId: customerId, phone, ...more })
  const log = (call: object) => write(demo, { content: '电话里说好了', call: { phone, ...call } })
  /** Calls and logged calls, as counted by the weekly report. */
  const report = async () => {
    const { text } = (await demo.get('/mini/stats/report?period=week')).data as { text: string }
    const [, calls, logged] = /拨打电话：(\d+)（已写跟进 (\d+)）/.exec(text) ?? []
    return [Number(calls ?? 0), Number(logged ?? 0)] as const
  }

  it('is counted when it starts, and as logged by the follow-up that names it or comes next', async () => {
    customerId = await aCustomer({ contacts: [{ name: '钱多多', mobile: phone }] })
    const { primary_contact_id: contactId } = await record()
    const [calls, logged] = await report()

    const [first, second] = [await start(demo, { contactId }), await start(demo)]
    expect(await report()).toEqual([calls + 2, logged])
    await log({ callId: first.data.callId })
    await log({ callId: first.data.callId })
    expect(await report()).toEqual([calls + 2, logged + 1])
    await log({ callId: '' })
    expect(await report()).toEqual([calls + 2, logged + 2])
    await log({ callId: '' })
    expect(await report()).toEqual([calls + 3, logged + 3])
    expect(second.data.callId).not.toBe(first.data.callId)
    const rank = await manager.post('/mini/stats/rank', { metric: 'call_count', period: 'this_week' })
    expect(rank.data.rows).toMatchObject([{ id: 'u-demo', value: calls + 3 }])
  })

  it('requires a record that the caller sees, one of its contacts and a number', async () => {
    const stranger = await server.as('zengke')
    expect((await start(stranger)).meta.code).toBe(404)
    expect((await start(demo, { contactId: 'nobody' })).meta.code).toBe(400)
    expect((await start(demo, { phone: '138****1234' })).meta.error?.fields).toHaveProperty('phone')
    expect((await start(demo, { targetType: 'pool' })).meta.code).toBe(400)
  })
})

describe('the timeline', () => {
  it('shows each entry once, page by page, newest first', async () => {
    customerId = await aCustomer()
    for (let i = 0; i < 45; i++) await write(demo, { content: `第${i}次跟进` })

    const seen: { id: string; at: string }[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const url = `/mini/customer/timeline?id=${customerId}&types=follow&cursor=${encodeURIComponent(cursor)}`
      const { data } = await demo.get(cursor === '' ? url.replace('&cursor=', '') : url)
      seen.push(...data.list)
      cursor = data.nextCursor
    }

    expect(new Set(seen.map((row) => row.id)).size).toBe(45)
    expect(seen).toHaveLength(45)
  })
})

describe('the files of a record', () => {
  const file = (name: string, size: number, ext: string) => ({ name, url: '/engine/web/file/1', size, ext })
  const filesOf = (client: Client) => client.get(`/mini/customer/attachment/list?id=${customerId}`)

  it('are its own and those of its follow-ups, newest first, for users who see it', async () => {
    customerId = await aCustomer({ attachments: [file('营业执照.pdf', 2_621_440, 'pdf')] })
    server.clock.now += HOUR
    await write(demo, { images: [file('门头.jpg', 900, 'jpg')] })

    const { list } = (await filesOf(demo)).data

    expect(list).toMatchObject([
      {
        name: '门头.jpg',
        is_image: true,
        size_text: '1 KB',
        user_name: '李明轩',
        follow_id: expect.any(String),
      },
      { name: '营业执照.pdf', is_image: false, size_text: '2.5 MB', follow_id: null },
    ])
    expect(new Set(list.map(({ id }: { id: string }) => id)).size).toBe(2)
  })

  it('are hidden in a pool, and are not found by other users', async () => {
    customerId = await aCustomer({ attachments: [file('合同.pdf', 10, 'pdf')] })
    const stranger = await filesOf(await server.as('zengke'))
    await demo.post('/mini/customer/release', { ids: [customerId], reason: 'no_need' })

    const inPool = await filesOf(manager)

    expect([stranger.meta.code, inPool.meta.code]).toEqual([404, 200])
    expect(inPool.data.list).toEqual([])
  })
})

describe('a visit', () => {
  const at = { lng: 113.93, lat: 22.53 }
  const visit = (id: string, more: object) =>
    write(demo, { target_id: id, method: 'visit', content: '上门演示', ...more })
  const visits = async (query = '', by: Client = demo) => (await by.get(`/mini/follow/visits?${query}`)).data

  it('has its position and the distance to the customer, whatever the client sends about them', async () => {
    const id = await aCustomer(at)
    const there = await visit(id, {
      location: { lng: 113.93, lat: 22.539, accuracy: 20, address: '三号楼', distance: 1 },
    })
    const far = await visit(id, { location: { lng: 114.05, lat: 22.53 } })
    const unknown = await visit(await aCustomer(), { location: at })
    const byHand = await visit(id, { location: { lng: null, lat: null, address: ' 科技园 3 栋 ' } })
    const nowhere = await visit(id, { location: { lng: null, lat: null, address: '' } })

    expect(there.data.record.location).toMatchObject({ lng: 113.93, address: '三号楼', distance: 1001 })
    expect(there.data.record.place_text).toBe('三号楼 · 距客户 1 公里')
    expect(far.data.record.place_text).toMatch(/^已定位 · 距客户 12\.\d 公里$/)
    expect(unknown.data.record.place_text).toBe('已定位')
    expect(byHand.data.record.location).toEqual({ address: '科技园 3 栋' })
    expect(byHand.data.record.place_text).toBe('科技园 3 栋（手动填写）')
    expect(nowhere.data.record.location).toBeNull()
  })

  it('is a stop of its day: in order, each with the distance from the previous one, for users who see its record', async () => {
    const now = server.clock.now
    server.clock.now = now + 3 * 24 * HOUR
    demo = await server.as('demo')
    const [near, next, none] = [
      await aCustomer({ ...at, address: '深南大道 1 号' }),
      await aCustomer({ lng: 113.93, lat: 22.548 }),
      await aCustomer(),
    ]
    await visit(near, { content: '第一站' })
    await write(demo, { target_id: near, method: 'call' })
    await visit(near, { location: at })
    await visit(none, { content: '没有位置' })
    await visit(await aCustomer({ lng: 116.4, lat: 39.9 }), { location: { address: '深圳北站' } })
    await visit(next, { location: { lng: 113.93, lat: 22.548 } })
    await visit(next, { location: { lng: 113.93, lat: 22.557 } })

    const day = await visits()
    const seen = await visits('userId=u-demo', await server.as('manager'))
    const hide = (rights: object) =>
      server.database.system((trx) =>
        sql`update role set field_rights = ${JSON.stringify(rights)}::jsonb
          where tenant_id = 'xinghai' and code = 'sales_manager'`.execute(trx),
      )
    await hide({ follow: { location: 'hidden' }, customer: { lng: 'hidden' } })
    const withoutPlaces = await visits('userId=u-demo', await server.as('manager'))
    await hide({})
    const strange = await visits('userId=u-demo', await server.as('zhaolei'))
    const before = await visits(`day=${new Date(now).toISOString().slice(0, 10)}`)
    const odd = await demo.get('/mini/follow/visits?day=2026-13-01')
    server.clock.now = now
    demo = await server.as('demo')

    expect(day.list.map((one: { leg_text: string; no: number }) => [one.no, one.leg_text])).toEqual([
      [1, '未定位'],
      [2, ''],
      [3, '未定位'],
      [4, '未定位'],
      [5, '距上一个有定位的站 2 公里'],
      [6, '距上一站 1 公里'],
    ])
    expect(day).toMatchObject({ count: 6, way_text: '3 公里' })
    expect(day.list[3]).toMatchObject({ lng: 116.4, place_text: '深圳北站（手动填写）' })
    expect(day.list[0]).toMatchObject({ ...at, customer_address: '深南大道 1 号', place_text: '' })
    expect(seen.count).toBe(6)
    expect(withoutPlaces).toMatchObject({ count: 6, way_text: '' })
    for (const stop of withoutPlaces.list) expect(stop).toMatchObject({ lng: null, lat: null, leg_text: '' })
    expect(strange).toMatchObject({ count: 0, way_text: '' })
    expect(before.list.map((one: { content: string }) => one.content)).not.toContain('第一站')
    expect(odd.meta.code).toBe(400)
  })
})
