import { describe, expect, it } from 'vitest'
import { idsIn, joined, once, readRows } from '../../../runtime/react/reference/rows.ts'

describe('the records of a reference', () => {
  it('are listed once, at their first position', () => {
    const rows = ['b', 'a', 'b', 'c', 'a'].map((value, at) => ({ value, at }))

    expect(once(rows).map(({ value, at }) => [value, at])).toEqual([
      ['b', 0],
      ['a', 1],
      ['c', 3],
    ])
  })

  it('are read from a list and from a paged answer', () => {
    const rows = [{ value: 'a', label: '甲' }]

    expect(readRows(rows)).toEqual({ rows, next: '' })
    expect(readRows({ list: rows, nextCursor: 'a' })).toEqual({ rows, next: 'a' })
    expect(readRows(null)).toEqual({ rows: [], next: '' })
  })

  it('are named together, without records that have no name', () => {
    expect(joined(['甲', '', '乙'])).toBe('甲、乙')
    expect([idsIn(null), idsIn('a'), idsIn(['a', '', 'b'])]).toEqual([[], ['a'], ['a', 'b']])
  })
})
