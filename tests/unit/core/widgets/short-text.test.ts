import { expect, it } from 'vitest'
import { shortText } from '../../../../runtime/core/widgets/values.ts'

it('a chosen text has an ellipsis only where something of it is left out', () => {
  expect(shortText('处理中、已完成、挂起、再等')).toBe('处理中、已完成、挂起、再等')
  expect(shortText('字'.repeat(25))).toBe('字'.repeat(25))
  expect(shortText('字'.repeat(26))).toBe(`${'字'.repeat(25)}...`)
})
