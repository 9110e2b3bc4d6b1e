import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import type { SyncChanges } from '../../../src/contract/sync.ts'
import { deleteExpired } from '../../../src/server/flows/jobs/expired-rows.ts'
import { type Answer, type Client, openTestApp, type TestApp } from '../support.ts'
import { type Copy, copyOf, idsInList } from './support.ts'

let server: TestApp
let demo: Client
let zhaolei: Client
let manager: Client
beforeAll(async () => {
  server = await openTestApp()
  demo = await server.as('demo')
  zhaolei = await server.as('zhaolei')
  manager = await server.as('manager')
})
afterAll(() => server.close())

const asSystem = (statement: ReturnType<typeof sql>) =>
  server.database.system((trx) => statement.execute(trx))
const DAY_MS = 86_400_000

async function made(client: Client, path: string, body: JsonObject): Promise<string> {
  const answer = await client.post(`/mini/${path}/create`, body)
  if (answer.meta.code !== 200) throw new Error(answer.body)
  return answer.data.id
}

let days = 0
/** A customer with a contact, an opportunity and a follow-up; a lead; a to-do. */
async function aDay(client: Client, name: string) {
  const number = (i: number) => `139${String(++days * 10 + i).padStart(4, '0')}1111`
  const customer = await made(client, 'customer', {
    name,
    mobile: number(1),
    contacts: [{ name: `${name}联系人`, mobile: number(2) }],
  })
  const deal = { customer_id: customer, amount: 5, expected_date: '2026-05-01' }
  const bussiness = await made(client, 'bussiness', deal)
  const follow = await followed(client, 'customer', customer, '谈了报价')
  const lead = await made(client, 'lead', { name: `${name}线索`, mobile: number(3), source: 'website' })
  const todo = await made(client, 'todo', { title: `${name}待办`, due_at: '2026-03-20' })
  return { customer, bussiness, follow, lead, todo }
}

const followed = (client: Client, type: string, id: string, content: string) =>
  made(client, 'follow', { target_type: type, target_id: id, method: 'call', content })

/** The result of the last pull of a copy. */
function toldOf(answers: readonly SyncChanges[]) {
  const keys = (of: 'changed' | 'deleted') =>
    answers.flatMap((answer) => answer[of].map(({ entity, id }) => `${entity}/${id}`)).sort()
  return { changed: keys('changed'), deleted: keys('deleted'), reset: answers[0]?.reset }
}
const pulled = async (copy: Copy) => toldOf(await copy.pull())
const NOTHING = { changed: [], deleted: [], reset: false }

describe('changes', () => {
  it('are complete at first, with the contents of list and detail, and then contain what changed', async () => {
    const mine = await aDay(demo, '同步客户')
    const copy = copyOf(demo)
    const [first] = await copy.pull()

    expect(first?.reset).toBe(true)
    for (const [entity, id] of Object.entries(mine)) {
      const { data } = await demo.get(`/mini/${entity}/detail?id=${id}`)
      expect(data.record).toMatchObject(copy.records.get(`${entity}/${id}`) ?? { missing: entity })
    }
    for (const entity of ['customer', 'contact', 'lead', 'bussiness', 'follow'])
      expect([...copy.records.keys()].filter((key) => key.startsWith(`${entity}/`)).sort()).toEqual(
        (await idsInList(demo, `/mini/${entity}/list`)).map((id) => `${entity}/${id}`),
      )
    expect(await pulled(copy)).toEqual(NOTHING)

    const { version } = (await demo.get(`/mini/customer/detail?id=${mine.customer}`)).data.record
    await demo.post('/mini/customer/update', { id: mine.customer, version, remark: '改过' })
    expect(await pulled(copy)).toEqual({ ...NOTHING, changed: [`customer/${mine.customer}`] })
    expect(copy.records.get(`customer/${mine.customer}`)?.remark).toBe('改过')
  })

  it('include deletions, restored records, and records that moved to another user, with everything below them', async () => {
    const mine = await aDay(demo, '移交客户')
    const copy = copyOf(demo)
    const other = copyOf(zhaolei)
    await copy.pull()
    await other.pull()
    const before = [...copy.records.keys()]

    await manager.post('/mini/lead/delete', { ids: [mine.lead] })
    expect(await pulled(copy)).toEqual({ ...NOTHING, deleted: [`lead/${mine.lead}`] })
    expect(await pulled(other)).toEqual(NOTHING)
    await manager.post('/mini/lead/restore', { ids: [mine.lead] })
    expect(await pulled(copy)).toEqual({ ...NOTHING, changed: [`lead/${mine.lead}`] })

    const moved = await manager.post('/mini/customer/transfer', {
      ids: [mine.customer],
      toUserId: 'u-zhaolei',
      withBussiness: true,
    })
    expect(moved.data.ok).toEqual([mine.customer])
    const gone = await pulled(copy)
    const come = await pulled(other)
    expect(gone.deleted).toContain(`customer/${mine.customer}`)
    expect(gone.deleted).toContain(`follow/${mine.follow}`)
    expect(come.changed).toEqual(
      expect.arrayContaining(gone.deleted.filter((key) => !key.startsWith('todo/'))),
    )
    expect(come.deleted).toEqual([])
    expect(gone.deleted.length).toBeGreaterThan(2)
    expect([...copy.records.keys()].length).toBe(before.length - gone.deleted.length)
  })

  it('never contain records in a pool, nor numbers in their texts', async () => {
    const mine = await aDay(demo, '公海客户')
    const number = '13811112222'
    const onBoth = await followed(demo, 'bussiness', mine.bussiness, `对方留了 ${number}`)
    const copy = copyOf(demo)
    await copy.pull()
    expect(JSON.stringify([...copy.records.values()])).toContain(number)

    const plain = await made(demo, 'customer', { name: '公海普通客户', mobile: '13900008888' })
    const noted = await followed(demo, 'customer', plain, '普通跟进')
    await copy.pull()
    const release = (id: string) => demo.post('/mini/customer/release', { ids: [id], reason: 'other' })
    expect((await release(plain)).data.ok).toEqual([plain])
    expect(await pulled(copy)).toEqual({ ...NOTHING, deleted: [`customer/${plain}`, `follow/${noted}`] })
    // Pool members still see both, masked: in the pool's list, not here.
    expect((await demo.get(`/mini/customer/detail?id=${plain}`)).data.record.mobile).toBe('139****8888')

    // The opportunity stays, and so does its follow-up; its content is masked as in the list.
    expect((await release(mine.customer)).data.ok).toEqual([mine.customer])
    for (const held of [copy, copyOf(demo)]) {
      await held.pull()
      expect(held.records.has(`bussiness/${mine.bussiness}`)).toBe(true)
      expect(held.records.get(`follow/${onBoth}`)?.content).toBe('对方留了 138****2222')
      const pooled = [...held.records].filter(([, record]) => record.customer_id === mine.customer)
      expect(pooled.map(([key]) => key).sort()).toEqual(
        [`bussiness/${mine.bussiness}`, `follow/${onBoth}`].sort(),
      )
      expect(held.records.has(`customer/${mine.customer}`)).toBe(false)
    }
  })

  it('come in pages of 500, even if one transaction changed more', async () => {
    const [first] = [
      await made(zhaolei, 'lead', { name: '很多线索', mobile: '13900004444', source: 'website' }),
    ]
    await asSystem(sql`insert into lead select (jsonb_populate_record(l, jsonb_build_object('id', 'many-' || n))).*
      from lead l cross join generate_series(1, 719) n where l.id = ${first}`)
    const copy = copyOf(zhaolei, ['lead'])
    const pages = await copy.pull()
    expect(pages.map(({ changed, hasMore, reset }) => [changed.length, hasMore, reset])).toEqual([
      [500, true, true],
      [220, false, false],
    ])

    await asSystem(sql`update lead set remark = '一次全改' where id like 'many-%'`)
    const round = await copy.pull()
    expect(round.map(({ changed, hasMore }) => [changed.length, hasMore])).toEqual([
      [500, true],
      [219, false],
    ])
    expect(new Set(round.flatMap(({ changed }) => changed.map(({ id }) => id))).size).toBe(719)
    await asSystem(sql`delete from lead where id like 'many-%'`)
    expect((await pulled(copy)).deleted).toHaveLength(719)
  })

  it('start again if the caller’s visibility changes: shared, expired, masked', async () => {
    const theirs = await aDay(zhaolei, '共享客户')
    const copy = copyOf(demo)
    await copy.pull()
    expect(copy.records.has(`customer/${theirs.customer}`)).toBe(false)

    const members = [{ userId: 'u-demo', level: 'read' }]
    expect((await zhaolei.post('/mini/customer/team/save', { id: theirs.customer, members })).meta.code).toBe(
      200,
    )
    expect((await pulled(copy)).reset).toBe(true)
    expect(copy.records.has(`follow/${theirs.follow}`)).toBe(true)
    await followed(zhaolei, 'customer', theirs.customer, '又谈了一次')
    const shared = await pulled(copy)
    expect([shared.reset, shared.changed.length]).toEqual([false, 2])

    await asSystem(
      sql`update collaborator set expire_at = now() - interval '1 second' where record_id = ${theirs.customer}`,
    )
    expect((await pulled(copy)).reset).toBe(true)
    expect(copy.records.has(`customer/${theirs.customer}`)).toBe(false)

    const mine = await aDay(demo, '字段权限客户')
    await copy.pull()
    await asSystem(sql`update role set field_rights = '{"customer":{"mobile":"masked","remark":"hidden"}}'
      where tenant_id = 'xinghai' and code = 'sales'`)
    const [again] = await server
      .as('demo')
      .then((client) => client.post('/mini/sync/changes', { entities: ['customer'] }))
      .then(({ data }) => [data as SyncChanges])
    const record = again?.changed.find(({ id }) => id === mine.customer)?.record
    expect(record?.mobile).toBe('139****1111')
    expect(record).not.toHaveProperty('remark')
    expect(again?.changed.every(({ record: it }) => !('remark' in it))).toBe(true)
    await asSystem(sql`update role set field_rights = '{}' where tenant_id = 'xinghai' and code = 'sales'`)
  })

  it('include to-dos and pending approvals', async () => {
    const customer = await made(demo, 'customer', { name: '审批客户' })
    const deal = { name: '合同', customer_id: customer, type: 'direct', amount: 500, sign_date: '2026-03-12' }
    const contract = await made(demo, 'contract', deal)
    const copy = copyOf(manager, ['todo'])
    await copy.pull()

    await demo.post('/mini/contract/submit', { id: contract })
    const approval = (await demo.get(`/mini/contract/detail?id=${contract}`)).data.approval_id
    expect(await pulled(copy)).toEqual({ ...NOTHING, changed: [`todo/approval:${approval}`] })
    await manager.post('/mini/approval/act', { id: approval, action: 'approve' })
    expect((await pulled(copy)).deleted).toEqual([`todo/approval:${approval}`])
  })

  it('are refused for an invalid cursor or one of another user, and without the right to see them', async () => {
    const next = async (client: Client) => (await client.post('/mini/sync/changes')).data.next
    const theirs = await next(zhaolei)
    const foreign = await next(await server.as('yfadmin'))
    const own = await next(demo)
    for (const since of [theirs, foreign, `${own}x`, 'x'])
      expect((await demo.post('/mini/sync/changes', { since })).meta.code).toBe(400)
    expect((await demo.post('/mini/sync/changes', { since: own })).data.reset).toBe(false)
    const service = await server.as('songqing')
    expect((await service.post('/mini/sync/changes', { entities: ['bussiness'] })).meta.code).toBe(405)
    expect((await demo.post('/mini/sync/changes', { entities: ['payment'] })).meta.code).toBe(400)
  })

  it('start again after the time for which changes are kept', async () => {
    const { next } = (await demo.post('/mini/sync/changes')).data
    const ask = async (client: Client) =>
      (await client.post('/mini/sync/changes', { since: next })).data.reset
    const at = server.clock.now
    server.clock.now = at + 12 * DAY_MS
    expect(await ask(await server.as('demo'))).toBe(false)
    server.clock.now = at + 14 * DAY_MS
    expect(await ask(await server.as('demo'))).toBe(true)
    server.clock.now = at
    const kept = async (now: number) => {
      await deleteExpired(server.database, server.config.keeping, now)
      return (await asSystem(sql`select 1 from sync_change where tenant_id = 'xinghai'`)).rows.length
    }
    // Rows of `sync_change` have the database's own time.
    expect(await kept(Date.now() + 13 * DAY_MS)).toBeGreaterThan(0)
    expect(await kept(Date.now() + 15 * DAY_MS)).toBe(0)
  })
})

describe('the outbox', () => {
  let count = 0
  const op = (path: string, body: JsonObject, more: JsonObject = {}) => ({
    clientToken: `outbox-op-${++count}`,
    path: `/mini/${path}`,
    body,
    ...more,
  })
  const send = (client: Client, ops: readonly object[], more: JsonObject = {}) =>
    client.post('/mini/sync/outbox', { ops: ops as never, ...more })
  const codes = (answer: Answer) => answer.data.results.map(({ meta }: Answer) => meta.code)
  const named = async (name: string) =>
    (await demo.post('/mini/customer/list', { keyword: name })).data.list.length

  it('writes in order, resolves temporary ids, and answers a repetition with the same result', async () => {
    const written = '2026-03-16 09:00:00'
    const follow = { target_type: 'customer', target_id: 'tmp:c', method: 'call', content: '路上写的' }
    const ops = [
      op('customer/create', { name: '离线客户' }, { tempId: 'tmp:c' }),
      op(
        'contact/create',
        { customer_id: 'tmp:c', name: '离线联系人', mobile: '13900005555' },
        { tempId: 'tmp:k' },
      ),
      op('follow/create', { ...follow, contact_ids: ['tmp:k'] }, { at: written }),
      op('todo/create', { title: '回访', due_at: '2026-03-20', target_type: 'customer', target_id: 'tmp:c' }),
    ]
    // The answer to the first two is lost, so all of them are sent.
    await send(demo, ops.slice(0, 2))
    const first = await send(demo, ops, { sentAt: '2026-03-16 09:40:00' })
    const again = await send(demo, ops, { sentAt: '2026-03-16 09:50:00' })

    expect(codes(first)).toEqual([200, 200, 200, 200])
    expect(again.data).toEqual(first.data)
    expect(await named('离线客户')).toBe(1)
    const [customer, contact, told] = first.data.results
    expect(first.data.ids).toEqual({ 'tmp:c': customer.data.id, 'tmp:k': contact.data.id })
    expect(told.data.record.customer_id).toBe(customer.data.id)
    // Forty minutes ago by the phone's clock, which is an hour slow: 10:00 here.
    expect(told.data.record.followed_at).toBe('2026-03-16 09:20:00')
    const { data } = await demo.get(`/mini/customer/timeline?id=${customer.data.id}&types=follow`)
    expect(data.list).toHaveLength(1)
  })

  it('skips writes that depend on a failed one, and executes the others', async () => {
    const id = await made(demo, 'customer', { name: '链条客户' })
    const answer = await send(demo, [
      op('customer/create', { name: '' }, { tempId: 'tmp:none' }),
      op(
        'contact/create',
        { customer_id: 'tmp:none', name: '某人', mobile: '13900005555' },
        { tempId: 'tmp:k' },
      ),
      op('contact/update', { id: 'tmp:k', version: 1, position: '经理' }),
      op('customer/update', { id, version: 99, remark: '旧的' }),
      op('customer/patch', { ids: [id], level: 'A' }),
      op('customer/star', { ids: ['nobody'] }),
      op('customer/patch', { ids: ['nobody'], level: 'A' }),
      op('lead/create', { name: '不相干', mobile: '13900006666', source: 'website' }),
    ])
    expect(codes(answer)).toEqual([400, 409, 409, 409, 409, 200, 409, 200])
    const types = answer.data.results.map(({ meta }: Answer) => meta.error?.type ?? '')
    expect(types).toEqual([
      'VALIDATION',
      'PARENT_FAILED',
      'PARENT_FAILED',
      'VERSION_CONFLICT',
      'PARENT_FAILED',
      '',
      'PARENT_FAILED',
      '',
    ])
    expect(answer.data.results[1].meta.message).toBe('前面相关的操作没有成功，这一条没有执行')
    expect((await demo.get(`/mini/customer/detail?id=${id}`)).data.record).toMatchObject({
      level: 'C',
      version: 1,
    })
  })

  it('accepts only writes that may be late, at most fifty', async () => {
    const paths = [
      'sync/outbox',
      'sync/changes',
      'customer/list',
      'login/logout',
      'pool/customer/claim',
      'approval/act',
    ]
    const answer = await send(demo, [
      ...paths.map((path) => op(path, { ops: [] })),
      op('../engine/web/user/save', {}),
      op('customer/create?x=1', { name: '绕路客户' }),
    ])
    expect(new Set(codes(answer))).toEqual(new Set([400]))
    expect(answer.data.results[0].meta.message).toBe('这个操作不能离线提交，请联网后办理')
    expect(await named('绕路客户')).toBe(0)

    const many = Array.from({ length: 51 }, () => op('todo/create', {}))
    expect((await send(demo, many)).meta.error?.type).toBe('BATCH_TOO_LARGE')
    const same = [op('todo/create', {}, { tempId: 'tmp:a' }), op('todo/create', {}, { tempId: 'tmp:a' })]
    expect((await send(demo, same)).meta.code).toBe(400)
    expect((await send(demo, [op('todo/create', {}, { tempId: 'a' })])).meta.code).toBe(400)
  })

  it('stops if the session ends', async () => {
    const admin = await server.as('admin')
    const leaver = await server.as('shanyu')
    const ops = Array.from({ length: 49 }, (_, i) =>
      op('todo/create', { title: `离职前 ${i}`, due_at: '2026-03-20' }),
    )
    // The last one would be refused on its own.
    const sending = send(leaver, [...ops, op('customer/list', {})])
    const stored = async () => {
      const { rows } = await asSystem(
        sql`select 1 from todo where assignee_id = 'u-shanyu' and title like '离职前%'`,
      )
      return rows.length
    }
    await expect.poll(stored, { interval: 1 }).toBeGreaterThan(0)
    expect((await admin.post('/engine/web/user/status', { id: 'u-shanyu', enabled: false })).meta.code).toBe(
      200,
    )

    const answered = codes(await sending)
    const done = answered.indexOf(403)
    expect(done).toBeGreaterThan(0)
    expect(answered.slice(done).every((code: number) => code === 403)).toBe(true)
    expect(await stored()).toBe(done)
  })
})
