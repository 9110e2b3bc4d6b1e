import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../runtime/core/json.ts'
import type { Field, ModuleDescription } from '../../../../src/model/description.ts'
import { resolveReferences } from '../../../../src/server/kernel/pages/references.ts'
import { pageWords } from '../../../../src/server/kernel/pages/referred.ts'

const MODULE: ModuleDescription = {
  name: 'visit',
  label: '拜访',
  title: 'title',
  behaviours: [],
  fields: [
    { name: 'title', kind: 'text', label: '标题', card: true },
    { name: 'level', kind: 'choice', label: '级别', dict: 'customer_level', filter: true, card: true },
    { name: 'total', kind: 'money', label: '合计', filter: true, sort: true },
    { name: 'customer_id', kind: 'ref', label: '客户', module: 'customer' },
    { name: 'due', kind: 'day', label: '到期', filter: true, sort: true },
    { name: 'mobile', kind: 'phone', label: '手机' },
  ],
}

/** @param tenants  the tenant's overrides of a field */
function resolve(document: Json, tenants: (field: Field) => Field = (field) => field) {
  const shipped = (name: string) => (name === 'visit' ? MODULE : undefined)
  return resolveReferences(document, 'page.json', {
    fragment: () => undefined,
    vendor: shipped,
    module: (name) => {
      const found = shipped(name)
      return found && { ...found, fields: found.fields.map(tenants) }
    },
    words: pageWords(),
  })
}

const listPage = (sheet: Json, more: readonly Json[] = []): Json => ({
  formConfig: {
    dataSources: [
      {
        uniqueName: 'rows',
        body: { filters: [{ field: 'x', op: 'empty' }, { filters: 'visit' }], sort: [{ sorts: 'visit' }] },
      },
    ],
  },
  widgetList: [...more, { type: 'sheet', options: { name: 'filters' }, widgetList: [sheet] }],
})

type Page = {
  widgetList: { options: Record<string, Json>; widgetList: Record<string, Json>[] }[]
  formConfig: { dataSources: { uniqueName: string; body: { filters: Json[]; sort: Json[] } }[] }
}
const asPage = (document: Json) => document as unknown as Page

describe('the filters of a module', () => {
  it('are in the sheet in the order of the page, each by its type, with the page’s own options', () => {
    const { document, problems } = resolve(
      listPage({
        filters: 'visit',
        only: ['due', 'level', 'total', 'owner_id'],
        options: { due: { as: 'when', label: '到期日' }, total: { as: 'least', unit: '元' } },
      }),
    )
    const widgets = asPage(document).widgetList[0]?.widgetList ?? []

    expect(problems).toEqual([])
    expect(widgets.map(({ type, options }) => [type, options])).toMatchObject([
      ['radio', { name: 'f_due', label: '到期日' }],
      ['checkbox', { name: 'f_level', label: '级别', dict: 'customer_level', buttonStyle: true }],
      ['number', { name: 'f_total', label: '合计不低于', unit: '元' }],
      ['select', { name: 'f_owner', label: '负责人', dsName: 'owners' }],
    ])
    expect(asPage(document).formConfig.dataSources.map(({ uniqueName }) => uniqueName)).toEqual([
      'rows',
      'owners',
    ])
  })

  it('are conditions of every request of the page, where the page references the tenant’s own fields', () => {
    const { document } = resolve(listPage({ filters: 'visit', only: ['level', 'due'] }))

    expect(asPage(document).formConfig.dataSources[0]?.body.filters).toEqual([
      { field: 'x', op: 'empty' },
      { $if: { '!!': { var: 'form.f_level' } }, field: 'level', op: 'in', value: '{{ form.f_level }}' },
      { $if: { '!!': { var: 'form.f_due' } }, field: 'due', op: 'between', value: '{{ form.f_due }}' },
      { filters: 'visit' },
    ])
  })

  it('are cleared by one action, stored by a saved view, and show the button that clears them', () => {
    const { document } = resolve(
      listPage({ filters: 'visit', only: ['level', 'total'] }, [
        {
          type: 'button',
          options: {
            filtered: 'visit',
            visibleOn: { or: [{ var: 'form.mine' }] },
            on: { click: [{ do: 'set', fields: true, value: { filters: 'visit' } }] },
            state: { tab: '{{ form.tab }}', chosen: 'visit' },
          },
        },
      ]),
    )

    expect(asPage(document).widgetList[0]?.options).toEqual({
      filtered: 'visit',
      visibleOn: {
        or: [
          { var: 'form.mine' },
          { '!!': { var: 'form.f_level' } },
          { '!=': [{ var: 'form.f_total_from' }, null] },
          { '!=': [{ var: 'form.f_total_to' }, null] },
        ],
      },
      on: {
        click: [
          {
            do: 'set',
            fields: true,
            value: { f_level: [], f_total_from: null, f_total_to: null, filters: 'visit' },
          },
        ],
      },
      state: {
        tab: '{{ form.tab }}',
        f_level: '{{ form.f_level }}',
        f_total_from: '{{ form.f_total_from }}',
        f_total_to: '{{ form.f_total_to }}',
        chosen: 'visit',
      },
    })
  })

  it('are all filterable fields if the page names none', () => {
    const { document } = resolve(listPage({ filters: 'visit', options: { due: null } }))
    const names = asPage(document).widgetList[0]?.widgetList.map(
      ({ options }) => (options as { name: string }).name,
    )

    expect(names).toEqual(['f_level', 'f_total_from', 'f_total_to'])
  })

  it('follow a tenant that adds, removes or renames a field', () => {
    const tenants = (field: Field): Field => {
      if (field.name === 'mobile') return { ...field, filter: true }
      if (field.name === 'due') return { ...field, filter: false }
      return field.name === 'level' ? { ...field, label: '星级' } : field
    }
    const { document } = resolve(
      listPage({ filters: 'visit', only: ['due', 'level'], options: { level: { label: '级' } } }),
      tenants,
    )
    const widgets = asPage(document).widgetList[0]?.widgetList ?? []

    expect(widgets.map(({ options }) => options)).toMatchObject([
      { name: 'f_level', label: '星级' },
      { name: 'f_mobile', label: '手机' },
    ])
    expect(asPage(document).formConfig.dataSources[0]?.body.filters).toHaveLength(4)
  })

  it('report an unknown field at its position, with the nearest name', () => {
    const { problems } = resolve(
      listPage({ filters: 'visit', only: ['levle'], options: { level: { as: 'whne' }, x: {} } }),
    )

    expect(problems.map(({ at, said }) => [at, said.message.params.name])).toEqual([
      ['/widgetList/0/widgetList/0', 'levle'],
      ['/widgetList/0/widgetList/0', 'x'],
    ])
  })
})

describe('the sorts of a module', () => {
  it('are choices of the sheet and orders of the requests, each with its direction', () => {
    const { document, problems } = resolve({
      ...(listPage({
        type: 'radio',
        options: {
          name: 'sort',
          optionItems: [
            {
              sorts: 'visit',
              only: ['due desc', 'total', 'created_at', 'py'],
              options: { total: { label: '金额' }, py: { value: 'name' } },
            },
          ],
        },
      }) as object),
    })
    const [sheet] = asPage(document).widgetList
    const [radio] = sheet?.widgetList ?? []

    expect(problems).toEqual([])
    expect(radio).toMatchObject({
      options: {
        optionItems: [
          { label: '到期', value: 'due' },
          { label: '金额', value: 'total' },
          { label: '创建时间', value: 'created_at' },
          { label: '名称（拼音）', value: 'name' },
        ],
      },
    })
    const by = (value: string) => ({ '==': [{ var: 'form.sort' }, value] })
    expect(asPage(document).formConfig.dataSources[0]?.body.sort).toEqual([
      { $if: by('due'), field: 'due', dir: 'desc' },
      { $if: by('total'), field: 'total', dir: 'desc' },
      { $if: by('created_at'), field: 'created_at', dir: 'desc' },
      { $if: by('name'), field: 'py', dir: 'asc' },
      { sorts: 'visit' },
    ])
  })
})

describe('a card and a detail', () => {
  it('show one field as a title, a tag or an amount, and the other card fields on lines of their own', () => {
    const { document, problems } = resolve({
      widgetList: [
        { card: 'visit.title', as: 'title' },
        { card: 'visit.level', as: 'tag' },
        { card: 'visit.customer_id', options: { label: '给', tone: 'weak' } },
        { card: 'visit', options: { title: null } },
      ],
    })

    expect(problems).toEqual([])
    expect(asPage(document).widgetList).toMatchObject([
      { type: 'static-text', options: { name: 'title', textContent: '{{ row.title }}', weight: 'medium' } },
      { type: 'tag', options: { name: 'level', bind: 'row.level', dict: 'customer_level' } },
      {
        type: 'static-text',
        options: { name: 'card_customer_id', textContent: '给 {{ row.customer_name }}', tone: 'weak' },
      },
      { options: { name: 'card_level', textContent: '级别 {{ row.level | dict:customer_level }}' } },
      { type: 'line', options: { card: 'visit' }, widgetList: [] },
    ])
  })

  it('show each value by its type, in the order of the page, and the page’s additions', () => {
    const { document, problems } = resolve({
      widgetList: [
        {
          type: 'descriptions',
          options: {
            items: [
              {
                facts: 'visit',
                only: ['mobile', 'level', 'total', 'customer_id'],
                options: { mobile: { dial: true } },
              },
              { label: '负责人', bind: 'owner_name' },
            ],
          },
        },
      ],
    })

    expect(problems).toEqual([])
    expect(asPage(document).widgetList[0]?.options.items).toEqual([
      { label: '手机', bind: 'mobile', dial: true },
      { label: '级别', bind: 'level', dict: 'customer_level' },
      { label: '合计', text: '{{ data.detail.record.total | money }}' },
      { label: '客户', bind: 'customer_name' },
      { label: '负责人', bind: 'owner_name' },
    ])
  })

  it('omit retired fields, and report an unknown field', () => {
    const { document, problems } = resolve(
      { widgetList: [{ card: 'visit.level', as: 'tag' }, { card: 'visit.leve' }] },
      (field) => ({ ...field, retired: field.name === 'level' }),
    )

    expect(asPage(document).widgetList).toEqual([])
    expect(problems.map(({ at, said }) => [at, said.message.params.name])).toEqual([
      ['/widgetList/1', 'leve'],
    ])
  })
})
