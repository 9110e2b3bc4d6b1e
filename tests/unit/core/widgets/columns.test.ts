import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../runtime/core/json.ts'
import {
  carriedColumns,
  directionOf,
  type ListColumn,
  movedColumn,
  nextOrder,
  readChoice,
  readColumns,
  shownColumns,
  toggledColumn,
  UNCHOSEN,
} from '../../../../runtime/core/widgets/columns.ts'
import { tracksOf, withFloors, writtenOnce } from '../../../../runtime/react/desk/number-room.ts'

const COLUMNS = readColumns([
  { name: 'level', label: '级别', text: '{{ row.level | dict:level }}', sort: 'level', width: 100 },
  { name: 'name', label: '名称', text: '{{ row.name }}', primary: true, width: 200 },
  {
    name: 'amount',
    label: '金额',
    text: '{{ row.amount | money }}',
    sort: 'amount',
    width: 100,
    align: 'end',
  },
  { name: 'owner', label: '负责人', text: '{{ row.owner_name }}', width: 100 },
])
const names = (columns: readonly ListColumn[]) => columns.map(({ name }) => name)
const column = (name: string): ListColumn => {
  const found = COLUMNS.find((one) => one.name === name)
  if (found === undefined) throw new Error(name)
  return found
}

describe('columns of a list', () => {
  it('begin with the row’s name', () => {
    expect(names(COLUMNS)).toEqual(['name', 'level', 'amount', 'owner'])
  })

  it('name the source of their value colours', () => {
    const optionItems = [{ value: 'hot', label: '热', color: '#ff3141' }]
    const read = readColumns([
      { name: 'level', text: '{{ row.level }}', dict: 'customer_level' },
      { name: 'heat', text: '{{ row.heat_name }}', optionItems },
      { name: 'other', text: '{{ row.other }}', dict: 7 },
    ])

    expect(read.map(({ choices }) => choices)).toEqual([{ dict: 'customer_level' }, { optionItems }, null])
  })

  it('can be sorted and edited by users whose rights allow it', () => {
    const edit = { as: 'text', field: 'a' }
    const given: Json = [
      { name: 'a', text: '{{ row.a }}', sort: 'a', sortOn: 'seen', edit, editOn: 'mine' },
      { name: 'b', text: '{{ row.b }}', sort: 'b', edit },
    ]
    const facts = (holds: (rule: Json) => boolean) =>
      readColumns(given, holds).map((one) => [one.sort, one.edit !== null])

    expect(facts((rule) => rule === 'seen')).toEqual([
      ['a', false],
      ['b', true],
    ])
    expect(facts((rule) => rule === 'mine')).toEqual([
      ['', true],
      ['b', true],
    ])
  })

  it('exclude columns without a label, and duplicates', () => {
    const twice = readColumns([{ name: 'a', text: '1' }, { name: 'a', text: '2' }, { name: 'b' }, null, 'x'])

    expect(twice.map(({ text }) => text)).toEqual(['1'])
    expect(readColumns(null)).toEqual([])
  })

  it('are the fields that the rows contain, including empty ones', () => {
    expect(names(carriedColumns(COLUMNS, [{ name: 'A', level: null, owner_name: '' }]))).toEqual([
      'name',
      'level',
      'owner',
    ])
    expect(carriedColumns(COLUMNS, [])).toBe(COLUMNS)
  })

  it('fit the width, and always include the name', () => {
    expect(names(shownColumns(COLUMNS, UNCHOSEN, 420))).toEqual(['name', 'level', 'amount'])
    expect(names(shownColumns(COLUMNS, UNCHOSEN, 50))).toEqual(['name'])
  })

  it('are fewer with larger text: a number needs proportionally more width, a name only its beginning', () => {
    expect(names(shownColumns(COLUMNS, UNCHOSEN, 420, 2))).toEqual(['name', 'level'])
    expect(names(shownColumns(COLUMNS, UNCHOSEN, 620, 2))).toEqual(['name', 'level', 'amount'])
  })

  const measured = (amounts: readonly string[]) =>
    withFloors(
      COLUMNS,
      amounts.map((amount) => ({
        amount,
        name: '很长的名称'.repeat(20),
        level: '重点客户',
        owner_name: '李明轩',
      })),
      ({ name }, row) => String(row[name]),
      (text) => text.length * 10,
    )

  it('are as wide as their widest number; texts have no such floor', () => {
    const columns = measured(['¥1.00', '¥9,999,999,999.99', '¥20.00'])

    expect(columns.map(({ floor }) => floor)).toEqual([0, 0, 170, 0])
    expect(names(shownColumns(columns, UNCHOSEN, 469))).toEqual(['name', 'level'])
    expect(names(shownColumns(columns, UNCHOSEN, 470))).toEqual(['name', 'level', 'amount'])
    expect(measured([]).map(({ floor }) => floor)).toEqual([0, 0, 0, 0])
  })

  it('are written once per row, also when more rows are loaded', () => {
    const written: unknown[] = []
    const write = writtenOnce(({ name }, row) => {
      written.push([name, row.amount])
      return String(row[name])
    })
    const measure = (text: string) => text.length
    const [first, second] = [{ amount: '¥1.00' }, { amount: '¥20.00' }]
    withFloors(COLUMNS, [first], write, measure)
    const columns = withFloors(COLUMNS, [first, second], write, measure)

    expect(columns.map(({ floor }) => floor)).toEqual([0, 0, 6, 0])
    expect(written).toEqual([
      ['amount', '¥1.00'],
      ['amount', '¥20.00'],
    ])
  })

  it('share the room; texts give way to numbers, also where the user made them narrow', () => {
    const chosen = { names: ['level', 'amount'], widths: { amount: 64 } }
    const columns = shownColumns(measured(['¥9,999,999,999.99']), chosen, 300)

    expect(tracksOf(columns, 300, 1)).toEqual([
      'minmax(0px, 200fr)',
      'minmax(0px, 100fr)',
      'minmax(170px, 170fr)',
    ])
    expect(tracksOf(columns, 200, 1)).toEqual([
      'minmax(0px, 200fr)',
      'minmax(0px, 100fr)',
      'minmax(0px, 170fr)',
    ])
  })

  it('leave out the less important first, wherever they stand; what is shown stays in its order', () => {
    const columns = readColumns([
      { name: 'name', text: '{{ row.name }}', primary: true, width: 200 },
      { name: 'type', text: '{{ row.type }}', width: 100 },
      { name: 'status', text: '{{ row.status }}', width: 100, keep: 2 },
      { name: 'amount', text: '{{ row.amount }}', width: 100, keep: 1 },
    ])
    const at = (room: number) => names(shownColumns(columns, UNCHOSEN, room))

    expect(at(500)).toEqual(['name', 'type', 'status', 'amount'])
    expect(at(400)).toEqual(['name', 'status', 'amount'])
    expect(at(300)).toEqual(['name', 'amount'])
  })

  it('keep the user’s choice, order and widths, whatever the space; missing ones are omitted', () => {
    const shown = shownColumns(COLUMNS, { names: ['owner', 'gone', 'level'], widths: { owner: 300 } }, 50)

    expect(names(shown)).toEqual(['name', 'owner', 'level'])
    expect(shown[1]?.width).toBe(300)
  })

  it('can be added, removed and moved, never before the name', () => {
    const shown = shownColumns(COLUMNS, UNCHOSEN, 420)

    expect(toggledColumn(shown, 'owner')).toEqual(['name', 'level', 'amount', 'owner'])
    expect(toggledColumn(shown, 'level')).toEqual(['name', 'amount'])
    expect(movedColumn(shown, 'amount', -1)).toEqual(['name', 'amount', 'level'])
    expect(movedColumn(shown, 'level', -1)).toEqual(['name', 'level', 'amount'])
    expect(movedColumn(shown, 'amount', 1)).toEqual(['name', 'level', 'amount'])
  })

  it('apply a stored choice as far as it is valid', () => {
    expect(readChoice({ names: ['a', 1], widths: { a: 9_999, b: 'x', c: 1 } })).toEqual({
      names: ['a'],
      widths: { a: 640, c: 64 },
    })
    expect(readChoice('broken')).toEqual(UNCHOSEN)
  })
})

describe('the head of a column', () => {
  it('sorts ascending, then descending, then not at all', () => {
    const level = column('level')
    const first = nextOrder(level, null)
    const second = nextOrder(level, first)

    expect([first, second, nextOrder(level, second)]).toEqual(['level asc', 'level desc', null])
    expect(directionOf(level, second)).toBe('desc')
  })

  it('ignores the sort of another column, and a sort that the page chose', () => {
    expect(directionOf(column('amount'), 'level asc')).toBeNull()
    expect(directionOf(column('level'), 'level')).toBeNull()
    expect(directionOf(column('owner'), ' asc')).toBeNull()
  })
})
