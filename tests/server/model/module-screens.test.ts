import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { uploadedBytes } from '../sheets/finished-job.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'

const server: TestApp = await openTestApp()
let admin: Client
let demo: Client
beforeAll(async () => {
  admin = await server.as('admin')
  demo = await server.as('demo')
})
afterAll(() => server.close())

const start = async () => (await admin.get('/engine/web/module/start')).data
const template = async (name: string): Promise<JsonObject> =>
  (await admin.get(`/engine/web/module/template?name=${name}`)).data.form
const create = (form: JsonObject) => admin.post('/engine/web/module/create', { form })
const described = async (name: string) =>
  (await admin.get(`/engine/web/module/detail?name=${name}`)).data.description

it('a new module with numbers that do not count is refused at their pattern', async () => {
  const refused = await create({
    label: '编号数不了',
    number: 'BN-{bad}',
    rows: [{ label: '名称', kind: 'text' }],
  })

  expect(refused.meta).toMatchObject({
    code: 400,
    error: { fields: { number: expect.stringContaining('连续的 0') } },
  })
})

it('a module with the name of another one is refused at it, new or renamed; a list of its records follows a new name', async () => {
  const rows = [{ label: '名称', kind: 'text' }]
  await create({ label: '重名甲', name: 'same_a', belongs: 'customer', rows })
  const settings = async () => (await admin.get('/engine/web/module/settings?module=same_a')).data.form
  const rename = async (label: string) =>
    admin.post('/engine/web/module/settings/save', {
      module: 'same_a',
      form: { ...(await settings()), label },
    })
  const tab = async () =>
    ((await described('same_a')).fields as JsonObject[]).find(({ kind }) => kind === 'ref')?.inverse

  const refused = [
    await create({ label: '重名甲', rows }),
    await create({ label: '客户', rows }),
    await rename('客户'),
  ]
  expect(refused.map(({ meta }) => meta.error?.fields)).toEqual([
    { label: '已有模块叫“重名甲”，请换一个名称' },
    { label: '已有模块叫“客户”，请换一个名称' },
    { label: '已有模块叫“客户”，请换一个名称' },
  ])
  expect((await rename('重名甲')).meta.code).toBe(200)
  expect(await tab()).toMatchObject({ label: '重名甲' })
  expect((await rename('重名乙')).meta.code).toBe(200)
  expect(await tab()).toMatchObject({ label: '重名乙' })
})

describe('templates', () => {
  it('are offered by their names, and each creates a module with pages', async () => {
    const { templates } = await start()
    const made = []
    for (const { value } of templates.slice(1)) {
      const answer = await create({ ...(await template(value)), template: value })
      const page = await admin.get(`/engine/web/page/detail?path=/pages/m/${value}/add`)
      made.push([answer.meta.code, page.body.startsWith('{')])
    }

    expect(templates.map((one: JsonObject) => one.label)).toEqual([
      '空白',
      '售后工单',
      '拜访记录',
      '竞品',
      '发票',
      '合同模板',
    ])
    expect(made).toEqual(templates.slice(1).map(() => [200, true]))
  })

  it('have labels of their types on the sheet, even of types that cannot be added there', async () => {
    const { templates, kinds } = await start()
    const forms = await Promise.all(
      templates.slice(1).map(({ value }: JsonObject) => template(String(value))),
    )
    const held = new Set(forms.flatMap(({ rows }) => (rows as JsonObject[]).map(({ kind }) => kind)))
    const items: readonly JsonObject[] = kinds.filter(({ value }: JsonObject) => held.has(value ?? null))

    expect(items.map(({ value }) => value).sort()).toEqual([...held].sort())
    expect(items.filter(({ disabled }) => disabled === true)).toMatchObject([
      { value: 'ref', label: '关联记录' },
    ])
  })

  it('have fields for batch changes', async () => {
    const { templates } = await start()
    const patched = await Promise.all(
      templates.slice(1).map(async ({ value }: JsonObject) => {
        const { fields } = await described(String(value))
        return fields.some(({ patch }: JsonObject) => patch === true)
      }),
    )

    expect(patched).toEqual(patched.map(() => true))
  })

  it('keep their rules, bounds and moves unless the sheet changes them', async () => {
    const ticket = await described('ticket')

    expect(ticket.statuses.moves).toEqual({ open: ['doing', 'done'], doing: ['done'], done: ['open'] })
    expect(ticket.fields.find((one: JsonObject) => one.name === 'result')).toMatchObject({
      required: { '==': [{ var: 'status' }, 'done'] },
      max: 2000,
    })
    expect(ticket.fields.find((one: JsonObject) => one.name === 'customer_id')).toMatchObject({
      inverse: { tab: 'ticket', label: '售后工单' },
    })
  })
})

describe('a module created from its sheet', () => {
  it('can have a field of every type that is offered there', async () => {
    const kinds = (await start()).kinds.filter(({ disabled }: JsonObject) => disabled !== true)
    const rows = kinds.map(({ value, label }: JsonObject) => ({ label, kind: value, options: '甲、乙' }))
    const answer = await create({ label: '各种字段', rows: [{ label: '标题', kind: 'text' }, ...rows] })

    expect(answer.meta).toMatchObject({ code: 200 })
    expect(kinds.length).toBeGreaterThan(15)
  })

  it('has its fields, statuses and owner, and is available to the chosen roles', async () => {
    const { roles } = await start()
    const sales = roles.find((one: JsonObject) => one.label === '销售')
    const before = await demo.post('/mini/m/shebeixunjian/list', {})
    const answer = await create({
      label: '设备巡检',
      belongs: 'customer',
      states: true,
      states_text: '待巡检、巡检中、已完成',
      number: 'XJ{yyyyMMdd}{000}',
      rows: [
        { label: '设备名称', kind: 'text', required: true, options: '' },
        { label: '巡检结果', kind: 'choice', options: '正常、需维修、停用' },
        { label: '下次巡检日期', kind: 'day' },
        { label: '照片', kind: 'pictures' },
      ],
      roles: [sales.value],
      scope: 'self',
    })
    const module = await described('shebeixunjian')
    const mine = await demo.post('/mini/m/shebeixunjian/list', {})
    const menu = await demo.get('/mini/user/menu')

    expect(answer.meta).toMatchObject({ code: 200 })
    expect(answer.data.name).toBe('shebeixunjian')
    expect(module.title).toBe('shebeimingcheng')
    expect(module.fields.map((one: JsonObject) => one.label).slice(0, 6)).toEqual([
      '设备名称',
      '客户',
      '巡检结果',
      '下次巡检日期',
      '照片',
      '状态',
    ])
    expect(module.fields[2].options.map((one: JsonObject) => one.label)).toEqual(['正常', '需维修', '停用'])
    expect(Object.values(module.statuses.moves)).toHaveLength(3)
    expect([before.meta.code, mine.meta.code]).toEqual([404, 200])
    expect(menu.body).toContain('设备巡检')
  })

  it('is seen by each chosen role in its usual scope, unless another is set', async () => {
    const { roles } = await start()
    const given = roles.filter((one: JsonObject) => ['销售', '销售经理'].includes(String(one.label)))
    const form = { label: '巡店', name: 'shop', rows: [{ label: '门店', kind: 'text' }], scope: 'role' }
    await create({ ...form, roles: given.map((one: JsonObject) => one.value) })
    await demo.post('/mini/m/shop/create', { mendian: '中山路店' })
    const seen = await Promise.all(
      ['manager', 'zhaolei'].map(async (account) => {
        const { data } = await (await server.as(account)).post('/mini/m/shop/list', {})
        return data.list.length
      }),
    )

    expect(seen).toEqual([1, 0])
  })

  it('has its former records again if a module with the same code is created after its deletion', async () => {
    const form = { label: '样品', name: 'sample', rows: [{ label: '样品名称', kind: 'text' }] }
    await create(form)
    await admin.post('/mini/m/sample/create', { yangpinmingcheng: '第一件' })
    await admin.post('/engine/web/module/delete', { name: 'sample', base: 1 })
    const gone = await admin.post('/mini/m/sample/list', {})
    const again = await create(form)
    const { data } = await admin.post('/mini/m/sample/list', {})

    expect([gone.meta.code, again.meta.message, again.meta.code]).toEqual([404, '', 200])
    expect(data.list.map(({ title }: JsonObject) => title)).toEqual(['第一件'])
  })

  it('reports the invalid row', async () => {
    const row = { label: '结论', kind: 'choice', options: '' }
    const noOptions = await create({ label: '一', rows: [row] })
    const noLabel = await create({ label: '二', rows: [{ kind: 'text' }] })
    const taken = await create({ label: '三', name: 'ticket', rows: [] })

    expect(noOptions.meta.error?.fields).toEqual({ rows: '请填写“结论”的选项，用顿号分开' })
    expect(noLabel.meta.error?.fields).toEqual({ rows: '第 1 个字段没有名称' })
    expect(taken.meta.error?.fields).toEqual({ name: '已有模块使用这个代码，请换一个' })
  })

  it('is read from a header: types by the titles', async () => {
    const header = '设备名称*\t手机\t购买金额\t安装日期\t是否在保\t备注'
    const { data } = await admin.post('/engine/web/module/guess/list', { header })

    expect(data.rows.map((row: JsonObject) => [row.label, row.kind, row.required])).toEqual([
      ['设备名称', 'text', true],
      ['手机', 'phone', false],
      ['购买金额', 'money', false],
      ['安装日期', 'day', false],
      ['是否在保', 'flag', false],
      ['备注', 'long-text', false],
    ])
    expect(data).not.toHaveProperty('states')
  })

  it('takes its statuses from a column, and none if the column of that name has none', async () => {
    const guess = async (header: string) =>
      (await admin.post('/engine/web/module/guess/list', { header })).data
    const said = await guess('设备名称,状态\n空压机,在用\n水泵,停用\n风机,在用')
    const unsaid = await guess('设备名称,状态')

    expect([said.states, said.states_text, said.rows.map(({ label }: JsonObject) => label)]).toEqual([
      true,
      '在用、停用',
      ['设备名称'],
    ])
    expect([unsaid.states, unsaid.rows.map(({ label }: JsonObject) => label)]).toEqual([
      false,
      ['设备名称', '状态'],
    ])
  })
})

describe('definitions as one file', () => {
  it('are exported, checked and imported at another tenant, with dictionaries, without loss', async () => {
    const options = [{ label: '金卡', value: 'gold' }]
    const form = { label: '等级', name: 'grade', kind: 'choice', source: 'new', options }
    await admin.post('/engine/web/field/save', { module: 'customer', form })
    const other = await server.as('yfadmin')
    await other.post('/engine/web/field/save', {
      module: 'customer',
      field: { name: 'theirs', kind: 'text', label: '他们的' },
    })
    const content = await fileOf(admin)
    const fileId = await upload(other, content)
    const check = await other.post('/engine/web/module/import/check', { fileId })
    const untouched = await other.get('/engine/web/module/detail?name=ticket')
    const done = await other.post('/engine/web/module/import', { fileId })
    const customer = await other.get('/engine/web/module/detail?name=customer')
    const ticket = await other.post('/mini/m/ticket/list', {})
    const dict = await other.get('/engine/web/dict/detail?id=customer_grade')

    expect(check.data.fits).toBe(true)
    expect(check.data.list.map((one: JsonObject) => [one.label, one.word])).toEqual(
      expect.arrayContaining([
        ['客户', '更新'],
        ['售后工单', '新建'],
      ]),
    )
    expect(untouched.meta.code).toBe(404)
    expect(done.meta).toMatchObject({ code: 200 })
    expect(customer.data.description.fields.map((one: JsonObject) => one.name)).toEqual(
      expect.arrayContaining(['theirs', 'grade']),
    )
    expect(ticket.meta.code).toBe(200)
    expect(dict.data.rows).toMatchObject([{ value: 'gold', label: '金卡' }])
  })

  it('are refused if they were edited manually, or if a type would change', async () => {
    const content = await fileOf(admin)
    const changed = await upload(admin, content.replace('售后工单', '售前工单'))
    const other = await server.as('yfadmin')
    const tampered = await admin.post('/engine/web/module/import/check', { fileId: changed })
    await other.post('/engine/web/field/delete', { module: 'customer', name: 'grade' })
    await other.post('/engine/web/field/save', {
      module: 'customer',
      field: { name: 'grade', kind: 'text', label: '等级' },
    })
    const fileId = await upload(other, content)
    const check = await other.post('/engine/web/module/import/check', { fileId })
    const done = await other.post('/engine/web/module/import', { fileId })

    expect(tampered.meta.message).toBe('文件内容被改动过，校验不通过')
    expect(check.data.fits).toBe(false)
    expect(done.meta.code).toBe(422)
  })
})

async function fileOf(client: Client): Promise<string> {
  const { data } = await client.post('/engine/web/module/export', {})
  return (await client.get(data.url)).body
}

const upload = async (client: Client, content: string): Promise<string> =>
  (await uploadedBytes(server, client, Buffer.from(content), 'definitions.json')) ?? ''

describe('the settings of a module', () => {
  const settings = async () => (await admin.get('/engine/web/module/settings?module=repair')).data
  const save = (form: JsonObject, base?: number) =>
    admin.post('/engine/web/module/settings/save', {
      module: 'repair',
      form,
      ...(base === undefined ? {} : { base }),
    })
  const movesOf = async () => (await described('repair')).statuses

  beforeAll(async () => {
    const states = [
      { value: 'open', label: '待修' },
      { value: 'done', label: '修好' },
    ]
    const description = {
      name: 'repair',
      label: '维修',
      title: 'title',
      behaviours: ['owned', 'follow', 'history', 'recycle'],
      fields: [
        { name: 'title', kind: 'text', label: '标题', required: true },
        { name: 'state', kind: 'choice', label: '状态', default: 'open', options: states },
      ],
      statuses: { field: 'state', moves: { open: ['done'], done: [] } },
      menu: { place: 'work', order: 7 },
    }
    expect((await admin.post('/engine/web/module/save', { description })).meta.message).toBe('')
  })

  it('are changed on their sheet, effective at once', async () => {
    const { form, statuses } = await settings()
    const moves = form.moves.map((row: JsonObject) => ({
      ...row,
      to: row.label === '修好' ? ['open', 'done', 'nowhere'] : row.to,
    }))
    const saved = await save(
      { ...form, label: '设备维修', number: 'WX{yyyy}{000}', tile: '新增维修', behaviours: ['files'], moves },
      form.version,
    )
    const after = await described('repair')
    const made = await admin.post('/mini/m/repair/create', { title: '空调' })

    expect(statuses.map(({ value }: JsonObject) => value)).toEqual(['', 'state'])
    expect(saved.meta.message).toBe('')
    expect(after).toMatchObject({
      label: '设备维修',
      behaviours: ['owned', 'history', 'recycle', 'files'],
      tile: { label: '新增维修' },
      menu: { place: 'work', order: 7 },
      statuses: { field: 'state', moves: { open: ['done'], done: ['open'] } },
    })
    expect(made.data.record.record_no).toMatch(/^WX\d{4}001$/)
  })

  it('report invalid settings at their positions', async () => {
    const { form } = await settings()
    const answer = await save({ ...form, number: '没有计数' })

    expect(answer.meta.error?.fields).toEqual({
      number: '编号规则里要有一处连续的 0，例如 NO{yyyyMMdd}{000}',
    })
    expect((await save({ ...form, label: ' ' })).meta.error?.fields).toEqual({ label: '请填写名称' })
    const both = (await save({ ...form, number: '没有计数', label: ' ' })).meta
    expect([both.message, Object.keys(both.error?.fields ?? {})]).toEqual(['请填写名称', ['label', 'number']])
    expect((await admin.get('/engine/web/module/settings?module=customer')).meta.code).toBe(404)
  })

  it('of two users show both sides, and a change of a field does not conflict', async () => {
    const { form } = await settings()
    await admin.post('/engine/web/field/save', {
      module: 'repair',
      field: { name: 'place', kind: 'text', label: '地点' },
    })
    const first = await save({ ...form, label: '维修一' }, form.version)
    const second = await save({ ...form, label: '维修二' }, form.version)

    expect(first.meta.message).toBe('')
    expect(second.meta.code).toBe(409)
    expect(second.data.current).toMatchObject({ label: '维修一' })
  })

  it('connect a new status to others, and forget a removed one', async () => {
    const sheet = async (options: readonly JsonObject[]) => {
      const { form } = (await admin.get('/engine/web/field/detail?module=repair&name=state')).data
      return admin.post('/engine/web/field/save', {
        module: 'repair',
        name: 'state',
        form: { ...form, options },
      })
    }
    const [open, done] = [
      { value: 'open', label: '待修' },
      { value: 'done', label: '修好' },
    ]
    expect((await sheet([open, { value: 'wait', label: '等配件' }, done])).meta.message).toBe('')
    expect(await movesOf()).toEqual({
      field: 'state',
      moves: { open: ['wait', 'done'], wait: ['open', 'done'], done: ['open', 'wait'] },
    })

    expect((await sheet([open, { value: 'wait', label: '等配件' }])).meta.message).toBe('')
    expect(await movesOf()).toEqual({ field: 'state', moves: { open: ['wait'], wait: ['open'] } })
  })
})

it('the pages of an own module have names among the pages, and say where they come from', async () => {
  await create({ label: '设备', name: 'named_pages', rows: [{ label: '名称', kind: 'text' }] })
  const { list } = (await admin.post('/engine/web/page/list', { keyword: '/pages/m/named_pages/' })).data

  expect(list.map((one: JsonObject) => [one.path, one.title, one.source_name])).toEqual([
    ['/pages/m/named_pages/add', '新建设备', '按模块生成'],
    ['/pages/m/named_pages/detail', '设备详情', '按模块生成'],
    ['/pages/m/named_pages/index', '设备列表', '按模块生成'],
  ])
  const { body } = await admin.get('/engine/web/page/detail?path=/pages/m/named_pages/add')
  expect(body).toContain('{{ data.title | default:新建设备 }}')
})
