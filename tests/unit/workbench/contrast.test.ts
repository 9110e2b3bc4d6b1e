import { expect, it } from 'vitest'
import { above, contrast, contrastNeeded, readColour } from '../../../src/workbench/canvas/contrast.ts'

it('contrast is measured with the visible colour of the text and its background', () => {
  const [white, black] = [readColour('rgb(255, 255, 255)'), readColour('rgb(0, 0, 0)')]
  if (white === null || black === null) throw new Error('a colour was not read')

  expect(contrast(white, black)).toBeCloseTo(21)
  expect(contrast(white, white)).toBe(1)
  expect(above([0, 0, 0, 0.5], white)).toEqual([127.5, 127.5, 127.5, 1])
  expect(contrast([118, 118, 118, 1], white)).toBeGreaterThan(4.5)
  expect(contrast([119, 119, 119, 1], white)).toBeLessThan(4.5)
})

it('large text may have less contrast, and an unknown colour is not measured', () => {
  expect([contrastNeeded(15, 400), contrastNeeded(24, 400), contrastNeeded(19, 700)]).toEqual([4.5, 3, 3])
  expect(readColour('rgba(0, 0, 0, 0.45)')).toEqual([0, 0, 0, 0.45])
  expect(readColour('color(srgb 1 0 0)')).toBeNull()
})
