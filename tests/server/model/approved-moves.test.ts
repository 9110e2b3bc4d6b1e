import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { right } from '../business5/deals.ts'
import type { Client } from '../support.ts'
import { aModule, openOwnTenant } from './own-tenant.ts'

const STATE = {
  name: 'state',
  kind: 'choice',
  label: '状态',
  default: 'open',
  options: [
    { value: 'open', label: '待安装' },
    { value: 'done', label: '已安装' },
  ],
}
/** Its statuses wait for the approval; `open` does not name them. */
const DEVICE = aModule({
  name: 'device',
  label: '设备',
  behaviours: ['owned', 'approval', 'versions'],
  approval: { steps: [{ kind: 'role', value: 'sales_director', mode: 'any' }] },
  fields: [STATE, { name: 'note', kind: 'text', label: '备注' }],
  statuses: { field: 'state', moves: { open: ['done'], done: ['open'] } },
})
/** Its records become devices. */
const SITE = aModule({
  name: 'site',
  label: '现场',
  behaviours: ['owned', 'convert'],
  fields: [STATE],
  convert: { device: { title: 'title', state: 'state' } },
})
const { server, admin, demo, give, make } = await openOwnTenant([DEVICE, SITE])
let director: Client
beforeAll(async () => {
  await give('sales', 'device')
  await give('sales', 'site')
  await give('sales_director', 'device', { permissions: ['m.device:view', 'm.device:approve'] })
  director = await server.as('director')
})
afterAll(() => server.close())

const detailOf = async (id: string, who: Client = demo): Promise<JsonObject> =>
  right(await who.get(`/mini/m/device/detail?id=${id}`))
const changed = async (id: string, given: JsonObject) => {
  const { record } = await detailOf(id)
  return demo.post('/mini/m/device/update', { id, version: (record as JsonObject).version, ...given })
}
/** Whether the detail offers moves, and whether one is accepted. */
const offered = async (id: string) => {
  const { actions, moves } = await detailOf(id)
  return [(actions as string[]).includes('move'), (moves as JsonObject[]).map(({ value }) => value)]
}

describe('the status of a record that is approved', () => {
  it('moves once it was agreed to, and is offered no sooner', async () => {
    const id = await make(demo, 'device', { title: '一号泵' })
    expect(await offered(id)).toEqual([false, []])
    expect((await changed(id, { state: 'done' })).meta.code).toBe(400)

    right(await demo.post('/mini/m/device/submit', { id }))
    expect(await offered(id)).toEqual([false, []])
    expect((await changed(id, { state: 'done' })).meta.code).toBe(409)

    const approvalId = (await detailOf(id)).approval_id
    right(await director.post('/mini/approval/act', { id: approvalId, action: 'approve' }))
    expect(await offered(id)).toEqual([true, ['done']])
    expect((await changed(id, { state: 'done', note: '旁边' })).meta.code).toBe(409)
    right(await changed(id, { state: 'done' }))
    expect(await offered(id)).toEqual([true, ['open']])
  })
})

it('a record that is approved begins with its first status, however it comes to be', async () => {
  const begun = await demo.post('/mini/m/device/create', { title: '三号泵', state: 'done' })
  expect(begun.meta.error?.fields).toEqual({ state: '审批通过后才能变更状态' })

  const id = await make(demo, 'device', { title: '三号泵', state: null })
  expect((await changed(id, { state: 'done' })).meta.error?.fields).toHaveProperty('state')
  right(await changed(id, { state: 'open' }))
  expect((await detailOf(id)).record).toMatchObject({ state: 'open' })

  const site = await make(demo, 'site', { title: '四号泵', state: 'done' })
  const { record } = right(await demo.get(`/mini/convert?of=site&id=${site}&to=device`))
  expect(record).toEqual({ title: '四号泵' })
})

it('the operation log says who submitted, approved and began a version', async () => {
  const id = await make(demo, 'device', { title: '二号泵' })
  right(await demo.post('/mini/m/device/submit', { id }))
  right(await demo.post('/mini/m/device/withdraw', { id }))
  right(await demo.post('/mini/m/device/submit', { id }))
  const found = await detailOf(id)
  right(
    await director.post('/mini/approval/act', { id: found.approval_id, action: 'approve', opinion: '可以' }),
  )
  const { record } = await detailOf(id)
  right(await demo.post('/mini/m/device/version', { id, version: (record as JsonObject).version }))
  const { list } = right(await admin.post('/engine/web/log/list', { limit: 5 }))
  const { changes } = right(await admin.get(`/engine/web/log/detail?id=${list[1].id}`))

  expect(list.map(({ title }: JsonObject) => title)).toEqual([
    '新建设备版本',
    '处理审批',
    '提交设备审批',
    '撤回设备审批',
    '提交设备审批',
  ])
  expect(changes).toEqual(
    expect.arrayContaining([
      { label: '操作', was: '', is: '同意' },
      { label: '意见', was: '', is: '可以' },
    ]),
  )
  expect(changes.map(({ label }: JsonObject) => label).join('')).not.toMatch(/[a-z]/)
})

it('an approval that nothing is said of is refused with a way on', async () => {
  const { approval: _, statuses: __, ...description } = DEVICE
  const answer = await admin.post('/engine/web/module/save', {
    description: { ...description, name: 'unsaid' },
  })
  expect(answer.meta.code).toBe(400)
  expect(answer.data.problems).toMatchObject([
    { at: '/behaviours/1', hint: expect.stringContaining('"kind": "superior"') },
  ])
})

describe('an approval that is switched on the screen of its module', () => {
  const settings = async () =>
    right(await admin.get('/engine/web/module/settings?module=tool')).form as JsonObject
  const switched = async (isOn: boolean) => {
    const { version, ...form } = await settings()
    const others = (form.behaviours as string[]).filter((one) => one !== 'approval')
    const behaviours = isOn ? [...others, 'approval'] : others
    return admin.post('/engine/web/module/settings/save', {
      module: 'tool',
      form: { ...form, behaviours },
      base: version,
    })
  }
  const entities = async () =>
    (right(await admin.post('/engine/web/flow/list')).list as JsonObject[]).map(({ id }) => id)

  it('begins with the superior, has its flow among the others, and stays while records wait for it', async () => {
    right(
      await admin.post('/engine/web/module/save', { description: aModule({ name: 'tool', label: '工具' }) }),
    )
    await give('sales', 'tool')
    await give('sales_manager', 'tool', { permissions: ['m.tool:view', 'm.tool:approve'] })
    const manager = await server.as('manager')
    const before = await make(demo, 'tool', { title: '旧扳手' })
    expect(await entities()).not.toContain('m.tool')

    right(await switched(true))
    expect(await entities()).toContain('m.tool')
    right(await demo.post('/mini/m/tool/submit', { id: before }))
    const refused = await switched(false)
    expect([refused.meta.code, refused.meta.error?.fields]).toEqual([
      422,
      { behaviours: '还有 1 条记录在审批，处理完才能不再审批' },
    ])

    const { approval_id } = right(await demo.get(`/mini/m/tool/detail?id=${before}`)) as JsonObject
    right(await manager.post('/mini/approval/act', { id: approval_id, action: 'approve' }))
    right(await switched(false))
    expect(await entities()).not.toContain('m.tool')
    const { record, actions } = right(await demo.get(`/mini/m/tool/detail?id=${before}`)) as JsonObject
    expect(actions).toContain('edit')
    right(
      await demo.post('/mini/m/tool/update', {
        id: before,
        version: (record as JsonObject).version,
        title: '新扳手',
      }),
    )
  })
})
