import { expect, it } from 'vitest'
import { createBrokenTexts } from '../../../src/workbench/code/broken-texts.ts'

it('undo reverts invalid typed text step by step before the page', () => {
  const texts = createBrokenTexts()
  expect(texts.undo()).toBeNull()
  for (const text of ['{"a"', '{"a":', '{"a": "eine sehr lange', '']) texts.typed(text, false)
  expect(texts.undo()).toBe('{"a": "eine sehr lange')
  expect(texts.undo()).toBe('{"a":')
  expect(texts.undo()).toBe('')
  expect(texts.undo()).toBeNull()

  texts.typed('{', false)
  texts.typed('{}', true)
  expect(texts.undo()).toBeNull()
})
