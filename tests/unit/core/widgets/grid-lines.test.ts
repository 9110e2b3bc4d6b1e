import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gutterOf, placeColumns } from '../../../../runtime/core/widgets/grid-lines.ts'

const column = (span: number, offset = 0, moved = 0) => ({ span, offset, moved })
const placed = (...columns: ReturnType<typeof column>[]) =>
  placeColumns(columns).map(({ line, start, span }) => [line, start, span])

describe('columns of a grid', () => {
  it('are side by side, and wrap to the next line if they do not fit', () => {
    expect(placed(column(12), column(12), column(8), column(24))).toEqual([
      [0, 0, 12],
      [0, 12, 12],
      [1, 0, 8],
      [2, 0, 24],
    ])
  })

  it('add their offset to the end of the previous column', () => {
    expect(placed(column(6), column(6, 6), column(6))).toEqual([
      [0, 0, 6],
      [0, 12, 6],
      [0, 18, 6],
    ])
    expect(placed(column(4), column(12, 10))).toEqual([
      [0, 0, 4],
      [1, 10, 12],
    ])
  })

  it('never exceed the edges or overlap, whatever their options', () => {
    const wish = fc.double({ min: -60, max: 60, noNaN: false })
    fc.assert(
      fc.property(fc.array(fc.record({ span: wish, offset: wish, moved: wish })), (wishes) => {
        const places = placeColumns(wishes)
        for (const [i, { line, start, span, moved }] of places.entries()) {
          const before = places[i - 1]
          expect([start, start + moved].every((at) => at >= 0 && at + span <= 24)).toBe(true)
          expect(span).toBeGreaterThanOrEqual(1)
          if (before?.line === line) expect(start).toBeGreaterThanOrEqual(before.start + before.span)
          else if (before !== undefined) expect(line).toBe(before.line + 1)
        }
      }),
    )
  })

  it('are a gutter apart and equally wide, the first and the last at the edges', () => {
    const gaps = placeColumns([column(6), column(6), column(6), column(6)]).map((place) =>
      gutterOf(place, 20),
    )
    expect(gaps.map(([before, after]) => before + after)).toEqual([15, 15, 15, 15])
    expect(gaps.slice(1).map(([before], i) => before + (gaps[i]?.[1] ?? 0))).toEqual([20, 20, 20])
    expect([gaps[0]?.[0], gaps[3]?.[1]]).toEqual([0, 0])
  })
})
