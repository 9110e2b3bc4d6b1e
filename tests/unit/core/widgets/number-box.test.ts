import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  commitNumber,
  commitOptional,
  decimalsOf,
  noteOf,
  pressStep,
} from '../../../../runtime/core/widgets/number-box.ts'

const box = { min: 0, max: 10, step: 1 }
const aScale = fc
  .record({
    ends: fc.tuple(fc.integer({ min: -1000, max: 1000 }), fc.integer({ min: -1000, max: 1000 })),
    step: fc.constantFrom(0.01, 0.05, 0.1, 0.25, 0.5, 1, 3, 10),
  })
  .map(({ ends: [a, b], step }) => ({ min: Math.min(a, b), max: Math.max(a, b), step }))

describe('plus and minus', () => {
  it.each([
    [9, 1, 10],
    [10, 1, 10],
    [9.5, 1, 9.5],
    [0, -1, 0],
    [0.5, -1, 0.5],
    [3, -1, 2],
  ] as const)('turn %d by %d into %d between 0 and 10, and do nothing beyond the bounds', (value, by, next) =>
    expect(pressStep(value, by, box)).toBe(next),
  )

  it('move a value outside the bounds to the nearest bound', () => {
    expect(pressStep(-50, 1, box)).toBe(0)
    expect(pressStep(50, -1, box)).toBe(10)
    expect(pressStep(50, 1, box)).toBe(50)
  })

  it('calculate in decimals without rounding errors', () => {
    expect(pressStep(0.1, 1, { ...box, step: 0.2 })).toBe(0.3)
    expect(pressStep(0.3, -1, { ...box, step: 0.1 })).toBe(0.2)
    expect(pressStep(1.15, 1, { ...box, step: 0.05 })).toBe(1.2)
  })

  it('undo each other within the bounds and never leave them', () => {
    fc.assert(
      fc.property(aScale, fc.integer({ min: 0, max: 4000 }), (scale, count) => {
        const value = Number(Math.min(scale.max, scale.min + count * scale.step).toFixed(2))
        const up = pressStep(value, 1, scale)
        expect(up >= scale.min && up <= scale.max).toBe(true)
        if (up !== value) expect(pressStep(up, -1, scale)).toBe(value)
      }),
    )
  })
})

describe('typed text', () => {
  it.each([
    ['5', 5],
    ['-3', 0],
    ['99', 10],
    ['0,004', 4],
    ['2.4', 2],
    ['abc', 0],
    ['', 0],
    ['1e400', 0],
  ])('%j becomes %d', (text, value) => expect(commitNumber(text, box)).toBe(value))

  it('becomes 0 if it is invalid and there is no minimum, or the maximum if that is lower', () => {
    const open = { min: -1e11, max: 1e11, step: 1 }
    expect(commitNumber('', open)).toBe(0)
    expect(commitNumber('很多', { ...open, max: -4 })).toBe(-4)
    expect(commitNumber('-5', open)).toBe(-5)
  })

  it('has the decimals of the step, or of the precision if that is finer', () => {
    expect(commitNumber('1.005', { ...box, step: 0.01 })).toBe(1.01)
    expect(commitNumber('1.239', { ...box, precision: 2 })).toBe(1.24)
  })

  it('is limited to the bounds, and unchanged if it is committed again', () => {
    fc.assert(
      fc.property(aScale, fc.oneof(fc.string(), fc.double().map(String)), (scale, text) => {
        const once = commitNumber(text, scale)
        expect(once >= scale.min && once <= scale.max).toBe(true)
        expect(commitNumber(String(once), scale)).toBe(once)
      }),
    )
  })

  it('counts decimals in any notation', () => {
    expect([1, 0.5, 0.05, 1e-7, 1.5e-7, 1e21].map(decimalsOf)).toEqual([0, 1, 2, 7, 8, 0])
  })
})

describe('a box that may be empty', () => {
  it.each([
    ['', null, null],
    ['abc', null, 0],
    ['-3', null, 0],
    ['2.345', null, 2.345],
    ['2.345', 2, 2.35],
    ['2.5', 0, 3],
  ])('turns %j with %j decimals into %j', (text, precision, value) =>
    expect(commitOptional(text, { min: 0, max: 10, step: 1, precision: precision ?? undefined })).toBe(value),
  )

  it('stays empty for an invalid text if there is no minimum', () =>
    expect(commitOptional('abc', { min: Number.NEGATIVE_INFINITY, max: 10, step: 1 })).toBeNull())
})

describe('the note about what was changed', () => {
  it.each([
    ['-3', 0, { code: 'widget.number.least', params: { value: 0, min: 0, max: 10 } }],
    ['1,000', 10, { code: 'widget.number.most', params: { value: 10, min: 0, max: 10 } }],
    ['2.345', 2.35, { code: 'widget.number.rounded', params: { value: 2.35, min: 0, max: 10 } }],
    ['abc', 0, { code: 'rule.number', params: {} }],
    ['abc', null, { code: 'rule.number', params: {} }],
    ['5', 5, null],
    ['5.00', 5, null],
    ['１，０００', 1000, null],
    ['', null, null],
    [' ', 0, null],
  ])('is, for %j that became %j, %j', (text, value, note) =>
    expect(noteOf(text, value, { min: 0, max: value === 1000 ? 1000 : 10 })).toEqual(note),
  )
})
