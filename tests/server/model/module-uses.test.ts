import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { right } from '../business5/deals.ts'
import { aModule, openOwnTenant } from './own-tenant.ts'

const { server, admin, save, make } = await openOwnTenant()
afterAll(() => server.close())

const field = async (module: string, one: JsonObject): Promise<void> => {
  right(await admin.post('/engine/web/field/save', { module, field: one }))
}
const drop = async (name: string) => (await admin.post('/engine/web/module/delete', { name })).meta
const usage = async (module: string): Promise<JsonObject> =>
  right(await admin.get(`/engine/web/module/settings?module=${module}`)).usage

/** An own module with an owner, an approval, everything that a record can have, and a reference to a contract and to itself. */
const works = (name: string, label: string): JsonObject =>
  aModule({
    name,
    label,
    behaviours: ['owned', 'recycle', 'approval', 'tree', 'follow', 'files'],
    fields: [
      { name: 'contract_id', kind: 'ref', module: 'contract', label: '合同' },
      { name: 'hours', kind: 'number', label: '工时' },
      { name: 'before_id', kind: 'ref', module: name, label: '上一张' },
    ],
    menu: { place: 'work' },
    approval: { steps: [{ kind: 'superior', mode: 'any' }] },
  })

describe('a module that others use', () => {
  beforeAll(async () => {
    await save(works('works', '派工单'))
    await make(admin, 'works', { title: '第一张', hours: 3 })
    await make(admin, 'works', { title: '第二张', hours: 4 })
  })

  it.each<[string, string, JsonObject, string]>([
    [
      'a sum at contracts',
      'contract',
      {
        name: 'hours',
        kind: 'rollup',
        label: '总工时',
        rollup: { module: 'works', by: 'contract_id', of: 'sum', field: 'hours' },
      },
      '汇总字段“合同 · 总工时”',
    ],
    [
      'a reference of customers',
      'customer',
      { name: 'last_work', kind: 'ref', module: 'works', label: '最近派工' },
      '关联字段“客户 · 最近派工”',
    ],
    [
      'several of them at an opportunity',
      'bussiness',
      { name: 'all_works', kind: 'refs', module: 'works', label: '派工' },
      '关联字段“商机 · 派工”',
    ],
  ])('stays, and what uses it is named: %s', async (_, module, one, named) => {
    await field(module, one)
    const meta = await drop('works')
    const { list } = await usage('works')
    right(await admin.post('/engine/web/field/delete', { module, name: String(one.name) }))

    expect(meta).toMatchObject({
      code: 422,
      error: { type: 'REFERENCED' },
      message: `这个模块还用在${named}，不能删除。请先改掉这些地方`,
    })
    expect(list).toMatchObject([
      { path: `/pages/admin/module/field?module=${module}&name=${String(one.name)}` },
    ])
  })

  it('stays while another module becomes one of its records', async () => {
    await save(
      aModule({
        name: 'order',
        label: '订货',
        behaviours: ['convert'],
        convert: { works: { title: 'title' } },
      }),
    )
    expect((await drop('works')).message).toContain('转为其他记录“订货”')
    await save(aModule({ name: 'order', label: '订货', behaviours: [] }))
  })

  it('stays while an entry of the menu opens a page of it', async () => {
    const entry = {
      title: '新派工',
      path: '/pages/m/works/add',
      icon: 'AddOutline',
      permission: 'm.works:create',
    }
    const { id } = right(await admin.post('/engine/web/menu/save', entry))
    expect((await drop('works')).message).toContain('菜单“新派工”')
    right(await admin.post('/engine/web/menu/delete', { id }))
  })

  it('goes with its own pages, entry and references, and says how many records it has', async () => {
    expect(await usage('works')).toEqual({
      list: [],
      used: false,
      records: 2,
      waiting: 0,
      kept: '有 2 条记录',
    })
    expect((await drop('works')).code).toBe(200)
    expect((await admin.post('/mini/m/works/list')).meta.code).toBe(404)
  })
})

describe('a change set', () => {
  const call = (verb: string, body: JsonObject) => admin.post(`/engine/web/changeset/${verb}`, body)
  const begun = async (title: string): Promise<string> => right(await call('save', { title, note: '' })).id
  const rollup = {
    name: 'hours',
    kind: 'rollup',
    label: '总工时',
    rollup: { module: 'sheet', by: 'contract_id', of: 'count' },
  }

  it('that made a module used since is not taken back, and says what uses it', async () => {
    const id = await begun('新模块')
    right(await call('put', { id, kind: 'module', change: { description: works('sheet', '工单') } }))
    right(await call('publish', { id }))
    await field('contract', rollup)
    const used = await call('rollback', { id })
    const stays = await admin.post('/mini/m/sheet/list')
    right(await admin.post('/engine/web/field/delete', { module: 'contract', name: 'hours' }))
    const back = await call('rollback', { id })

    expect(used.meta).toMatchObject({ code: 422, error: { type: 'REFERENCED' } })
    expect(used.meta.message).toContain('汇总字段“合同 · 总工时”')
    expect([stays.meta.code, back.meta.code]).toEqual([200, 200])
  })

  it('that lets go of it first deletes it', async () => {
    await save(works('sheet', '工单'))
    await field('contract', rollup)
    const id = await begun('不要工单了')
    right(await call('put', { id, kind: 'field-delete', change: { module: 'contract', name: 'hours' } }))
    right(await call('put', { id, kind: 'module-delete', change: { name: 'sheet' } }))
    expect((await call('publish', { id })).meta).toMatchObject({ code: 200, message: '' })
  })
})
