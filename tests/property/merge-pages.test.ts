import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyEdit } from '../../runtime/core/edit/apply-edit.ts'
import { diffPages } from '../../runtime/core/edit/diff-pages.ts'
import { itemsOf } from '../../runtime/core/edit/entries.ts'
import { mergePages } from '../../runtime/core/edit/merge-pages.ts'
import type { Json, JsonObject } from '../../runtime/core/json.ts'
import { type Dice, dice, editBy } from '../support/random-edits.ts'

/** A page whose widgets all have names of their own, some of them ids. */
const aBase = fc.array(fc.nat({ max: 4 }), { maxLength: 8 }).map((seeds): Json => {
  const widgetList = seeds.map((seed, i): JsonObject => {
    const inner = Array.from({ length: seed }, (_, k) => ({
      type: 'input',
      options: { name: `f${i}_${k}`, label: `字段 ${k}` },
    }))
    return {
      type: 'cell-group',
      ...(i % 2 ? { id: `g${i}` } : {}),
      options: { name: `box${i}` },
      widgetList: inner,
    }
  })
  const dataSources = seeds.map((_, i) => ({ uniqueName: `s${i}`, requestURL: `/s/${i}` }))
  return { widgetList, formConfig: { page: { title: '页' }, dataSources } }
})
const versions = fc.tuple(aBase, fc.array(dice, { maxLength: 5 }), fc.array(dice, { maxLength: 5 }))
const edited = (base: Json, throws: readonly Dice[]): Json =>
  throws.reduce((now, one) => applyEdit(now, editBy(now, one))?.document ?? now, base)

describe('merging two versions of a page', () => {
  it('returns one version if the other is unchanged', () => {
    fc.assert(
      fc.property(versions, ([base, throws]) => {
        const a = edited(base, throws)

        expect(mergePages(base, a, base)).toEqual({ document: a, conflicts: [] })
        expect(mergePages(base, base, a)).toEqual({ document: a, conflicts: [] })
        expect(mergePages(base, a, a)).toEqual({ document: a, conflicts: [] })
      }),
    )
  })

  it('returns the same widgets in either order, if there is no conflict', () => {
    fc.assert(
      fc.property(versions, ([base, ones, others]) => {
        const a = edited(base, ones)
        const b = edited(base, others)
        const forth = mergePages(base, a, b)
        const back = mergePages(base, b, a)

        expect(back.conflicts.length > 0).toBe(forth.conflicts.length > 0)
        if (forth.conflicts.length === 0) expect(contentOf(back.document)).toEqual(contentOf(forth.document))
      }),
      { numRuns: 300 },
    )
  })

  it('returns the same page in either order if each conflict is decided for one of the two', () => {
    fc.assert(
      fc.property(versions, ([base, ones, others]) => {
        const a = edited(base, ones)
        const b = edited(base, others)
        const all = (first: Json, second: Json, side: 'mine' | 'theirs') => {
          const { conflicts } = mergePages(base, first, second)
          return mergePages(base, first, second, new Map(conflicts.map(({ name }) => [name, side])))
        }
        const forth = all(a, b, 'theirs')
        const back = all(b, a, 'mine')

        fc.pre([...forth.conflicts, ...back.conflicts].every(({ isOpen }) => isOpen))
        for (const { taken } of forth.conflicts) expect(taken).toBe('theirs')
        expect(contentOf(forth.document)).toEqual(contentOf(back.document))
      }),
      { numRuns: 300 },
    )
  })

  it('loses no widget that either side added or changed', () => {
    fc.assert(
      fc.property(versions, ([base, ones, others]) => {
        const a = edited(base, ones)
        const b = edited(base, others)
        // By its id, if it has one: its name may be what both sides have changed.
        const widgetsIn = (document: Json) =>
          new Set<Json>([...itemsOf(document).values()].map(({ name, written }) => written.id ?? name))
        const left = widgetsIn(mergePages(base, a, b).document)
        for (const [side, other] of [
          [a, b],
          [b, a],
        ] as const) {
          // A new container may contain a widget that the other side has removed.
          const isRemoved = (widget: Json) => widgetsIn(base).has(widget) && !widgetsIn(other).has(widget)
          const isNew = diffPages(base, side).filter(({ kind }) => kind === 'added')
          for (const { to } of isNew)
            for (const widget of widgetsIn({ widgetList: [to as Json] }))
              if (!isRemoved(widget)) expect(left).toContain(widget)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('combines both users’ work and reports their conflicts', () => {
    const field = (name: string, label: string) => ({ type: 'input', options: { name, label } })
    const base = { widgetList: [field('a', '甲'), field('b', '乙')], formConfig: { page: { title: '页' } } }
    const mine = {
      widgetList: [field('a', '甲一'), field('b', '乙'), field('c', '丙')],
      formConfig: { page: { title: '我的' } },
    }
    const theirs = {
      widgetList: [field('b', '乙二'), field('a', '甲二')],
      formConfig: { page: { title: '页', draft: true } },
    }

    expect(mergePages(base, mine, theirs)).toEqual({
      document: {
        widgetList: [field('b', '乙二'), field('c', '丙'), field('a', '甲一')],
        formConfig: { page: { title: '我的', draft: true } },
      },
      conflicts: [
        {
          id: '/a',
          title: '甲一',
          what: 'options.label',
          base: '甲',
          mine: '甲一',
          theirs: '甲二',
          name: '/a options.label',
          taken: 'mine',
          isOpen: true,
        },
      ],
    })
    const chosen = mergePages(base, mine, theirs, new Map([['/a options.label', 'theirs']])).document
    expect(chosen).toMatchObject({ widgetList: [field('b', '乙二'), field('c', '丙'), field('a', '甲二')] })
  })

  it('keeps a widget that one side changed and the other deleted, and reports it', () => {
    const group = (...widgetList: JsonObject[]) => ({
      type: 'cell-group',
      options: { name: 'g' },
      widgetList,
    })
    const field = (label: string) => ({ type: 'input', options: { name: 'a', label } })
    const page = (...widgetList: JsonObject[]) => ({ widgetList, formConfig: {} })

    const { document, conflicts } = mergePages(page(group(field('甲'))), page(), page(group(field('乙'))))

    expect(document).toEqual(page(group(field('乙'))))
    expect(conflicts.map(({ id, what }) => `${id} ${what}`)).toEqual(['/g/a removed', '/g removed'])

    const gone = mergePages(
      page(group(field('甲'))),
      page(),
      page(group(field('乙'))),
      new Map([['/g/a removed', 'mine']]),
    )
    expect(gone.document).toEqual(page())
  })

  it('keeps the content of a container that one side moved and the other deleted', () => {
    const field = (name: string, label: string) => ({ type: 'input', options: { name, label } })
    const group = (name: string, ...widgetList: JsonObject[]) => ({
      type: 'cell-group',
      options: { name },
      widgetList,
    })
    const page = (...widgetList: JsonObject[]) => ({ widgetList, formConfig: {} })
    const inner = (label: string) => group('g', field('a', '甲'), field('b', label))
    const base = page(group('other'), inner('乙'))
    const deleted = page(group('other'))

    expect(mergePages(base, deleted, page(group('other', inner('乙')))).document).toEqual(
      page(group('other', inner('乙'))),
    )
    const moved = page(group('other', inner('乙二')))
    const changed = mergePages(base, deleted, moved)
    expect(changed.document).toEqual(moved)
    const without = mergePages(base, deleted, moved, new Map([['/g/b removed', 'mine']]))
    expect(without.document).toEqual(page(group('other', group('g', field('a', '甲')))))
  })
})

/** Widgets by their own options, in no particular order. */
const contentOf = (document: Json) =>
  [...itemsOf(document).values()]
    .map(({ name, written }) => ({ name, options: written.options }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
