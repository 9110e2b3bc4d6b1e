import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { applyRule, isTruthy } from '../../../runtime/core/logic/rule.ts'
import { objectsIn } from '../../schemas/product-pages.ts'
import { right } from '../business5/deals.ts'
import { aModule, openOwnTenant } from './own-tenant.ts'

const { server, admin, demo, save, give } = await openOwnTenant()
afterAll(() => server.close())

const PARTS: JsonObject = {
  name: 'parts',
  kind: 'lines',
  label: '配件明细',
  most: 3,
  fields: [
    { name: 'part', kind: 'text', label: '配件', required: true, max: 10 },
    { name: 'n', kind: 'integer', label: '数量', min: 1 },
    { name: 'level', kind: 'choice', label: '级别', dict: 'part_level' },
    { name: 'worn', kind: 'flag', label: '磨损' },
  ],
}

beforeAll(async () => {
  const items = [
    { value: 'a', label: '一级' },
    { value: 'b', label: '二级' },
  ]
  right(
    await admin.post('/engine/web/dict/save', { id: 'part_level', create: true, name: '配件级别', items }),
  )
  await save({ name: 'customer', fields: [PARTS] })
  await save(aModule({ fields: [PARTS] }))
  await give('sales', 'ticket')
})

let made = 0
const create = (parts: Json) => {
  made += 1
  const mobile = `1380002${String(made).padStart(4, '0')}`
  return demo.post('/mini/customer/create', { name: `明细客户第${made}家`, mobile, ext: { parts } })
}

describe('own rows of a tenant', () => {
  it('are stored without empty ones, and shown as one text', async () => {
    const parts = [
      { part: '轴承', n: 2, level: 'a', worn: false },
      { part: '螺丝', n: null },
    ]
    const { id } = right(await create(parts))
    const { record } = right(await demo.get(`/mini/customer/detail?id=${id}`))

    expect(record.ext_parts).toEqual([{ part: '轴承', n: 2, level: 'a', worn: false }, { part: '螺丝' }])
    expect(record.ext_parts_name).toBe('轴承 · 2 · 一级 · 否\n螺丝')
  })

  it.each<[string, Json, string]>([
    ['a column that is missing', [{ part: '轴承' }, { n: 2 }], '配件明细第 2 行请填写配件'],
    ['a value its column does not take', [{ part: '轴承', n: 0 }], '配件明细第 1 行的数量不能小于 1'],
    ['a column nobody knows', [{ part: '轴承', price: 3 }], '配件明细第 1 行有不支持的内容'],
    ['a value its dictionary lacks', [{ part: '轴承', level: 'z' }], '配件明细不在可选范围内'],
    ['more rows than there may be', Array.from({ length: 4 }, () => ({ part: '轴承' })), '3'],
    ['what are no rows', 'eins', '3'],
  ])('are refused with %s', async (_, parts, message) => {
    const answer = await create(parts)

    expect(answer.meta.code).toBe(400)
    expect(answer.meta.error?.fields?.['ext.parts']).toContain(message.slice(0, 4))
    expect(answer.meta.error?.fields?.['ext.parts']).toContain(message)
  })

  it('work the same in an own module', async () => {
    const parts = [{ part: '轴承', n: 2, level: 'b' }]
    const { record } = right(await demo.post('/mini/m/ticket/create', { title: '换件', parts }))
    const wrong = await demo.post('/mini/m/ticket/create', { title: '换件', parts: [{ n: 1 }] })

    expect(record).toMatchObject({ parts, parts_name: '轴承 · 2 · 二级' })
    expect(wrong.meta.error?.fields).toEqual({ parts: '配件明细第 1 行请填写配件' })
    const { rows } = right(await demo.get(`/mini/m/ticket/detail?id=${record.id}`))
    expect(rows).toEqual({ parts: [{ part: '轴承', n: '2', level: '二级', worn: '' }] })
  })

  it('keep the values of a retired column, which is neither required nor shown', async () => {
    const columns = PARTS.fields as JsonObject[]
    const described = (stopped: readonly string[]) =>
      aModule({
        name: 'repair',
        fields: [
          {
            ...PARTS,
            fields: columns.map((one) =>
              stopped.includes(String(one.name)) ? { ...one, retired: true } : one,
            ),
          },
        ],
      })
    await save(described([]))
    await give('sales', 'repair')
    const parts = [{ part: '轴承', n: 2, level: 'b' }]
    const made = right(await demo.post('/mini/m/repair/create', { title: '换件', parts })).record
    await save(described(['part', 'level']))
    const { rows } = right(await demo.get(`/mini/m/repair/detail?id=${made.id}`))
    const bare = right(await demo.post('/mini/m/repair/create', { title: '再换', parts: [{ n: 3 }] })).record
    const read = async (): Promise<JsonObject> =>
      right(await demo.get(`/mini/m/repair/detail?id=${made.id}`)).record
    const { parts: seen, parts_name: said, version } = await read()
    right(await demo.post('/mini/m/repair/update', { id: made.id, version, title: '又换', parts: seen }))
    const form = JSON.parse((await admin.get('/engine/web/page/detail?path=/pages/m/repair/add')).body)
    const [column] = [...objectsIn(form)].filter(({ name }) => name === 'part')

    expect([bare.parts, said, (await read()).parts]).toEqual([[{ n: 3 }], '2', parts])
    expect(rows.parts).toEqual([{ n: '2', worn: '' }])
    expect([column?.hidden, column?.required ?? false]).toEqual([true, false])
    await save(described([]))
    expect((await read()).parts_name).toBe('轴承 · 2 · 二级')
  })

  it('protect the dictionary values that they use', async () => {
    right(await create([{ part: '轴承', level: 'a' }]))
    const remove = async (value: string) =>
      (await admin.post('/engine/web/dict/delete', { id: 'part_level', values: [value] })).meta.code
    right(
      await admin.post('/engine/web/dict/save', {
        id: 'part_level',
        name: '配件级别',
        items: [
          { value: 'a', label: '一级' },
          { value: 'b', label: '二级' },
          { value: 'c', label: '三级' },
        ],
      }),
    )

    expect([await remove('a'), await remove('c')]).toEqual([422, 200])
  })

  it('are a sub-form on forms and a table in details', async () => {
    const pageOf = async (path: string) =>
      JSON.parse((await admin.get(`/engine/web/page/detail?path=${path}`)).body) as JsonObject
    const ours = JSON.stringify(await pageOf('/pages/customer/my/add'))
    const own = JSON.stringify(await pageOf('/pages/m/ticket/add'))
    const detail = JSON.stringify(await pageOf('/pages/m/ticket/detail'))

    for (const [page, name] of [
      [ours, 'ext_parts'],
      [own, 'parts'],
    ] as const) {
      expect(page).toMatch(new RegExp(`"type":"sub-form"[^[]*"name":"${name}"`))
      expect(page).toContain('"name":"part","label":"配件"')
      expect(page).toContain(`{{ form.${name} }}`)
    }
    expect(detail).toContain('"bind":"data.detail.rows.parts"')
    // Two of them that wait for the network are distinguished by their names.
    expect(own).toContain('"queueText":"{{ form.title }}"')
  })

  it('make no card in the detail of a record that has none of them', async () => {
    const page = JSON.parse(
      (await admin.get('/engine/web/page/detail?path=/pages/customer/my/detail')).body,
    ) as JsonObject
    const card = [...objectsIn(page.widgetList)].find(({ label }) => label === '自定义信息') ?? {}
    const isShown = async (parts: Json, tab: string) => {
      const { id } = right(await create(parts))
      const detail = right(await demo.get(`/mini/customer/detail?id=${id}`))
      const scope = { form: { tab }, params: {}, user: {}, dict: {}, data: { detail } }
      return isTruthy(applyRule(card.visibleOn ?? null, scope))
    }
    const { '==': open } = [...objectsIn(card.visibleOn)].find((rule) => '==' in rule) ?? {}
    const tab = String(Array.isArray(open) ? open[1] : '')

    expect(await isShown([{ part: '轴承', n: 2 }], tab)).toBe(true)
    expect(await isShown([{ part: '轴承', n: 2 }], 'another')).toBe(false)
    expect(await isShown([], tab)).toBe(false)
    expect(await isShown(null, tab)).toBe(false)
  })

  it('are created and changed on the sheet of the field; a column keeps its code and what the sheet does not show', async () => {
    const sheet = async (name: string) =>
      right(await admin.get(`/engine/web/field/detail?module=lead&name=${name}`))
    const post = (name: string, form: JsonObject) =>
      admin.post('/engine/web/field/save', { module: 'lead', name, form })
    const row = (label: string, kind: string, more: JsonObject = {}) => ({ label, kind, ...more })
    const form = { label: '竞品报价', name: 'offers', kind: 'lines', most: 5 }
    const none = await post('', { ...form, rows: [] })
    const bad = await post('', { ...form, rows: [row('状态', 'choice')] })
    right(
      await post('', {
        ...form,
        rows: [row('厂家', 'text', { required: true }), row('状态', 'choice', { options: '领先、落后' })],
      }),
    )
    const { form: shown, row_kinds: kinds } = await sheet('offers')
    const [, state] = shown.rows
    right(
      await post('offers', {
        ...shown,
        rows: [
          { ...shown.rows[0], retired: true },
          { ...state, label: '进展', options: '落后、持平' },
        ],
      }),
    )
    const { description } = right(await admin.get('/engine/web/module/detail?name=lead'))

    expect([none, bad].map(({ meta }) => meta.error?.fields)).toEqual([
      { rows: '请填写每一列的名称和类型，单选还要填写选项' },
      { rows: '请填写每一列的名称和类型，单选还要填写选项' },
    ])
    expect(kinds).toContainEqual({ value: 'money', label: '金额' })
    expect(state).toMatchObject({ label: '状态', kind: 'choice', required: false, options: '领先、落后' })
    expect(description.fields.find((one: JsonObject) => one.name === 'offers')).toMatchObject({
      most: 5,
      fields: [
        { name: 'changjia', kind: 'text', label: '厂家', required: true, retired: true },
        {
          name: 'zhuangtai',
          label: '进展',
          options: [
            { value: 'v2', label: '落后' },
            { value: 'v3', label: '持平' },
          ],
        },
      ],
    })
  })

  it('contain plain values only', async () => {
    const of = async (column: JsonObject) => {
      const field = {
        name: 'bad',
        kind: 'lines',
        label: '坏',
        fields: [{ name: 'a', label: '列', ...column }],
      }
      const answer = await admin.post('/engine/web/field/save', { module: 'lead', field })
      return [answer.meta.code, answer.data?.problems?.[0]?.at]
    }

    expect(await of({ kind: 'ref', module: 'customer' })).toEqual([
      400,
      expect.stringMatching(/fields\/0\/kind$/),
    ])
    expect(await of({ kind: 'lines', fields: [] })).toEqual([400, expect.any(String)])
    expect(await of({ kind: 'text', filter: true })).toEqual([
      400,
      expect.stringMatching(/fields\/0\/filter$/),
    ])
    expect(await of({ kind: 'text', required: { '!!': [1] } })).toEqual([
      400,
      expect.stringMatching(/required$/),
    ])
  })
})
