import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import type { Page } from '../../../runtime/core/page/page.ts'
import type { ParseOptions } from '../../../runtime/core/page/parse.ts'
import { printPage } from '../../../runtime/core/page/print.ts'
import { parsePage } from '../../../runtime/core/parse-page.ts'
import { createRegistry } from '../../../runtime/core/widgets/index.ts'

const registry = createRegistry()

describe('parsePage', () => {
  it('accepts types with and without m-, and keeps the stored spelling', () => {
    const page = parsed([field('a', 'm-input'), field('b', 'input')])

    expect([page.nodes.get('a')?.type, page.nodes.get('b')?.type]).toEqual(['input', 'input'])
    expect(page.nodes.get('a')?.widget.type).toBe('m-input')
  })

  it('also accepts JSON text', () => {
    const text = JSON.stringify({ widgetList: [field('a')], formConfig: {} })

    expect(parsePage(text, { registry }).ok).toBe(true)
  })

  it('merges the options of the document with the defaults of the spec', () => {
    const page = parsed([field('a', 'input', { clearable: false, private: 1 })])

    expect(page.nodes.get('a')?.options).toMatchObject({ clearable: false, private: 1, type: 'text' })
  })

  it('keys widgets by name if it is unique, and by pointer otherwise', () => {
    const col = { type: 'grid-col', options: { name: 'gridCol1' }, widgetList: [] }
    const page = parsed([{ type: 'grid', options: { name: 'g' }, cols: [col, col] }])

    expect([...page.nodes.keys()]).toEqual(['g', '/widgetList/0/cols/0', '/widgetList/0/cols/1'])
  })

  it('finds the sub-form of a field and the template of a card', () => {
    const page = parsed([
      { type: 'm-sub-form', category: 'container', options: { name: 's' }, widgetList: [field('x')] },
      {
        type: 'list',
        options: { name: 'rows' },
        widgetList: [{ type: 'static-text', options: { name: 't' } }],
      },
    ])

    expect(page.nodes.get('x')).toMatchObject({ parent: 's', subForm: 's', template: null })
    expect(page.nodes.get('t')).toMatchObject({ parent: 'rows', template: 'rows', subForm: null })
  })

  it('omits cells of a table that are merged into others', () => {
    const cell = (name: string, merged: boolean): Json => ({
      type: 'table-cell',
      merged,
      options: { name },
      widgetList: [],
    })
    const table = {
      type: 'table',
      options: { name: 't' },
      rows: [{ cols: [cell('a', false), cell('b', true)] }],
    }

    expect(parsed([table]).nodes.get('t')?.children).toEqual(['a'])
  })

  it.each([
    ['plain VForm', {}],
    ['our own', { page: { title: 't' } }],
  ])('draws an unknown widget of a page of %s as a notice that keeps value and children', (_, formConfig) => {
    const result = parsePage(
      {
        widgetList: [
          { ...field('x', 'sealFile'), cols: [{ type: 'mystery', options: {}, widgetList: [field('y')] }] },
        ],
        formConfig,
      },
      { registry },
    )

    expect(result).toMatchObject({
      ok: true,
      warnings: [{ code: 'WIDGET_UNKNOWN' }, { code: 'WIDGET_UNKNOWN' }],
    })
    if (!result.ok) return
    expect(result.page.nodes.get('x')).toMatchObject({ type: 'unsupported', field: true })
    expect(result.page.nodes.get('y')?.parent).toBe('/widgetList/0/cols/0')
  })

  it('accepts the switch texts of older documents', () => {
    const page = parsed([field('a', 'm-switch', { activeLabel: '开', activeText: '' })], { jsonVersion: -2 })

    expect(page.nodes.get('a')?.options.activeText).toBe('开')
  })

  it('replaces references by fragments and points problems at the reference', () => {
    const fragments = {
      f: [field('x'), { type: 'cell-group', options: { name: 'g' }, widgetList: [{ fragment: 'h' }] }],
      h: { widgetList: [field('y')] },
    }
    const page = parsed([field('a'), { fragment: 'f' }], {}, { fragments })

    expect(page.roots).toEqual(['a', 'x', 'g'])
    expect(page.nodes.get('y')).toMatchObject({ parent: 'g', pointer: '/widgetList/1' })
    expect(printPage(page).widgetList).toEqual([field('a'), { fragment: 'f' }])
  })

  it('points at the reference for a fault inside a fragment', () => {
    const fragments = { f: [field('x', 'input', { visibleOn: { nope: 1 } })] }

    const result = parsePage({ widgetList: [{ fragment: 'f' }], formConfig: {} }, { registry, fragments })

    expect(result).toMatchObject({ ok: false, problems: [{ code: 'RULE_INVALID', at: '/widgetList/0' }] })
  })

  it.each<[string, JsonObject, JsonObject]>([
    ['a field hook', { onChange: 'x()' }, {}],
    ['a form hook', {}, { onFormMounted: 'x()' }],
    ['functions', {}, { functions: 'function f() {}' }],
    ['a handler of a source', {}, { dataSources: [{ uniqueName: 'a', dataHandlerCode: 'return 1' }] }],
  ])('finds code in %s', (_name, options, config) => {
    expect(parsed([field('a', 'input', options)], config).hasCode).toBe(true)
  })

  it('finds no code in empty slots', () => {
    expect(
      parsed([field('a', 'input', { onChange: '  ' })], { functions: '', onFormCreated: '' }).hasCode,
    ).toBe(false)
  })

  it('accepts repeated names in a plain document, with a warning', () => {
    const result = parsePage({ widgetList: [field('a'), field('a')], formConfig: {} }, { registry })

    expect(result).toMatchObject({ ok: true, warnings: [{ code: 'NAME_REPEATED', severity: 'warning' }] })
  })

  it('accepts the same name in rows of different sub-forms', () => {
    const sub = (name: string): Json => ({ type: 'sub-form', options: { name }, widgetList: [field('x')] })

    expect(parsePage({ widgetList: [sub('s'), sub('t')], formConfig: { page: {} } }, { registry }).ok).toBe(
      true,
    )
  })

  it('warns of fields that show each other, and accepts a field that depends on its own value', () => {
    const mutual = [
      field('a', 'input', { visibleOn: { var: 'b' } }),
      field('b', 'input', { visibleOn: { var: 'a' } }),
    ]
    const own = [field('a', 'input', { requiredOn: { var: 'a' }, visibleOn: { '!': [{ var: 'a' }] } })]

    expect(parsePage({ widgetList: mutual, formConfig: { page: {} } }, { registry })).toMatchObject({
      ok: true,
      warnings: [{ code: 'RULE_CYCLE' }],
    })
    expect(parsePage({ widgetList: own, formConfig: { page: {} } }, { registry })).toMatchObject({
      ok: true,
      warnings: [],
    })
  })

  it('tolerates invalid JSON', () => {
    const circle: { self?: unknown; widgetList: unknown[] } = { widgetList: [] }
    circle.self = circle
    const throwing = {
      get widgetList(): never {
        throw new Error('no')
      },
      formConfig: {},
    }

    for (const input of [
      undefined,
      null,
      1n,
      Symbol('x'),
      () => 0,
      circle,
      throwing,
      new Date(),
      Number.NaN,
      new Map(),
    ]) {
      expect(parsePage(input, { registry }).ok).toBe(false)
    }
  })

  it('parses 1,000 plain widgets fast enough for every change', () => {
    const many = {
      widgetList: Array.from({ length: 1000 }, (_, i) => field(`f${i}`, 'input', { required: true })),
      formConfig: {},
    }
    const took = Array.from({ length: 10 }, () => {
      const before = performance.now()
      parsePage(many, { registry })
      return performance.now() - before
    })

    expect(Math.min(...took)).toBeLessThan(100)
  })
})

function field(name: string, type = 'input', options: JsonObject = {}): JsonObject {
  return { type, formItemFlag: true, options: { name, ...options } }
}

function parsed(
  widgetList: readonly JsonObject[],
  formConfig: JsonObject = {},
  more: Partial<ParseOptions> = {},
): Page {
  const result = parsePage({ widgetList, formConfig }, { registry, ...more })
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  return result.page
}
