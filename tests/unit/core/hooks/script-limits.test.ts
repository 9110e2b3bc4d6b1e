import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS, lowerLimits } from '../../../../runtime/core/hooks/script-limits.ts'

describe('lowerLimits', () => {
  it('accepts lower limits of a page', () => {
    expect(lowerLimits({ timeMs: 20, cascadeDepth: 2 })).toEqual({
      ...DEFAULT_LIMITS,
      timeMs: 20,
      cascadeDepth: 2,
    })
  })

  it.each([
    { timeMs: 5000 },
    { memoryBytes: 1e12 },
    { hostCalls: 0 },
    { stackBytes: Number.NaN },
    { timeMs: -1 },
  ])('keeps the default for %j', (asked) => {
    expect(lowerLimits(asked)).toEqual(DEFAULT_LIMITS)
  })
})
