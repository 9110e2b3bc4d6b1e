import { describe, expect, it } from 'vitest'
import schema from '../../../schemas/page.schema.json'
import { jsonWords, keyWord, type PageNames } from '../../../src/workbench/code/complete.ts'
import type { Root } from '../../../src/workbench/code/schema-place.ts'

const NAMES: PageNames = {
  words: [
    { word: 'form.level', label: '客户级别' },
    { word: 'data.detail.name', label: '云帆' },
  ],
  sources: [{ word: 'rows', label: '/mini/customer/list' }],
  dictionaries: [{ word: 'customer_level', label: '' }],
  forAction: (action, key) => (action === 'request' && key === 'dsName' ? ['rows'] : []),
}

/** The completions at `|`. */
function words(marked: string, root: Root = 'page'): readonly string[] {
  const at = marked.indexOf('|')
  return jsonWords(marked.replace('|', ''), at, root, NAMES)?.list.map(({ label }) => label) ?? []
}
const applied = (marked: string, label: string): string | undefined =>
  jsonWords(marked.replace('|', ''), marked.indexOf('|'), 'page', NAMES)?.list.find(
    (one) => one.label === label,
  )?.apply

describe('completion in the text of a page', () => {
  it('offers missing keys at the position: of the page, its settings, sources, actions and widgets', () => {
    expect(words('{ "|" }')).toEqual(expect.arrayContaining(['widgetList', 'formConfig']))
    expect(words('{ "formConfig": {}, "|" }')).not.toContain('formConfig')
    expect(words('{ "formConfig": { "page": { "|" } }, "widgetList": [] }')).toEqual(
      expect.arrayContaining(['title', 'permission', 'params', 'on']),
    )
    expect(words('{ "formConfig": { "dataSources": [{ "uniqueName": "a", "|" }] } }')).toEqual(
      expect.arrayContaining(['requestURL', 'auto', 'paging', 'dataHandlerCode']),
    )
    expect(words('{ "widgetList": [{ "type": "list", "options": { "|" } }] }')).toEqual(
      expect.arrayContaining(['dsName', 'empty', 'visibleOn', 'name']),
    )
    expect(words('{ "widgetList": [{ "type": "input", "options": { "|" } }] }')).not.toContain('rowKey')
    const click =
      '{ "widgetList": [{ "type": "button", "options": { "on": { "click": [{ "do": "toast", "|" }] } } }] }'
    expect(words(click)).toEqual(expect.arrayContaining(['text', 'icon']))
    expect(words(click)).not.toContain('dsName')
  })

  it('offers the values of an enumeration, and names of this page', () => {
    const options = (text: string) =>
      words(`{ "widgetList": [{ "type": "button", "options": { ${text} } }] }`)
    expect(words('{ "widgetList": [{ "type": "|" }] }')).toEqual(
      expect.arrayContaining(['input', 'list', 'button']),
    )
    expect(options('"size": "|"')).toContain('small')
    expect(options('"plain": |')).toEqual(['true', 'false'])
    expect(options('"visibleOn": { "==": [{ "var": "|" }, 1] }')).toEqual(['form.level', 'data.detail.name'])
    expect(options('"on": { "click": [{ "do": "|" }] }')).toEqual(
      expect.arrayContaining(['toast', 'request', 'navigate']),
    )
    expect(options('"on": { "click": [{ "do": "request", "dsName": "|" }] }')).toEqual(['rows'])
    expect(words('{ "widgetList": [{ "type": "list", "options": { "dsName": "|" } }] }')).toEqual(['rows'])
    expect(words('{ "widgetList": [{ "type": "select", "options": { "dict": "|" } }] }')).toEqual([
      'customer_level',
    ])
    expect(words('{ "type": "list", "options": { "bind": "|" } }', 'widget')).toEqual([
      'form.level',
      'data.detail.name',
    ])
    expect(words('{ "widgetList": [{ "type": "input", "options": { "label": "|" } }] }')).toEqual([])
  })

  it('inserts quotes, a colon and the brackets of the value', () => {
    expect(applied('{ "formConfig": { "|" } }', 'page')).toBe('"page": {}')
    expect(applied('{ "formConfig": { "|": 1 } }', 'page')).toBe('"page"')
    expect(applied('{ "wid|" }', 'widgetList')).toBe('"widgetList": []')
  })

  it('works in a text that is not valid JSON yet', () => {
    expect(words('{ "widgetList": [{ "type": "list", "options": { "name": "a", "|')).toContain('empty')
    expect(words('{ "formConfig": { "page": { "title": "x" "|')).toEqual([])
  })
})

it('has a Chinese label for every key of the format', () => {
  const nameless = new Set<string>()
  const walk = (value: unknown, name: string, within: string): void => {
    if (typeof value !== 'object' || value === null) return
    const { properties } = value as { readonly properties?: object }
    if (properties !== undefined && !Array.isArray(properties))
      for (const key of Object.keys(properties)) {
        const path =
          within === 'on'
            ? ['on', key]
            : name.startsWith('options.') || name === 'common' || name.startsWith('set.')
              ? ['options', key]
              : [name, key]
        if (keyWord(key, path, name.endsWith('Action') ? 'any' : '') === '') nameless.add(`${name} ${key}`)
      }
    for (const [key, one] of Object.entries(value)) walk(one, name, key === 'properties' ? within : key)
  }
  for (const [name, one] of Object.entries(schema.$defs)) walk(one, name, '')
  expect([...nameless]).toEqual([])
})
