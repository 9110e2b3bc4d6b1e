import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import { applyRule, isTruthy } from '../../../runtime/core/logic/rule.ts'
import { objectsIn } from '../../schemas/product-pages.ts'
import { type Deals, draft, makeProduct, openDeals, right } from '../business5/deals.ts'

let deals: Deals
let product: string

beforeAll(async () => {
  deals = await openDeals()
  product = await makeProduct(deals.director, { name: '星海 CRM 专业版', price: 1000 })
})
afterAll(() => deals.server.close())

const line = (price: number, quantity: number): Json => ({ product_id: product, price, quantity })
const quote = async (more: Record<string, Json> = {}, client = deals.demo) =>
  right(
    await client.post('/mini/m/quotation/create', {
      title: '年度采购报价',
      customer_id: deals.customerId,
      lines: [line(1000, 2), line(800, 1)],
      ...more,
    }),
  ) as { id: string; version: number; record: Record<string, Json> }

const pageOf = async (path: string): Promise<JsonObject> =>
  JSON.parse((await deals.demo.get(`/engine/web/page/detail?path=${path}`)).body) as JsonObject

describe('a quotation, a product module that consists only of a description', () => {
  it('has current product data, and the computed amount', async () => {
    const { record } = await quote({ discount_rate: 90 })
    expect(record.record_no).toMatch(/^BJ\d{11}$/)
    expect(record.amount).toBe(2520)
    expect(record.lines).toMatchObject([
      { product_name: '星海 CRM 专业版', list_price: 1000, price: 1000, quantity: 2, amount: 2000 },
      { price: 800, discount: 80, amount: 800 },
    ])
    expect(record.quoted_on).toBe('2026-03-16')
  })

  it('recomputes the amount when a line or the discount changes, and shows it in the history', async () => {
    const { id, version } = await quote()
    const { record } = right(
      await deals.demo.post('/mini/m/quotation/update', { id, version, discount_rate: 50 }),
    ) as { record: Record<string, Json> }
    expect(record.amount).toBe(1400)
    const log = right(await deals.demo.get(`/mini/m/quotation/log?id=${id}`))
    expect(JSON.stringify(log)).toContain('报价金额')
  })

  it('accepts neither an amount from the user nor a product off sale', async () => {
    const body = { title: '报价', customer_id: deals.customerId, lines: [line(1, 1)] }
    const written = await deals.demo.post('/mini/m/quotation/create', { ...body, amount: 1 })
    expect(written.meta.error?.fields).toHaveProperty('amount')
    const unknown = { ...body, lines: [{ product_id: 'nothing', price: 1, quantity: 1 }] }
    const refused = await deals.demo.post('/mini/m/quotation/create', unknown)
    expect(refused.meta.error?.fields).toHaveProperty(['lines.0.product_id'])
  })

  it('is found by its amount and its customer from the first record on', async () => {
    const { id } = await quote({ lines: [line(7777, 1)] })
    const list = right(
      await deals.demo.post('/mini/m/quotation/list', {
        filters: [
          { field: 'amount', op: 'gte', value: 7777 },
          { field: 'customer_id', op: 'eq', value: deals.customerId },
        ],
      }),
    )
    expect(list.list.map((row: { id: string }) => row.id)).toEqual([id])
  })

  it('shows on its card and in its head that its validity has passed', async () => {
    const lapsed = async (until: string | null) => {
      const { id, record } = await quote({ valid_until: until })
      const rows = right(await deals.demo.post('/mini/m/quotation/list', {})).list
      const row = rows.find((one: { id: string }) => one.id === id)
      expect(row.lapsed).toBe(record.lapsed)
      return right(await deals.demo.get(`/mini/m/quotation/detail?id=${id}`)).record.lapsed
    }
    // Valid until the end of today.
    expect([await lapsed('2026-03-15'), await lapsed('2026-03-16'), await lapsed('2026-04-16')]).toEqual([
      true,
      false,
      false,
    ])
    expect(await lapsed(null)).toBeUndefined()
    // A quotation that became a contract cannot expire.
    const { id } = await quote({ valid_until: '2026-03-15' })
    right(await deals.demo.post('/mini/m/quotation/submit', { id }))
    const sold = {
      name: '成交的合同',
      customer_id: deals.customerId,
      lines: [line(1000, 2)],
      type: 'direct',
      sign_date: '2026-03-16',
    }
    right(await deals.demo.post('/mini/contract/create', { ...sold, made_of: { module: 'quotation', id } }))
    expect(right(await deals.demo.get(`/mini/m/quotation/detail?id=${id}`)).record.lapsed).toBe(false)
    for (const path of ['index', 'detail'])
      expect([...objectsIn(await pageOf(`/pages/m/quotation/${path}`))].map(({ text }) => text)).toContain(
        '已过期',
      )
  })

  it('is counted and listed on its customer and its opportunity', async () => {
    const before = right(await deals.demo.get(`/mini/customer/detail?id=${deals.customerId}`)).related
      .quotation
    await quote()
    const { related } = right(await deals.demo.get(`/mini/customer/detail?id=${deals.customerId}`))
    expect(related.quotation).toBe(before + 1)
    for (const path of ['/pages/customer/my/detail', '/pages/bussiness/detail']) {
      const page = await pageOf(path)
      expect([...objectsIn(page)].map(({ value }) => value)).toContain('quotation')
    }
  })

  it('has a form whose products are chosen like those of a contract', async () => {
    const page = await pageOf('/pages/m/quotation/add')
    const widgets = [...objectsIn(page)]
    expect(widgets.some(({ type }) => type === 'sub-form')).toBe(true)
    expect(widgets.some((one) => one.name === 'productSheet')).toBe(true)
    expect(JSON.stringify(page)).not.toContain('"fragment"')
  })
})

describe('the approval of a quotation', () => {
  const submit = async (id: string) => deals.demo.post('/mini/m/quotation/submit', { id })

  it('is not needed while the discount is within the limit', async () => {
    const { id } = await quote({ lines: [line(950, 1)] })
    expect(right(await submit(id)).record.approval_status).toBe(2)
    // An empty one is no discount, as in the amount.
    const whole = await quote({ lines: [line(950, 1)], discount_rate: null })
    expect(right(await submit(whole.id)).record.approval_status).toBe(2)
  })

  it('goes to the superior beyond the limit, who sees everything that is to be decided', async () => {
    const { id } = await quote({ lines: [line(700, 2)], remark: '客户要求七折' })
    expect(right(await submit(id)).record.approval_status).toBe(1)
    const waiting = right(await deals.manager.post('/mini/approval/list', { tab: 'todo' })).list
    const card = waiting.find((one: { record_id: string }) => one.record_id === id)
    expect(card).toMatchObject({
      entity: 'm.quotation',
      entity_name: '报价单',
      record_url: `/pages/m/quotation/detail?id=${id}`,
      amount: 1400,
      customer_name: '北京测试客户有限公司',
    })
    const detail = right(await deals.manager.get(`/mini/approval/detail?id=${card.id}`))
    expect(detail.lines).toMatchObject([{ product_name: '星海 CRM 专业版', discount: 70 }])
    expect(JSON.stringify(detail.facts)).toContain('客户要求七折')
    right(await deals.manager.post('/mini/approval/act', { id: card.id, action: 'approve' }))
    const { record, approval_id } = right(await deals.demo.get(`/mini/m/quotation/detail?id=${id}`))
    expect(record).toMatchObject({ approval_status: 2, amount_capitals: '壹仟肆佰元整' })
    expect(approval_id).toBe(card.id)
    const told = right(await deals.demo.post('/mini/message/list', {})).list
    expect(told[0]).toMatchObject({ title: '报价单已通过' })
  })

  it('also goes to the director above a large amount', async () => {
    const { id } = await quote({ lines: [line(700, 200)] })
    right(await submit(id))
    const card = right(await deals.manager.post('/mini/approval/list', { tab: 'todo' })).list[0]
    expect(right(await deals.manager.get(`/mini/approval/detail?id=${card.id}`)).steps).toHaveLength(2)
    right(await deals.manager.post('/mini/approval/act', { id: card.id, action: 'approve' }))
    const next = right(await deals.director.post('/mini/approval/list', { tab: 'todo' })).list[0]
    right(await deals.director.post('/mini/approval/act', { id: next.id, action: 'reject', opinion: '太低' }))
    expect(right(await deals.demo.get(`/mini/m/quotation/detail?id=${id}`)).record.approval_status).toBe(3)
  })

  it('keeps the submitted quotation unchanged until it is withdrawn', async () => {
    const { id } = await quote({ lines: [line(500, 1)] })
    const { version } = right(await submit(id))
    const change = { id, version, title: '别的' }
    expect((await deals.demo.post('/mini/m/quotation/update', change)).meta.code).toBe(409)
    expect(right(await deals.demo.post('/mini/m/quotation/delete', { ids: [id] })).failed).toHaveLength(1)
    const { approval_id } = right(await deals.demo.get(`/mini/m/quotation/detail?id=${id}`))
    expect((await deals.manager.post('/mini/approval/withdraw', { id: approval_id })).meta.code).toBe(405)
    right(await deals.demo.post('/mini/approval/withdraw', { id: approval_id }))
    const back = right(await deals.demo.get(`/mini/m/quotation/detail?id=${id}`)).record
    expect(back.approval_status).toBe(4)
    right(await deals.demo.post('/mini/m/quotation/update', { ...change, version: back.version }))
  })

  it('follows the tenant’s own flow instead', async () => {
    const flow = {
      entity: 'm.quotation',
      enabled: true,
      steps: [{ kind: 'role', value: 'finance', mode: 'any' }],
    }
    const refused = await deals.admin.post('/engine/web/flow/save', { ...flow, id: 'm.nothing' })
    expect(refused.meta.code).toBe(400)
    expect(right(await deals.admin.post('/mini/approval/count', {}))).toMatchObject({ stuck: 0 })
    const list = right(await deals.admin.post('/engine/web/flow/list', {})).list
    expect(list.map((one: { entity_name: string }) => one.entity_name)).toEqual(
      expect.arrayContaining(['合同', '回款', '报价单']),
    )
  })
})

describe('a step with conditions on fields', () => {
  const stepsOf = async (id: string): Promise<readonly string[]> => {
    const found = right(await deals.admin.post('/mini/approval/list', { tab: 'running' })).list.find(
      (one: JsonObject) => one.record_id === id,
    )
    const shown = right(await deals.admin.get(`/mini/approval/detail?id=${found.id}`))
    return shown.steps.map(({ name }: JsonObject) => name)
  }
  const submitted = async (ext: JsonObject): Promise<readonly string[]> => {
    const made = await draft(deals.demo, deals.customerId, { amount: 10, ext })
    right(await deals.demo.post('/mini/contract/submit', { id: made.id }))
    return stepsOf(made.id)
  }

  it('applies if a field of the tenant has one of the values, or a number is reached', async () => {
    const options = [
      { value: 'cash', label: '现结' },
      { value: 'credit', label: '账期' },
    ]
    for (const field of [
      { name: 'pay_by', kind: 'choice', label: '付款方式', options },
      { name: 'margin', kind: 'percent', label: '让利' },
      { name: 'rush', kind: 'flag', label: '加急' },
    ])
      right(await deals.admin.post('/engine/web/field/save', { module: 'contract', field }))
    const { conditions } = right(await deals.admin.get('/engine/web/flow/detail?id=contract'))
    expect(conditions.values).toContainEqual({ value: 'ext.pay_by=credit', label: '付款方式：账期' })
    expect(conditions.numbers).toContainEqual({ value: 'ext.margin', label: '让利' })

    const asks = { values: ['ext.pay_by=credit', 'ext.rush=true'], from_field: 'ext.margin', from: 20 }
    const steps = [
      { kind: 'superior', mode: 'any' },
      { kind: 'role', role: 'finance', mode: 'any', min_amount: null, below_min: false, ...asks },
    ]
    right(await deals.admin.post('/engine/web/flow/save', { id: 'contract', enabled: true, steps, cc: [] }))
    const shown = right(await deals.admin.get('/engine/web/flow/detail?id=contract'))
    expect(shown.form.steps).toMatchObject([{ values: [], from_field: null }, asks])

    expect(await submitted({})).toHaveLength(1)
    expect(await submitted({ pay_by: 'cash', margin: 19.9, rush: false })).toHaveLength(1)
    for (const ext of [{ pay_by: 'credit' }, { margin: 20 }, { rush: true }])
      expect(await submitted(ext)).toHaveLength(2)

    const usage = right(await deals.admin.get('/engine/web/field/usage?module=contract&name=pay_by'))
    expect(usage.list).toMatchObject([
      { what: '审批流', label: '合同', path: '/pages/admin/flow/edit?id=contract' },
    ])
  })

  it('applies to a whole discount below a value or up to it, as deep discounts are asked for', async () => {
    const shown = async (id: string) => right(await deals.admin.get(`/engine/web/flow/detail?id=${id}`))
    const before = { 'm.quotation': await shown('m.quotation'), contract: await shown('contract') }
    const saved = async (compare: string, id: string) => {
      const by = { values: [], from_field: 'discount_rate', compare, from: 85 }
      const steps = [{ kind: 'role', role: 'finance', mode: 'any', ...by }]
      right(await deals.admin.post('/engine/web/flow/save', { id, enabled: true, steps, cc: [] }))
      const { record, form } = await shown(id)
      expect(form.steps).toMatchObject([by])
      return record.steps[0].when
    }
    const status = async (discount_rate: Json) => {
      const { id } = await quote({ lines: [line(1000, 1)], discount_rate })
      right(await deals.demo.post('/mini/m/quotation/submit', { id }))
      const { record } = right(await deals.demo.get(`/mini/m/quotation/detail?id=${id}`))
      const found = right(await deals.admin.post('/mini/approval/list', { tab: 'running' })).list
      const { id: approval } = found.find((one: JsonObject) => one.record_id === id) ?? { id: null }
      if (approval === null) return record.approval_status
      const { steps } = right(await deals.admin.get(`/mini/approval/detail?id=${approval}`))
      return steps.map(({ name }: JsonObject) => name).join()
    }

    expect(await saved('below', 'm.quotation')).toEqual([{ field: 'discount_rate', below: 85 }])
    expect([await status(84.99), await status(100)]).toEqual(['角色审批', 2])
    expect(await status(null)).toBe(2)
    // Too far by the rule of the module, but not for this step: it is never approved unseen.
    expect(await status(85)).toBe('直属上级')
    expect(await saved('to', 'm.quotation')).toEqual([{ field: 'discount_rate', to: 85 }])
    expect([await status(85), await status(85.01)]).toEqual(['角色审批', '直属上级'])
    expect(await saved('from', 'm.quotation')).toEqual([{ field: 'discount_rate', from: 85 }])
    expect([await status(85), await status(100)]).toEqual(['角色审批', '角色审批'])
    expect(await saved('to', 'contract')).toEqual([{ field: 'discount_rate', to: 85 }])
    const rates = { amount: 10, discount_rate: 85, ext: {} }
    const made = await draft(deals.demo, deals.customerId, rates)
    right(await deals.demo.post('/mini/contract/submit', { id: made.id }))
    expect(await stepsOf(made.id)).toEqual(['角色审批'])
    for (const [id, { form }] of Object.entries(before))
      right(await deals.admin.post('/engine/web/flow/save', { id, ...form }))
  })

  it('says what goes too far, by the rule that decides it', async () => {
    const hint = async (id: string) =>
      right(await deals.admin.get(`/engine/web/flow/detail?id=${id}`)).conditions.below_hint
    expect(await hint('m.quotation')).toBe('超出报价单的规则时需要这一步，规则看：产品明细、整单折扣')
    expect(await hint('contract')).toBe('有产品低于底价时需要这一步，整单折扣不算')
  })

  it('cannot depend on an unknown field, and needs a number for a numeric field', async () => {
    const save = (when: Json) =>
      deals.admin.post('/engine/web/flow/save', {
        id: 'contract',
        steps: [{ kind: 'superior', mode: 'any', when }],
      })
    for (const when of [
      [{ field: 'nothing', is: 'x' }],
      [{ field: 'approval_status', is: '1' }],
      [{ field: 'ext.margin', is: '20' }],
      [{ field: 'ext.margin', to: '20' }],
      [{ field: 'ext.margin', from: 10, to: 20 }],
      [{ field: 'ext.pay_by', below: 20 }],
      [{ field: 'ext.pay_by', is: '' }],
      'all',
    ])
      expect((await save(when)).meta).toMatchObject({ code: 400, message: '审批流程设置有误，请检查' })
  })
})

describe('versions of a quotation', () => {
  it('keep the approved version; the next one is a draft with the same contents', async () => {
    const { id } = await quote({ lines: [line(1000, 1)] })
    const { version } = right(await deals.demo.post('/mini/m/quotation/submit', { id }))
    const next = right(await deals.demo.post('/mini/m/quotation/version', { id, version }))
    expect(next.revision_no).toBe(2)
    right(
      await deals.demo.post('/mini/m/quotation/update', { id, version: next.version, lines: [line(700, 1)] }),
    )
    const { list } = right(await deals.demo.get(`/mini/m/quotation/versions?id=${id}`))
    expect(list).toMatchObject([{ no: 1, approval_status: 2 }])
    const first = right(await deals.demo.get(`/mini/m/quotation/detail?id=${id}&no=1`))
    expect(first).toMatchObject({ record: { amount: 1000, revision_no: 1 }, actions: [] })
    expect(right(await deals.demo.get(`/mini/m/quotation/detail?id=${id}`)).record.amount).toBe(700)
    expect((await deals.demo.get(`/mini/m/quotation/detail?id=${id}&no=7`)).meta.code).toBe(404)
  })

  it('show the differences to the approver of the next version', async () => {
    const { id } = await quote({ lines: [line(1000, 1)] })
    const { version } = right(await deals.demo.post('/mini/m/quotation/submit', { id }))
    const next = right(await deals.demo.post('/mini/m/quotation/version', { id, version }))
    right(
      await deals.demo.post('/mini/m/quotation/update', { id, version: next.version, lines: [line(600, 1)] }),
    )
    right(await deals.demo.post('/mini/m/quotation/submit', { id }))
    const { approval_id } = right(await deals.demo.get(`/mini/m/quotation/detail?id=${id}`))
    const { changes } = right(await deals.manager.get(`/mini/approval/detail?id=${approval_id}`))
    const change = { label: '报价金额', was: '¥1,000.00', is: '¥600.00' }
    expect(changes).toContainEqual({ ...change, text: '报价金额：¥1,000.00 → ¥600.00' })
  })

  it('are hidden from other users, and not available if the module has none', async () => {
    const { id } = await quote()
    expect((await deals.accountant.get(`/mini/m/quotation/versions?id=${id}`)).meta.code).toBe(200)
    const other = await deals.server.as('yfadmin')
    expect((await other.get(`/mini/m/quotation/versions?id=${id}`)).meta.code).toBe(404)
  })
})

describe('converting a quotation to a contract', () => {
  const agreed = async () => {
    const { id } = await quote({ lines: [line(1000, 2)], remark: '含安装' })
    right(await deals.demo.post('/mini/m/quotation/submit', { id }))
    return id
  }

  it('copies its customer, products and terms, and links both ways', async () => {
    const id = await agreed()
    const { record } = right(await deals.demo.get(`/mini/convert?of=quotation&id=${id}&to=contract`))
    expect(record).toMatchObject({
      name: '年度采购报价',
      customer_id: deals.customerId,
      customer_name: '北京测试客户有限公司',
      remark: '含安装',
    })
    const made = right(
      await deals.demo.post('/mini/contract/create', {
        name: record.name,
        customer_id: record.customer_id,
        lines: record.lines,
        type: 'direct',
        sign_date: '2026-03-16',
        made_of: { module: 'quotation', id },
      }),
    )
    expect(made.record.amount).toBe(2000)
    const quotation = right(await deals.demo.get(`/mini/m/quotation/detail?id=${id}`))
    expect(quotation.linked).toEqual([
      { label: '合同', title: '年度采购报价', url: `/pages/contract/detail?id=${made.id}` },
    ])
    const contract = right(await deals.demo.get(`/mini/contract/detail?id=${made.id}`))
    expect(contract.linked[0]).toMatchObject({ label: '报价单', url: `/pages/m/quotation/detail?id=${id}` })
  })

  it('requires its approval, a target that its module lists, and a visible quotation', async () => {
    const { id } = await quote()
    const early = await deals.demo.get(`/mini/convert?of=quotation&id=${id}&to=contract`)
    expect(early.meta).toMatchObject({ code: 409, message: '审批通过后才能转换' })
    const done = await agreed()
    expect((await deals.demo.get(`/mini/convert?of=quotation&id=${done}&to=lead`)).meta.code).toBe(404)
    const other = await deals.server.as('zhaolei')
    expect((await other.get(`/mini/convert?of=quotation&id=${done}&to=contract`)).meta.code).toBe(404)
    const theirs = await other.post('/mini/customer/create', { name: '上海别人的客户有限公司' })
    const forged = await other.post('/mini/contract/create', {
      name: '合同',
      customer_id: right(theirs).id,
      type: 'direct',
      amount: 1,
      sign_date: '2026-03-16',
      made_of: { module: 'quotation', id: done },
    })
    expect(forged.meta.code).toBe(404)
  })

  it('prints it with its amount in capitals', async () => {
    const page = JSON.stringify(await pageOf('/pages/m/quotation/print'))
    expect(page).toContain('amount_capitals')
    expect(page).toContain('row.product_name')
  })

  it('says on its paper that the reader does not see all of it, and only then', async () => {
    const page = await pageOf('/pages/m/quotation/print')
    const said = [...objectsIn(page)].find(({ options }) => isObject(options) && options.name === 'withheld')
    const { textContent, visibleOn = null } = (said?.options ?? {}) as JsonObject
    const isSaid = (rights: Record<string, string>, mask: string[] = []) =>
      isTruthy(
        applyRule(visibleOn, {
          user: { fieldRights: { m: { quotation: rights } } },
          data: { detail: { mask } },
          form: {},
          params: {},
          dict: {},
        }),
      )

    expect(textContent).toBe('部分内容因权限未显示')
    expect([isSaid({ amount: 'hidden' }), isSaid({ remark: 'masked' }), isSaid({}, ['remark'])]).toEqual([
      true,
      true,
      true,
    ])
    expect([isSaid({}), isSaid({ amount: 'read' }), isSaid({}, ['attachments'])]).toEqual([
      false,
      false,
      false,
    ])
  })
})

describe('whoever does not see the amount of quotations', () => {
  const limit = async (rights: Record<string, JsonObject>) => {
    const { list } = right(await deals.admin.post('/engine/web/role/list', {}))
    const role = list.find(({ code }: JsonObject) => code === 'sales')
    right(await deals.admin.post('/engine/web/role/save', { ...role, field_rights: rights }))
  }
  const settled = async () => {
    const made = await quote({ lines: [line(7030, 10)], discount_rate: 95 })
    right(await deals.demo.post('/mini/m/quotation/submit', { id: made.id }))
    return made
  }
  /** Everything that a reader is told of one quotation. */
  const told = async (id: string, version: number) => {
    const list = right(await deals.demo.post('/mini/m/quotation/list', {})).list
    const answers = [
      list.find((row: JsonObject) => row.id === id),
      right(await deals.demo.get(`/mini/m/quotation/detail?id=${id}`)).record,
      right(await deals.demo.get(`/mini/convert?of=quotation&id=${id}&to=contract`)).record,
      right(await deals.demo.get(`/mini/convert?of=quotation&id=${id}&to=sales_order`)).record,
      (await deals.demo.post('/mini/m/quotation/update', { id, version, title: '旧的' })).data?.current ?? {},
    ]
    return answers.map((one: JsonObject) => ({ lines: one.lines ?? [], rate: one.discount_rate ?? null }))
  }
  const nothing = { lines: [], rate: null }

  it.each(['hidden', 'masked'])('sees neither its lines nor its discount (%s)', async (amount) => {
    const { id, version } = await settled()
    try {
      const before = await told(id, version - 1)
      expect(before[1]).toMatchObject({ lines: [{ amount: 70_300 }], rate: 95 })
      await limit({ 'm.quotation': { amount } })
      expect(await told(id, version - 1)).toEqual(before.map(() => nothing))
      await limit({ 'm.quotation': { amount: 'read' } })
      expect(await told(id, version - 1)).toEqual(before)
    } finally {
      await limit({})
    }
  })

  it('is begun a contract without what they may not see of contracts', async () => {
    const { id } = await settled()
    const begun = async () =>
      right(await deals.demo.get(`/mini/convert?of=quotation&id=${id}&to=contract`)).record
    try {
      expect(await begun()).toMatchObject({ lines: [{ amount: 70_300 }], discount_rate: 95 })
      for (const [rights, rate] of [
        [{ lines: 'hidden' }, 95],
        [{ amount: 'hidden' }, null],
        [{ amount: 'masked' }, null],
      ] as const) {
        await limit({ contract: rights })
        const { lines = [], discount_rate = null } = await begun()
        expect([lines, discount_rate]).toEqual([[], rate])
      }
    } finally {
      await limit({})
    }
  })
})
