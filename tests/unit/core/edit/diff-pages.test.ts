import fc from 'fast-check'
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
  it('with equal content have no differences, whatever the order of their keys', () => {
    const one = page([{ type: 'input', options: { name: 'a', label: 'A' } }])
    const other = { formConfig: {}, widgetList: [{ options: { label: 'A', name: 'a' }, type: 'input' }] }

    expect(diffPages(one, other)).toEqual([])
  })

  it('report a changed option with its values, its index and the widget’s label', () => {
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

  it('report a removed container once, and the contents that survive it as moved', () => {
    const before = page([group('more', input('b'), input('c')), input('a')])

    expect(said(before, page([input('a'), input('c')]))).toEqual(['removed /more widget', 'moved /c widget'])
  })

  it('match a widget in another container', () => {
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

  it('report only the widget that was moved to the end, not the ones that moved up', () => {
    const before = page([input('a'), input('b'), input('c'), input('d')])

    expect(said(before, page([input('b'), input('c'), input('d'), input('a')]))).toEqual(['moved /a widget'])
  })

  it('match a renamed widget by its id', () => {
    expect(said(page([input('old', {}, 'w1')]), page([input('new', { label: '标签 old' }, 'w1')]))).toEqual([
      'changed #w1 options.name',
    ])
  })

  it('match a widget that has received an id by its name', () => {
    expect(said(page([input('a')]), page([input('a', { hint: '!' }, 'w1')]))).toEqual([
      'changed #w1 options.hint',
      'changed #w1 id',
    ])
  })

  it('match widgets of one name by their order', () => {
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

  it('match references to fields and fragments by their targets', () => {
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

describe('an item', () => {
  const a = input('a')
  const box = group('box', input('x'))

  it('is matched in another container by a name that is unique in both versions, and then its contents are', () => {
    const x = input('x')
    expect(said(page([group('g', box), group('h', x)]), page([group('g'), group('h', x, box)]))).toEqual([
      'moved /h/box widget',
    ])
    expect(said(page([group('g', a), group('h')]), page([group('g'), group('h', a, a)]))).toEqual([
      'removed /g/a widget',
      'added /h/a widget',
      'added /h/a@2 widget',
    ])
    expect(said(page([group('g', a, a), group('h')]), page([group('g', a), group('h', a)]))).toEqual([
      'removed /g/a@2 widget',
      'added /h/a widget',
    ])
  })

  it('with another id is another item; one that lost its id, or that moved with it, is the same', () => {
    expect(said(page([input('a', {}, 'v')]), page([input('a', {}, 'w')]))).toEqual([
      'removed #v widget',
      'added #w widget',
    ])
    expect(
      said(
        page([group('g', input('a', {}, 'v')), group('h')]),
        page([group('g'), group('h', input('a', {}, 'w'))]),
      ),
    ).toEqual(['removed #v widget', 'added #w widget'])
    expect(said(page([input('a', {}, 'v')]), page([a]))).toEqual(['changed /a id'])
    expect(
      said(page([input('a', {}, 'v'), box]), page([group('box', input('x'), input('a', {}, 'v'))])),
    ).toEqual(['moved #v widget'])
    const [one, other] = [input('a', { hint: '1' }, 'v'), input('a', { hint: '2' })]
    expect(said(page([one, other]), page([other, one]))).toEqual(['moved /a widget'])
  })

  it('among others of one name is matched by id, then by order', () => {
    const [one, two] = [input('a', { hint: '1' }), input('a', { hint: '2' })]
    const own = input('a', {}, 'w')
    expect(said(page([own, one, two]), page([one, two, own]))).toEqual(['moved #w widget'])
    expect(said(page([one, one, one]), page([one, one, two]))).toEqual(['changed /a@3 options.hint'])
    const twice = (hint: string) => page([input('a', {}, 'w'), input('b', { hint }, 'w')])
    expect(said(twice('1'), twice('2'))).toEqual(['changed /b options.hint'])
  })

  it('in another list of its container has moved', () => {
    const table = (slot: string): JsonObject => ({ type: 'table', options: { name: 't' }, [slot]: [a] })
    expect(diffPages(page([table('cols')]), page([table('rows')]))).toMatchObject([
      { kind: 'moved', id: '/t/a', at: '/widgetList/0/rows/0', from: { container: '/t', index: 0 } },
    ])
  })

  it('does not move with its container, or with its container’s name', () => {
    expect(said(page([box, a]), page([a, box]))).toHaveLength(1)
    const named = (name: string): JsonObject => ({ ...group(name, a), id: 'w' })
    expect(said(page([named('one')]), page([named('two')]))).toEqual(['changed #w options.name'])
    expect(said(page([group('g', box)]), page([]))).toEqual(['removed /g widget'])
    expect(said(page([]), page([group('g', box)]))).toEqual(['added /g widget'])
  })

  it('is only reported as moved if no smaller set of moves explains the change', () => {
    const LETTERS = [...'abcdefg']
    /** The longest run of ascending positions among all subsets. */
    const rise = (order: readonly string[]): number => {
      const longest: number[] = []
      order.forEach((one, i) => {
        longest.push(
          1 + Math.max(0, ...order.slice(0, i).map((each, k) => (each < one ? (longest[k] ?? 0) : 0))),
        )
      })
      return Math.max(0, ...longest)
    }
    const orders = fc.shuffledSubarray(LETTERS, { minLength: LETTERS.length })
    fc.assert(
      fc.property(orders, orders, orders, (top, cols, rows) => {
        const of = (one: readonly string[], two: readonly string[], three: readonly string[]) =>
          page([
            ...one.map((name) => input(name)),
            {
              options: { name: 'z' },
              cols: two.map((name) => input(`c${name}`)),
              rows: three.map((name) => input(`r${name}`)),
            },
          ])
        const sorted = [LETTERS, LETTERS, LETTERS] as const
        const after = of(top, cols, rows)
        const kinds = diffPages(of(...sorted), after).map(({ kind }) => kind)

        expect(kinds).toEqual(kinds.map(() => 'moved'))
        expect(kinds).toHaveLength(21 - rise(top) - rise(cols) - rise(rows))
        // The same later version, compared with another earlier one.
        expect(diffPages(of(top, cols, LETTERS), after)).toHaveLength(7 - rise(rows))
      }),
      { numRuns: 60 },
    )
  })
})

describe('the settings of a page', () => {
  const at = (before: JsonObject, after: JsonObject) => diffPages(page([], before), page([], after))
  const source = (uniqueName: string, more: JsonObject = {}): JsonObject => ({ uniqueName, ...more })

  it('are compared one level deeper where both versions have an object', () => {
    const about = { kind: 'changed', id: '', title: '' }
    expect(at({ page: { title: 'a' } }, { page: 'text' })).toStrictEqual([
      { ...about, at: '/formConfig/page', what: 'page', from: { title: 'a' }, to: 'text' },
    ])
    expect(at({}, { page: { title: 'a' } })).toStrictEqual([
      { ...about, at: '/formConfig/page/title', what: 'page.title', to: 'a' },
    ])
    expect(at({ page: { title: 'a' } }, {})).toStrictEqual([
      { ...about, at: '/formConfig/page/title', what: 'page.title', from: 'a' },
    ])
    expect(at({}, { page: {} })).toStrictEqual([{ ...about, at: '/formConfig/page', what: 'page', to: {} }])
    expect(at({ other: { x: 1 } }, { other: { x: 2 } })).toMatchObject([
      { what: 'other', at: '/formConfig/other' },
    ])
    expect(at({ page: { page: { x: 1 } } }, { page: { page: { x: 2 } } })).toMatchObject([
      { what: 'page.page' },
    ])
  })

  it('may be mixed with other values, or be missing', () => {
    expect(diffPages({ body: 1 }, { body: 2, 'a/b': 3 })).toMatchObject([
      { id: '', title: '', at: '/body', what: 'body', from: 1, to: 2 },
      { at: '/a~1b', what: 'a/b', to: 3 },
    ])
    expect(diffPages({ formConfig: 'x' }, { formConfig: 'y' })).toEqual([
      {
        kind: 'changed',
        id: '',
        title: '',
        at: '',
        what: 'document',
        from: { formConfig: 'x' },
        to: { formConfig: 'y' },
      },
    ])
    expect(diffPages({ widgetList: ['stray'] }, { widgetList: ['other'] })).toMatchObject([
      { what: 'document' },
    ])
    expect(diffPages([1], [2])).toMatchObject([{ what: 'document' }])
  })

  it('include the sources, each with its name and index', () => {
    const part = { fragment: 'shared' }
    expect(
      at(
        { dataSources: [source('a', { url: 1 }), source('old')] },
        { dataSources: [part, source('a', { url: 2 })] },
      ),
    ).toStrictEqual([
      {
        kind: 'removed',
        id: 'source:old',
        title: 'old',
        at: '/formConfig/dataSources/1',
        what: 'source',
        from: source('old'),
      },
      {
        kind: 'added',
        id: 'source:shared',
        title: 'shared',
        at: '/formConfig/dataSources/0',
        what: 'source',
        to: part,
      },
      {
        kind: 'changed',
        id: 'source:a',
        title: 'a',
        at: '/formConfig/dataSources/1/url',
        what: 'url',
        from: 1,
        to: 2,
      },
    ])
  })

  it('include the order of the sources', () => {
    const [a, b, c] = [source('a'), source('b'), source('c')]
    expect(at({ dataSources: [a, b] }, { dataSources: [b, c, a] })).toStrictEqual([
      { kind: 'added', id: 'source:c', title: 'c', at: '/formConfig/dataSources/1', what: 'source', to: c },
      {
        kind: 'moved',
        id: '',
        title: '',
        at: '/formConfig/dataSources',
        what: 'source',
        from: ['a', 'b'],
        to: ['b', 'a'],
      },
    ])
  })

  it.each<[string, Json | undefined, Json]>([
    ['a source without a name', [source('a')], [{ url: 1 }]],
    ['two sources of one name', [source('a')], [source('a'), source('a')]],
    ['a source that is none', [], ['text']],
    ['sources that are no list', undefined, { a: 1 }],
    ['earlier ones without names', [{ url: 1 }], [source('a')]],
  ])('are compared as one value with %s', (_, before, after) => {
    expect(at(before === undefined ? {} : { dataSources: before }, { dataSources: after })).toStrictEqual([
      {
        kind: 'changed',
        id: '',
        title: '',
        at: '/formConfig/dataSources',
        what: 'dataSources',
        ...(before === undefined ? {} : { from: before }),
        to: after,
      },
    ])
  })

  it('report that sources are missing', () => {
    expect(at({ dataSources: null }, { dataSources: [source('a')] })).toMatchObject([{ kind: 'added' }])
    expect(at({ dataSources: [source('a')] }, {})).toMatchObject([{ kind: 'removed' }])
  })
})
