import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  boundPage,
  heldAt,
  pannedTo,
  pinchedZoom,
  restingPage,
  smoothedSpeed,
} from '../../../../runtime/core/widgets/paging.ts'

const five = { count: 5, circular: false }
const round = { count: 5, circular: true }

describe('a released track', () => {
  it.each([
    [1.4, 0, 1],
    [1.6, 0, 2],
    [1.2, 0.3, 2],
    [1.2, 0.2, 1],
    [1.8, -0.3, 1],
    [4.4, 0.5, 4],
    [-0.2, -1, 0],
  ])('at %d with %d px/ms rests at %d', (position, speed, page) =>
    expect(restingPage(position, speed, five)).toBe(page),
  )

  it('wraps around if the page allows it', () => {
    expect(restingPage(4.7, 0, round)).toBe(0)
    expect(restingPage(-0.7, 0, round)).toBe(4)
    expect(boundPage(7, { count: 0, circular: true })).toBe(0)
  })

  it('rests on an existing page, at most one page away', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -0.9, max: 4.9, noNaN: true }),
        fc.double({ min: -3, max: 3, noNaN: true }),
        (at, speed) => {
          const page = restingPage(at, speed, five)
          expect(Number.isInteger(page) && page >= 0 && page < 5).toBe(true)
          expect(Math.abs(page - Math.min(4, Math.max(0, at)))).toBeLessThanOrEqual(1)
        },
      ),
    )
  })

  it('is damped beyond its ends, and nowhere else', () => {
    expect(heldAt(-1, five)).toBeCloseTo(-0.3)
    expect(heldAt(5, five)).toBeCloseTo(4.3)
    expect(heldAt(2.5, five)).toBe(2.5)
    expect(heldAt(-1, round)).toBe(-1)
  })

  it('averages the speed with weights of 0.6 and 0.4', () => expect(smoothedSpeed(1, 2)).toBeCloseTo(1.4))
})

describe('a pinched picture', () => {
  it('scales from 1 to 4 and no further', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1, max: 4, noNaN: true }),
        fc.nat(500),
        fc.nat(2000),
        (zoom, before, now) => {
          const next = pinchedZoom(zoom, before, now)
          expect(next >= 1 && next <= 4).toBe(true)
        },
      ),
    )
    expect(pinchedZoom(1, 100, 250)).toBe(2.5)
    expect(pinchedZoom(2, 0, 250)).toBe(2)
  })

  it('cannot be dragged past its edge', () => {
    expect(pannedTo(500, 2, 390)).toBe(195)
    expect(pannedTo(-500, 2, 390)).toBe(-195)
    expect(pannedTo(50, 1, 390)).toBe(0)
  })
})
