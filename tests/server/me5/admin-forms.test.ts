import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import PRODUCT from '../../../schemas/modules/product.json'
import type { ModuleDescription } from '../../../src/model/description.ts'
import { asMerged } from '../../../src/model/merge-module.ts'
import { logChanges } from '../../../src/server/flows/admin/log-changes.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'

let server: TestApp
let admin: Client
let demo: Client
let stranger: Client
beforeAll(async () => {
  server = await openTestApp()
  admin = await server.as('admin')
  demo = await server.as('demo')
  stranger = await server.as('yfadmin')
})
afterAll(() => server.close())

const lastAudit = (action: string) =>
  server.database.system(async (trx) => {
    const { rows } = await sql<{
      n: number
      detail: Record<string, unknown>
    }>`select count(*) over () as n, detail
      from audit_log where action = ${action} order by at desc limit 1`.execute(trx)
    return rows[0]
  })

describe('tenant settings', () => {
  const read = async (client = admin) => (await client.get('/engine/web/tenant/detail')).data.record

  it('are changed by an administrator, audited, and visible to colleagues; the operator’s part stays', async () => {
    const before = await read()

    const saved = await admin.post('/engine/web/tenant/save', {
      version: before.version,
      name: '星海科技集团',
      timezone: 'Asia/Urumqi',
      over_collect: 'block',
      max_users: 9999,
    })

    expect(saved.data.record).toMatchObject({
      name: '星海科技集团',
      timezone: 'Asia/Urumqi',
      over_collect: 'block',
      max_users: before.max_users,
    })
    expect((await lastAudit('tenant:save'))?.detail).toMatchObject({ before: { name: before.name } })
    expect((await read(stranger)).name).not.toBe('星海科技集团')
    const another = { ...before, id: 'yunfan', version: saved.data.version }
    expect((await admin.post('/engine/web/tenant/save', another)).meta.code).toBe(404)
    expect((await admin.get('/engine/web/tenant/detail?id=yunfan')).meta.code).toBe(404)
    await admin.post('/engine/web/tenant/save', { ...before, version: saved.data.version })
  })

  it.each([
    [
      'https://a.example\n http://127.0.0.1:9000 ',
      ['https://a.example', 'http://127.0.0.1:9000'],
      'https://a.example\nhttp://127.0.0.1:9000',
    ],
    ['none', [], 'none'],
    ['', null, ''],
  ])('restrict the origins of data to %j, and every client receives them', async (given, settings, read_) => {
    const saved = await admin.post('/engine/web/tenant/save', { ...(await read()), data_origins: given })

    expect(saved.data.record.data_origins).toBe(read_)
    expect((await admin.get('/mini/user/detail')).data.settings.data_origins).toEqual(settings)
    expect((await read(stranger)).data_origins).toBe('')
  })

  it.each([
    [{ data_origins: '*' }, 400],
    [{ data_origins: 'https://a.example/path' }, 400],
    [{ data_origins: ['https://a.example'] }, 400],
    [{ timezone: 'Mars/Olympus' }, 400],
    [{ name: 'x' }, 400],
    [{ over_collect: 'maybe' }, 400],
    [{ version: 0 }, 409],
  ])('refuse %j', async (more, code) => {
    const answer = await admin.post('/engine/web/tenant/save', { ...(await read()), ...more })

    expect(answer.meta.code).toBe(code)
  })

  it('are saved once per token', async () => {
    const { version } = await read()
    const body = { version, short_name: '星海', clientToken: 'tenant-once-1' }

    const answers = await Promise.all([1, 2].map(() => admin.post('/engine/web/tenant/save', body)))

    expect(answers.map((one) => one.data.version)).toEqual([version + 1, version + 1])
  })
})

describe('the default menu slots', () => {
  it('are shown to users without a choice, within the limits of each slot', async () => {
    const chosen = { shortcut: [201, 203], common: [130, 150, 100, 110], bottom: [130] }

    const few = await admin.post('/engine/web/menu/default', { ...chosen, common: [100] })
    const unknown = await admin.post('/engine/web/menu/default', { ...chosen, bottom: [200] })
    const saved = await admin.post('/engine/web/menu/default', chosen)

    expect(few.meta).toMatchObject({ code: 400, error: { fields: { common: expect.any(String) } } })
    expect(unknown.meta.error?.fields).toHaveProperty('bottom')
    expect(saved.data).toEqual(chosen)
    expect((await admin.post('/engine/web/menu/list', {})).data.defaults.selected).toEqual(chosen)
    const luoting = await server.as('luoting')
    expect((await luoting.get('/mini/user/detail')).data.selected).toMatchObject({ bottom: [130] })
    expect((await stranger.post('/engine/web/menu/list', {})).data.defaults.selected.bottom).not.toEqual([
      130,
    ])
    expect((await demo.post('/engine/web/menu/default', chosen)).meta.code).toBe(405)
  })
})

describe('one value of a dictionary', () => {
  const read = async () => (await admin.get('/engine/web/dict/detail?id=lead_level')).data.record.items
  const labels = async () => (await read()).map((item: { label: string }) => item.label)

  it('is added at the end with its own code, moves past its neighbour, and is the only default', async () => {
    const before = await labels()

    const made = await admin.post('/engine/web/dict/item', { id: 'lead_level', value: '', label: '待观察' })
    const added = made.data.record.items.at(-1)
    const moved = await admin.post('/engine/web/dict/move', { id: 'lead_level', value: added.value, by: -1 })
    const top = await admin.post('/engine/web/dict/item', {
      id: 'lead_level',
      value: added.value,
      is_default: true,
    })

    expect(added.label).toBe('待观察')
    expect(moved.meta.code).toBe(200)
    expect(await labels()).toEqual([...before.slice(0, -1), '待观察', ...before.slice(-1)])
    expect(top.data.record.items.filter((one: { is_default: boolean }) => one.is_default)).toHaveLength(1)
    expect((await lastAudit('dict:item'))?.n).toBe(2)
  })

  it.each([
    ['item', { value: '', label: '' }, 400],
    ['item', { value: 'nothing', label: '无' }, 404],
    ['item', { value: '', label: '待观察' }, 400],
    ['item', { value: '', label: '坏', is_default: true, disabled: true }, 400],
    ['move', { value: 'nothing', by: 1 }, 404],
    ['move', { value: 'hot', by: 7 }, 400],
  ])('refuses %s with %j', async (verb, body, code) => {
    const before = await read()

    const answer = await admin.post(`/engine/web/dict/${verb}`, { id: 'lead_level', ...body })

    expect([answer.meta.code, await read()]).toEqual([code, before])
    expect((await demo.post(`/engine/web/dict/${verb}`, { id: 'lead_level', ...body })).meta.code).toBe(405)
  })
})

describe('the sales stages', () => {
  const stages = async () => (await admin.post('/engine/web/stage/list', {})).data.list
  const named = async (name: string) => (await stages()).find((it: { name: string }) => it.name === name)
  const save = (body: JsonObject) => admin.post('/engine/web/stage/save', body)
  const opportunity = async (more: JsonObject = {}) => {
    const { data } = await demo.post('/mini/customer/create', { name: `阶段测试${++count}号公司` })
    const fields = { customer_id: data.id, amount: 1000, expected_date: '2026-06-01', ...more }
    return demo.post('/mini/bussiness/create', fields)
  }
  let count = 0

  it('are the product’s own until they are changed, followed by the closing stages', async () => {
    expect(
      (await stages()).map((it: { name: string; win_rate: number }) => `${it.name} ${it.win_rate}`),
    ).toEqual([
      ...['初步接洽 10', '需求确认 30', '方案报价 50', '商务谈判 70', '合同签订 90'],
      ...['赢单 100', '输单 0', '无效 0'],
    ])
    expect((await admin.get('/engine/web/stage/detail?id=')).data.fields).toContainEqual({
      value: 'competitor',
      label: '竞争对手',
    })
  })

  it('say which of them can go no further up or down', async () => {
    const ends = (await stages()).filter((it: JsonObject) => it.first === true || it.last === true)
    expect(ends).toMatchObject([
      { name: '初步接洽', first: true, last: false },
      { name: '合同签订', first: false, last: true },
    ])
  })

  it('accept a new stage, at the given index, with its rate and required fields', async () => {
    const made = await save({ name: '样品测试', color: 'teal', win_rate: 40, required: ['competitor'] })
    const { id } = made.data
    for (const _ of [1, 2, 3]) await admin.post('/engine/web/stage/move', { id, by: -1 })

    const [flow] = (await demo.get('/mini/bussiness/flow/list')).data.list
    const names = flow.stages.map((it: { name: string }) => it.name)
    expect(names).toEqual(['初步接洽', '需求确认', '样品测试', '方案报价', '商务谈判', '合同签订'])
    const deal = await opportunity()
    const there = await demo.post('/mini/bussiness/stage', { id: deal.data.id, stageId: id })
    expect(there.data.record).toMatchObject({ stage_id: id, win_rate: 40 })
    const stuck = await demo.post('/mini/bussiness/stage', { id: deal.data.id, stageId: 'signing' })
    expect(stuck.meta.error?.fields).toHaveProperty('competitor')
    await save({ id, win_rate: 45 })
    expect((await demo.get(`/mini/bussiness/detail?id=${deal.data.id}`)).data.record).toMatchObject({
      win_rate: 45,
      weighted: 450,
    })
  })

  it('are retired if used: kept at their index, no longer offered, and restored', async () => {
    const { id } = await named('样品测试')
    const unused = (await save({ name: '没用过', win_rate: 5 })).data.id
    const [deal] = (
      await demo.post('/mini/bussiness/list', { filters: [{ field: 'stage_id', op: 'eq', value: id }] })
    ).data.list

    const gone = await admin.post('/engine/web/stage/delete', { id: unused })
    const retired = await admin.post('/engine/web/stage/delete', { id })

    expect([gone.data.retired, retired.data.retired]).toEqual([false, true])
    expect(await named('没用过')).toBeUndefined()
    expect(await named('样品测试')).toMatchObject({ retired: true, records: 1 })
    const offered = (await demo.get('/mini/bussiness/flow/list')).data.list[0].stages
    expect(offered.map((it: { id: string }) => it.id)).not.toContain(id)
    const shown = (await demo.get(`/mini/bussiness/detail?id=${deal.id}`)).data.flow.stages
    expect(shown.map((it: { id: string }) => it.id)).toContain(id)
    const columns = (await demo.post('/mini/bussiness/board', {})).data.columns
    expect(columns.find((it: { stage: { id: string } }) => it.stage.id === id)?.count).toBe(1)
    expect((await opportunity({ stage_id: id })).meta.code).toBe(400)
    const on = { id: deal.id, stageId: 'proposal', fields: { competitor: ['对手'] } }
    expect((await demo.post('/mini/bussiness/stage', on)).meta.code).toBe(200)
    expect((await save({ id, retired: false })).data.record.retired).toBe(false)
  })

  it('include required fields for the closing stages', async () => {
    await save({ id: 'won', required: ['type'] })
    const deal = await opportunity()

    const early = await demo.post('/mini/bussiness/win', { id: deal.data.id })
    const { version } = (await demo.get(`/mini/bussiness/detail?id=${deal.data.id}`)).data.record
    await demo.post('/mini/bussiness/update', { id: deal.data.id, version, type: 'new' })
    const won = await demo.post('/mini/bussiness/win', { id: deal.data.id })

    expect(early.meta.error?.fields).toHaveProperty('type')
    expect(won.data.record.status).toBe(2)
    await save({ id: 'won', required: [] })
  })

  it('decide whether an opportunity may go back', async () => {
    const deal = await opportunity({ stage_id: 'requirement' })
    const back = () =>
      demo.post('/mini/bussiness/stage', { id: deal.data.id, stageId: 'first_contact', reason: '重来' })

    await admin.post('/engine/web/stage/rules', { allow_back: false })
    const refused = await back()
    await admin.post('/engine/web/stage/rules', { allow_back: true })

    expect(refused.meta.code).toBe(409)
    expect((await back()).meta.code).toBe(200)
  })

  it.each([
    ['save', { name: '' }, 400],
    ['save', { name: '赢单' }, 400],
    ['save', { name: '太多', win_rate: 101 }, 400],
    ['save', { name: '问错', required: ['owner_id'] }, 400],
    ['save', { id: 'nothing', name: '无' }, 404],
    ['delete', { id: 'won' }, 409],
    ['move', { id: 'lost', by: 1 }, 409],
    ['move', { id: 'signing', by: 5 }, 400],
    ['rules', { allow_back: 'no' }, 400],
  ])('refuse %s with %j', async (verb, body, code) => {
    const before = await stages()

    const answer = await admin.post(`/engine/web/stage/${verb}`, body)

    expect([answer.meta.code, await stages()]).toEqual([code, before])
    expect((await demo.post(`/engine/web/stage/${verb}`, body)).meta.code).toBe(405)
    const others = (await stranger.post('/engine/web/stage/list', {})).data.list
    expect(others.map((it: { name: string }) => it.name)).not.toContain('样品测试')
  })

  it('keep at least one stage that is not retired', async () => {
    const open = (await stages()).filter((it: { is_end: boolean }) => !it.is_end)

    const answers = []
    for (const { id } of open) answers.push((await admin.post('/engine/web/stage/delete', { id })).meta.code)

    expect(answers).toEqual([...open.slice(1).map(() => 200), 409])
  })
})

describe('the departments of a role', () => {
  const save = (more: object) =>
    admin.post('/engine/web/role/save', {
      permissions: ['customer:view'],
      scopes: { default: 'dept_custom' },
      ...more,
    })

  it('are departments of the tenant; a role keeps those that have been deleted since', async () => {
    const { data: dept } = await admin.post('/engine/web/dept/save', { name: '临时部门', parent_id: null })
    const table = { default: ['xh-sales'], customer: [dept.id] }
    const stranger = { default: ['xh-sales'], customer: ['yunfan'] }

    expect((await save({ name: '外人', custom_depts: stranger })).meta.error).toMatchObject({
      detail: 'custom_depts',
    })
    const made = await save({ name: '部门', custom_depts: table })
    await admin.post('/engine/web/dept/delete', { id: dept.id })
    const { id, version } = made.data
    const again = await save({ id, version, name: '部门二', custom_depts: table })

    expect([made.meta.code, again.meta.code]).toEqual([200, 200])
    await admin.post('/engine/web/role/delete', { id, version: again.data.version })
  })
})

describe('administration forms', () => {
  it('save a role unchanged that was read as a form', async () => {
    for (const { id } of (await admin.post('/engine/web/role/list', {})).data.list) {
      const { record, form } = (await admin.get(`/engine/web/role/detail?id=${id}`)).data

      const saved = await admin.post('/engine/web/role/save', { id, version: record.version, form })

      const { version: _, custom_depts: __, ...after } = saved.data.record
      const { version: ___, custom_depts: ____, ...before } = record
      expect({ ...after, permissions: [...after.permissions].sort() }).toEqual({
        ...before,
        permissions: [...before.permissions].sort(),
      })
    }
  })

  it('require a confirmation for a role without rights, and for a role that takes rights from the user who saves it', async () => {
    const form = { name: '空白', s_default: 'self' }
    const asked = await admin.post('/engine/web/role/save', { form })
    const saved = await admin.post('/engine/web/role/save', { form, confirm: ['ROLE_EMPTY'] })
    const keys = { ...form, name: '管角色', p_system: ['system:user', 'system:role'] }
    const made = await admin.post('/engine/web/role/save', { form: keys })
    const { record } = (await admin.get('/engine/web/user/detail?id=u-zhaolei')).data
    await admin.post('/engine/web/user/save', { ...record, role_ids: [made.data.id] })
    const keeper = await server.as('zhaolei')
    const less = { id: made.data.id, version: 1, form: { ...keys, p_system: ['system:user'] } }
    const warned = await keeper.post('/engine/web/role/save', less)
    const given = await keeper.post('/engine/web/role/save', { ...less, confirm: ['ROLE_OWN'] })

    expect([asked.meta.code, asked.data.confirm]).toEqual([409, 'ROLE_EMPTY'])
    expect([warned.meta.code, warned.data.confirm]).toEqual([409, 'ROLE_OWN'])
    expect([saved.meta.code, given.meta.code]).toEqual([200, 200])
    expect((await keeper.post('/engine/web/role/list', {})).meta.code).toBe(405)
  })

  it('require a confirmation for a role without rights that every record needs', async () => {
    const field = { name: 'grade', kind: 'text', label: '会员档次', required: true }
    await admin.post('/engine/web/field/save', { module: 'customer', field })
    const form = (...kept: readonly (readonly [string, string])[]) => ({
      name: '看得少',
      s_default: 'self',
      p_customer: ['customer:view', 'customer:add'],
      field_rows: kept.map((one) => ({ field: one, right: 'read' })),
    })
    const ask = async (...kept: readonly (readonly [string, string])[]) => {
      const { meta, data } = await admin.post('/engine/web/role/save', { form: form(...kept) })
      return [meta.code, data.confirm, meta.message]
    }

    expect(await ask(['customer', 'name'])).toEqual([
      409,
      'ROLE_REQUIRED',
      '该角色不能填写必填项“客户 · 客户名称”，用它的人不能新建这样的记录。',
    ])
    expect(await ask(['customer', 'ext.grade'])).toEqual([
      409,
      'ROLE_REQUIRED',
      '该角色不能填写必填项“客户 · 会员档次”，用它的人新建的记录里没有这些内容。',
    ])
    expect(await ask(['contract', 'amount'])).toEqual([
      409,
      'ROLE_REQUIRED',
      '该角色不能填写必填项“合同 · 合同金额”，用它的人不能新建这样的记录。',
    ])
    const sure = { form: form(['customer', 'ext.grade']), confirm: ['ROLE_REQUIRED'] }
    const saved = await admin.post('/engine/web/role/save', sure)
    expect(saved.meta.code).toBe(200)
    expect((await ask(['customer', 'level']))[0]).toBe(200)
    await admin.post('/engine/web/field/delete', { module: 'customer', name: 'grade' })
  })

  it('refuse rows of field rights that would have no effect', async () => {
    const save = async (field_rows: Json, field_rights?: Json) => {
      const form = { name: '看得少', s_default: 'self', p_customer: ['customer:view'], field_rows }
      const body =
        field_rights === undefined
          ? { form }
          : { name: '看得少', permissions: ['customer:view'], field_rights }
      const { meta } = await admin.post('/engine/web/role/save', body)
      return [meta.code, meta.error?.detail || meta.message]
    }
    const masked = { field: ['customer', 'mobile'], right: 'masked' }

    expect(await save([{ entity: 'customer', field: 'mobile', right: 'hidden' }])).toEqual([
      400,
      'field_rows',
    ])
    expect(await save({ 0: masked })).toEqual([400, 'field_rows'])
    expect(await save([masked, { ...masked, right: 'read' }])).toEqual([
      400,
      '“客户 · 手机”有两行权限，请只保留一行',
    ])
    expect(await save([{ ...masked, field: ['customer', 'mobil'] }])).toEqual([
      400,
      'field_rights.customer.mobil',
    ])
    expect(await save(null, { customer: { mobil: 'hidden' } })).toEqual([400, 'field_rights.customer.mobil'])
    expect(await save([masked])).toEqual([200, ''])
  })

  it('list for each role as many rights as its form has ticked, and its scope', async () => {
    const { list } = (await admin.post('/engine/web/role/list', {})).data
    const told = (code: string) => list.find((one: { code: string }) => one.code === code)
    expect(told('tenant_admin')).toMatchObject({ rights: '全部权限', scope_name: '全部数据' })
    expect(told('sales')).toMatchObject({ scope_name: '本人' })

    for (const code of ['sales', 'sales_manager', 'finance']) {
      const { id, rights } = told(code)
      const { form } = (await admin.get(`/engine/web/role/detail?id=${id}`)).data
      const ticked = Object.entries(form).flatMap(([name, held]) => (name.startsWith('p_') ? held : []))
      expect(rights).toBe(`${ticked.length} 项权限`)
    }
  })

  it('save a pool unchanged that was read as a form', async () => {
    for (const { id } of (await admin.post('/engine/web/pool/list', {})).data.list) {
      const { record, form, setting } = (await admin.get(`/engine/web/pool/detail?id=${id}`)).data
      const settings = Object.fromEntries(Object.keys(setting.settings).map((name) => [name, form[name]]))

      const saved = await admin.post('/engine/web/pool/save', { id, version: record.version, settings })

      expect(saved.meta.code).toBe(200)
      const after = (await admin.get(`/engine/web/pool/detail?id=${id}`)).data
      expect(after.setting.settings).toEqual(setting.settings)
    }
  })

  it('save a flow unchanged that was read as a form', async () => {
    for (const id of ['contract', 'payment']) {
      const { record, form } = (await admin.get(`/engine/web/flow/detail?id=${id}`)).data

      await admin.post('/engine/web/flow/save', { id, ...form })

      expect((await admin.get(`/engine/web/flow/detail?id=${id}`)).data.record).toEqual(record)
    }
  })
})

describe('the audit log', () => {
  it('shows old and new values field by field', async () => {
    const made = await admin.post('/engine/web/dept/save', { name: '日志部', parent_id: 'xh-root' })
    await admin.post('/engine/web/dept/save', { id: made.data.id, name: '改名部', parent_id: 'xh-root' })

    const [entry] = (
      await admin.post('/engine/web/log/list', {
        filters: [{ field: 'record_id', op: 'eq', value: made.data.id }],
      })
    ).data.list
    const { changes, record } = (await admin.get(`/engine/web/log/detail?id=${entry.id}`)).data

    expect(entry).toMatchObject({ title: '保存部门', entity_name: '部门' })
    expect(changes).toEqual([{ label: '名称', was: '日志部', is: '改名部' }])
    expect(record).not.toHaveProperty('detail')
  })
  it('hides the fields that its reader may not see', () => {
    const detail = { before: { cost: 4, price: 1, unit: 'a' }, after: { cost: 5, price: 2, unit: 'b' } }
    const caller = { fieldRights: { product: { cost: 'hidden', unit: 'masked' } } } as const
    const product = asMerged(PRODUCT as ModuleDescription, 'vendor')
    const model = { modules: new Map([['product', product]]) }

    const page = { etag: 'e', before: { revision: 3 }, after: { revision: 2 } }
    expect(logChanges('page_override', page, { caller, model })).toEqual([
      { label: '版本', was: '3', is: '2' },
    ])
    expect(logChanges('product', detail, { caller, model })).toEqual([
      { label: '标准单价', was: '1', is: '2' },
      { label: '单位', was: '***', is: '***' },
    ])
  })
})
