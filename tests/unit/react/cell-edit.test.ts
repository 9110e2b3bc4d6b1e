import { describe, expect, it } from 'vitest'
import { readColumns } from '../../../runtime/core/widgets/columns.ts'
import {
  cellChange,
  offeredItems,
  readEdit,
  refusalOf,
  typedOf,
  valueOfTyped,
} from '../../../runtime/react/desk/cells/cell-edit.ts'

describe('a cell that is edited in place', () => {
  const [level, moment, own, none] = readColumns([
    { name: 'level', text: '-', edit: { as: 'choice', field: 'level', dict: 'customer_level' } },
    { name: 'next', text: '-', edit: { as: 'moment', field: 'next' } },
    { name: 'ext_tall', text: '-', edit: { as: 'number', field: 'tall', ext: true } },
    { name: 'x', text: '-', edit: { as: 'region', field: 'x' } },
  ]).map(readEdit)

  it('is not offered if the type of its value needs more space', () => {
    expect(none).toBeNull()
    expect(level?.choices).toEqual({ dict: 'customer_level', optionItems: null })
  })

  it('offers no disabled choice, except the one that the record holds', () => {
    const items = [
      { label: 'A', value: 'A' },
      { label: '停用', value: 'X', disabled: true },
    ]
    expect(offeredItems(items, 'A').map(({ value }) => value)).toEqual(['A'])
    expect(offeredItems(items, 'X').map(({ value }) => value)).toEqual(['A', 'X'])
  })

  it('changes one field of one record, and a tenant’s own field under ext', () => {
    expect(level && cellChange(level, '1', 'A')).toEqual({ ids: ['1'], level: 'A' })
    expect(own && cellChange(own, '1', 2)).toEqual({ ids: ['1'], ext: { tall: 2 } })
  })

  it.each([
    ['a moment', moment, '2026-11-30 17:45:00', '2026-11-30T17:45'],
    ['a number', own, 12.5, '12.5'],
    ['a choice', level, 'A', 'A'],
    ['nothing', level, null, ''],
  ] as const)('shows %s in the format of its input, and returns it', (_, edit, value, typed) => {
    if (!edit) throw new Error('no edit')
    expect(typedOf(edit, value)).toBe(typed)
    expect(valueOfTyped(edit, typed)).toBe(value)
  })

  it('shows the server’s reason for a refusal', () => {
    expect(refusalOf({ ok: [], failed: [{ id: '1', message: '级别不对' }] })).toBe('级别不对')
    expect(refusalOf({ ok: ['1'], failed: [] })).toBe('')
  })
})
