import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type JsonObject, ownValue } from '../../../runtime/core/json.ts'
import { parsePage } from '../../../runtime/core/parse-page.ts'
import { createRegistry } from '../../../runtime/core/widgets/index.ts'
import { fieldProblems } from '../../../src/model/check-field.ts'
import { fieldOfForm } from '../../../src/server/flows/modelling/field-of-form.ts'
import { objectsIn } from '../../schemas/product-pages.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'

const registry = createRegistry()
const server: TestApp = await openTestApp()
let admin: Client
let demo: Client
beforeAll(async () => {
  admin = await server.as('admin')
  demo = await server.as('demo')
  await admin.post('/engine/web/module/save', { description: VISIT })
})
afterAll(() => server.close())

const VISIT_STATES = [
  { value: 'open', label: '待查', color: 'warning' },
  { value: 'done', label: '已查' },
]
const VISIT: JsonObject = {
  name: 'patrol',
  label: '巡店',
  title: 'title',
  behaviours: ['owned', 'files'],
  fields: [
    { name: 'title', kind: 'text', label: '标题', required: true },
    { name: 'shop', kind: 'text', label: '门店' },
    {
      name: 'state',
      kind: 'choice',
      label: '状态',
      options: VISIT_STATES,
    },
  ],
}
const save = (module: string, form: JsonObject, more: JsonObject = {}) =>
  admin.post('/engine/web/field/save', { module, form, ...more })
const described = async (module: string): Promise<JsonObject> =>
  (await admin.get(`/engine/web/module/detail?name=${module}`)).data.description
const fieldOf = async (module: string, label: string): Promise<JsonObject | undefined> =>
  ((await described(module)).fields as JsonObject[]).find((one) => one.label === label)
const sheet = async (module: string, name: string) =>
  (await admin.get(`/engine/web/field/detail?module=${module}&name=${name}`)).data

describe('a new field from its sheet', () => {
  it('receives a code from its name, and another code for a name with the same pronunciation', async () => {
    await save('patrol', { label: '巡查结果', kind: 'text' })
    await save('patrol', { label: '巡察结果', kind: 'number' })
    const fields = (await described('patrol')).fields as JsonObject[]

    expect(fields.map(({ name }) => name).filter((name) => String(name).startsWith('xuncha'))).toEqual([
      'xunchajieguo',
      'xunchajieguo_2',
    ])
  })

  it.each([
    ['没有零', '编号规则里要有一处连续的 0，例如 NO{yyyyMMdd}{000}'],
    ['', '请填写编号规则'],
  ])('says what a rule of numbers lacks: “%s”', async (number, said) => {
    const { meta } = await save('patrol', { label: '巡查单号', kind: 'auto-number', number })

    expect(meta).toMatchObject({ code: 400, message: said, error: { fields: { number: said } } })
  })

  it('describes the effect of each additional setting, keeps it when saved unchanged, and removes it', async () => {
    const options = [{ label: '普通' }, { label: '加急' }]
    const further = { fixed: true, masked: true, also: '紧急度、优先级' }
    await save('customer', {
      label: '缓急',
      kind: 'choice',
      source: 'options',
      options,
      default_option: '加急',
      ...further,
    })
    await save('customer', { label: '工号', kind: 'text', min: 2, pattern: '[A-Z]{2}\\d+', also: '' })
    await save('customer', { label: '已培训', kind: 'flag', default_yes: 'yes' })
    await save('customer', {
      label: '新类目',
      kind: 'choice',
      source: 'new',
      options,
      default_option: '普通',
    })
    await save('customer', {
      label: '老类目',
      kind: 'choice',
      source: 'dict',
      dict: 'customer_level',
      default_option: 'B',
    })

    const urgent = await fieldOf('customer', '缓急')
    expect(urgent).toMatchObject({
      default: 'v2',
      readonly: 'created',
      mask: 'pool',
      import: ['紧急度', '优先级'],
    })
    expect(await fieldOf('customer', '工号')).toMatchObject({ min: 2, pattern: '[A-Z]{2}\\d+' })
    expect(await fieldOf('customer', '工号')).not.toHaveProperty('import')
    expect(await fieldOf('customer', '已培训')).toMatchObject({ default: true })
    expect(await fieldOf('customer', '新类目')).toMatchObject({ dict: expect.any(String), default: 'v1' })
    expect(await fieldOf('customer', '老类目')).toMatchObject({ dict: 'customer_level', default: 'B' })

    const { form, pooled } = await sheet('customer', String(urgent?.name))
    expect([pooled, form.default_option, form.also]).toEqual([true, '加急', '紧急度、优先级'])
    await save('customer', { ...form, label: '轻重缓急' }, { name: urgent?.name })
    expect(await fieldOf('customer', '轻重缓急')).toEqual({ ...urgent, label: '轻重缓急' })
    const none = { default_option: null, fixed: false, masked: false, also: '' }
    await save('customer', { ...form, ...none }, { name: urgent?.name })
    const plain = await fieldOf('customer', '缓急')
    for (const key of ['default', 'readonly', 'mask', 'import']) expect(plain).not.toHaveProperty(key)
    const shipped = (await sheet('customer', 'level')).form
    await save('customer', { ...shipped, also: `${shipped.also}、客户星级` }, { name: 'level' })
    expect((await fieldOf('customer', '客户级别'))?.import).toEqual([...shipped.also.split('、'), '客户星级'])
  })

  it('keeps a default that its sheet cannot show', async () => {
    const ruled = { default: { rule: { if: [{ var: 'form.title' }, 'open', 'done'] } } }
    const kept: JsonObject[] = [
      { name: 'kept_choice', kind: 'choice', label: '按规则选', options: VISIT_STATES, ...ruled },
      {
        name: 'kept_flag',
        kind: 'flag',
        label: '按规则',
        default: { rule: { '!!': { var: 'form.title' } } },
      },
      { name: 'kept_no', kind: 'flag', label: '先是否', default: false },
    ]
    for (const field of kept) {
      await admin.post('/engine/web/field/save', { module: 'patrol', field })
      const { form } = await sheet('patrol', String(field.name))
      await save('patrol', form, { name: field.name })
      expect((await fieldOf('patrol', String(field.label)))?.default).toEqual(field.default)
    }
    const { form } = await sheet('patrol', 'kept_choice')
    await save('patrol', { ...form, default_option: '已查' }, { name: 'kept_choice' })
    expect((await fieldOf('patrol', '按规则选'))?.default).toBe('done')
  })

  it('stores its creation time, for users of the API, and keeps it', async () => {
    const field = { name: 'came', kind: 'text', label: '后来的', since: '2026-03 版' }
    await admin.post('/engine/web/field/save', { module: 'patrol', field })
    const { form } = await sheet('patrol', 'came')
    await save('patrol', { ...form, label: '后来加的' }, { name: 'came' })

    expect((await fieldOf('patrol', '后来加的'))?.since).toBe('2026-03 版')
    expect((await admin.get('/openapi.json')).body).toContain('自 2026-03 版 起')
  })

  it('offers its current options as defaults', async () => {
    const preview = async (form: JsonObject) =>
      (await admin.post('/engine/web/field/preview/list', { module: 'patrol', form })).data.options
    const options = [{ label: '好' }, { label: '坏' }]
    expect(await preview({ label: '结果', kind: 'choice', source: 'options', options })).toEqual([
      { value: '好', label: '好' },
      { value: '坏', label: '坏' },
    ])
    const levels = await preview({ label: '级别', kind: 'choice', source: 'dict', dict: 'customer_level' })
    expect(levels).toContainEqual({ value: 'A', label: '重点客户' })
    expect(await preview({ label: '文本', kind: 'text' })).toEqual([])
  })

  it('offers the uses that its type can have, and stores each of them', async () => {
    const { kinds, offers } = await sheet('patrol', '')
    const uses = Object.entries<readonly string[]>(offers)
    const form: JsonObject = { options: [{ label: '甲' }], module: 'customer', number: 'XG{000}' }
    const rows = [{ label: '配件', kind: 'text' }]
    const rollup = { rollup_at: 'follow/target_id', rollup_of: 'count' }
    const all = Object.fromEntries(uses.map(([use]) => [use, true]))
    const kept: Record<string, unknown> = {}
    for (const { value: kind } of kinds as JsonObject[])
      if (kind !== 'rollup') {
        const said = { ...form, ...all, ...rollup, rows, label: `用途${kind}`, name: 'of_use', kind }
        const made = fieldOfForm({ ...said, formula: { '+': [1, 1] } }, undefined)
        expect(fieldProblems(made, ''), String(kind)).toEqual([])
        kept[String(kind)] = uses.map(([use]) => use).filter((use) => made[use] === true)
      }

    const offered = (kind: string) => uses.filter(([, can]) => can.includes(kind)).map(([use]) => use)
    expect(kept).toEqual(Object.fromEntries(Object.keys(kept).map((kind) => [kind, offered(kind)])))
    expect(offered('region')).toEqual(['filter', 'card', 'patch'])
    const page = await admin.get('/engine/web/page/detail?path=/pages/admin/module/field')
    for (const [use] of uses.filter(([name]) => name !== 'card'))
      expect(page.body, use).toContain(`"data.detail.offers.${use}"`)
  })

  it('has a unique name among the fields in use', async () => {
    const twice = await save('patrol', { label: ' 门店 ', kind: 'text' })
    const kept = await save('patrol', { label: '门店', kind: 'text', help: '招牌上的名称' }, { name: 'shop' })
    const rows = ['标题', '备注', '备注'].map((label) => ({ label, kind: 'text' }))
    const sheet = await admin.post('/engine/web/module/create', { form: { label: '两个备注', rows } })

    expect(twice.meta.error?.fields).toEqual({ label: '已有字段叫“门店”，请换一个名称' })
    expect(kept.meta.code).toBe(200)
    expect(sheet.meta.error?.fields).toEqual({ rows: '已有字段叫“备注”，请换一个名称' })
  })

  it('is not called as something that the detail page says of every record of an own module', async () => {
    await admin.post('/engine/web/module/save', {
      description: { ...VISIT, name: 'numbered', label: '有编号的巡店', number: 'NO{000}' },
    })
    const codes = async (module: string, ...labels: string[]) =>
      Promise.all(
        labels.map(async (label) => {
          const { meta } = await save(module, { label, kind: 'text' })
          return meta.error?.fields?.label ?? meta.code
        }),
      )

    expect(await codes('numbered', '编号', '负责人', '创建时间')).toEqual([
      '每条记录已有“编号”，请换一个名称',
      '每条记录已有“负责人”，请换一个名称',
      '每条记录已有“创建时间”，请换一个名称',
    ])
    expect(await codes('patrol', '编号')).toEqual([200])
    expect(await codes('customer', '编号')).toEqual([200])
  })

  it('has options that people can tell apart, in a sheet and by call', async () => {
    const twice = [{ label: '甲' }, { label: '甲' }]
    const sheets = await Promise.all(
      ['options', 'new'].map((source) =>
        save('patrol', { label: `等级${source}`, kind: 'choice', source, options: twice }),
      ),
    )
    const field = {
      name: 'twice',
      kind: 'choice',
      label: '等级',
      options: twice.map(({ label }, i) => ({ value: `v${i}`, label })),
    }
    const call = await admin.post('/engine/web/field/save', { module: 'patrol', field })

    for (const { meta } of sheets)
      expect(meta.error?.fields).toEqual({ options: '有两个选项都叫“甲”，请改成不同的名称' })
    expect(call.meta).toMatchObject({ code: 400, message: expect.stringContaining('另一个选项也叫“甲”') })
  })

  it('derives a short code from a long name, and its values can be chosen in a rule', async () => {
    const label = '验收等级与付款条件说明（超长名称测试一二三四五六七八九十）'
    const options = [{ label: '优' }, { label: '良' }]
    const saved = await save('contract', { label, kind: 'choice', source: 'new', options })
    expect(saved.meta).toMatchObject({ code: 200, message: '' })
    const { conditions } = await sheet('contract', '')
    const { value } = conditions.find((one: JsonObject) => one.label === label)
    const values = await admin.get(`/engine/web/field/values?module=contract&name=${value}`)
    const field = await fieldOf('contract', label)

    expect(String(field?.name).length).toBeLessThanOrEqual(40)
    expect(values.data.list.map((one: JsonObject) => one.label)).toEqual(['优', '良'])
  })

  it('is refused after 200 fields, with a message', async () => {
    const fields = Array.from({ length: 200 }, (_, n) => ({ name: `g${n}`, kind: 'text', label: `g${n}` }))
    const full = { name: 'full', label: '满', title: 'g0', behaviours: ['owned', 'files'], fields }
    for (const description of [{ name: 'activity', fields }, full])
      expect((await admin.post('/engine/web/module/save', { description })).meta.code).toBe(200)

    for (const module of ['activity', 'full'])
      expect((await save(module, { label: '多一个', kind: 'text' })).meta).toMatchObject({
        code: 422,
        message: '每个模块最多 200 个自定义字段，可以先删除不用的',
      })
    expect((await save('full', { label: '改名', kind: 'text' }, { name: 'g1' })).meta.code).toBe(200)
  })

  it('is offered where it can be stored; elsewhere a message explains why not', async () => {
    const closed = async (module: string) =>
      (await admin.get(`/engine/web/field/list?module=${module}`)).data.closed
    const { list } = (await admin.post('/engine/web/module/list', {})).data
    const names: readonly string[] = list.map(({ name }: JsonObject) => name)
    const wrong: string[] = []
    for (const module of names) {
      const told = await closed(module)
      const field = { name: 'may_be', kind: 'text', label: '可否添加' }
      const { meta } = await admin.post('/engine/web/field/save', { module, field })
      if ((meta.code === 200) !== (told === '')) wrong.push(`${module}: ${meta.code} ${told}`)
    }

    expect(names).toEqual(expect.arrayContaining(['follow', 'customer', 'quotation', 'patrol']))
    expect(wrong).toEqual([])
    expect(await closed('follow')).toBe('这个模块不支持添加字段')
  })

  it('keeps texts of other languages when its sheet changes those of the product', async () => {
    const field = {
      name: 'mood',
      kind: 'choice',
      label: { 'zh-Hans': '心情', en: 'Mood' },
      help: { 'zh-Hans': '看上去如何', en: 'As it seems' },
      options: [{ value: 'up', label: { 'zh-Hans': '好', en: 'Up' }, color: 'success' }],
    }
    expect((await admin.post('/engine/web/field/save', { module: 'lead', field })).meta.code).toBe(200)
    const { form } = await sheet('lead', 'mood')
    expect([form.label, form.help, form.options[0].label]).toEqual(['心情', '看上去如何', '好'])

    const said = { ...form, label: '情绪', options: [{ ...form.options[0], label: '很好' }, { label: '差' }] }
    expect((await save('lead', said, { name: 'mood' })).meta.code).toBe(200)

    const { description } = (await admin.get('/engine/web/module/detail?name=lead')).data
    expect(description.fields.find(({ name }: JsonObject) => name === 'mood')).toMatchObject({
      label: { 'zh-Hans': '情绪', en: 'Mood' },
      help: field.help,
      options: [{ value: 'up', label: { 'zh-Hans': '很好', en: 'Up' }, color: 'success' }, { label: '差' }],
    })
  })

  it('never replaces another field', async () => {
    const answer = await save('customer', { label: '名字', name: 'name', kind: 'text' })
    const reserved = await save('customer', { label: '编号', name: 'id', kind: 'text' })

    expect(answer.meta.error?.fields).toEqual({ name: '已有字段使用这个代码，请换一个' })
    expect(reserved.meta.error?.fields).toEqual({ name: '系统已经使用这个代码，请换一个' })
    expect(await fieldOf('customer', '名字')).toBeUndefined()
  })

  it('is computed as its sheet declares: by a formula, a default that begins with =, or a number sequence', async () => {
    await save('contract', { label: '成本', name: 'expense', kind: 'money' })
    const formula = (formula_text: string) =>
      save('contract', {
        label: '毛利',
        name: 'profit',
        kind: 'formula',
        formula_text,
        decimals: 1,
        required: 'yes',
      })
    const wrong = [await formula('合同金额 - 费用'), await formula('(合同金额'), await formula('')]
    const saved = await formula('（合同金额 - 成本）× 0.5')
    const usual = await save('contract', {
      label: '提成',
      name: 'share',
      kind: 'money',
      default: '=毛利 * 0.1',
    })
    const counted = await save('contract', {
      label: '档案号',
      name: 'archive',
      kind: 'auto-number',
      number: 'DA{000}',
      patch: true,
    })
    const uncounted = await save('contract', { label: '坏号', kind: 'auto-number', number: 'DA{MM}{000}' })
    const [profit, share, archive] = [
      await sheet('contract', 'profit'),
      await sheet('contract', 'share'),
      await sheet('contract', 'archive'),
    ]
    const kinds = (await sheet('contract', '')).kinds.map(({ value }: JsonObject) => value)

    expect(wrong.map(({ meta }) => meta.error?.fields)).toEqual([
      { formula_text: '读不懂“费用”：用字段名称、数字和 + - × ÷ ( )' },
      { formula_text: '公式没有写完' },
      { formula_text: '请填写公式' },
    ])
    expect([saved, usual, counted].map(({ meta }) => meta.code)).toEqual([200, 200, 200])
    expect(uncounted.meta.error?.fields).toEqual({ number: expect.any(String) })
    expect(await fieldOf('contract', '毛利')).toEqual({
      name: 'profit',
      kind: 'formula',
      label: '毛利',
      origin: 'tenant',
      decimals: 1,
      result: 'number',
      formula: { '*': [{ '-': [{ var: 'amount' }, { var: 'ext_expense' }] }, 0.5] },
    })
    expect(await fieldOf('contract', '档案号')).not.toHaveProperty('patch')
    expect(profit.form.formula_text).toBe('(合同金额 - 成本) × 0.5')
    expect(profit.formula_hint).toContain('合同金额、')
    expect(profit.formula_hint).toContain('12% 就是 12')
    expect(share.form.default).toBe('=毛利 × 0.1')
    expect(archive.form.number).toBe('DA{000}')
    expect(kinds).toEqual(expect.arrayContaining(['auto-number', 'formula']))
  })

  it('is not computed in a ring, which is told by labels, nor divided by 0', async () => {
    const formula = (label: string, formula_text: string, name?: string) =>
      save('customer', { label, kind: 'formula', formula_text }, name === undefined ? {} : { name })
    await formula('环甲', '1 + 1')
    const name = String((await fieldOf('customer', '环甲'))?.name)
    await formula('环乙', '环甲 + 1')
    const ring = await formula('环甲', '环乙 × 2', name)
    const zero = await formula('除零', '环甲 ÷ 0')
    const usual = await save('customer', { label: '除零数', kind: 'number', default: '=1 ÷ (环甲 ÷ 0)' })
    const call = await admin.post('/engine/web/field/save', {
      module: 'customer',
      field: { name: 'zero', kind: 'formula', label: '零', result: 'number', formula: { '/': [1, 0] } },
    })

    const said = '公式里有除以 0，算不出来，请换一个除数'
    expect(ring.meta.error?.fields).toEqual({
      formula_text: expect.stringMatching(/互相引用.*环甲 → 环乙 → 环甲/),
    })
    expect(zero.meta.error?.fields).toEqual({ formula_text: said })
    expect(usual.meta.error?.fields).toEqual({ default: said })
    expect(call.meta).toMatchObject({ code: 400, message: expect.stringContaining('除以 0') })
  })

  it('is computed from other records: which, how and of what, chosen from existing ones', async () => {
    const at = 'contract/customer_id'
    const { counted } = await sheet('customer', '')
    const offered = async (of: string) => {
      const { data } = await admin.get(`/engine/web/field/rolled?module=customer&at=${at}&of=${of}`)
      return data.list.map((one: JsonObject) => one.label)
    }
    const form = { label: '合同总额', name: 'deals', kind: 'rollup', rollup_at: at, card: true, filter: true }
    const none = await save('customer', { ...form, rollup_at: null })
    const saved = await save('customer', { ...form, rollup_of: 'sum', rollup_field: 'amount' })
    const shown = await sheet('customer', 'deals')

    expect(counted).toContainEqual({ value: at, label: '合同（按客户）' })
    expect(await offered('sum')).toEqual(expect.arrayContaining(['合同金额']))
    expect(await offered('sum')).not.toContain('签订日期')
    expect((await offered('latest')).slice(0, 1)).toEqual(['新建时间'])
    expect(none.meta.error?.fields).toEqual({ rollup_at: '请选择汇总哪些记录' })
    expect(saved.meta.code).toBe(200)
    expect(shown.form).toMatchObject({ rollup_at: at, rollup_of: 'sum', rollup_field: 'amount' })
    expect(await fieldOf('customer', '合同总额')).toEqual({
      name: 'deals',
      kind: 'rollup',
      label: '合同总额',
      origin: 'tenant',
      card: true,
      rollup: { module: 'contract', by: 'customer_id', of: 'sum', field: 'amount' },
    })
  })

  it('keeps a formula that the sheet cannot express until another one is written', async () => {
    const rule = { round: [{ '*': [{ var: 'amount' }, 1.13] }, 0] }
    const field = { name: 'taxed', kind: 'formula', label: '含税', formula: rule, result: 'number' }
    await admin.post('/engine/web/field/save', { module: 'contract', field })
    const before = await sheet('contract', 'taxed')
    await save('contract', { ...before.form, label: '含税金额' }, { name: 'taxed' })
    const kept = await fieldOf('contract', '含税金额')
    await save('contract', { ...before.form, formula_text: '合同金额 × 1.13' }, { name: 'taxed' })

    expect([before.form.formula_text, before.formula_needed]).toEqual([null, false])
    expect(before.formula_hint).toContain('保持不变')
    expect(kept?.formula).toEqual(rule)
    expect((await fieldOf('contract', '含税'))?.formula).toEqual({ '*': [{ var: 'amount' }, 1.13] })
  })

  it('names a record by its number in an own module, where formulas read each other', async () => {
    const asset: JsonObject = {
      name: 'asset',
      label: '设备',
      title: 'code',
      behaviours: ['history'],
      fields: [
        {
          name: 'code',
          kind: 'auto-number',
          label: '设备号',
          number: 'SB-{yyyy}-{00}',
          filter: true,
          search: true,
        },
        { name: 'price', kind: 'money', label: '单价' },
        { name: 'count', kind: 'integer', label: '数量', default: { rule: { '+': [1] } } },
        {
          name: 'total',
          kind: 'formula',
          label: '总价',
          formula: { '*': [{ var: 'price' }, { var: 'count' }] },
        },
        { name: 'half', kind: 'formula', label: '一半', formula: { '/': [{ var: 'form.total' }, 2] } },
      ],
    }
    const saved = await admin.post('/engine/web/module/save', { description: asset })
    const make = (body: JsonObject) => admin.post('/mini/m/asset/create', body)
    const first = (await make({ price: 3 })).data.record
    const second = (await make({ price: 3, count: 5 })).data
    const written = await make({ code: 'X' })
    const found = await admin.post('/mini/m/asset/list', { keyword: second.record.code })
    const form = (await admin.get('/engine/web/page/detail?path=/pages/m/asset/add')).body

    expect(saved.meta.code).toBe(200)
    expect(first).toMatchObject({ code: expect.stringMatching(/^SB-\d{4}-01$/), total: 3, half: 1.5 })
    expect(second.record).toMatchObject({ title: second.record.code, total: 15, half: 7.5 })
    expect(second.record.code).toMatch(/-02$/)
    expect(written.meta.error?.fields).toEqual({ code: '不支持的字段' })
    expect(found.data.list.map(({ id }: JsonObject) => id)).toEqual([second.id])
    expect(form).toContain('"valueOn":{"*":[{"var":"price"},{"var":"count"}]}')
    expect(form).not.toContain('{{ form.total }}')
  })

  it('reports missing settings in Chinese and at their position', async () => {
    const noOptions = await save('patrol', { label: '结论', kind: 'choice', source: 'options', options: [] })
    const noModule = await save('patrol', { label: '合同', kind: 'ref' })
    const swapped = await save('patrol', { label: '分数', kind: 'number', min: 5, max: 1 })

    expect(noOptions.meta.error?.fields).toEqual({ options: '请至少添加一个选项' })
    expect(noModule.meta.error?.fields).toEqual({ module: '请选择关联的模块' })
    expect(swapped.meta.error?.fields).toEqual({ min: '最小值不能大于最大值' })
  })

  it('creates its dictionary', async () => {
    const options = [
      { label: '金卡', value: 'gold', color: '#ff8f1f' },
      { label: '银卡', value: '', color: null },
    ]
    const form = {
      label: '会员等级',
      name: 'grade',
      kind: 'choice',
      source: 'new',
      dict_name: '会员',
      options,
    }
    const answer = await save('customer', { ...form, filter: true })
    const field = await fieldOf('customer', '会员等级')
    const dict = await admin.get(`/engine/web/dict/detail?id=${String(field?.dict)}`)
    const created = await demo.post('/mini/customer/create', { name: '有卡的公司', ext: { grade: 'gold' } })

    expect(answer.meta).toMatchObject({ code: 200 })
    expect(field).toMatchObject({ kind: 'choice', dict: 'customer_grade', filter: true })
    expect(field?.options).toBeUndefined()
    expect(dict.data.record.name).toBe('会员')
    expect(dict.data.rows.map((row: JsonObject) => [row.value, row.label, row.color])).toEqual([
      ['gold', '金卡', '#ff8f1f'],
      ['v2', '银卡', ''],
    ])
    expect(created.meta.code).toBe(200)
  })

  it('is required while another field requires it, on the page and by the server', async () => {
    const rule = { required: 'when', when_field: 'ext_grade', when_op: 'eq', when_value: 'gold' }
    await save('customer', { label: '续费日期', name: 'renew_on', kind: 'day', ...rule })
    const page = await demo.get('/engine/web/page/detail?path=/pages/customer/my/add')
    const without = await demo.post('/mini/customer/create', { name: '金卡公司', ext: { grade: 'gold' } })
    const silver = await demo.post('/mini/customer/create', { name: '银卡公司', ext: { grade: 'v2' } })
    const { data } = await admin.get('/engine/web/field/detail?module=customer&name=renew_on')

    expect(without.meta.error?.fields).toEqual({ 'ext.renew_on': '请选择续费日期' })
    expect(silver.meta.code).toBe(200)
    expect(page.body).toContain('"requiredOn":{"==":[{"var":"ext_grade"},"gold"]}')
    expect(data.form).toMatchObject(rule)
  })
})

describe('the sheet of an existing field', () => {
  it('keeps settings that it does not show: colours of options, and the codes that records use', async () => {
    const { form } = await sheet('patrol', 'state')
    const options = [{ label: '复查', value: '' }, ...(form.options as JsonObject[])]
    await save('patrol', { ...form, options }, { name: 'state' })

    expect((await fieldOf('patrol', '状态'))?.options).toEqual([
      { value: 'v1', label: '复查' },
      { value: 'open', label: '待查', color: 'warning' },
      { value: 'done', label: '已查' },
    ])
  })

  it('keeps an option that records use, in the recycle bin too, and deletes an unused one', async () => {
    const { data } = await admin.post('/mini/m/patrol/create', { title: '东门', state: 'open' })
    const { form } = await sheet('patrol', 'state')
    const without = (value: string) => ({
      ...form,
      options: (form.options as JsonObject[]).filter((one) => one.value !== value),
    })
    const refused = await save('patrol', without('open'), { name: 'state' })
    await admin.post('/mini/m/patrol/delete', { ids: [data.id] })
    const inBin = await save('patrol', without('open'), { name: 'state' })
    const unused = await save('patrol', without('v1'), { name: 'state' })

    const sentence =
      '有 1 条记录选了“待查”（含回收站），不能删除这个选项或改它的代码。请先把这些记录改成别的选项'
    expect(refused.meta).toMatchObject({
      code: 422,
      message: sentence,
      error: { fields: { options: sentence } },
    })
    expect(inBin.meta.code).toBe(422)
    expect(unused.meta.code).toBe(200)
    expect((await fieldOf('patrol', '状态'))?.options).toMatchObject([{ value: 'open' }, { value: 'done' }])
  })

  it('of a product’s field stores only differences, and nothing if there are none', async () => {
    const before = await sheet('lead', 'budget')
    await save('lead', before.form, { name: 'budget' })
    const same = await fieldOf('lead', String(before.form.label))
    await save('lead', { ...before.form, label: '采购预算', filter: false }, { name: 'budget' })
    const other = await fieldOf('lead', '采购预算')
    await save('lead', before.form, { name: 'budget' })
    const back = await fieldOf('lead', String(before.form.label))

    expect([same?.changed, other?.changed, back?.changed]).toEqual([undefined, true, undefined])
  })

  it('conflicts, with both sides, with another user’s change of the same field, but not of another field', async () => {
    const mine = await sheet('patrol', 'shop')
    const theirs = await sheet('patrol', 'shop')
    await save('patrol', { label: '备注', kind: 'long-text' })
    const free = await save(
      'patrol',
      { ...theirs.form, label: '门店名称' },
      { name: 'shop', base: theirs.form.version },
    )
    const late = await save(
      'patrol',
      { ...mine.form, label: '店名' },
      { name: 'shop', base: mine.form.version },
    )
    const { current } = late.data as JsonObject as { current: JsonObject }
    const again = await save(
      'patrol',
      { ...current, label: '店名' },
      { name: 'shop', base: current.version ?? 0 },
    )

    expect(free.meta.code).toBe(200)
    expect(late.meta).toMatchObject({ code: 409, error: { type: 'VERSION_CONFLICT' } })
    expect(current.label).toBe('门店名称')
    expect(again.meta.code).toBe(200)
    expect(await fieldOf('patrol', '店名')).toBeDefined()
  })

  it('moves a field to another group, existing or new', async () => {
    const { form } = await sheet('patrol', 'shop')
    await save('patrol', { ...form, group: '+', group_label: '门店情况' }, { name: 'shop' })
    const { groups } = (await described('patrol')) as { groups: { label: string; fields: string[] }[] }
    const page = await admin.get('/engine/web/page/detail?path=/pages/m/patrol/add')

    expect(groups.at(-1)).toMatchObject({ label: '门店情况', fields: ['shop'] })
    expect(page.body).toContain('门店情况')
  })
})

describe('the order of fields', () => {
  it('follows their groups on the form of an own module', async () => {
    const { data } = await admin.get('/engine/web/field/list?module=patrol')
    const order = Object.fromEntries(
      Object.entries(data.places.order as Record<string, string[]>).map(([group, names]) => [
        group,
        [...names].reverse(),
      ]),
    )
    const answer = await admin.post('/engine/web/field/order', {
      module: 'patrol',
      order,
      base: data.version,
    })
    const after = await admin.get('/engine/web/field/list?module=patrol')

    expect(answer.meta.code).toBe(200)
    expect(after.data.places.order).toEqual(order)
    expect(after.data.live.map((row: JsonObject) => row.name)).toEqual(Object.values(order).flat())
  })

  it('of own fields does not move the fields of a product’s module', async () => {
    const before = await admin.get('/engine/web/field/list?module=customer')
    const [group, names] = Object.entries(before.data.places.order as Record<string, string[]>)[0] ?? ['', []]
    const order = { [group]: [...names].reverse() }
    await admin.post('/engine/web/field/order', { module: 'customer', order })
    const page = await demo.get('/engine/web/page/detail?path=/pages/customer/my/add')
    const after = await admin.get('/engine/web/field/list?module=customer')
    const vendors = (rows: JsonObject[]) =>
      rows.filter(({ origin }) => origin === 'vendor').map(({ name }) => name)

    expect(names.length).toBeGreaterThan(1)
    expect(page.body.indexOf('"ext_renew_on"')).toBeLessThan(page.body.indexOf('"ext_grade"'))
    expect(vendors(after.data.list)).toEqual(vendors(before.data.list))
  })

  it('is refused if a field was added or removed meanwhile', async () => {
    const answer = await admin.post('/engine/web/field/order', {
      module: 'patrol',
      order: { basic: ['title'] },
    })

    expect(answer.meta.error?.type).toBe('STATE_CONFLICT')
  })
})

describe('the uses of a field', () => {
  it('list rules, saved views and records, and prevent its deletion', async () => {
    const filters = [{ field: 'ext.grade', op: 'eq', value: 'gold' }]
    const view = await demo.post('/mini/customer/view/save', { name: '按等级', filters })
    expect(view.meta).toMatchObject({ code: 200, message: '' })
    const use = await admin.get('/engine/web/field/usage?module=customer&name=grade')
    const refused = await admin.post('/engine/web/field/delete', { module: 'customer', name: 'grade' })

    expect(use.data.list.map((one: JsonObject) => [one.kind, one.label])).toEqual([
      ['rule', '续费日期'],
      ['view', expect.stringContaining('按等级')],
    ])
    expect(use.data.records).toBe(2)
    expect(refused.meta).toMatchObject({ code: 422, error: { type: 'REFERENCED' } })
    expect(refused.data.list).toHaveLength(2)
  })

  it('list saved views by the screen’s state as stored, without empty values', async () => {
    await save('patrol', { label: '区域', name: 'area', kind: 'text', filter: true, sort: true })
    await save('customer', { label: '来客', name: 'guests', kind: 'integer', filter: true })
    const view = (module: string, name: string, state: JsonObject) =>
      admin.post(`/mini/${module}/view/save`, { name, tab: 'all', state })
    await view('m/patrol', '东区', { tab: 'all', sort: '', f_area: '东' })
    await view('m/patrol', '按区域排', { tab: 'all', sort: 'area asc', f_area: null })
    await view('m/patrol', '别的', { tab: 'all', sort: '', f_area: '', keyword: 'area' })
    await view('customer', '来客多', { tab: 'all', f_ext_guests_from: 10, f_ext_guests_to: null })
    const uses = async (module: string, name: string) => {
      const { data } = await admin.get(`/engine/web/field/usage?module=${module}&name=${name}`)
      return data.list.map(({ label }: JsonObject) => label)
    }

    expect(await uses('patrol', 'area')).toEqual([
      expect.stringContaining('东区'),
      expect.stringContaining('按区域排'),
    ])
    expect(await uses('customer', 'guests')).toEqual([expect.stringContaining('来客多')])
  })

  it('count the records without a value before the field becomes required', async () => {
    await save('patrol', { label: '天气', kind: 'text' })
    const { name } = (await fieldOf('patrol', '天气')) ?? {}
    const make = (weather: string | null) =>
      admin.post('/mini/m/patrol/create', { title: '巡一次', [String(name)]: weather })
    await make('晴')
    await make(null)
    const gone = await make(null)
    await admin.post('/mini/m/patrol/delete', { ids: [gone.data.id] })

    const { data } = await admin.get(`/engine/web/field/usage?module=patrol&name=${name}`)

    expect(data).toMatchObject({
      records: 1,
      lacking: 1,
      lacking_text: '有 1 条记录没有填写，下次编辑时要补填',
    })
  })

  it('list pages that reference it', async () => {
    const page = await admin.get('/engine/web/page/detail?path=/pages/m/patrol/detail')
    const shop = (await admin.get('/engine/web/field/usage?module=patrol&name=shop')).data
    const published = await admin.post('/engine/web/page/publish', {
      path: '/pages/m/patrol/detail',
      base: 0,
      document: JSON.parse(page.body),
    })
    expect(published.meta).toMatchObject({ code: 200, message: '' })
    const after = (await admin.get('/engine/web/field/usage?module=patrol&name=shop')).data

    expect(shop.list).toEqual([])
    expect(after.list).toMatchObject([{ kind: 'page', path: '/pages/m/patrol/detail' }])
  })

  it('allow to retire and restore it with its values', async () => {
    await admin.post('/engine/web/field/retire', { module: 'customer', name: 'grade', retired: true })
    const gone = await admin.get('/engine/web/field/list?module=customer')
    await admin.post('/engine/web/field/retire', { module: 'customer', name: 'grade', retired: false })
    const back = await admin.get('/engine/web/field/list?module=customer')
    const names = (rows: JsonObject[]) => rows.map(({ name }) => name)

    expect(names(gone.data.retired)).toEqual(['grade'])
    expect(names(gone.data.live)).not.toContain('grade')
    expect(names(back.data.live)).toContain('grade')
  })
})

describe('the preview', () => {
  it.each(['customer', 'contract', 'patrol'])('of %s has form, card and detail', async (module) => {
    const { data } = await admin.post('/engine/web/field/preview/list', { module })

    for (const face of ['form', 'card', 'detail']) expect(data[face].widgetList.length).toBeGreaterThan(0)
  })

  it('names what a dictionary offers, and draws a choice as the form of the product does', async () => {
    const { data } = await admin.post('/engine/web/field/preview/list', { module: 'customer' })
    const widget = (name: string) =>
      [...objectsIn(data.form)].find((one) => ownValue(one.options, 'name') === name)
    const level = { label: expect.stringMatching(/客户/), value: 'C' }

    expect(widget('level')).toMatchObject({ type: 'radio', options: { buttonStyle: true } })
    expect(ownValue(widget('level')?.options, 'optionItems')).toContainEqual(expect.objectContaining(level))
    expect(widget('source')).toMatchObject({ type: 'select' })
    expect(JSON.stringify(data)).not.toMatch(/"dict":|\| dict:/)
    expect(parsePage(data.form, { registry })).toMatchObject({ ok: true, warnings: [] })
  })

  it('shows a field before it is saved', async () => {
    const form = { label: '人气', kind: 'choice', source: 'options', options: [{ label: '高' }] }
    const { data } = await admin.post('/engine/web/field/preview/list', { module: 'patrol', form })

    expect(JSON.stringify(data.form)).toContain('人气')
    expect(await fieldOf('patrol', '人气')).toBeUndefined()
  })

  it('omits the rule that requires a field that it may not show', async () => {
    const rule = { required: 'when', when_field: 'ext_grade', when_op: 'eq', when_value: 'gold' }
    const form = { label: '到期日', kind: 'day', ...rule }
    const { data } = await admin.post('/engine/web/field/preview/list', { module: 'customer', form })

    expect(JSON.stringify(data.form)).toContain('到期日')
    expect(JSON.stringify(data.form)).not.toContain('ext_grade')
  })

  it('omits rules of defaults, which read data that a preview does not have', async () => {
    await save('patrol', { label: '客流', kind: 'integer' })
    await save('patrol', { label: '预计客流', kind: 'number', default: '=客流 × 1.1' })

    const { data } = await admin.post('/engine/web/field/preview/list', { module: 'patrol' })

    for (const face of ['form', 'card', 'detail'])
      expect(parsePage(data[face], { registry }), face).toMatchObject({ ok: true, warnings: [] })
  })

  it('is available only to users who may change forms', async () => {
    const answer = await demo.post('/engine/web/field/preview/list', { module: 'patrol' })

    expect(answer.meta.code).toBe(405)
  })
})

describe('the search box of a list', () => {
  it('names what a keyword searches: searchable own fields included, others not', async () => {
    const add = (module: string, field: JsonObject) =>
      admin.post('/engine/web/field/save', { module, field: { kind: 'text', ...field } })
    await add('patrol', { label: '巡检口令', name: 'password', search: true })
    await add('patrol', { label: '不找的', name: 'unsought' })
    await add('customer', { label: '微信群', name: 'wechat_group', search: true })
    const hintOf = async (path: string) => {
      const { body } = await admin.get(`/engine/web/page/detail?path=${path}`)
      const box = [...objectsIn(JSON.parse(body).widgetList)].find(({ type }) => type === 'search-bar')
      return ownValue(box?.options, 'placeholder')
    }

    expect(await hintOf('/pages/m/patrol/index')).toBe('标题、拼音、巡检口令')
    expect(await hintOf('/pages/customer/my/index')).toBe('名称、编号、拼音、手机后四位、简称、微信群')
    expect(await hintOf('/pages/customer/pool/index')).toBe('名称、编号、拼音、简称、微信群')
    expect(await hintOf('/pages/customer/leads-pool/index')).toBe('名称、拼音、公司名称')
    expect(await hintOf('/pages/contract/index')).toBe('名称、拼音、编号、客户')
  })
})

describe('the colour of a choice', () => {
  it('comes from its dictionary or its option, on cards, in the detail and in cells, by name or by value', async () => {
    const add = (module: string, field: JsonObject) => admin.post('/engine/web/field/save', { module, field })
    const options = [
      { value: 'hot', label: '热', color: '#ff3141' },
      { value: 'warm', label: '温', color: 'warning' },
      { value: 'cold', label: '冷' },
    ]
    await add('customer', { name: 'heat', kind: 'choice', label: '热度', options, card: true })
    await add('customer', {
      name: 'grade_of',
      kind: 'choice',
      label: '分级',
      dict: 'customer_level',
      card: true,
    })
    const { body } = await admin.get('/engine/web/page/detail?path=/pages/customer/my/index')
    const drawn = [...objectsIn(JSON.parse(body).widgetList)].flatMap(({ type, options: said }) => {
      const name = String(ownValue(said, 'name'))
      return /^card_ext_(?:heat|grade_of)/.test(name) ? [[type, name, said]] : []
    })

    expect(drawn).toMatchObject([
      ['tag', 'card_ext_heat_1', { color: '#ff3141', visibleOn: { '==': [{ var: 'row.ext_heat' }, 'hot'] } }],
      ['tag', 'card_ext_heat_2', { tone: 'warning' }],
      ['static-text', 'card_ext_heat', { textContent: '热度 {{ row.ext_heat_name }}' }],
      ['tag', 'card_ext_grade_of', { dict: 'customer_level', bind: 'row.ext_grade_of' }],
    ])
    const columns = [...objectsIn(JSON.parse(body).widgetList)].flatMap(({ options: said }) => {
      const list = ownValue(said, 'columns')
      return Array.isArray(list) ? (list as JsonObject[]) : []
    })
    const { body: detail } = await admin.get('/engine/web/page/detail?path=/pages/customer/my/detail')
    const facts = [...objectsIn(JSON.parse(detail).widgetList)]
    const coloured = [
      { value: 'hot', label: '热', color: '#ff3141' },
      { value: 'warm', label: '温', color: 'warning' },
      { value: 'cold', label: '冷', color: '' },
    ]

    expect(columns.find(({ name }) => name === 'ext_heat')?.optionItems).toEqual(coloured)
    expect(columns.find(({ name }) => name === 'ext_grade_of')).toMatchObject({ dict: 'customer_level' })
    expect(columns.find(({ name }) => name === 'level')).toMatchObject({ dict: 'customer_level' })
    expect(facts.find(({ label }) => label === '热度')).toMatchObject({
      bind: 'ext_heat',
      optionItems: coloured,
    })
    expect(facts.find(({ label }) => label === '分级')).toMatchObject({
      bind: 'ext_grade_of',
      dict: 'customer_level',
    })
  })
})
