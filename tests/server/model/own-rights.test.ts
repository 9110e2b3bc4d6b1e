import { afterAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { allOwn } from '../../../src/server/kernel/auth/permissions.ts'
import { aModule, openOwnTenant } from './own-tenant.ts'

const VISIT_OF = { name: 'visit_id', kind: 'ref', module: 'visit', label: '拜访' }
const { server, admin, demo, save } = await openOwnTenant([
  aModule({ name: 'visit', label: '拜访记录', fields: [VISIT_OF] }),
  aModule({ fields: [VISIT_OF] }),
])
afterAll(() => server.close())

const roleCalled = async (code: string): Promise<JsonObject> =>
  (await admin.post('/engine/web/role/list')).data.list.find((one: JsonObject) => one.code === code)

const formOf = async (code: string) => {
  const { id } = await roleCalled(code)
  const { data } = await admin.get(`/engine/web/role/detail?id=${id}`)
  return { id, version: data.record.version, form: data.form }
}

describe('rights on own modules', () => {
  it('are on the screen of a role, in a group per module', async () => {
    const { body } = await admin.get('/engine/web/page/detail?path=/pages/admin/role/edit')
    const matrix = JSON.parse(body).widgetList.find((one: JsonObject) => one.type === 'choice-matrix')
    const group = matrix.widgetList.find(
      (one: { options?: JsonObject }) => one.options?.name === 'm_m_ticket',
    )

    expect(group.options.label).toBe('售后工单')
    expect(group.widgetList.map((one: { options: JsonObject }) => one.options.name)).toEqual([
      's_m_ticket',
      'p_m_ticket',
    ])
    const offered = group.widgetList[1].options.optionItems
    expect(offered[0]).toEqual({ label: '查看', value: 'm.ticket:view' })
    expect(offered.map((one: JsonObject) => one.value).sort()).toEqual(
      allOwn('ticket')
        .filter((right) => !/:(?:approve|pool|claim|assign|release)$/.test(right))
        .sort(),
    )
    expect(body).toContain('"m.visit":{"permissions":"{{ form.p_m_visit }}"')
    expect(body).not.toContain('own:view')
  })

  it('are those that its records can need: no transfer without owners, no approval without steps, no claim without a pool', async () => {
    const offeredOf = async (name: string) => {
      const { data } = await admin.post('/engine/web/role/list')
      return data.own.find((one: JsonObject) => one.name === `m.${name}`).actions
    }
    await save(aModule({ name: 'plain', label: '便签', behaviours: [] }))

    expect(await offeredOf('plain')).toEqual(['view', 'add', 'edit', 'del', 'export', 'import'])
    expect(await offeredOf('ticket')).toEqual(['view', 'add', 'edit', 'del', 'transfer', 'export', 'import'])
    expect(await offeredOf('quotation')).toContain('approve')
    await save(aModule({ name: 'pooled', label: '池', behaviours: ['owned', 'pool'] }))
    expect(await offeredOf('pooled')).toEqual(expect.arrayContaining(['pool', 'claim', 'assign', 'release']))
  })

  it('that are not offered stay with their holders', async () => {
    const { version, id, form } = await formOf('sales')
    const own = { 'm.ticket': { permissions: [...allOwn('ticket')], scope: 'self' } }
    await admin.post('/engine/web/role/save', { id, version, form: { ...form, own } })
    const between = await formOf('sales')
    const again = { 'm.ticket': { permissions: between.form.p_m_ticket, scope: 'self' } }
    await admin.post('/engine/web/role/save', { ...between, form: { ...between.form, own: again } })

    expect(between.form.p_m_ticket).not.toContain('m.ticket:approve')
    expect((await roleCalled('sales')).permissions).toContain('m.ticket:approve')
  })

  it('are granted by that form, and apply from the next call', async () => {
    const { id, version, form } = await formOf('sales')
    const saved = await admin.post('/engine/web/role/save', {
      id,
      version,
      form: {
        ...form,
        own: { 'm.ticket': { permissions: ['m.ticket:view', 'm.ticket:add'], scope: 'self' } },
      },
    })
    await admin.post('/mini/m/ticket/create', { title: '别人的' })
    const made = await demo.post('/mini/m/ticket/create', { title: '自己的' })
    const listed = await demo.post('/mini/m/ticket/list')
    const after = await formOf('sales')

    expect(saved.meta.code).toBe(200)
    expect(made.meta.code).toBe(200)
    expect(listed.data.list).toMatchObject([{ title: '自己的' }])
    expect((await demo.post('/mini/m/visit/list')).meta.code).toBe(405)
    expect(after.form).toMatchObject({
      p_m_ticket: ['m.ticket:view', 'm.ticket:add'],
      s_m_ticket: 'self',
      p_m_visit: [],
      s_m_visit: '',
    })
  })

  it('stay unchanged if a form does not contain them', async () => {
    const { id, version, form } = await formOf('sales')
    await admin.post('/engine/web/role/save', { id, version, form })

    expect(await roleCalled('sales')).toMatchObject({
      permissions: expect.arrayContaining(['m.ticket:view', 'm.ticket:add']),
      scopes: { 'm.ticket': 'self' },
    })
  })

  it('open a page that requires them, even to users without the module’s other rights', async () => {
    const finance = await server.as('finance')
    const opened = async () => {
      const { meta } = await finance.get('/engine/web/page/detail?path=/pages/my/transfer/mapping')
      return meta?.code ?? 200
    }
    const given = await formOf('finance')
    const isNoImport = (right: string) => !right.endsWith(':import')
    const nothing = { ...given.form, p_payment: (given.form.p_payment as string[]).filter(isNoImport) }
    await admin.post('/engine/web/role/save', { ...given, form: nothing })
    const before = await opened()
    const { id, version, form } = await formOf('finance')
    const own = { 'm.ticket': { permissions: ['m.ticket:view', 'm.ticket:import'], scope: 'all' } }
    await admin.post('/engine/web/role/save', { id, version, form: { ...form, own } })

    expect([before, await opened()]).toEqual([405, 200])
  })

  it('of a missing module cannot be granted', async () => {
    const { id, version, form } = await formOf('sales')
    const own = { 'm.nothing': { permissions: ['m.nothing:view'], scope: 'all' } }
    const refused = await admin.post('/engine/web/role/save', { id, version, form: { ...form, own } })

    expect(refused.meta.code).toBe(400)
  })

  it('are restored with a deleted module', async () => {
    const brief = aModule({ name: 'brief', label: '简报', behaviours: [] })
    await save(brief)
    const sales = await formOf('sales')
    const own = { 'm.brief': { permissions: ['m.brief:view'], scope: '' } }
    await admin.post('/engine/web/role/save', { ...sales, form: { ...sales.form, own } })
    await admin.post('/engine/web/module/delete', { name: 'brief' })
    const between = await formOf('sales')
    const saved = await admin.post('/engine/web/role/save', between)
    await save(brief)

    expect(saved.meta.code).toBe(200)
    expect((await demo.post('/mini/m/brief/list')).meta.code).toBe(200)
  })

  it('are limited to the rights of a deputy who grants them', async () => {
    const deputy = await admin.post('/engine/web/role/save', {
      name: '副手',
      permissions: ['system:role', 'system:user', 'm.ticket:view'],
      scopes: { default: 'self', 'm.ticket': 'dept' },
    })
    const people = await admin.post('/engine/web/user/list', {})
    const person = people.data.list.find((one: JsonObject) => one.account === 'finance')
    await admin.post('/engine/web/user/save', { ...person, role_ids: [deputy.data.id] })
    const finance = await server.as('finance')
    const give = (permissions: readonly string[], scope: string) =>
      finance.post('/engine/web/role/save', {
        name: `给予 ${scope} ${permissions.length}`,
        permissions: [...permissions],
        scopes: { default: 'self', 'm.ticket': scope },
      })

    expect((await give(['m.ticket:view'], 'dept')).meta.code).toBe(200)
    expect((await give(['m.ticket:view'], 'all')).meta.code).toBe(405)
    expect((await give(['m.ticket:view', 'm.ticket:del'], 'self')).meta.code).toBe(405)
  })

  it('reveal no name of a record outside them', async () => {
    const visit = await admin.post('/mini/m/visit/create', { title: '机密拜访' })
    const named = await demo.post('/mini/m/ticket/create', { title: '借名', visit_id: visit.data.id })

    expect(named.meta.code).toBe(400)
    expect(JSON.stringify(named.data)).not.toContain('机密')
  })
})
