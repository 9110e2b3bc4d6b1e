import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isOutside,
  moveHandle,
  nextOnScale,
  shareOf,
  snapPair,
  snapToScale,
  snapUpper,
} from '../../../../runtime/core/widgets/scale.ts'

const scale = { min: 0, max: 1000, step: 50 }
const aScale = fc
  .record({
    min: fc.integer({ min: -100, max: 100 }),
    length: fc.integer({ min: 1, max: 500 }),
    step: fc.constantFrom(0.1, 0.5, 1, 3, 7, 50),
  })
  .map(({ min, length, step }) => ({ min, max: min + length, step }))
const aValue = fc.double({ min: -1000, max: 1000, noNaN: true })

describe('a value on a scale', () => {
  it.each([
    [0, 0],
    [24, 0],
    [26, 50],
    [990, 1000],
    [-5, 0],
    [9999, 1000],
  ])('%d snaps to %d', (value, snapped) => expect(snapToScale(value, scale)).toBe(snapped))

  it('can be the maximum even between two steps', () => {
    expect(snapToScale(10, { min: 0, max: 10, step: 4 })).toBe(10)
    expect(snapToScale(8.4, { min: 0, max: 10, step: 4 })).toBe(8)
  })

  it('does not move once snapped, and is within half a step of the finger', () => {
    fc.assert(
      fc.property(aScale, aValue, (given, value) => {
        const once = snapToScale(value, given)
        const within = Math.min(given.max, Math.max(given.min, value))
        expect(snapToScale(once, given)).toBe(once)
        expect(once >= given.min && once <= given.max).toBe(true)
        expect(Math.abs(once - within)).toBeLessThanOrEqual(given.step / 2 + 1e-9)
      }),
    )
  })

  it('is a share between 0 and 1', () => {
    expect(shareOf(250, scale)).toBe(0.25)
    expect(shareOf(-1, scale)).toBe(0)
    expect(shareOf(5, { min: 5, max: 5, step: 1 })).toBe(0)
  })
})

describe('the upper handle', () => {
  it.each([
    [951, 1000],
    [950, 950],
    [940, 950],
    [910, 900],
  ])('at %d goes to %d: it is the maximum within one step of it', (value, snapped) =>
    expect(snapUpper(value, scale)).toBe(snapped),
  )

  it('does not move once snapped', () => {
    fc.assert(
      fc.property(aScale, aValue, (given, value) => {
        const once = snapUpper(value, given)
        expect(snapUpper(once, given)).toBe(once)
      }),
    )
  })
})

describe('two handles', () => {
  it('swap when they cross', () => {
    expect(moveHandle([200, 600], 0, 800, scale)).toEqual([600, 800])
    expect(moveHandle([200, 600], 1, 100, scale)).toEqual([100, 200])
  })

  it('are in order, on the scale, and stay there', () => {
    fc.assert(
      fc.property(
        aScale,
        aValue,
        aValue,
        fc.constantFrom(0 as const, 1 as const),
        aValue,
        (given, a, b, handle, value) => {
          const pair = moveHandle(snapPair([a, b], given), handle, value, given)
          expect(pair[0]).toBeLessThanOrEqual(pair[1])
          expect(isOutside(pair, given)).toBe(false)
          expect(snapPair(pair, given)).toEqual(pair)
        },
      ),
    )
  })

  it('report a given range outside the scale', () => {
    expect(isOutside([0, 1000], scale)).toBe(false)
    expect(isOutside([-1, 10], scale)).toBe(true)
    expect(isOutside([0, 1050], scale)).toBe(true)
  })
})

describe('an arrow key', () => {
  it('moves to the next value and stops at the ends', () => {
    expect(nextOnScale(0, 1, scale)).toBe(50)
    expect(nextOnScale(0, -1, scale)).toBe(0)
    expect(nextOnScale(8, 1, { min: 0, max: 10, step: 4 })).toBe(10)
    expect(nextOnScale(10, -1, { min: 0, max: 10, step: 4 })).toBe(8)
    expect(nextOnScale(0.3, -1, { min: 0, max: 1, step: 0.1 })).toBe(0.2)
  })

  it('reaches the maximum from any value, and the minimum from there, with either handle', () => {
    fc.assert(
      fc.property(aScale, aValue, fc.boolean(), (given, start, upper) => {
        const snap = upper ? snapUpper : snapToScale
        let value = snap(start, given)
        for (let i = 0; i < 5100 && value < given.max; i += 1)
          value = snap(nextOnScale(value, 1, given, upper), given)
        expect(value).toBe(given.max)
        const low = snap(given.min, given)
        for (let i = 0; i < 5100 && value > low; i += 1)
          value = snap(nextOnScale(value, -1, given, upper), given)
        expect(value).toBe(low)
      }),
      { numRuns: 40 },
    )
  })
})
