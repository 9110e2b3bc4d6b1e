import { describe, expect, it } from 'vitest'
import { type Held, placeUnder, shiftOf, wayTo } from '../../../../runtime/react/slots/held.ts'

const PLACES = [
  { top: 0, height: 48 },
  { top: 48, height: 48 },
  { top: 96, height: 72 },
  { top: 168, height: 48 },
]
const held = (from: number, to = from, by = 0): Held => ({ from, to, by, places: PLACES })
const shifts = (entry: Held) => PLACES.map((_, at) => shiftOf(entry, at))

describe('a dragged entry', () => {
  it('is over the index whose middle is nearest', () => {
    expect([0, 23, 25, 70, 1_000, -1_000].map((by) => placeUnder(held(0), by))).toEqual([0, 0, 1, 1, 3, 0])
    expect(placeUnder(held(3), -61)).toBe(2)
    expect(placeUnder({ ...held(9), places: [] }, 50)).toBe(9)
  })

  it('shifts the entries between its old and new index by its height, and leaves the others in place', () => {
    expect(shifts(held(0, 2, 110))).toEqual([110, -48, -48, 0])
    expect(shifts(held(2, 0, -90))).toEqual([72, 72, -90, 0])
    expect(shifts(held(1))).toEqual([0, 0, 0, 0])
  })

  it('ends at its new position, even among rows of other heights', () => {
    expect(wayTo(held(0), 2)).toBe(120)
    expect(wayTo(held(2), 0)).toBe(-96)
    expect([wayTo(held(1), 1), wayTo(held(1), 7)]).toEqual([0, 0])
  })
})
