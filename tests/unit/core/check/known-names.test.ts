import { describe, expect, it } from 'vitest'
import { parseStrictly } from '../../../../runtime/core/check/parse-strictly.ts'
import type { Json } from '../../../../runtime/core/json.ts'
import { registry } from '../../../support/a-page.ts'

const KNOWN = {
  dictionaries: new Set(['customer_level', 'customer_source']),
  permissions: new Set(['customer:view', 'customer:edit', 'system:user']),
  routes: new Set(['/pages/index', '/pages/customer/my/index', '/pages/customer/my/detail']),
}

const told = (widget: Json, settings: Json = {}, dataSources: Json = []) => {
  const formConfig = { page: settings, dataSources }
  const parsed = parseStrictly({ widgetList: [widget], formConfig } as never, { registry }, KNOWN)
  return (parsed.ok ? parsed.warnings : parsed.problems)
    .filter(({ code }) => code === 'WORD_UNKNOWN')
    .map(({ at, hint, severity }) => [at, hint, severity])
}
const text = (options: Record<string, Json>): Json => ({
  type: 'static-text',
  options: { name: 't', ...options },
})
const button = (action: Json): Json => ({ type: 'button', options: { name: 'b', on: { click: [action] } } })

describe('names that a page takes from outside', () => {
  it.each<[string, Json, string, string]>([
    [
      'the dictionary of a widget',
      text({ dict: 'customer_levle' }),
      '/widgetList/0/options/dict',
      'did you mean "customer_level"?',
    ],
    [
      'the dictionary of a filter in a text',
      text({ textContent: '{{ row.level | dict:customer_levl }}' }),
      '/widgetList/0/options/textContent',
      'did you mean "customer_level"?',
    ],
    [
      'the dictionary of a row',
      {
        type: 'descriptions',
        options: { name: 'd', items: [{ label: '级别', bind: 'a', dict: 'custmer_level' }] },
      },
      '/widgetList/0/options/items/0/dict',
      'did you mean "customer_level"?',
    ],
    [
      'the address an action opens',
      button({ do: 'navigate', url: '/pages/customer/my/detial?id={{ row.id }}' }),
      '/widgetList/0/options/on/click/0/url',
      'did you mean "/pages/customer/my/detail"?',
    ],
    [
      'the right a rule asks for',
      text({ visibleOn: { in: ['customer:edti', { var: 'user.permissions' }] } }),
      '/widgetList/0/options/visibleOn/in/0',
      'did you mean "customer:edit"?',
    ],
  ])('are reported with the nearest known name: %s', (_, widget, at, hint) => {
    expect(told(widget)).toEqual([[at, hint, 'error']])
  })

  it('include those of the page and its sources', () => {
    const page = {
      permission: [{ permission: 'custmer:view' }],
      on: { load: [{ do: 'redirect', url: '/pages/idnex' }] },
    }
    const sources = [
      { uniqueName: 's', requestURL: '/a', body: { name: '{{ form.a | dict:customer_sorce }}' } },
    ]

    expect(told(text({}), page, sources).map(([at]) => at)).toEqual([
      '/formConfig/page/permission/0/permission',
      '/formConfig/page/on/load/0/url',
      '/formConfig/dataSources/0/body/name',
    ])
  })

  it.each<[string, Json]>([
    ['a name made of data', text({ dict: '{{ params.dict }}' })],
    ['an address whose query holds places', button({ do: 'navigate', url: '/pages/index?a={{ form.a }}' })],
    ['an address made of data', button({ do: 'navigate', url: '/pages/m/{{ params.name }}/index' })],
    ["a page of the tenant's own module", button({ do: 'navigate', url: '/pages/m/ticket/index' })],
    [
      "a right on the tenant's own module",
      text({ visibleOn: { in: ['m.ticket:view', { var: 'user.permissions' }] } }),
    ],
    ['an address elsewhere', button({ do: 'navigate', url: 'https://example.com/pages/x' })],
    ['any right of a module', text({ visibleOn: { in: ['system:*', { var: 'user.permissions' }] } })],
  ])('are not checked: %s', (_, widget) => {
    expect(told(widget)).toEqual([])
  })

  it('are not checked in a plain VForm document', () => {
    const document = { widgetList: [{ type: 'static-text', options: { dict: 'own' } }], formConfig: {} }
    const parsed = parseStrictly(document, { registry }, KNOWN)

    expect(parsed.ok && parsed.warnings).toEqual([])
  })
})
