import { expect, it } from 'vitest'
import { dayText } from '../../../runtime/core/dates/day.ts'
import { entriesOf, weekOf } from '../../../runtime/react/agenda/entries.ts'

it('a week runs from Monday to Sunday for each of its days, across the ends of months and years', () => {
  for (const day of [28, 29, 30, 31])
    expect(weekOf({ year: 2026, month: 12, day }).map(dayText)).toEqual([
      '2026-12-28',
      '2026-12-29',
      '2026-12-30',
      '2026-12-31',
      '2027-01-01',
      '2027-01-02',
      '2027-01-03',
    ])
  expect(weekOf({ year: 2026, month: 3, day: 1 }).map(dayText)[0]).toBe('2026-02-23')
})

it('entries come from the valid part of a list; there are none before it is loaded', () => {
  expect(entriesOf(null)).toBeNull()
  expect(entriesOf([])).toEqual([])
  expect(entriesOf([{ id: 1, day: '2026-03-16', title: '回电' }, 'odd', null])).toMatchObject([
    { key: '1', day: '2026-03-16', time: '', title: '回电', note: '', done: false, overdue: false },
  ])
})
