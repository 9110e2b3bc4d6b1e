import { describe, expect, it } from 'vitest'
import { type Choices, mergePages } from '../../../../runtime/core/edit/merge-pages.ts'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'

const input = (name: string, more: JsonObject = {}): JsonObject => ({
  type: 'input',
  options: { name, ...more },
})
const group = (name: string, ...widgetList: JsonObject[]): JsonObject => ({
  type: 'cell-group',
  options: { name },
  widgetList,
})
const page = (...widgetList: JsonObject[]): Json => ({ widgetList, formConfig: {} })
const config = (formConfig: JsonObject): Json => ({ widgetList: [], formConfig })

/** The merged page, with the conflicts in short: where, what, who won, `!` where there is no choice. */
function merged(base: Json, mine: Json, theirs: Json, choices?: Choices) {
  const { document, conflicts } = mergePages(base, mine, theirs, choices)
  return {
    document,
    conflicts: conflicts.map(({ name, taken, isOpen }) => `${name} ${taken}${isOpen ? '' : '!'}`),
  }
}

describe('a page that only one side changed', () => {
  it('is that side’s, with the order of its keys', () => {
    const [base, other] = [page(input('a')), { formConfig: {}, widgetList: [input('a')] }]

    expect(mergePages(base, other, base).document).toBe(other)
    expect(mergePages(base, other, other).document).toBe(other)
    expect(mergePages(other, base, page(input('b'))).document).toEqual(page(input('b')))
  })
})

describe('the keys of a merged page and its items', () => {
  it('are in the order of mine, those of theirs behind them', () => {
    const base = { widgetList: [input('a')], formConfig: {} }
    const mine = { formConfig: { x: 1 }, widgetList: [{ options: { hint: '!', name: 'a' }, type: 'input' }] }
    const theirs = {
      body: 1,
      widgetList: [{ id: 'w', type: 'input', options: { label: 'L', name: 'a' } }],
      formConfig: {},
    }

    expect(JSON.stringify(mergePages(base, mine, theirs).document)).toBe(
      JSON.stringify({
        formConfig: { x: 1 },
        widgetList: [{ options: { hint: '!', name: 'a', label: 'L' }, type: 'input', id: 'w' }],
        body: 1,
      }),
    )
  })

  it('are merged one by one in options, actions and texts', () => {
    const of = (change: string, blur: string, label: string): Json => ({
      widgetList: [input('a', { on: { change, blur }, label })],
      formConfig: {
        page: { on: { load: change, show: blur }, texts: { zh: { a: change, b: blur } }, title: label },
      },
    })

    expect(merged(of('0', '0', '0'), of('1', '0', '0'), of('0', '1', '0'))).toEqual({
      document: of('1', '1', '0'),
      conflicts: [],
    })
    expect(merged(of('0', '0', '0'), of('1', '0', '1'), of('2', '0', '2')).conflicts).toEqual([
      ' formConfig.page.on.load mine',
      ' formConfig.page.texts.zh.a mine',
      ' formConfig.page.title mine',
      '/a options.on.change mine',
      '/a options.label mine',
    ])
  })

  it('include empty lists, and lists that only one side has', () => {
    const empty = { type: 'table', options: { name: 't' }, rows: [], cols: 'none' }
    expect(merged(page(empty), page(empty, input('a')), page(empty, input('b'))).document).toEqual(
      page(empty, input('a'), input('b')),
    )
    const bare = { type: 'x', options: { name: 'x' } }
    expect(merged(page(bare), page({ ...bare, tabs: [] }), page(bare, input('b'))).document).toEqual(
      page({ ...bare, tabs: [] }, input('b')),
    )
    expect(merged(page(bare), page(bare, input('b')), page({ ...bare, tabs: [] })).document).toEqual(
      page({ ...bare, tabs: [] }, input('b')),
    )
  })
})

describe('an item that both sides', () => {
  const [a, g, h] = [input('a', { label: '甲' }), group('g'), group('h')]
  const base = page(a, g, h)

  it('moved differently is in one place, and the other is named', () => {
    const [mine, theirs] = [page(group('g', a), h), page(g, group('h', a))]

    expect(mergePages(base, mine, theirs)).toEqual({
      document: mine,
      conflicts: [
        {
          id: '/g/a',
          title: '甲',
          what: 'place',
          mine: 'g',
          theirs: 'h',
          name: '/a place',
          taken: 'mine',
          isOpen: true,
        },
      ],
    })
    expect(mergePages(base, mine, theirs, new Map([['/a place', 'theirs']]))).toMatchObject({
      document: theirs,
      conflicts: [{ id: '/h/a', taken: 'theirs' }],
    })
  })

  it('moved to one place is there, without a conflict', () => {
    const moved = page(group('g', a), h)
    expect(merged(base, page(group('g', a), h, input('x')), page(group('g', a), h, input('y')))).toEqual({
      document: page(group('g', a), h, input('x'), input('y')),
      conflicts: [],
    })
    expect(merged(base, moved, page(a, g, h, input('y'))).document).toEqual(
      page(group('g', a), h, input('y')),
    )
    expect(merged(base, page(a, g, h, input('y')), moved).document).toEqual(
      page(group('g', a), h, input('y')),
    )
  })

  it('moved to the page is named by nothing', () => {
    const inner = page(group('g', a), h)
    expect(mergePages(inner, page(a, g, h), page(g, group('h', a))).conflicts).toMatchObject([
      { mine: '', theirs: 'h' },
    ])
    expect(mergePages(inner, page(g, group('h', a)), page(a, g, h)).conflicts).toMatchObject([
      { mine: 'h', theirs: '' },
    ])
  })

  it('moved to different lists of one container is in one place', () => {
    const table = (cols: Json[], rows: Json[]): JsonObject => ({
      type: 'x',
      options: { name: 't' },
      cols,
      rows,
    })
    expect(merged(page(a, table([], [])), page(table([a], [])), page(table([], [a])))).toEqual({
      document: page(table([a], [])),
      conflicts: ['/a place mine'],
    })
  })

  it('added with one id in different containers is one item', () => {
    const same = input('n', { label: '新' })
    const added = (at: 'g' | 'h', label: string) =>
      page(
        a,
        ...['g', 'h'].map((name) =>
          name === at ? group(name, { ...same, id: 'n', options: { name: 'n', label } }) : group(name),
        ),
      )

    expect(merged(base, added('g', '一'), added('h', '一'))).toEqual({
      document: added('g', '一'),
      conflicts: ['#n place mine'],
    })
    expect(merged(base, added('g', '一'), added('g', '二'))).toEqual({
      document: added('g', '一'),
      conflicts: ['#n options.label mine'],
    })
  })

  it('added alike in one container is one item; elsewhere, or different, it is two', () => {
    const n = input('n')
    expect(merged(base, page(a, g, h, n, input('x')), page(a, g, h, n))).toEqual({
      document: page(a, g, h, n, input('x')),
      conflicts: [],
    })
    expect(merged(base, page(a, group('g', n, n), h), page(a, group('g', n), h)).document).toEqual(
      page(a, group('g', n, n), h),
    )
    expect(merged(base, page(a, group('g', n), h), page(a, g, group('h', n))).document).toEqual(
      page(a, group('g', n), group('h', n)),
    )
    expect(merged(base, page(a, group('g', n), h), page(a, g, h, n)).document).toEqual(
      page(a, group('g', n), h, n),
    )
    expect(merged(base, page(a, g, h, n), page(a, group('g', n), h)).document).toEqual(
      page(a, group('g', n), h, n),
    )
    const lists = (slot: string): JsonObject => ({ ...g, [slot]: [n] })
    expect(merged(base, page(a, lists('cols'), h), page(a, lists('tabs'), h)).document).toEqual(
      page(a, { ...g, cols: [n], tabs: [n] }, h),
    )
    const both = (more: string) => page(a, g, h, group('new', n), input(more))
    expect(merged(base, both('x'), both('y')).document).toEqual(
      page(a, g, h, group('new', n), input('x'), input('y')),
    )
  })

  it('sorted differently stand in the order of one', () => {
    const [b, c] = [input('b'), input('c')]
    const lists = (...orders: [JsonObject[], JsonObject[]]) => page(...orders[0], group('g', ...orders[1]))
    const inner = [input('x'), input('y'), input('z')] as const
    const [x, y, z] = inner
    const mine = lists([c, a, b], [z, x, y])
    const theirs = lists([b, a, c], [y, x, z])

    expect(merged(lists([a, b, c], [x, y, z]), mine, theirs)).toEqual({
      document: mine,
      conflicts: [' order mine', '/g order mine'],
    })
    expect(mergePages(lists([a, b, c], [x, y, z]), mine, theirs).conflicts).toMatchObject([
      { id: '', title: '', what: 'order' },
      { id: '/g', title: 'g' },
    ])
    expect(
      merged(lists([a, b, c], [x, y, z]), mine, theirs, new Map([['/g order', 'theirs']])).document,
    ).toEqual(lists([c, a, b], [y, x, z]))
  })
})

describe('an item that one side removed', () => {
  const a = input('a')
  const changed = input('a', { label: '新' })

  it('is gone if the other did nothing with it', () => {
    expect(merged(page(a), page(input('x')), page(a, input('y')))).toEqual({
      document: page(input('x'), input('y')),
      conflicts: [],
    })
    expect(merged(page(a), page(a, input('y')), page(input('x'))).document).toEqual(
      page(input('y'), input('x')),
    )
    expect(merged(page(a), page(input('x')), page(input('y'))).document).toEqual(page(input('x'), input('y')))
  })

  it('stays if the other changed it, unless the removal is chosen', () => {
    expect(mergePages(page(a), page(), page(changed))).toEqual({
      document: page(changed),
      conflicts: [
        {
          id: '/a',
          title: '新',
          what: 'removed',
          theirs: changed,
          name: '/a removed',
          taken: 'theirs',
          isOpen: true,
        },
      ],
    })
    expect(mergePages(page(a), page(changed), page())).toMatchObject({
      document: page(changed),
      conflicts: [{ what: 'removed', mine: changed, taken: 'mine' }],
    })
    expect(merged(page(a), page(), page(changed), new Map([['/a removed', 'mine']])).document).toEqual(page())
    expect(merged(page(a), page(changed), page(), new Map([['/a removed', 'theirs']])).document).toEqual(
      page(),
    )
  })

  it('stays if the other moved it', () => {
    const g = group('g')
    expect(merged(page(a, g), page(g), page(group('g', a)))).toEqual({
      document: page(group('g', a)),
      conflicts: ['/a removed theirs'],
    })
  })

  it('stays if the other put something new into it, and there is no choice', () => {
    const old = page(group('g', group('h')))
    const inside = page(group('g', group('h', a)))
    const expected = { document: inside, conflicts: ['/g/h removed mine!', '/g removed mine!'] }

    expect(merged(old, page(), inside)).toEqual(expected)
    expect(merged(old, inside, page())).toEqual(expected)
    expect(merged(old, page(), inside, new Map([['/g removed', 'theirs']]))).toEqual(expected)
  })

  it('keeps what the other left in it, if it stays', () => {
    const label = (name: string, inner: JsonObject[]) => ({
      ...group('g', ...inner),
      options: { name: 'g', label: name },
    })
    const old = page(label('旧', [group('h', a)]))
    const other = page(label('新', [group('h', a)]))

    expect(merged(old, page(), other)).toEqual({ document: other, conflicts: ['/g removed theirs'] })
    expect(merged(old, other, page())).toEqual({ document: other, conflicts: ['/g removed mine'] })
    expect(merged(old, page(), other, new Map([['/g removed', 'mine']])).document).toEqual(page())
    // What the remover had taken out before stays outside.
    expect(merged(old, page(a), other).document).toEqual(page(a, label('新', [group('h')])))
  })
})

describe('items moved into each other', () => {
  it('stay on the page: the second where mine has it', () => {
    const base = page(group('g'), group('h'))
    const [mine, theirs] = [page(group('g', group('h'))), page(group('h', group('g')))]
    const { document, conflicts } = merged(base, mine, theirs)

    expect(conflicts).toEqual(['/g place mine!'])
    expect(document).toEqual(mine)
    expect(merged(base, theirs, mine)).toEqual({ document: mine, conflicts: ['/g place mine!'] })
  })
})

describe('data sources', () => {
  const source = (uniqueName: string, more: JsonObject = {}): JsonObject => ({ uniqueName, ...more })
  const sources = (...dataSources: Json[]): Json => config({ dataSources })

  it('are merged by their names, key by key', () => {
    const base = sources(source('a', { url: '/a', auto: false }), { fragment: 'shared' }, source('gone'))
    const mine = sources(source('a', { url: '/m', auto: false }), { fragment: 'shared' }, source('m'))
    const theirs = sources(
      source('t'),
      source('a', { url: '/a', auto: true }),
      { fragment: 'shared', with: 1 },
      source('gone'),
    )

    expect(merged(base, mine, theirs)).toEqual({
      document: sources(
        source('t'),
        source('a', { url: '/m', auto: true }),
        { fragment: 'shared', with: 1 },
        source('m'),
      ),
      conflicts: [],
    })
    expect(
      merged(
        sources(source('a', { url: '1' })),
        sources(source('a', { url: '2' })),
        sources(source('a', { url: '3' })),
      ),
    ).toEqual({ document: sources(source('a', { url: '2' })), conflicts: [' source:a.url mine'] })
  })

  it('are one value if one of them has no name, or the name of another', () => {
    for (const odd of [{ url: '/x' }, source('a'), 'text', { uniqueName: 5 }]) {
      const mine = sources(source('a'), odd)
      expect(merged(sources(source('a')), mine, sources(source('b'))), JSON.stringify(odd)).toEqual({
        document: mine,
        conflicts: [' formConfig.dataSources mine'],
      })
      expect(
        merged(
          sources(source('a')),
          sources(source('b')),
          mine,
          new Map([[' formConfig.dataSources', 'theirs']]),
        ).document,
      ).toEqual(mine)
      expect(merged(mine, sources(source('b')), sources(source('c'))).conflicts).toEqual([
        ' formConfig.dataSources mine',
      ])
    }
  })

  it('may be missing', () => {
    expect(merged(config({}), config({ a: 1 }), config({ b: 2 })).document).toEqual(config({ a: 1, b: 2 }))
    expect(merged(config({}), config({ a: 1 }), sources(source('t'))).document).toEqual(
      config({ a: 1, dataSources: [source('t')] }),
    )
    expect(merged(config({}), sources(source('m')), config({ b: 2 })).document).toEqual(
      config({ dataSources: [source('m')], b: 2 }),
    )
    expect(merged({ x: 0 }, { x: 1 }, { x: 0, y: 1 }).document).toEqual({ x: 1, y: 1, widgetList: [] })
    const odd = { formConfig: 'text', widgetList: [] }
    expect(merged(odd, { ...odd, x: 1 }, { ...odd, y: 1 }).document).toEqual({ ...odd, x: 1, y: 1 })
  })
})

describe('what is no page', () => {
  it('is merged as an empty one', () => {
    expect(merged(null, { x: 1 }, [1]).document).toEqual({ x: 1, widgetList: [] })
    expect(merged(null, [1], { x: 1 }).document).toEqual({ x: 1, widgetList: [] })
  })
})
