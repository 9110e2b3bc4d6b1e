import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import { type Answer, type Client, openTestApp, type TestApp } from '../support.ts'

let server: TestApp
let demo: Client
let admin: Client
let customerId: string
beforeAll(async () => {
  server = await openTestApp()
  demo = await server.as('demo')
  admin = await server.as('admin')
  customerId = (await demo.post('/mini/customer/create', { name: '表单测试客户有限公司' })).data.id
})
afterAll(() => server.close())

/** How to create each entity, and the field whose rule the tenant tightens. */
const ENTITIES: readonly (readonly [string, () => JsonObject, string])[] = [
  ['customer', () => ({ name: `客户${Math.random()}` }), '/pages/customer/my/add'],
  [
    'contact',
    () => ({ name: '王经理', customer_id: customerId, mobile: aMobile() }),
    '/pages/customer/contact/add',
  ],
  [
    'lead',
    () => ({ name: `线索${Math.random()}`, source: 'website', mobile: aMobile() }),
    '/pages/customer/leads/add',
  ],
  [
    'bussiness',
    () => ({
      name: '商机',
      customer_id: customerId,
      amount: 100,
      expected_date: '2026-05-01',
      contact_ids: [],
    }),
    '/pages/bussiness/add',
  ],
]

describe('a form with a tenant’s own fields', () => {
  it('is judged with their values: by their own rules, and by rules of the page that read them', async () => {
    const grades = [
      { value: 'gold', label: '金牌' },
      { value: 'plain', label: '普通' },
    ]
    const rule = { '==': [{ var: 'grade' }, 'gold'] }
    for (const field of [
      { name: 'grade', kind: 'choice', label: '会员等级', options: grades },
      { name: 'renew', kind: 'day', label: '续费日期', required: rule },
    ])
      expect((await admin.post('/engine/web/field/save', { module: 'customer', field })).meta.code).toBe(200)
    const create = (ext: JsonObject, more: JsonObject = {}) =>
      demo.post('/mini/customer/create', { name: `客户${Math.random()}`, ext, ...more })
    const own = await create({ grade: 'gold' })
    const free = await create({ grade: 'plain' })
    await publish('/pages/customer/my/add', (field) => {
      if (field.name === 'remark') field.requiredOn = { '==': [{ var: 'form.ext_grade' }, 'gold'] }
    })
    const byPage = await create({ grade: 'gold', renew: '2026-12-01' })
    const given = await create({ grade: 'gold', renew: '2026-12-01' }, { remark: '金牌' })
    const other = await create({ grade: 'plain' })

    expect([faults(own), free.meta.code]).toEqual([['ext.renew'], 200])
    expect([faults(byPage), given.meta.code, other.meta.code]).toEqual([['remark'], 200, 200])
  })
})

describe.each(ENTITIES)('the published form of a %s', (entity, body, path) => {
  const create = (more: JsonObject = {}) => demo.post(`/mini/${entity}/create`, { ...body(), ...more })

  it('applies its rules', async () => {
    await publish(path, (field) => {
      if (field.name === 'name') field.requiredOn = null
      if (field.name === 'remark') field.requiredOn = true
    })

    const without = await create()
    const given = await create({ remark: '来自展会' })
    const changed = await demo.post(`/mini/${entity}/update`, {
      id: given.data.id,
      version: given.data.version,
      remark: null,
    })

    expect(faults(without)).toContain('remark')
    expect(given.meta.code).toBe(200)
    expect(faults(changed)).toContain('remark')
  })

  it('runs its onValidate and onFormValidate on the server', async () => {
    await publish(
      path,
      (field) => {
        if (field.name === 'name')
          field.onValidate = "return value.indexOf('测试') === 0 ? '名称不能以测试开头' : true"
      },
      { onFormValidate: "return this.getFieldValue('name') === '不要' ? '这个名字不要' : true" },
    )

    const refused = await create({ name: '测试的名字' })
    const form = await create({ name: '不要' })
    const made = await create()
    const changed = await demo.post(`/mini/${entity}/update`, {
      id: made.data.id,
      version: made.data.version,
      name: '测试改名',
    })

    expect(refused.meta.error?.fields).toEqual({ name: '名称不能以测试开头' })
    expect(form.meta).toMatchObject({ code: 400, message: '这个名字不要' })
    expect(made.meta.code).toBe(200)
    expect(changed.meta.error?.fields).toEqual({ name: '名称不能以测试开头' })
  })
})

describe('code of a form', () => {
  const create = () => demo.post('/mini/lead/create', { ...ENTITIES[2]?.[1]() })
  const nameCode = (code: string, config: JsonObject = {}) =>
    publish(
      '/pages/customer/leads/add',
      (field) => {
        if (field.name === 'name') field.onValidate = code
      },
      config,
    )

  it('refuses the write if it fails or does not end', async () => {
    await nameCode('throw new Error("broken")')
    const broken = await create()
    await nameCode('while (true) {}')
    const endless = await create()

    expect(faults(broken)).toEqual(['name'])
    expect(faults(endless)).toEqual(['name'])
  })

  it('receives the caller’s answer if it calls a data source', async () => {
    await nameCode('return true')
    const seen = await demo.post('/mini/lead/create', { ...ENTITIES[2]?.[1](), name: '查得到的线索' })
    const hidden = await (await server.as('zengke')).post('/mini/lead/create', {
      ...ENTITIES[2]?.[1](),
      name: '别人的线索',
    })
    const ask = (id: string) =>
      nameCode(
        `return this.executeDataSource('other').then(function (found) { return found.record.name + '已有' }, function (e) { return '查不到' })`,
        {
          dataSources: [
            { uniqueName: 'other', requestURL: `/mini/lead/detail?id=${id}`, requestMethod: 'get' },
          ],
        },
      )

    await ask(seen.data.id)
    expect((await create()).meta.error?.fields).toEqual({ name: '查得到的线索已有' })
    await ask(hidden.data.id)
    expect((await create()).meta.error?.fields).toEqual({ name: '查不到' })
  })

  it('does not decide if it would change data or call another host: the write is refused or logged, as the page declares', async () => {
    const code = `return this.executeDataSource('other').then(function () { return '做了' }, function () { return '没做' })`
    for (const requestURL of ['/mini/lead/delete', 'cloud:db/t', '/engine/web/page/stream']) {
      const dataSources = [
        { uniqueName: 'other', requestURL, requestMethod: requestURL.endsWith('stream') ? 'get' : 'post' },
      ]
      await nameCode(code, { dataSources, page: { onUnjudged: 'refuse' } })
      expect((await create()).meta).toMatchObject({
        code: 400,
        message: '这张表单有校验无法在服务器上完成，没有保存，请联系管理员',
        error: { detail: `onValidate name: ${requestURL.endsWith('stream') ? 'GET' : 'POST'} ${requestURL}` },
      })
      await nameCode(code, { dataSources, page: { onUnjudged: 'log' } })
      expect((await create()).meta.code).toBe(200)
    }
  })
})

describe('a rule of a form that reads the page’s data', () => {
  const create = (state?: JsonObject) =>
    demo.post(
      '/mini/lead/create',
      ENTITIES[2]?.[1](),
      state === undefined ? {} : { 'x-form-state': encodeURIComponent(JSON.stringify(state)) },
    )
  const remarkOn = (requiredOn: Json, config: JsonObject) =>
    publish(
      '/pages/customer/leads/add',
      (field) => {
        if (field.name === 'remark') field.requiredOn = requiredOn
      },
      config,
    )

  it('receives it from its source, which the server calls as the user', async () => {
    const dataSources = [
      { uniqueName: 'me', requestURL: '/mini/user/profile', requestMethod: 'get', auto: true },
    ]
    await remarkOn({ '==': [{ var: 'data.me.account' }, 'demo'] }, { dataSources })

    expect(faults(await create())).toEqual(['remark'])
    expect(faults(await create({ data: { me: { account: 'x' } }, params: {}, options: {} }))).toEqual([
      'remark',
    ])
  })

  it('receives data that only the page has from the page, or is named', async () => {
    await remarkOn({ var: 'data.careful' }, { page: { onUnjudged: 'refuse' } })

    expect((await create()).meta).toMatchObject({ code: 400, error: { detail: 'data.careful' } })
    expect(faults(await create({ data: { careful: true }, params: {}, options: {} }))).toEqual(['remark'])
    expect((await create({ data: { careful: false }, params: {}, options: {} })).meta.code).toBe(200)
  })
})

/** Options of a widget that is about to be published. */
type Options = Record<string, Json>

let mobiles = 0
function aMobile(): string {
  mobiles += 1
  return `1380001${String(mobiles).padStart(4, '0')}`
}

function faults(answer: Answer): readonly string[] {
  return Object.keys(answer.meta.error?.fields ?? {})
}

/** The product's forms as their editors get them, with fragments expanded. */
const forms = new Map<string, string>()

/** Publishes the product's form for the tenant with changed widget options. */
async function publish(
  path: string,
  change: (options: Options) => void,
  config: JsonObject = {},
): Promise<void> {
  const form = forms.get(path) ?? (await admin.get(`/engine/web/page/detail?path=${path}`)).body
  forms.set(path, form)
  const document = JSON.parse(form) as { formConfig: Options; widgetList: Json }
  const walk = (widgets: Json | undefined): void => {
    for (const widget of Array.isArray(widgets) ? widgets.filter(isObject) : []) {
      if (isObject(widget.options)) change(widget.options as Options)
      walk(widget.widgetList)
    }
  }
  walk(document.widgetList)
  const { dataSources = [], page = {}, ...rest } = config
  const old = document.formConfig
  Object.assign(old, rest, {
    dataSources: [...(old.dataSources as Json[]), ...(dataSources as Json[])],
    page: { ...(old.page as JsonObject), ...(page as JsonObject) },
  })
  const { revision } = (await admin.get(`/engine/web/page/source?path=${path}`)).data
  const answer = await admin.post('/engine/web/page/publish', {
    path,
    base: revision,
    document: document as never,
  })
  expect(answer.meta.message).toBe('')
}
