import { describe, expect, it } from 'vitest'
import { applyEdit } from '../../../runtime/core/edit/apply-edit.ts'
import type { Edit } from '../../../runtime/core/edit/edit.ts'
import { itemsOf } from '../../../runtime/core/edit/entries.ts'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { parsePage } from '../../../runtime/core/parse-page.ts'
import { createRegistry } from '../../../runtime/core/widgets/index.ts'
import { inserted, newWidget } from '../../../src/workbench/make-widget.ts'
import { dropSpot, endOf, moveTo, spotBehind, spotsFor, stepOf } from '../../../src/workbench/placing.ts'
import { duplicated, wrapped } from '../../../src/workbench/selection.ts'

const input = (name: string): JsonObject => ({ type: 'input', formItemFlag: true, options: { name } })
const group = (name: string, ...widgetList: JsonObject[]): JsonObject => ({
  type: 'cell-group',
  options: { name },
  widgetList,
})
const page = (...widgetList: JsonObject[]): Json => ({ widgetList, formConfig: {} })
const names = (document: Json) => [...itemsOf(document).keys()]
const left = (document: Json, edit: Edit | null): readonly string[] | null =>
  edit === null ? null : names(applyEdit(document, edit)?.document ?? null)

const PAGE = page(input('a'), group('g', input('b')), input('c'))

describe('moving a widget by one step', () => {
  it.each([
    ['down', '/a', ['/g', '/g/b', '/a', '/c']],
    ['up', '/c', ['/a', '/c', '/g', '/g/b']],
    ['in', '/c', ['/a', '/g', '/g/b', '/g/c']],
    ['out', '/g/b', ['/a', '/g', '/b', '/c']],
    ['up', '/a', null],
    ['in', '/a', null],
    ['out', '/a', null],
  ] as const)('works for %s: %s', (direction, key, expected) => {
    expect(left(PAGE, stepOf(PAGE, key, direction))).toEqual(expected)
  })

  it('out of a column puts it behind the grid', () => {
    const grid = {
      type: 'grid',
      options: { name: 'grid' },
      cols: [{ type: 'grid-col', options: { name: 'col' }, widgetList: [input('x')] }],
    }

    expect(left(page(grid), stepOf(page(grid), '/grid/col/x', 'out'))).toEqual(['/grid', '/grid/col', '/x'])
  })
})

describe('a field of a module', () => {
  const list: JsonObject = { type: 'list', options: { name: 'rows' }, widgetList: [group('g')] }
  const field = { field: 'customer.ext_wechat' }
  const put = (into: string) => {
    const document = page(input('a'), list)
    const spot = { into, slot: 'widgetList', index: 0 } as const
    return applyEdit(document, inserted(document, [field], spot))?.document ?? null
  }

  it('becomes an input on a form, and a text on a card, at any depth', () => {
    expect(JSON.stringify(put(''))).toContain('{"field":"customer.ext_wechat"}')
    expect(JSON.stringify(put('/rows'))).toContain('{"card":"customer.ext_wechat"}')
    expect(JSON.stringify(put('/rows/g'))).toContain('{"card":"customer.ext_wechat"}')
  })
})

describe('a dropped item', () => {
  const box = new (class {
    top = 100
    height = 100
  })() as DOMRect
  it.each([
    [110, 'before', { into: '', slot: 'widgetList', index: 1 }],
    [150, 'inside', { into: '/g', slot: 'widgetList', index: 1 }],
    [190, 'after', { into: '', slot: 'widgetList', index: 2 }],
  ] as const)('on a container at %d px goes %s', (y, side, spot) => {
    expect(dropSpot(PAGE, '/g', box, y)).toEqual({ at: '/g', side, spot })
  })

  it('on a field goes before or after it', () => {
    expect(dropSpot(PAGE, '/a', box, 140)?.side).toBe('before')
    expect(dropSpot(PAGE, '/a', box, 160)?.side).toBe('after')
  })

  it('beside all widgets goes to the end', () => {
    expect(dropSpot(PAGE, null, null, 0)?.spot).toEqual(endOf(PAGE))
  })

  it('moves down in its own list without counting itself', () => {
    const edit = moveTo(PAGE, '/a', { into: '', slot: 'widgetList', index: 2 })

    expect(left(PAGE, edit)).toEqual(['/g', '/g/b', '/a', '/c'])
    expect(moveTo(PAGE, '/a', { into: '', slot: 'widgetList', index: 1 })).toBeNull()
  })
})

describe('moving by keyboard', () => {
  const pane = (name: string, ...widgetList: JsonObject[]): JsonObject => ({
    type: 'tab-pane',
    options: { name },
    widgetList,
  })
  const tabs: JsonObject = { type: 'tab', options: { name: 't' }, tabs: [pane('p', input('x')), pane('q')] }

  it('visits every position: before and after widgets, in empty containers, and never inside the moved widget', () => {
    const said = (document: Json, key: string) =>
      spotsFor(document, key).map(({ at, side }) => `${side} ${at}`)

    expect(said(PAGE, '/a')).toEqual([
      'before /a',
      'before /g',
      'before /g/b',
      'after /g/b',
      'before /c',
      'after /c',
    ])
    expect(said(PAGE, '/g')).toEqual(['before /a', 'before /g', 'before /c', 'after /c'])
    expect(said(page(input('a'), tabs), '/a')).toEqual([
      'before /a',
      'before /t',
      'before /t/p/x',
      'after /t/p/x',
      'inside /t/q',
      'after /t',
    ])
  })

  it('can drop at each position', () => {
    for (const { spot } of spotsFor(page(input('a'), tabs), '/a'))
      for (const key of ['/a', '/t/p/x']) {
        const document = page(input('a'), tabs)
        const edit = moveTo(document, key, spot)
        if (edit !== null) expect(applyEdit(document, edit)).not.toBeNull()
      }
  })
})

describe('a new item', () => {
  it('goes into the selected container, after the selected field, else to the end', () => {
    expect(spotBehind(PAGE, '/g')).toEqual({ into: '/g', slot: 'widgetList', index: 1 })
    expect(spotBehind(PAGE, '/g/b')).toEqual({ into: '/g', slot: 'widgetList', index: 1 })
    expect(spotBehind(PAGE, '/a')).toEqual({ into: '', slot: 'widgetList', index: 1 })
    expect(spotBehind(PAGE, null)).toEqual({ into: '', slot: 'widgetList', index: 3 })
  })

  it('has an unused name', () => {
    const edit = inserted(PAGE, [group('g', input('a'))], endOf(PAGE))

    expect(left(PAGE, edit)?.slice(-2)).toEqual(['/g2', '/g2/a2'])
    expect(left(PAGE, duplicated(PAGE, ['/g']))).toEqual(['/a', '/g', '/g/b', '/g2', '/g2/b2', '/c'])
  })

  it('wraps the selected items', () => {
    expect(left(PAGE, wrapped(PAGE, ['/a'], group('g')))).toEqual(['/g2', '/g2/a', '/g', '/g/b', '/c'])
  })

  const registry = createRegistry()
  it.each(
    registry
      .list()
      .filter(({ kind }) => kind !== 'part')
      .map((spec) => [spec.type, spec] as const),
  )('of type %s opens as a page at once', (_, spec) => {
    const document = { widgetList: [newWidget(spec)], formConfig: { page: { title: 'x' } } }
    const parsed = parsePage(document, { registry })

    expect(parsed.ok ? [] : parsed.problems).toEqual([])
  })
})

describe('the end of a page', () => {
  const bar: JsonObject = { type: 'action-bar', options: { name: 'bar' }, widgetList: [] }
  const sheet: JsonObject = { type: 'sheet', options: { name: 'sheet' }, widgetList: [] }

  it.each([
    ['at the top of an empty page', page(), 0],
    ['behind the last field', page(input('a'), input('b')), 2],
    [
      'before a bar and what opens above the page',
      page(input('a'), bar, sheet, { fragment: 'sheet/call' }),
      1,
    ],
    ['behind a fragment in the middle', page(input('a'), { fragment: 'form/more' }, input('b')), 3],
    ['behind everything where nothing else is', page({ fragment: 'form/more' }, bar), 2],
  ])('is %s', (_, document, index) => {
    expect(endOf(document)).toEqual({ into: '', slot: 'widgetList', index })
    expect(dropSpot(document, null, null, 0)?.spot.index).toBe(index)
  })
})
