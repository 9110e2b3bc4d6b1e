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
  it('equals that side’s, with the order of its keys', () => {
    const [base, other] = [page(input('a')), { formConfig: {}, widgetList: [input('a')] }]

    expect(mergePages(base, other, base).document).toBe(other)
    expect(mergePages(base, other, other).document).toBe(other)
    expect(mergePages(other, base, page(input('b'))).document).toStrictEqual(page(input('b')))
    const strange = { widgetList: ['stray', input('b')], formConfig: { x: 1 } }
    for (const [mine, theirs] of [
      [strange, base],
      [base, strange],
      [strange, structuredClone(strange)],
    ] as const)
      expect(mergePages(base, mine, theirs)).toStrictEqual({ document: strange, conflicts: [] })
  })
})

describe('the keys of a merged page and its items', () => {
  it('are in the order of mine, followed by those of theirs', () => {
    const base = { gone: 1, widgetList: [input('a')], formConfig: {} }
    const mine = {
      gone: 1,
      formConfig: { x: 1 },
      widgetList: [{ options: { hint: '!', name: 'a' }, type: 'input' }],
    }
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

    expect(merged(of('0', '0', '0'), of('1', '0', '0'), of('0', '1', '0'))).toStrictEqual({
      document: of('1', '1', '0'),
      conflicts: [],
    })
    expect(merged(of('0', '0', '0'), of('1', '0', '1'), of('2', '0', '2')).conflicts).toStrictEqual([
      ' formConfig.page.on.load mine',
      ' formConfig.page.texts.zh.a mine',
      ' formConfig.page.title mine',
      '/a options.on.change mine',
      '/a options.label mine',
    ])
  })

  it('include empty lists, and lists that only one side has', () => {
    const empty = { type: 'table', options: { name: 't' }, rows: [], cols: 'none' }
    expect(merged(page(empty), page(empty, input('a')), page(empty, input('b'))).document).toStrictEqual(
      page(empty, input('a'), input('b')),
    )
    const bare = { type: 'x', options: { name: 'x' } }
    expect(merged(page(bare), page({ ...bare, tabs: [] }), page(bare, input('b'))).document).toStrictEqual(
      page({ ...bare, tabs: [] }, input('b')),
    )
    expect(merged(page(bare), page(bare, input('b')), page({ ...bare, tabs: [] })).document).toStrictEqual(
      page({ ...bare, tabs: [] }, input('b')),
    )
  })
})

describe('an item that both sides', () => {
  const [a, g, h] = [input('a', { label: '甲' }), group('g'), group('h')]
  const base = page(a, g, h)

  it('moved differently is in one place, and the other place is reported', () => {
    const [mine, theirs] = [page(group('g', a), h), page(g, group('h', a))]

    expect(mergePages(base, mine, theirs)).toStrictEqual({
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

  it('moved into a container that theirs renamed is reported with the new label', () => {
    const named = (name: string, label: string, ...inner: JsonObject[]): JsonObject => ({
      ...group(name, ...inner),
      options: { name, label },
    })
    expect(
      mergePages(base, page(named('g', '一', a), h), page(g, named('h', '二', a))).conflicts,
    ).toMatchObject([{ what: 'place', mine: '一', theirs: '二' }])
  })

  it('moved to one place is there, without a conflict', () => {
    const moved = page(group('g', a), h)
    expect(
      merged(base, page(group('g', a), h, input('x')), page(group('g', a), h, input('y'))),
    ).toStrictEqual({
      document: page(group('g', a), h, input('x'), input('y')),
      conflicts: [],
    })
    expect(merged(base, moved, page(a, g, h, input('y'))).document).toStrictEqual(
      page(group('g', a), h, input('y')),
    )
    expect(merged(base, page(a, g, h, input('y')), moved).document).toStrictEqual(
      page(group('g', a), h, input('y')),
    )
  })

  it('moved to the page itself is reported without a container', () => {
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
    expect(merged(page(a, table([], [])), page(table([a], [])), page(table([], [a])))).toStrictEqual({
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

    expect(merged(base, added('g', '一'), added('h', '一'))).toStrictEqual({
      document: added('g', '一'),
      conflicts: ['#n place mine'],
    })
    expect(merged(base, added('g', '一'), added('g', '二'))).toStrictEqual({
      document: added('g', '一'),
      conflicts: ['#n options.label mine'],
    })
  })

  it('added with different or empty ids is two items', () => {
    const made = (id: string, label: string): JsonObject => ({ ...input('n', { label }), id })
    const [one, other] = [page(a, g, h, made('v', '一')), page(a, g, h, made('w', '二'))]
    expect(merged(base, one, other).document).toStrictEqual(page(a, g, h, made('v', '一'), made('w', '二')))
    const [left, right] = [page(a, g, h, made('', '一')), page(a, g, h, made('', '二'))]
    expect(merged(base, left, right).document).toStrictEqual(page(a, g, h, made('', '一'), made('', '二')))
  })

  it('added identically in one container is one item; otherwise it is two', () => {
    const n = input('n')
    expect(merged(base, page(a, g, h, n, input('x')), page(a, g, h, n))).toStrictEqual({
      document: page(a, g, h, n, input('x')),
      conflicts: [],
    })
    expect(merged(base, page(a, group('g', n, n), h), page(a, group('g', n), h)).document).toStrictEqual(
      page(a, group('g', n, n), h),
    )
    expect(merged(base, page(a, group('g', n), h), page(a, g, group('h', n))).document).toStrictEqual(
      page(a, group('g', n), group('h', n)),
    )
    expect(merged(base, page(a, group('g', n), h), page(a, g, h, n)).document).toStrictEqual(
      page(a, group('g', n), h, n),
    )
    expect(merged(base, page(a, g, h, n), page(a, group('g', n), h)).document).toStrictEqual(
      page(a, group('g', n), h, n),
    )
    const lists = (slot: string): JsonObject => ({ ...g, [slot]: [n] })
    expect(merged(base, page(a, lists('cols'), h), page(a, lists('tabs'), h)).document).toStrictEqual(
      page(a, { ...g, cols: [n], tabs: [n] }, h),
    )
    const both = (more: string) => page(a, g, h, group('new', n), input(more))
    expect(merged(base, both('x'), both('y')).document).toStrictEqual(
      page(a, g, h, group('new', n), input('x'), input('y')),
    )
  })

  it('sorted differently is in the order of one side', () => {
    const [b, c] = [input('b'), input('c')]
    const lists = (...orders: [JsonObject[], JsonObject[]]) => page(...orders[0], group('g', ...orders[1]))
    const inner = [input('x'), input('y'), input('z')] as const
    const [x, y, z] = inner
    const mine = lists([c, a, b], [z, x, y])
    const theirs = lists([b, a, c], [y, x, z])

    expect(merged(lists([a, b, c], [x, y, z]), mine, theirs)).toStrictEqual({
      document: mine,
      conflicts: [' order mine', '/g order mine'],
    })
    expect(mergePages(lists([a, b, c], [x, y, z]), mine, theirs).conflicts).toMatchObject([
      { id: '', title: '', what: 'order' },
      { id: '/g', title: 'g' },
    ])
    const more = page(c, a, input('n'), b, g)
    const chosen = new Map([[' order', 'theirs' as const]])
    expect(merged(page(a, b, c, group('g')), more, page(b, a, c, group('g')), chosen).document).toStrictEqual(
      page(b, a, input('n'), c, group('g')),
    )
    expect(
      merged(lists([a, b, c], [x, y, z]), mine, theirs, new Map([['/g order', 'theirs']])).document,
    ).toStrictEqual(lists([c, a, b], [y, x, z]))
  })
})

describe('an item that one side removed', () => {
  const a = input('a')
  const changed = input('a', { label: '新' })

  it('is removed if the other side left it unchanged', () => {
    expect(merged(page(a), page(input('x')), page(a, input('y')))).toStrictEqual({
      document: page(input('x'), input('y')),
      conflicts: [],
    })
    expect(merged(page(a), page(a, input('y')), page(input('x'))).document).toStrictEqual(
      page(input('y'), input('x')),
    )
    expect(merged(page(a), page(input('x')), page(input('y')))).toStrictEqual({
      document: page(input('x'), input('y')),
      conflicts: [],
    })
    const [both, less] = [group('g', a, input('b')), group('g', input('b'))]
    expect(merged(page(both), page(less), page(both, input('x'))).document).toStrictEqual(
      page(less, input('x')),
    )
    expect(merged(page(both), page(both, input('x')), page(less)).document).toStrictEqual(
      page(less, input('x')),
    )
  })

  it('stays if the other side changed it, unless the user chooses the removal', () => {
    expect(mergePages(page(a), page(), page(changed))).toStrictEqual({
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
    expect(merged(page(a), page(), page(changed), new Map([['/a removed', 'mine']])).document).toStrictEqual(
      page(),
    )
    expect(
      merged(page(a), page(changed), page(), new Map([['/a removed', 'theirs']])).document,
    ).toStrictEqual(page())
  })

  it('stays if the other side moved it', () => {
    const g = group('g')
    expect(merged(page(a, g), page(g), page(group('g', a)))).toStrictEqual({
      document: page(group('g', a)),
      conflicts: ['/a removed theirs'],
    })
  })

  it('stays if the other side put a new item into it, without a choice', () => {
    const old = page(group('g', group('h')))
    const inside = page(group('g', group('h', a)))
    const expected = { document: inside, conflicts: ['/g/h removed mine!', '/g removed mine!'] }

    expect(merged(old, page(), inside)).toStrictEqual(expected)
    expect(merged(old, inside, page())).toStrictEqual(expected)
    expect(merged(old, page(), inside, new Map([['/g removed', 'theirs']]))).toStrictEqual(expected)
  })

  it('keeps the contents that the other side left in it, if it stays', () => {
    const label = (name: string, inner: JsonObject[]) => ({
      ...group('g', ...inner),
      options: { name: 'g', label: name },
    })
    const old = page(label('旧', [group('h', a)]))
    const other = page(label('新', [group('h', a)]))

    expect(merged(old, page(), other)).toStrictEqual({ document: other, conflicts: ['/g removed theirs'] })
    expect(merged(old, other, page())).toStrictEqual({ document: other, conflicts: ['/g removed mine'] })
    expect(merged(old, page(), other, new Map([['/g removed', 'mine']])).document).toStrictEqual(page())
    // What the remover had taken out before stays outside.
    expect(merged(old, page(a), other).document).toStrictEqual(page(a, label('新', [group('h')])))
    expect(merged(old, other, page(a)).document).toStrictEqual(page(label('新', [group('h')]), a))
  })

  it('stays where the other side moved it together with a new item, whatever the user chooses', () => {
    const [g, h] = [group('g'), group('h')]
    const moved = page(group('h', group('g', a)))
    const conflicts = (side: string) => [`/g removed ${side}`, '/g removed mine!']
    expect(merged(page(g, h), page(h), moved, new Map([['/g removed', 'mine']]))).toStrictEqual({
      document: moved,
      conflicts: conflicts('mine'),
    })
    expect(merged(page(g, h), moved, page(h), new Map([['/g removed', 'theirs']]))).toStrictEqual({
      document: moved,
      conflicts: conflicts('theirs'),
    })
  })
})

describe('items moved into each other', () => {
  it('stay on the page: the second where mine has it', () => {
    const base = page(group('g'), group('h'))
    const [mine, theirs] = [page(group('g', group('h'))), page(group('h', group('g')))]
    const { document, conflicts } = merged(base, mine, theirs)

    expect(conflicts).toStrictEqual(['/g place mine!'])
    expect(document).toStrictEqual(mine)
    expect(merged(base, theirs, mine)).toStrictEqual({ document: mine, conflicts: ['/g place mine!'] })
  })
})

describe('items moved into each other inside a container', () => {
  it('stay in it if mine has them there', () => {
    const base = page(group('k', group('g')), group('h'))
    const mine = page(group('k', group('g', group('h'))))

    expect(merged(base, mine, page(group('k'), group('h', group('g'))))).toStrictEqual({
      document: mine,
      conflicts: ['/k/g place mine!'],
    })
  })
})

describe('data sources', () => {
  const source = (uniqueName: string, more: JsonObject = {}): JsonObject => ({ uniqueName, ...more })
  const sources = (...dataSources: Json[]): Json => config({ dataSources })

  it('are merged by name, key by key', () => {
    const base = sources(source('a', { url: '/a', auto: false }), { fragment: 'shared' }, source('gone'))
    const mine = sources(source('a', { url: '/m', auto: false }), { fragment: 'shared' }, source('m'))
    const theirs = sources(
      source('t'),
      source('a', { url: '/a', auto: true }),
      { fragment: 'shared', with: 1 },
      source('gone'),
    )

    expect(merged(base, mine, theirs)).toStrictEqual({
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
    ).toStrictEqual({ document: sources(source('a', { url: '2' })), conflicts: [' source:a.url mine'] })
  })

  it('send what either side sends', () => {
    const sent = (body: JsonObject): Json => sources(source('a', { body }))
    expect(merged(sent({ a: 1, b: 1 }), sent({ a: 1 }), sent({ a: 1, b: 1, c: 1 }))).toStrictEqual({
      document: sent({ a: 1, c: 1 }),
      conflicts: [],
    })
  })

  it('take the order of the side that changed it, and are removed whole or not at all', () => {
    const [a, b, c] = [source('a'), source('b'), source('c')]
    expect(merged(sources(a, b), sources(b, a), sources(a, b, c)).document).toStrictEqual(sources(b, c, a))
    const changed = sources(source('a', { url: '1' }))
    expect(merged(sources(a), config({}), changed)).toStrictEqual({
      document: changed,
      conflicts: [' source:a theirs'],
    })
    expect(merged(sources(a), changed, config({}))).toStrictEqual({
      document: changed,
      conflicts: [' source:a mine'],
    })
  })

  it('are merged as one value if one of them has no name, or a name that is taken', () => {
    for (const odd of [{ url: '/x' }, source('a'), 'text', { uniqueName: 5 }]) {
      const mine = sources(source('a'), odd)
      expect(merged(sources(source('a')), mine, sources(source('b'))), JSON.stringify(odd)).toStrictEqual({
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
      ).toStrictEqual(mine)
      expect(merged(mine, sources(source('b')), sources(source('c'))).conflicts).toStrictEqual([
        ' formConfig.dataSources mine',
      ])
    }
  })

  it('may be missing', () => {
    expect(merged(config({}), config({ a: 1 }), config({ b: 2 })).document).toStrictEqual(
      config({ a: 1, b: 2 }),
    )
    expect(merged(config({}), config({ a: 1 }), sources(source('t'))).document).toStrictEqual(
      config({ a: 1, dataSources: [source('t')] }),
    )
    expect(merged(config({}), sources(source('m')), config({ b: 2 })).document).toStrictEqual(
      config({ dataSources: [source('m')], b: 2 }),
    )
    expect(merged({ x: 0 }, { x: 1 }, { x: 0, y: 1 }).document).toStrictEqual({ x: 1, y: 1, widgetList: [] })
    const odd = { formConfig: 'text', widgetList: [] }
    expect(merged(odd, { ...odd, x: 1 }, { ...odd, y: 1 }).document).toStrictEqual({ ...odd, x: 1, y: 1 })
  })
})

describe('a value that is no page', () => {
  it('is merged as an empty page', () => {
    expect(merged(null, { x: 1 }, [1]).document).toStrictEqual({ x: 1, widgetList: [] })
    expect(merged(null, [1], { x: 1 }).document).toStrictEqual({ x: 1, widgetList: [] })
  })
})
