import { expect, it } from 'vitest'
import { shortText } from '../../../../runtime/core/widgets/values.ts'

it('a chosen text has an ellipsis from 11 characters on, behind its first 25, as the framework draws it', () => {
  expect(shortText('字'.repeat(10))).toBe('字'.repeat(10))
  expect(shortText('字'.repeat(11))).toBe(`${'字'.repeat(11)}...`)
  expect(shortText('字'.repeat(26))).toBe(`${'字'.repeat(25)}...`)
})
