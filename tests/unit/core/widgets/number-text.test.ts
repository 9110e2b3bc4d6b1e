import fc from 'fast-check'
import { expect, it } from 'vitest'
import { numberText } from '../../../../runtime/core/widgets/number-text.ts'

it.each([
  ['12abc3', '123'],
  ['-1.5元', '-1.5'],
  ['1.2.3', '1.23'],
  ['1-2', '12'],
  ['１２。５', '12.5'],
  ['007', '007'],
  ['-', '-'],
  ['1.', '1.'],
  ['abc', ''],
])('of %s a number box keeps %s', (typed, kept) => {
  expect(numberText(typed)).toBe(kept)
})

it('the kept text is the beginning of a number, and keeping it again does not change it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (typed) => {
      const kept = numberText(typed)

      expect(kept).toMatch(/^-?\d*(\.\d*)?$/)
      expect(numberText(kept)).toBe(kept)
    }),
  )
})
