import { expect, it } from 'vitest'
import type { Json } from '../../../runtime/core/json.ts'
import { mainNode } from '../../../src/workbench/canvas/draw.ts'
import {
  isReference,
  looseKey,
  referenceKey,
  resolvePage,
} from '../../../src/workbench/canvas/resolve-page.ts'

const input = (name: string) => ({ type: 'input', options: { name } })
const FRAGMENT = { fragment: 'form/address' }
const FIELD = { field: 'customer.level', options: { label: '级别' } }
const page: Json = {
  widgetList: [{ type: 'cell-group', options: { name: 'main' }, widgetList: [FRAGMENT, input('a'), FIELD] }],
  formConfig: { dataSources: [{ uniqueName: 'own' }] },
}
const known = new Map([
  [
    referenceKey(FRAGMENT),
    {
      items: [input('x'), input('y')],
      sources: [{ uniqueName: 'regions' }, { uniqueName: 'own', other: 1 }],
    },
  ],
  [referenceKey(FIELD), { items: [{ type: 'radio', options: { name: 'level' } }], sources: [] }],
])

it('references are replaced by their targets, with the sources that they add', () => {
  const { document, missing } = resolvePage(page, known)

  expect(missing).toEqual([])
  expect(document).toEqual({
    widgetList: [
      {
        type: 'cell-group',
        options: { name: 'main' },
        widgetList: [input('x'), input('y'), input('a'), { type: 'radio', options: { name: 'level' } }],
      },
    ],
    formConfig: { dataSources: [{ uniqueName: 'own' }, { uniqueName: 'regions' }] },
  })
})

it('each drawn widget knows the item it was written as', () => {
  const { keyAt } = resolvePage(page, known)
  const at = (index: number, rest = '') => keyAt(`/widgetList/0/widgetList/${index}${rest}`)

  expect([at(0), at(1), at(2), at(3)]).toEqual([
    '/main/form~1address',
    '/main/form~1address',
    '/main/a',
    '/main/level',
  ])
  expect(at(1, '/options/name')).toBe('/main/form~1address')
  expect(keyAt('/widgetList/0')).toBe('/main')
  expect(keyAt('/formConfig')).toBeUndefined()
})

it('placeholders of own fields resolve to the tenant’s current fields', () => {
  const group = { type: 'cell-group', options: { name: 'own', fields: 'customer' }, widgetList: [] }
  const conditions = { filters: 'customer' }
  const full = { type: 'cell-group', options: { name: 'full', fields: 'customer' }, widgetList: [input('a')] }
  const draft = {
    widgetList: [group, full],
    formConfig: { dataSources: [{ body: { filters: [conditions] } }] },
  }
  const filled = new Map([
    [referenceKey(group), { items: [], sources: [] }],
    [referenceKey(conditions), { items: [{ field: 'ext.c1' }], sources: [] }],
  ])

  expect(resolvePage(draft, new Map()).missing).toEqual([group, conditions])
  expect(resolvePage(draft, filled).document).toEqual({
    widgetList: [full],
    formConfig: { dataSources: [{ body: { filters: [{ field: 'ext.c1' }] } }] },
  })
})

it('unresolved references are named and omitted', () => {
  const { document, missing } = resolvePage(page, new Map())

  expect(missing).toEqual([FRAGMENT, FIELD])
  expect(JSON.stringify(document)).not.toContain('form/address')
})

it.each<[boolean, Json]>([
  [true, { fragment: 'a' }],
  [true, { type: 'fragment', ref: 'a' }],
  [true, { fields: 'customer/basic' }],
  [true, { field: 'customer.name', type: 'radio', options: {} }],
  [true, { field: 'customer.parent_id', params: [{ name: 'without' }] }],
  [false, { field: 'name', value: 1 }],
  [false, { type: 'input', options: {} }],
  [false, 'fragment'],
])('%s: %j is a reference', (answer, item) => {
  expect(isReference(item)).toBe(answer)
})

it('an own field appears once, where the page names it', () => {
  const own = { field: 'customer.ext_wechat' }
  const rest = { fragment: 'form/rest' }
  const more = { fragment: 'form/more' }
  const place = (...names: string[]) => ({
    type: 'cell-group',
    options: { name: 'own' },
    widgetList: names.map(input),
  })
  const means = new Map([
    [referenceKey(own), { items: [input('ext_wechat')], sources: [] }],
    [referenceKey(rest), { items: [place('ext_wechat')], sources: [] }],
    [referenceKey(more), { items: [place('ext_wechat', 'ext_mood')], sources: [] }],
  ])
  const { document, keyAt } = resolvePage({ widgetList: [own, rest, more], formConfig: {} }, means)

  expect(document).toMatchObject({ widgetList: [input('ext_wechat'), place('ext_mood')] })
  expect(keyAt('/widgetList/1')).toBe('/form~1more')
})

it('a reference is drawn with its last resolution and the current options until it is resolved again', () => {
  const before = { field: 'customer.level', options: { label: '级别' } }
  const now = {
    field: 'customer.level',
    options: { label: '等级', hint: null, requiredOn: { '!!': { var: 'form.a' } } },
  }
  const meant = { type: 'radio', options: { name: 'level', label: '级别', hint: '选一个' } }
  const means = new Map([[looseKey(before), { items: [meant], sources: [] }]])
  const { document, missing } = resolvePage({ widgetList: [now], formConfig: {} }, means)

  expect(missing).toEqual([now])
  expect(document).toMatchObject({
    widgetList: [
      { type: 'radio', options: { name: 'level', label: '等级', requiredOn: now.options.requiredOn } },
    ],
  })
  expect(JSON.stringify(document)).not.toContain('选一个')
})

it('items of a widget, and the widget itself, are known to refer to a field', () => {
  const row = { of: 'contract.name', copy: true }
  const button = { type: 'button', options: { name: 'go', of: 'contract.plans' } }
  const holder = { type: 'line', options: { of: 'contract.plans' }, widgetList: [input('a')] }
  const details = { type: 'descriptions', options: { name: 'd', items: [row, { label: '部门' }] } }
  const about: Json = { widgetList: [details, button, holder] }
  const words = new Map([
    [referenceKey(row), { items: [{ label: '合同名称', bind: 'name', copy: true }], sources: [] }],
    [
      referenceKey(button),
      { items: [{ type: 'button', options: { name: 'go', label: '计划' } }], sources: [] },
    ],
  ])

  const { document, keyAt } = resolvePage(about, words)

  expect(resolvePage(about, new Map()).missing).toEqual([row, button])
  expect(document).toMatchObject({
    widgetList: [
      { options: { items: [{ label: '合同名称', bind: 'name', copy: true }, { label: '部门' }] } },
      { options: { label: '计划' } },
      holder,
    ],
  })
  expect(keyAt('/widgetList/1')).toBe('/go')
})

it('what stands beside an own field appears once, too', () => {
  const own = { field: 'customer.ext_partner' }
  const rest = { type: 'cell-group', options: { name: 'own', fields: 'customer' }, widgetList: [] }
  const pair = [input('ext_partner'), input('ext_partner_name')]
  const other = input('ext_partner_name_2')
  const group = { type: 'cell-group', options: { name: 'own' }, widgetList: [...pair, other] }
  const means = new Map([
    [referenceKey(own), { items: pair, sources: [] }],
    [referenceKey(rest), { items: [group], sources: [] }],
  ])

  expect(resolvePage({ widgetList: [own, rest] }, means).document).toEqual({
    widgetList: [...pair, { ...group, widgetList: [other] }],
  })
})

it('a field with what stands beside it is the widget of its name; a fragment of several is none of them', () => {
  const [partner, words] = [{ name: 'ext_partner' }, { name: 'ext_partner_name' }]

  expect(mainNode([partner, words], 'ext_partner')).toBe(partner)
  expect(mainNode([words], 'ext_partner')).toBe(words)
  expect(mainNode([partner, words], 'form/rest')).toBeUndefined()
})
