import { describe, expect, it } from 'vitest'
import { itemsOf, keysByPlace, titleOf, withoutChildren } from '../../../../runtime/core/edit/entries.ts'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'

const keysOf = (...widgetList: Json[]) => [...itemsOf({ widgetList }).keys()]
const input = (name: string, more: JsonObject = {}): JsonObject => ({
  type: 'input',
  options: { name },
  ...more,
})

describe('the name of an item among its neighbours', () => {
  it.each<[string, JsonObject]>([
    ['a', { type: 'input', options: { name: 'a' }, field: 'customer.name' }],
    ['input', { type: 'input', options: { name: '' } }],
    ['input', { type: 'input', options: { name: 5 } }],
    ['input', { type: 'input', options: null }],
    ['name', { type: 'input', field: 'customer.name', card: 'order.sum' }],
    ['name', { type: 'input', field: 'name' }],
    ['sum', { type: 'input', field: 5, card: 'order.sum' }],
    ['form/same', { type: 'input', fragment: 'form/same', ref: 'other' }],
    ['other', { type: 'input', ref: 'other' }],
    ['input', { type: 'input', fragment: '', ref: 'other' }],
    ['input', { type: 'input', ref: 5 }],
    ['part n', { fragment: 'part', with: { module: 'm', field: 'f', label: 'l', name: 'n' } }],
    ['part l', { fragment: 'part', with: { module: 'm', field: 'f', label: 'l', name: '' } }],
    ['part f', { fragment: 'part', with: { module: 'm', field: 'f', label: 5 } }],
    ['part m', { ref: 'part', with: { module: 'm' } }],
    ['part', { ref: 'part', with: { other: 'x' } }],
    ['customer', { type: 'x', id: '', fields: 'customer', facts: 'order' }],
    ['order', { type: 'x', fields: '', facts: 'order', filters: 'contact' }],
    ['contact', { type: 'x', fields: 5, filters: 'contact', sorts: 'sort' }],
    ['sort', { type: 'x', sorts: 'sort' }],
    ['w', { type: 'x', id: 'w' }],
    ['x', { type: 'x' }],
    ['item', { type: '' }],
    ['item', {}],
  ])('is derived: %s: %j', (name, written) => {
    expect([...itemsOf({ widgetList: [written] }).values()].map((item) => item.name)).toEqual([name])
  })
})

describe('the title of an item', () => {
  it.each<[string, JsonObject]>([
    ['L', { label: 'L', title: 'T', textContent: 'C', text: 'X', name: 'n' }],
    ['T', { label: ' ', title: 'T', textContent: 'C', text: 'X', name: 'n' }],
    ['C', { label: 5, title: '', textContent: 'C', text: 'X', name: 'n' }],
    ['X', { text: 'X', name: 'n' }],
    ['n', { name: 'n' }],
    [' \t', { name: ' \t' }],
  ])('is derived: %s: %j', (title, options) => {
    expect(titleOf({ type: 'input', options })).toBe(title)
  })

  it('is the name of its target for a reference', () => {
    expect(titleOf({ field: 'customer.mobile' })).toBe('mobile')
  })
})

describe('the key of an item', () => {
  it('is its id, else its container’s key and its name', () => {
    expect(keysOf(input('a', { id: 'w' }), input('b', { id: '' }), input('c', { id: 5 }))).toEqual([
      '#w',
      '/b',
      '/c',
    ])
    expect(keysOf({ ...input('g', { id: 'w' }), widgetList: [input('a'), input('b', { id: 'v' })] })).toEqual(
      ['#w', '#w/a', '#v'],
    )
  })

  it('is the first of two items with one id; equal names are numbered', () => {
    expect(keysOf(input('a', { id: 'w' }), input('b', { id: 'w' }), input('b'), input('b'))).toEqual([
      '#w',
      '/b',
      '/b@2',
      '/b@3',
    ])
  })

  it('numbers equal names over all lists of a container, and separately in each container', () => {
    const both = (name: string) => ({
      options: { name },
      rows: [input('a')],
      tabs: [input('a')],
      cols: [input('a')],
      widgetList: [input('a')],
    })
    expect(keysOf(both('x'), both('y'))).toEqual(
      ['x', 'y'].flatMap((name) => [`/${name}`, ...['', '@2', '@3', '@4'].map((nth) => `/${name}/a${nth}`)]),
    )
  })

  it('takes no separators from names', () => {
    expect(keysOf(input('a/b~c@d/b~c@d'), input('x', { id: 'a/b~c@d' }))).toEqual([
      '/a~1b~0c~2d~1b~0c~2d',
      '#a~1b~0c~2d',
    ])
  })
})

describe('the items of a page', () => {
  const inner = input('b')
  const group = { options: { name: 'g' }, cols: ['stray', inner], widgetList: 'none' }
  const document: Json = { cols: [input('not')], widgetList: [null, input('a'), [input('not')], group] }

  it('have pointers, lists and indexes; other values in lists are no items', () => {
    expect(itemsOf(document).get('/g/b')).toEqual({
      key: '/g/b',
      at: '/widgetList/3/cols/1',
      written: inner,
      parent: '/g',
      slot: 'cols',
      index: 1,
      name: 'b',
    })
    expect(itemsOf(document).get('/g')).toMatchObject({ parent: '', slot: 'widgetList', index: 3 })
    expect([...keysByPlace(document)]).toEqual([
      ['/widgetList/1', '/a'],
      ['/widgetList/3', '/g'],
      ['/widgetList/3/cols/1', '/g/b'],
    ])
  })

  it('are computed once per document', () => {
    expect(itemsOf(document)).toBe(itemsOf(document))
    expect(keysByPlace(document)).toBe(keysByPlace(document))
  })

  it('are empty for a value that is no page', () => {
    for (const none of [null, 'x', [input('a')], { widgetList: input('a') }, {}]) {
      expect(itemsOf(none).size).toBe(0)
      expect(keysByPlace(none).size).toBe(0)
    }
  })

  it('keep everything else when their contents are removed', () => {
    expect(withoutChildren({ ...group, tabs: [], rows: [1], list: [] })).toEqual({
      options: { name: 'g' },
      widgetList: 'none',
      list: [],
    })
  })
})
