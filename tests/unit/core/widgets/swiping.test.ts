import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { restingSide, swipedTo, swipePosition } from '../../../../runtime/core/widgets/swiping.ts'

const WIDTHS = { left: 80, right: 120 }

describe('a row that is swiped', () => {
  it('rests with its open side in sight', () => {
    expect(swipePosition('none', WIDTHS)).toBe(0)
    expect(swipePosition('left', WIDTHS)).toBe(80)
    expect(swipePosition('right', WIDTHS)).toBe(-120)
  })

  it('follows the finger from where it rested, never beyond its actions', () => {
    expect(swipedTo('none', -30, WIDTHS)).toBe(-30)
    expect(swipedTo('right', 30, WIDTHS)).toBe(-90)
    fc.assert(
      fc.property(
        fc.constantFrom('none', 'left', 'right'),
        fc.integer({ min: -999, max: 999 }),
        (side, by) => {
          const at = swipedTo(side, by, WIDTHS)
          expect(at).toBeGreaterThanOrEqual(-WIDTHS.right)
          expect(at).toBeLessThanOrEqual(WIDTHS.left)
        },
      ),
    )
  })

  it.each([
    ['none', -20, 'right'],
    ['none', 20, 'left'],
    ['none', -19, 'none'],
    ['right', 19, 'right'],
    ['right', 20, 'none'],
    ['right', -60, 'right'],
    ['left', 60, 'left'],
    ['left', -20, 'none'],
  ] as const)('from %s, moved by %i px, rests at %s', (side, by, rest) => {
    expect(restingSide(side, by, WIDTHS, 20)).toBe(rest)
  })

  it('stays closed towards an edge without actions', () => {
    expect(restingSide('none', -50, { left: 80, right: 0 }, 20)).toBe('none')
    expect(restingSide('none', 50, { left: 0, right: 120 }, 20)).toBe('none')
  })
})
