import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import type { Client } from '../support.ts'
import { mirrorFaults } from './mirror-faults.ts'
import { aModule, openOwnTenant } from './own-tenant.ts'

const POOLED = aModule({
  behaviours: ['owned', 'follow', 'recycle', 'pool', 'team', 'star'],
  fields: [
    { name: 'phone', kind: 'phone', label: '电话', mask: 'pool', filter: true, search: true },
    { name: 'note', kind: 'text', label: '备注', mask: 'pool', filter: true, sort: true, search: true },
    { name: 'floor', kind: 'integer', label: '楼层', filter: true, sort: true },
  ],
})
const { server, admin, demo, give, make, save } = await openOwnTenant([
  POOLED,
  aModule({ name: 'plain', label: '便签' }),
])
const RIGHTS = ['view', 'add', 'edit', 'del', 'pool', 'claim', 'release'].map((one) => `m.ticket:${one}`)
let people: readonly JsonObject[] = []
let zengke: Client
let manager: Client
let pool = ''
beforeAll(async () => {
  people = (await admin.post('/engine/web/user/list', {})).data.list
  await give('sales', 'ticket', { permissions: RIGHTS })
  await give('sales_manager', 'ticket', { permissions: ['m.ticket:view', 'm.ticket:edit'] })
  zengke = await server.as('zengke')
  manager = await server.as('manager')
  pool = (await demo.get('/mini/pool/list?entity=m/ticket')).data.list[0].id
})
afterAll(() => server.close())

const idOf = (account: string): string => String(people.find((one) => one.account === account)?.id)
const titles = ({ data }: { data: JsonObject }) =>
  (data.list as readonly JsonObject[]).map(({ title }) => title)
const inPool = (client: Client, body: JsonObject = {}) => client.post('/mini/m/ticket/pool/list', body)
const REASON = { reason: 'other' }
const release = (client: Client, id: string) =>
  client.post('/mini/m/ticket/release', { ids: [id], ...REASON })
const claim = (client: Client, id: string, more: JsonObject = {}) =>
  client.post('/mini/m/ticket/pool/claim', { poolId: pool, ids: [id], ...more })
/** Entries of the index of custom fields that differ from its records. */
const faultsOf = async (name: string) =>
  mirrorFaults(
    server.database,
    'xinghai',
    (await admin.get(`/engine/web/module/detail?name=${name}`)).data.description,
  )
async function lying(title: string, more: JsonObject = {}): Promise<string> {
  const id = await make(demo, 'ticket', { title, ...more })
  expect((await release(demo, id)).data.ok).toEqual([id])
  return id
}

describe('a pool of an own module', () => {
  it('is created with the first save that enables it, for all users who may see it', async () => {
    const mine = await demo.get('/mini/pool/list?entity=m/ticket')
    const theirs = await manager.get('/mini/pool/list?entity=m/ticket')
    const { list } = (await admin.post('/engine/web/pool/list', {})).data

    expect(mine.data.list).toMatchObject([{ name: '售后工单公海', isDefault: true }])
    expect(theirs.data.list).toEqual([])
    expect(list).toContainEqual(expect.objectContaining({ entity: 'm.ticket', name: '售后工单公海' }))
    expect((await demo.get('/mini/pool/list?entity=m/plain')).meta.code).toBe(400)
  })

  it('contains returned records, only for users with the right, and in no other list', async () => {
    const id = await lying('放回去的')
    const seen = async (client: Client) => ({
      pool: (await inPool(client)).meta.code,
      list: titles(await client.post('/mini/m/ticket/list', { keyword: '放回去的' })),
      detail: (await client.get(`/mini/m/ticket/detail?id=${id}`)).meta.code,
    })
    const found = async (client: Client) =>
      (await client.get(`/mini/search/global?keyword=${encodeURIComponent('放回去的')}`)).data.groups

    expect(titles(await inPool(zengke))).toContain('放回去的')
    expect(await seen(zengke)).toEqual({ pool: 200, list: [], detail: 200 })
    expect(await seen(manager)).toEqual({ pool: 405, list: [], detail: 404 })
    expect(await seen(admin)).toEqual({ pool: 200, list: [], detail: 200 })
    expect(await found(manager)).toEqual([])
    expect(await found(zengke)).toMatchObject([
      {
        type: 'm/ticket',
        list: [{ id, route: `/pages/m/ticket/detail?id=${id}`, follow: false, phone: null }],
      },
    ])
    expect((await demo.get(`/mini/m/ticket/detail?id=${id}`)).data.actions).toEqual([
      'claim',
      'delete',
      'star',
    ])
  })

  it('reveals no masked value: in list, detail, history, keyword, filter and order', async () => {
    const id = await lying('有电话的', { phone: '13800138000', note: '内情' })
    const answers = [
      await inPool(zengke),
      await zengke.get(`/mini/m/ticket/detail?id=${id}`),
      await zengke.get(`/mini/m/ticket/log?id=${id}`),
      await zengke.post('/mini/sync/changes', { entities: ['record'] }),
    ]
    const found = await Promise.all(
      [
        { keyword: '8000' },
        { keyword: '内情' },
        { filters: [{ field: 'phone', op: 'eq', value: '13800138000' }] },
        { filters: [{ field: 'note', op: 'contains', value: '内' }] },
      ].map(async (body) => titles(await inPool(zengke, body))),
    )
    const searched = await Promise.all(
      ['13800138000', '8000', '内情', '有电话的'].map(
        async (word) =>
          (await zengke.get(`/mini/search/global?types=m&keyword=${encodeURIComponent(word)}`)).data.groups
            .length,
      ),
    )
    const ordered = await inPool(zengke, { sort: [{ field: 'note', dir: 'asc' }] })

    for (const { body } of answers) expect(body).not.toMatch(/13800138000|内情/)
    expect(answers[1]?.data).toMatchObject({ record: { phone: '138****8000' }, mask: ['phone', 'note'] })
    expect(found).toEqual([[], [], [], []])
    expect(searched).toEqual([0, 0, 0, 1])
    expect(ordered.meta.code).toBe(400)
    await claim(zengke, id)
    expect((await zengke.get(`/mini/m/ticket/detail?id=${id}`)).data.record).toMatchObject({
      phone: '13800138000',
      note: '内情',
    })
    for (const word of ['8000', '内情'])
      expect(
        (await zengke.get(`/mini/search/global?types=m&keyword=${encodeURIComponent(word)}`)).data.groups,
      ).toMatchObject([{ total: 1, list: [{ id, follow: true }] }])
  })

  it('is filtered, sorted, counted and paged like every list', async () => {
    for (const floor of [3, 1, 2]) await lying(`楼层${floor}`, { floor })
    const by = await inPool(demo, { keyword: '楼层', sort: [{ field: 'floor', dir: 'asc' }] })
    const one = await inPool(demo, { filters: [{ field: 'floor', op: 'eq', value: 2 }] })
    const first = await inPool(demo, { limit: 2 })
    const next = await inPool(demo, { limit: 2, cursor: first.data.nextCursor })
    const counts = await demo.post('/mini/m/ticket/pool/count', { keyword: '楼层' })

    expect(titles(by)).toEqual(['楼层1', '楼层2', '楼层3'])
    expect(titles(one)).toEqual(['楼层2'])
    expect(titles(first)).toEqual(['楼层2', '楼层1'])
    expect(titles(next)[0]).toBe('楼层3')
    expect(await faultsOf('ticket')).toEqual([])
    expect(counts.data).toEqual({ all: 3, today: 3, returned: 3 })
    expect(titles(await inPool(zengke, { keyword: '楼层', tab: 'returned' }))).toEqual([])

    const taken = await make(demo, 'ticket', { title: '楼层被拿走' })
    expect((await release(admin, taken)).data.ok).toEqual([taken])
    expect(titles(await inPool(admin, { keyword: '楼层', tab: 'returned' }))).toEqual(['楼层被拿走'])
    expect(titles(await inPool(demo, { keyword: '楼层被拿走', tab: 'returned' }))).toEqual([])
  })
})

describe('a record in a pool', () => {
  it('goes to exactly one of two concurrent claims, and to the history of both', async () => {
    const ids = await Promise.all(['甲', '乙', '丙', '丁'].map((title) => lying(`抢${title}`)))
    const answers = await Promise.all(ids.flatMap((id) => [claim(demo, id), claim(zengke, id)]))
    const owners = await Promise.all(
      ids.map(async (id) => (await admin.get(`/mini/m/ticket/detail?id=${id}`)).data.record.owner_id),
    )
    const codes = ids.map((_, i) =>
      answers
        .slice(2 * i, 2 * i + 2)
        .map(({ meta }) => meta.code)
        .sort(),
    )

    expect(codes).toEqual(ids.map(() => [200, 409]))
    expect(answers.find(({ meta }) => meta.code === 409)?.meta.error?.type).toBe('ALREADY_CLAIMED')
    expect(owners.every((owner) => owner === idOf('demo') || owner === idOf('zengke'))).toBe(true)
    const { data } = await admin.get(`/mini/m/ticket/owner-record?id=${ids[0]}`)
    expect(data.map(({ kind }: JsonObject) => kind)).toEqual(['claim', 'release', 'create'])
    expect(data[0].title).toBe('领取了售后工单')
  })

  it('cannot be changed by any user, and is otherwise unchanged afterwards', async () => {
    const id = await lying('没人的')
    const before = (await demo.get(`/mini/m/ticket/detail?id=${id}`)).data
    const refused = [
      await admin.post('/mini/m/ticket/update', { id, version: before.record.version, title: '改' }),
      await admin.post('/mini/m/ticket/transfer', { ids: [id], toUserId: idOf('demo') }),
      await release(admin, id),
      await admin.post('/mini/m/ticket/team/save', {
        id,
        members: [{ userId: idOf('demo'), level: 'read' }],
      }),
    ].map(({ meta, data }) => (meta.code === 200 ? data.failed[0].code : meta.code))

    expect(refused).toEqual([405, 405, 405, 405])
    expect(before.moves).toEqual([])
    expect((await claim(demo, id)).data).toMatchObject({ ok: [id], quota: { limit: 0 } })
    expect((await demo.get(`/mini/m/ticket/detail?id=${id}`)).data.record).toMatchObject({
      title: '没人的',
      owner_id: idOf('demo'),
    })
  })

  it('loses its collaborators, and the claim can be undone for a moment', async () => {
    const id = await make(demo, 'ticket', { title: '有协作人' })
    await demo.post('/mini/m/ticket/team/save', { id, members: [{ userId: idOf('zengke'), level: 'write' }] })
    await release(demo, id)
    const claimed = await claim(demo, id)
    const team = await demo.get(`/mini/m/ticket/team?id=${id}`)
    const undone = await demo.post('/mini/m/ticket/pool/unclaim', { ids: [id] })
    const again = await demo.post('/mini/m/ticket/pool/unclaim', { ids: [id] })

    expect(claimed.meta.code).toBe(200)
    expect(team.data.list).toEqual([])
    expect(undone.data).toMatchObject({ ok: [id], failed: [] })
    expect(again.data.failed).toMatchObject([{ id, code: 409 }])
    expect(titles(await inPool(demo, { keyword: '有协作人' }))).toEqual(['有协作人'])
  })

  it('is assigned by authorised users, deleted and restored from there', async () => {
    const id = await lying('分配的')
    const refused = await demo.post('/mini/m/ticket/pool/assign', { ids: [id], toUserIds: [idOf('zengke')] })
    const given = await admin.post('/mini/m/ticket/pool/assign', { ids: [id], toUserIds: [idOf('zengke')] })
    const told = (await zengke.post('/mini/message/list', {})).data.list[0]
    const gone = await lying('删掉的')
    const stranger = await manager.post('/mini/m/ticket/delete', { ids: [gone] })
    const deleted = await demo.post('/mini/m/ticket/pool/delete', { ids: [gone] })
    const bin = (await demo.post('/mini/m/ticket/deleted', {})).data.list.map(({ name }: JsonObject) => name)
    const back = await demo.post('/mini/m/ticket/restore', { ids: [gone] })

    expect(refused.meta.code).toBe(405)
    expect(given.data).toMatchObject({ ok: [id] })
    expect(told).toMatchObject({ title: '有新的售后工单分配给你', url: `/pages/m/ticket/detail?id=${id}` })
    expect(deleted.data.ok).toEqual([gone])
    expect(bin).toContain('删掉的')
    expect(back.data.ok).toEqual([gone])
    expect(titles(await inPool(demo, { keyword: '删掉的' }))).toEqual(['删掉的'])
    expect(stranger.meta.code).toBe(405)
    expect((await demo.post('/mini/m/ticket/delete', { ids: [gone] })).data.ok).toEqual([gone])
  })

  it('is put there with others in one call; refused records are named', async () => {
    const mine = await Promise.all(['一起甲', '一起乙'].map((title) => make(demo, 'ticket', { title })))
    const there = await lying('已经在里面')
    const theirs = await make(admin, 'ticket', { title: '别人的工单' })
    await admin.post('/mini/m/ticket/team/save', {
      id: theirs,
      members: [{ userId: idOf('demo'), level: 'write' }],
    })
    const { data } = await demo.post('/mini/m/ticket/release', { ids: [...mine, there, theirs], ...REASON })

    expect(data.ok).toEqual([...mine].sort()) // records of one call are processed in the order of their ids
    expect(data.failed).toMatchObject([
      { id: there, name: '已经在里面', code: 405, message: '记录已在公海中' },
      { id: theirs, name: '别人的工单', code: 405 },
    ])
  })

  it('can be created there by users who may return records', async () => {
    const made = await demo.post('/mini/m/ticket/create', { title: '直接放进去', owner_id: null })

    expect(made.data.record).toMatchObject({ owner_id: null })
    expect(titles(await inPool(zengke, { keyword: '直接放进去' }))).toEqual(['直接放进去'])
  })

  it('needs a pool of its module, and a module with pools', async () => {
    const id = await lying('别的池')
    const other = await demo.post('/mini/m/ticket/pool/claim', {
      poolId: (await admin.get('/mini/pool/list?entity=customer')).data.list[0].id,
      ids: [id],
    })
    const plain = await admin.post('/mini/m/plain/pool/list', {})

    expect(other.meta.code).toBe(405)
    expect(plain.meta).toMatchObject({ code: 404, message: '这类记录没有公海' })
  })
})

describe('the rules of a pool', () => {
  const setting = (settings: JsonObject) => admin.post('/mini/pool/setting', { id: pool, settings })

  it('apply to claims, receivers and creation', async () => {
    const held = (await demo.get('/mini/pool/list?entity=m/ticket')).data.list[0].holding.n
    const [one, two] = [await lying('上限一'), await lying('上限二')]
    await setting({ holding_cap: held + 1 })
    const claimed = [await claim(demo, one), await claim(demo, two)]
    const made = await demo.post('/mini/m/ticket/create', { title: '超过上限' })
    const given = await admin.post('/mini/m/ticket/pool/assign', { ids: [two], toUserIds: [idOf('demo')] })
    await setting({ holding_cap: null, daily_claim_limit: 1 })
    const daily = await claim(demo, two)
    await setting({ daily_claim_limit: null, prev_owner_cooldown_days: 3 })
    const cooling = await claim(demo, two)
    const { list } = (await inPool(demo, { keyword: '上限二' })).data
    const unknown = await setting({ recycle_no_such_rule: 1 })
    await setting({ prev_owner_cooldown_days: null })

    expect(claimed.map(({ meta }) => meta.code)).toEqual([200, 422])
    expect(claimed[1]?.meta.message).toContain('持有售后工单已达上限')
    expect(made.meta).toMatchObject({ code: 422, error: { type: 'HOLDING_CAP' } })
    expect(given.data.failed).toMatchObject([{ code: 422 }])
    expect(daily.meta).toMatchObject({ code: 422, error: { type: 'CLAIM_DAILY_LIMIT' } })
    expect(cooling.meta).toMatchObject({ code: 422, error: { type: 'CLAIM_COOLDOWN' } })
    expect(list).toMatchObject([{ claimable_at: expect.stringMatching(/^20/) }])
    expect(unknown.meta.code).toBe(400)
  })
})

describe('a module that enables pools later', () => {
  it('puts its ownerless records into its pool', async () => {
    const fields = [{ name: 'floor', kind: 'integer', label: '楼层', filter: true, sort: true }]
    const bare = aModule({ name: 'desk', label: '工位', behaviours: ['recycle'], fields })
    await save(bare)
    const id = await make(admin, 'desk', { title: '没有负责人', floor: 3 })
    const before = await faultsOf('desk')
    await save({ ...bare, behaviours: ['owned', 'recycle', 'pool'] })
    const pooled = await faultsOf('desk')
    await save({ ...bare, behaviours: ['owned', 'recycle'] })
    const shown = await admin.post('/mini/m/desk/list', { sort: [{ field: 'floor', dir: 'asc' }] })
    const without = await faultsOf('desk')
    await save({ ...bare, behaviours: ['owned', 'recycle', 'pool'] })
    const list = await admin.post('/mini/m/desk/pool/list', {})
    const home = (await admin.get('/mini/pool/list?entity=m/desk')).data.list[0]
    const taken = await admin.post('/mini/m/desk/pool/claim', { poolId: home.id, ids: [id] })

    expect([before, pooled, without]).toEqual([[], [], []])
    expect(titles(shown)).toEqual(['没有负责人'])
    expect(titles(list)).toEqual(['没有负责人'])
    expect(taken.data.ok).toEqual([id])
    expect(await faultsOf('desk')).toEqual([])
  })

  it('cannot have a pool without owners, or with a masked title', async () => {
    const refused = async (more: JsonObject) =>
      (
        await admin.post('/engine/web/module/save', {
          description: { ...aModule({ name: 'x', label: 'X' }), ...more },
        })
      ).data.problems
    const title = { name: 'title', kind: 'text', label: '标题', mask: 'pool' }

    expect(await refused({ behaviours: ['pool'] })).toMatchObject([{ at: '/behaviours/0' }])
    expect(await refused({ behaviours: ['owned', 'pool'], fields: [title] })).toMatchObject([
      { at: '/fields/0/mask' },
    ])
  })
})
