import { describe, expect, it } from 'vitest'
import { diffPages } from '../../../../runtime/core/edit/diff-pages.ts'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'

const input = (name: string, options: JsonObject = {}, id?: string): JsonObject => ({
  type: 'input',
  ...(id === undefined ? {} : { id }),
  options: { name, label: `标签 ${name}`, ...options },
})
const group = (name: string, ...widgetList: JsonObject[]): JsonObject => ({
  type: 'cell-group',
  options: { name },
  widgetList,
})
const page = (widgetList: readonly JsonObject[], formConfig: JsonObject = {}): Json => ({
  widgetList,
  formConfig,
})
const said = (before: Json, after: Json) =>
  diffPages(before, after).map(({ kind, id, what }) => `${kind} ${id} ${what}`)

describe('two versions of a page', () => {
  it('with the same content have no differences, whatever the order of their keys', () => {
    const one = page([{ type: 'input', options: { name: 'a', label: 'A' } }])
    const other = { formConfig: {}, widgetList: [{ options: { label: 'A', name: 'a' }, type: 'input' }] }

    expect(diffPages(one, other)).toEqual([])
  })

  it('report a changed option with its values, its position and the widget’s label', () => {
    const before = page([group('main', input('mobile', { required: true }))])
    const after = page([group('main', input('mobile', { required: false }))])

    expect(diffPages(before, after)).toEqual([
      {
        kind: 'changed',
        id: '/main/mobile',
        title: '标签 mobile',
        at: '/widgetList/0/widgetList/0/options/required',
        what: 'options.required',
        from: true,
        to: false,
      },
    ])
  })

  it('report an added container once, with its contents', () => {
    const added = group('more', input('b'), input('c'))

    expect(diffPages(page([input('a')]), page([input('a'), added]))).toMatchObject([
      { kind: 'added', id: '/more', at: '/widgetList/1', what: 'widget', to: added },
    ])
  })

  it('report a removed container once, and what was kept of it as moved', () => {
    const before = page([group('more', input('b'), input('c')), input('a')])

    expect(said(before, page([input('a'), input('c')]))).toEqual(['removed /more widget', 'moved /c widget'])
  })

  it('find a widget again in another container', () => {
    const before = page([group('one', input('a')), group('two')])
    const after = page([group('one'), group('two', input('a'))])

    expect(diffPages(before, after)).toMatchObject([
      {
        kind: 'moved',
        id: '/two/a',
        from: { container: '/one', index: 0 },
        to: { container: '/two', index: 0 },
      },
    ])
  })

  it('report only the widget that was moved to the end, not those that moved up', () => {
    const before = page([input('a'), input('b'), input('c'), input('d')])

    expect(said(before, page([input('b'), input('c'), input('d'), input('a')]))).toEqual(['moved /a widget'])
  })

  it('recognise a renamed widget by its id', () => {
    expect(said(page([input('old', {}, 'w1')]), page([input('new', { label: '标签 old' }, 'w1')]))).toEqual([
      'changed #w1 options.name',
    ])
  })

  it('recognise a widget that has got its id by its name', () => {
    expect(said(page([input('a')]), page([input('a', { hint: '!' }, 'w1')]))).toEqual([
      'changed #w1 options.hint',
      'changed #w1 id',
    ])
  })

  it('distinguish widgets of the same name by their order', () => {
    const before = page([
      { type: 'divider', options: {} },
      { type: 'divider', options: { x: 1 } },
    ])
    const after = page([
      { type: 'divider', options: {} },
      { type: 'divider', options: { x: 2 } },
    ])

    expect(said(before, after)).toEqual(['changed /divider@2 options.x'])
  })

  it('recognise references to fields and fragments by their targets', () => {
    const before = page([
      { fragment: 'form/duplicate' },
      { field: 'customer.name', options: { label: '名' } },
    ])
    const after = page([{ field: 'customer.name', options: { label: '名称' } }])

    expect(said(before, after)).toEqual(['removed /form~1duplicate widget', 'changed /name options.label'])
  })

  it('match sources by name and settings by path', () => {
    const source = (uniqueName: string, requestURL: string) => ({ uniqueName, requestURL })
    const before = page([], {
      onFormCreated: 'a()',
      page: { title: '客户', draft: true },
      dataSources: [source('detail', '/a'), source('old', '/b')],
    })
    const after = page([], {
      onFormCreated: 'b()',
      page: { title: '客户们', draft: true },
      dataSources: [source('detail', '/a2'), source('new', '/c')],
    })

    expect(said(before, after)).toEqual([
      'removed source:old source',
      'changed source:detail requestURL',
      'added source:new source',
      'changed  onFormCreated',
      'changed  page.title',
    ])
  })

  it('report rows of a table and their cells', () => {
    const cell = (name: string, textContent: string) => ({
      type: 'table-cell',
      options: { name },
      widgetList: [{ type: 'static-text', options: { name: `${name}Text`, textContent } }],
    })
    const table = (words: string) =>
      page([{ type: 'table', options: { name: 't' }, rows: [{ cols: [cell('c', words)] }] }])

    expect(diffPages(table('甲'), table('乙'))).toMatchObject([
      { at: '/widgetList/0/rows/0/cols/0/widgetList/0/options/textContent', from: '甲', to: '乙' },
    ])
  })
})
