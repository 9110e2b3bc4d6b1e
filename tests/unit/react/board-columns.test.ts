import { describe, expect, it } from 'vitest'
import { columnsOf, withMoved } from '../../../runtime/react/board/columns.ts'

const STAGES = [
  {
    stage: { id: 'a', name: '接洽' },
    count: 30,
    list: [
      { id: '1', name: '甲' },
      { id: '2', name: '乙' },
    ],
    nextCursor: 'x',
  },
  { stage: { id: 'b', name: '报价' }, count: 1, list: [{ id: '3', name: '丙' }], nextCursor: null },
]
const USUAL = {
  columnKey: 'id',
  columnLabel: 'label',
  rows: 'list',
  count: 'count',
  cursor: 'nextCursor',
}
const OPTIONS = { ...USUAL, columnKey: 'stage.id', columnLabel: 'stage.name' }
const idOf = (card: { readonly id?: unknown }) => String(card.id)
const shape = (columns: ReturnType<typeof columnsOf>) =>
  columns.map(({ key, count, cards }) => [key, count, cards.map(idOf)])

describe('the columns of a board', () => {
  it('come from the list, with the keys that the options name', () => {
    const columns = columnsOf(STAGES, OPTIONS)

    expect(shape(columns)).toEqual([
      ['a', 30, ['1', '2']],
      ['b', 1, ['3']],
    ])
    expect(columns.map(({ label, cursor }) => [label, cursor])).toEqual([
      ['接洽', 'x'],
      ['报价', ''],
    ])
  })

  it('count their cards by default, and are empty for a value that is no list', () => {
    expect(shape(columnsOf([{ id: 'a', label: 'A', list: [{ id: '1' }] }], USUAL))).toEqual([['a', 1, ['1']]])
    expect(columnsOf(null, OPTIONS)).toEqual([])
  })

  it('show a moved card in its new column with the same total', () => {
    const moved = { card: '2', from: 'a', to: 'b' }

    expect(shape(withMoved(columnsOf(STAGES, OPTIONS), moved, idOf))).toEqual([
      ['a', 29, ['1']],
      ['b', 2, ['2', '3']],
    ])
  })

  it.each([
    ['nothing moves', null],
    ['it stays', { card: '2', from: 'a', to: 'a' }],
    ['it is gone', { card: '9', from: 'a', to: 'b' }],
  ])('do not change if %s', (_, moved) => {
    const columns = columnsOf(STAGES, OPTIONS)
    expect(withMoved(columns, moved, idOf)).toBe(columns)
  })
})
