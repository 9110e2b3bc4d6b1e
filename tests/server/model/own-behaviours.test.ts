import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import type { Answer, Client } from '../support.ts'
import { aModule, openOwnTenant } from './own-tenant.ts'

const { server, admin, demo, give, make } = await openOwnTenant([
  aModule({ behaviours: ['owned', 'follow', 'recycle', 'star', 'team'] }),
  aModule({ name: 'plain', label: '便签' }),
  aModule({
    name: 'branch',
    label: '网点',
    number: 'WD{000}',
    behaviours: ['owned', 'recycle', 'team', 'tree'],
  }),
])
let people: readonly JsonObject[] = []
let zengke: Client
beforeAll(async () => {
  people = (await admin.post('/engine/web/user/list', {})).data.list
  for (const module of ['ticket', 'plain', 'branch']) await give('sales', module)
  zengke = await server.as('zengke')
})
afterAll(() => server.close())

const titles = async (client: Client, module: string, body: JsonObject = {}): Promise<readonly string[]> =>
  (await client.post(`/mini/m/${module}/list`, body)).data.list.map((row: JsonObject) => row.title)
const detailOf = async (client: Client, module: string, id: string) =>
  (await client.get(`/mini/m/${module}/detail?id=${id}`)).data

const idOf = (account: string): string => String(people.find((one) => one.account === account)?.id)

describe('a star', () => {
  it('is private: it appears in the user’s list, tab and detail', async () => {
    const id = await make(demo, 'ticket', { title: '打印机' })
    await make(demo, 'ticket', { title: '空调' })
    const set = await demo.post('/mini/m/ticket/star', { ids: [id], on: true })

    expect(set.data).toMatchObject({ ok: [id], failed: [] })
    expect(await titles(demo, 'ticket', { tab: 'starred' })).toEqual(['打印机'])
    expect(await titles(admin, 'ticket', { tab: 'starred' })).toEqual([])
    expect((await demo.post('/mini/m/ticket/count', { tabs: ['starred'] })).data).toEqual({ starred: 1 })
    expect(await detailOf(demo, 'ticket', id)).toMatchObject({ starred: true, record: { starred: true } })
    expect(await detailOf(admin, 'ticket', id)).toMatchObject({ starred: false, record: { starred: false } })
    const { list } = (await demo.post('/mini/m/ticket/list', { keyword: '打印机' })).data
    expect(list).toMatchObject([{ starred: true, actions: expect.arrayContaining(['star']) }])

    await demo.post('/mini/m/ticket/star', { ids: [id], on: false })
    expect(await titles(demo, 'ticket', { tab: 'starred' })).toEqual([])
    expect(JSON.stringify((await demo.get(`/mini/m/ticket/log?id=${id}`)).data.list)).not.toContain('关注')
  })

  it('is refused for an invisible record, and for modules without stars', async () => {
    const theirs = await make(admin, 'ticket', { title: '别人的' })
    const plain = await make(demo, 'plain', { title: '便签' })
    const unseen = await demo.post('/mini/m/ticket/star', { ids: [theirs] })
    const unable = await demo.post('/mini/m/plain/star', { ids: [plain] })

    expect(unseen.data).toMatchObject({ ok: [], failed: [{ id: theirs, name: '', code: 404 }] })
    expect(unable.meta).toMatchObject({ code: 404, message: '这类记录不能关注' })
    expect((await detailOf(demo, 'plain', plain)).actions).not.toContain('star')
  })

  it('waits on an offline phone, and is applied once', async () => {
    const ops = [
      { clientToken: 'star-0001', path: '/mini/m/ticket/create', body: { title: '离线的' }, tempId: 'tmp:a' },
      { clientToken: 'star-0002', path: '/mini/m/ticket/star', body: { ids: ['tmp:a'], on: true } },
    ]
    const sent = await demo.post('/mini/sync/outbox', { ops })

    expect(sent.data.results.map(({ meta }: { meta: JsonObject }) => meta.code)).toEqual([200, 200])
    expect(await titles(demo, 'ticket', { tab: 'starred' })).toEqual(['离线的'])
  })
})

describe('collaborators of a record', () => {
  const share = (client: Client, id: string, level: 'read' | 'write', account = 'zengke') =>
    client.post('/mini/m/ticket/team/save', { id, members: [{ userId: idOf(account), level }] })
  const lists = async () => ({
    all: await titles(zengke, 'ticket'),
    collaborating: await titles(zengke, 'ticket', { tab: 'collaborating' }),
    mine: await titles(zengke, 'ticket', { tab: 'mine' }),
  })

  it('see it whatever their scope, until they are removed, and change it as far as allowed', async () => {
    const id = await make(demo, 'ticket', { title: '共享的' })
    const before = await zengke.get(`/mini/m/ticket/detail?id=${id}`)
    const none = await lists()
    await share(demo, id, 'read')
    const read = await detailOf(zengke, 'ticket', id)
    const refused = [
      await zengke.post('/mini/m/ticket/update', { id, version: 1, title: '改' }),
      await zengke.post('/mini/m/ticket/transfer', { ids: [id], toUserId: idOf('zengke') }),
      await zengke.post('/mini/m/ticket/delete', { ids: [id] }),
      await share(zengke, id, 'write'),
      await zengke.post('/mini/follow/create', {
        target_type: 'm/ticket',
        target_id: id,
        method: 'call',
        content: '只读',
      }),
    ].map(({ meta, data }) => (meta.code === 200 ? data.failed[0].code : meta.code))
    const shared = await lists()
    await share(demo, id, 'write')
    const write = await detailOf(zengke, 'ticket', id)
    const changed = await zengke.post('/mini/m/ticket/update', { id, version: 1, title: '一起改的' })
    const kept = await zengke.post('/mini/m/ticket/delete', { ids: [id] })

    expect(before.meta.code).toBe(404)
    expect(none).toEqual({ all: [], collaborating: [], mine: [] })
    expect(read.actions).toEqual(['star'])
    expect(refused).toEqual([405, 405, 405, 405, 405])
    expect(shared).toEqual({ all: ['共享的'], collaborating: ['共享的'], mine: [] })
    expect(write.actions).toEqual(['follow', 'edit', 'star'])
    expect(changed.meta.code).toBe(200)
    const owner = '该售后工单由李明轩负责，您没有操作权限，可联系李明轩处理'
    expect(kept.data.failed).toMatchObject([{ id, code: 405, name: '一起改的', message: owner }])
    const taken = { id, version: 2, owner_id: idOf('zengke') }
    expect((await zengke.post('/mini/m/ticket/update', taken)).meta).toMatchObject({
      code: 405,
      message: owner,
    })
    expect((await demo.get(`/mini/m/ticket/team?id=${id}`)).data).toMatchObject({
      ownerId: idOf('demo'),
      list: [{ user_id: idOf('zengke'), level: 'write' }],
    })

    await demo.post('/mini/m/ticket/team/remove', { id, userIds: [idOf('zengke')] })
    expect(await lists()).toEqual(none)
    expect((await zengke.get(`/mini/m/ticket/detail?id=${id}`)).meta.code).toBe(404)
    const log = (await demo.get(`/mini/m/ticket/log?id=${id}`)).data.list.map((one: JsonObject) => one.text)
    expect(log).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^协作人：空 → .+（只读）$/),
        expect.stringMatching(/^协作人：.+（读写） → 空$/),
      ]),
    )
  })

  it('are notified, need the right to see it, and are not its owner', async () => {
    const id = await make(demo, 'ticket', { title: '告知的' })
    await share(demo, id, 'read')
    const { list } = (await zengke.post('/mini/message/list', {})).data
    const refused = [await share(demo, id, 'read', 'finance'), await share(demo, id, 'read', 'demo')]
    const plain = await make(demo, 'plain', { title: '便签' })

    expect(list[0]).toMatchObject({ title: '你已成为售后工单协作人', url: `/pages/m/ticket/detail?id=${id}` })
    expect(refused.map(({ meta }) => meta.code)).toEqual([409, 400])
    const unable = await demo.post('/mini/m/plain/team/save', { id: plain, members: [] })
    expect(unable.meta).toMatchObject({ code: 404, message: '这类记录没有协作人' })
  })

  it('receive it in their copy at once, and lose it there', async () => {
    const id = await make(demo, 'ticket', { title: '副本里的' })
    const { next } = (await zengke.post('/mini/sync/changes', { entities: ['record'] })).data
    await share(demo, id, 'read')
    const got = (await zengke.post('/mini/sync/changes', { entities: ['record'], since: next })).data
    await demo.post('/mini/m/ticket/team/remove', { id, userIds: [idOf('zengke')] })
    const lost = (await zengke.post('/mini/sync/changes', { entities: ['record'], since: got.next })).data

    expect(got.reset).toBe(true)
    expect(JSON.stringify(got.changed)).toContain('副本里的')
    expect(lost.reset).toBe(true)
    expect(JSON.stringify(lost.changed)).not.toContain('副本里的')
  })

  it('are removed when they become its owner, by transfer and by hand-over', async () => {
    const id = await make(demo, 'ticket', { title: '交出去的' })
    await share(demo, id, 'write')
    await demo.post('/mini/m/ticket/transfer', { ids: [id], toUserId: idOf('zengke') })
    const given = await zengke.get(`/mini/m/ticket/team?id=${id}`)
    await share(zengke, id, 'read', 'demo')
    await admin.post('/engine/web/user/handover', { id: idOf('zengke'), toUserId: idOf('demo') })
    const handed = await demo.get(`/mini/m/ticket/team?id=${id}`)

    expect(given.data).toEqual({ ownerId: idOf('zengke'), list: [] })
    expect(handed.data).toEqual({ ownerId: idOf('demo'), list: [] })
  })

  it('are refused if records have no owner', async () => {
    const description = aModule({ name: 'open', label: '公共', behaviours: ['team'] })
    const { meta, data } = await admin.post('/engine/web/module/save', { description })

    expect(meta.code).toBe(400)
    expect(data.problems).toMatchObject([{ at: '/behaviours/0', message: '只有有负责人的记录才能用“team”' }])
  })
})

describe('a tree of records', () => {
  const put = async (client: Client, id: string, parent: string | null) => {
    const { record } = await detailOf(client, 'branch', id)
    return client.post('/mini/m/branch/update', { id, version: record.version, parent_id: parent })
  }
  const refused = ({ meta }: Answer) => [meta.code, meta.error?.fields]
  const fault = (sentence: string) => [400, { parent_id: sentence }]
  /** Records of one tree, from the top down. */
  async function chain(client: Client, ...names: readonly string[]): Promise<readonly string[]> {
    const ids: string[] = []
    for (const title of names)
      ids.push(await make(client, 'branch', { title, parent_id: ids.at(-1) ?? null }))
    return ids
  }

  it('shows its parents, lists and counts its children, and is found by it', async () => {
    const [top = '', middle = ''] = await chain(demo, '华东', '江苏')
    await make(demo, 'branch', { title: '浙江', parent_id: top })
    const below = { filters: [{ field: 'parent_id', op: 'eq', value: top }] }
    const history = (await demo.get(`/mini/m/branch/log?id=${middle}`)).data.list
    await put(demo, middle, null)
    const moved = (await demo.get(`/mini/m/branch/log?id=${middle}`)).data.list[0]

    expect((await detailOf(demo, 'branch', middle)).record).toMatchObject({ parent_id: null })
    expect(moved.text).toBe('上级：华东 → 空')
    expect(history).toHaveLength(1)
    await put(demo, middle, top)
    expect((await detailOf(demo, 'branch', middle)).record).toMatchObject({
      parent_id: top,
      parent_id_name: '华东',
    })
    expect((await detailOf(demo, 'branch', top)).related).toEqual({ below: 2 })
    expect((await titles(demo, 'branch', below)).toSorted()).toEqual(['江苏', '浙江'])
    expect(
      await titles(demo, 'branch', { ...below, filters: [{ field: 'parent_id', op: 'empty' }] }),
    ).toContain('华东')
  })

  it('refuses a parent that is the record itself, below it, invisible, or on the fifth level', async () => {
    const [one = '', two = '', , , five = ''] = await chain(demo, '一', '二', '三', '四', '五')
    const [other = ''] = await chain(demo, '另一', '另二')
    const theirs = await make(admin, 'branch', { title: '看不到的' })
    const sixth = await demo.post('/mini/m/branch/create', { title: '六', parent_id: five })

    expect(refused(await put(demo, one, one))).toEqual(fault('上级不能是它自己'))
    expect(refused(await put(demo, one, five))).toEqual(fault('上级不能是它的下级'))
    expect(refused(sixth)).toEqual(fault('最多 5 级，放在这里会超过'))
    expect(refused(await put(demo, one, other))).toEqual(fault('最多 5 级，放在这里会超过'))
    for (const unseen of [theirs, 'nobody'])
      expect(refused(await put(demo, one, unseen))).toEqual(fault('上级不存在或无权查看'))
    expect((await put(demo, two, null)).meta.code).toBe(200)
    expect((await put(demo, one, other)).meta.code).toBe(200)
    expect((await put(demo, two, other)).meta.code).toBe(200)
  })

  it('offers no descendants as parents, and explains why', async () => {
    const [top = '', middle = '', low = ''] = await chain(demo, '选上', '选中', '选下')
    const offered = async (outside: string, more = '') =>
      Object.fromEntries(
        (
          await demo.get(
            `/mini/m/branch/options?keyword=${encodeURIComponent('选')}&outside=${outside}${more}`,
          )
        ).data.list.map(({ value, disabled, desc }: JsonObject) => [value, disabled ? desc : 'free']),
      )

    expect(await offered(middle)).toEqual({
      [top]: 'free',
      [middle]: '上级不能是它自己',
      [low]: '上级不能是它的下级',
    })
    expect(await offered('')).toEqual({ [top]: 'free', [middle]: 'free', [low]: 'free' })
    const form = (await demo.get('/engine/web/page/detail?path=/pages/m/branch/add')).body
    expect(form).toContain('"outside"')
  })

  it('never becomes a cycle by two concurrent changes', async () => {
    for (let round = 0; round < 4; round++) {
      const [one, two] = [
        await make(demo, 'branch', { title: '甲' }),
        await make(demo, 'branch', { title: '乙' }),
      ]

      const answers = await Promise.all([put(demo, one, two), put(demo, two, one)])

      expect(answers.map(({ meta }) => meta.code).toSorted()).toEqual([200, 400])
    }
  })

  it('stays when a parent is deleted, and is restored with it as far as possible', async () => {
    const [top = '', middle = '', low = ''] = await chain(demo, '删上', '删中', '删下')
    const remove = (id: string) => demo.post('/mini/m/branch/delete', { ids: [id] })
    const restore = (id: string) => demo.post('/mini/m/branch/restore', { ids: [id] })
    await remove(middle)

    expect((await detailOf(demo, 'branch', low)).record).toMatchObject({ title: '删下', parent_id_name: '' })
    expect((await detailOf(demo, 'branch', top)).related).toEqual({ below: 0 })
    // A record in the recycle bin is counted where it would be restored to.
    expect(refused(await put(demo, top, low))).toEqual(fault('上级不能是它的下级'))
    const { version } = (await detailOf(demo, 'branch', low)).record
    const renamed = await demo.post('/mini/m/branch/update', {
      id: low,
      version,
      title: '改名',
      parent_id: middle,
    })
    expect(renamed.meta.code).toBe(200)

    await remove(top)
    expect((await restore(middle)).data).toMatchObject({ ok: [middle] })
    expect((await detailOf(demo, 'branch', middle)).record).toMatchObject({ parent_id_name: '' })
    expect((await detailOf(demo, 'branch', low)).record).toMatchObject({ parent_id_name: '删中' })
    await remove(middle)
    await restore(top)
    const deep = await chain(demo, '深一', '深二', '深三')
    expect((await put(demo, top, deep.at(-1) ?? '')).meta.code).toBe(200)
    const tooDeep = await restore(middle)
    expect(tooDeep.data.failed).toMatchObject([
      { id: middle, code: 409, message: '放回原来的上级下面会超过 5 级或连成圈，请先调整上级' },
    ])
  })

  it('does not name a parent that the user does not see', async () => {
    const top = await make(admin, 'branch', { title: '总部机密' })
    const low = await make(admin, 'branch', { title: '分部' })
    await put(admin, low, top)
    await admin.post('/mini/m/branch/team/save', {
      id: low,
      members: [{ userId: idOf('demo'), level: 'write' }],
    })
    const seen = await demo.get(`/mini/m/branch/detail?id=${low}`)

    expect(seen.data.record).toMatchObject({ title: '分部', parent_id_name: '' })
    expect(seen.body).not.toContain('总部机密')
    const { version } = seen.data.record
    const saved = await demo.post('/mini/m/branch/update', {
      id: low,
      version,
      title: '改了名',
      parent_id: top,
    })
    expect(saved.meta.code).toBe(200)
    expect((await detailOf(admin, 'branch', low)).record).toMatchObject({
      title: '改了名',
      parent_id_name: '总部机密',
    })
  })

  it('waits on an offline phone together with its parent', async () => {
    const ops = [
      {
        clientToken: 'tree-0001',
        path: '/mini/m/branch/create',
        body: { title: '离线上级' },
        tempId: 'tmp:up',
      },
      {
        clientToken: 'tree-0002',
        path: '/mini/m/branch/create',
        body: { title: '离线下级', parent_id: 'tmp:up' },
        tempId: 'tmp:low',
      },
      {
        clientToken: 'tree-0003',
        path: '/mini/m/branch/update',
        body: { id: 'tmp:up', version: 1, parent_id: 'tmp:low' },
      },
    ]
    const { results, ids } = (await demo.post('/mini/sync/outbox', { ops })).data

    expect(results.map(({ meta }: { meta: JsonObject }) => meta.code)).toEqual([200, 200, 400])
    expect((await detailOf(demo, 'branch', ids['tmp:low'])).record).toMatchObject({
      parent_id_name: '离线上级',
    })
    const { changed } = (await demo.post('/mini/sync/changes', { entities: ['record'] })).data
    expect(changed).toContainEqual(
      expect.objectContaining({
        id: ids['tmp:low'],
        record: expect.objectContaining({ parent_id: ids['tmp:up'] }),
      }),
    )
  })
})

describe('a module with a tree that is switched on and off', () => {
  const described = async (name: string) =>
    (await admin.get(`/engine/web/module/detail?name=${name}`)).data.description as JsonObject
  const fieldIn = async (name: string) =>
    ((await described(name)).fields as readonly JsonObject[]).find((one) => one.name === 'parent_id')
  const settings = async (name: string, behaviours: readonly string[]) => {
    const { data } = await admin.get(`/engine/web/module/settings?module=${name}`)
    return admin.post('/engine/web/module/settings/save', {
      module: name,
      form: { ...data.form, behaviours },
    })
  }

  it('keeps the parents', async () => {
    const top = await make(demo, 'plain', { title: '上' })
    const on = await settings('plain', ['tree'])
    expect(on.meta.message).toBe('')
    expect(await fieldIn('plain')).toMatchObject({
      kind: 'ref',
      module: 'plain',
      label: '上级',
      inverse: { label: '下级' },
    })
    const low = await make(demo, 'plain', { title: '下', parent_id: top })
    const renamed = { ...(await fieldIn('plain')), label: '上一张' }
    await admin.post('/engine/web/field/save', { module: 'plain', field: renamed })
    await settings('plain', [])
    expect(await fieldIn('plain')).toMatchObject({ label: '上一张', retired: true })
    // What records hold of it is read on, not written.
    const pageOf = async (kind: string) =>
      (await demo.get(`/engine/web/page/detail?path=/pages/m/plain/${kind}`)).body
    expect(await pageOf('detail')).toContain('上一张（已停用）')
    expect(await pageOf('add')).not.toContain('上一张')
    await settings('plain', ['tree'])

    expect(await fieldIn('plain')).not.toHaveProperty('retired')
    expect((await detailOf(demo, 'plain', low)).record).toMatchObject({
      parent_id: top,
      parent_id_name: '上',
    })
    expect((await detailOf(demo, 'plain', top)).related).toEqual({ below: 1 })
  })

  it('keeps the field while records have parents', async () => {
    const field = { ...(await fieldIn('branch')) }
    const change = async (more: JsonObject) =>
      (await admin.post('/engine/web/field/save', { module: 'branch', field: { ...field, ...more } })).meta
    const gone = await admin.post('/engine/web/field/delete', { module: 'branch', name: 'parent_id' })

    expect(gone.meta).toMatchObject({
      code: 422,
      message: '该字段记录上下级，关闭“有上下级”后才能停用或删除',
    })
    const stopped = await admin.post('/engine/web/field/retire', {
      module: 'branch',
      name: 'parent_id',
      retired: true,
    })
    expect(stopped.meta).toEqual(gone.meta)
    expect(await change({ retired: true })).toMatchObject({ code: 400 })
    expect(await change({ required: true })).toMatchObject({ code: 400 })
    expect(await change({ kind: 'text', module: undefined, inverse: undefined })).toMatchObject({ code: 400 })
    expect(await change({ label: '上级网点' })).toMatchObject({ code: 200 })
    const { fields, ...rest } = await described('branch')
    const bare = {
      ...rest,
      fields: (fields as readonly JsonObject[]).filter(({ name }) => name !== 'parent_id'),
    }
    await admin.post('/engine/web/module/save', { description: bare })
    expect(await fieldIn('branch')).toMatchObject({ label: '上级网点' })
    await change({ label: '上级' })
  })

  it('adopts a field with parents, unless it contains a cycle, six levels, or other values', async () => {
    const above = { name: 'parent_id', kind: 'ref', module: 'old', label: '归属', filter: true }
    const old = (behaviours: readonly string[], field: JsonObject = above) =>
      admin.post('/engine/web/module/save', {
        description: aModule({ name: 'old', label: '旧', behaviours: [...behaviours], fields: [field] }),
      })
    await old(['owned'])
    const one = await make(admin, 'old', { title: '圈一' })
    const two = await make(admin, 'old', { title: '圈二', parent_id: one })
    await admin.post('/mini/m/old/update', { id: one, version: 1, parent_id: two })
    const circle = await old(['owned', 'tree'])
    expect(circle.meta.code).toBe(422)
    expect(circle.meta.message).toMatch(/^“圈[一二]”的归属已超过 5 级或连成圈/)
    await admin.post('/mini/m/old/update', { id: one, version: 2, parent_id: null })

    expect((await old(['owned', 'tree'])).meta.code).toBe(200)
    expect((await admin.post('/mini/m/old/update', { id: one, version: 3, parent_id: two })).meta.code).toBe(
      400,
    )
    const other = aModule({
      name: 'taken',
      label: '占用',
      behaviours: ['owned', 'tree'],
      fields: [{ name: 'parent_id', kind: 'text', label: '家长' }],
    })
    const taken = await admin.post('/engine/web/module/save', { description: other })
    expect(taken.data.problems).toMatchObject([
      {
        at: '/fields/1',
        message: '“parent_id”在这里有别的用途',
        hint: '“parent_id”是引用本模块的 ref 字段，指向上级记录',
      },
    ])
  })
})
