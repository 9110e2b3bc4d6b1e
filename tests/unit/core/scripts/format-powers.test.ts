import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../runtime/core/json.ts'
import { FORMAT_POWERS } from '../../../../runtime/core/scripts/format-powers.ts'
import type { PowerContext } from '../../../../runtime/core/scripts/power.ts'

const format = (name: string, ...args: readonly (Json | undefined)[]) =>
  FORMAT_POWERS[name]?.({} as PowerContext, args)

const NOON = Date.UTC(2026, 10, 26, 12)

describe('formats for scripts', () => {
  it('are those of the locale and the options of each call, and Chinese without any', () => {
    const german = { minimumFractionDigits: 2 }

    expect([
      format('format.number', 1234.5),
      format('format.number', 1234.5, 'de-DE', german),
      format('format.number', 1234.5, 'de-DE'),
      format('format.date', NOON, 'date', undefined, undefined),
      format('format.date', NOON, 'date', 'en-US', { month: 'long' }),
      format('format.date', NOON, 'date', 'en-US'),
    ]).toEqual(['1,234.5', '1.234,50', '1.234,5', '2026/11/26', 'November', '11/26/2026'])
    expect(format('format.compare', '阿', '波')).toBe(-1)
    expect([format('format.compare', 'ä', 'z', 'de'), format('format.compare', 'ä', 'z', 'sv')]).toEqual([
      -1, 1,
    ])
  })

  it('stay right however many a script uses, and an invalid locale throws each time', () => {
    const digits = Array.from({ length: 60 }, (_, i) => 1 + (i % 21))

    expect(digits.map((n) => format('format.number', 1, 'en', { minimumIntegerDigits: n }))).toEqual(
      digits.map((n) => (1).toLocaleString('en', { minimumIntegerDigits: n })),
    )
    expect(() => format('format.number', 1, 'not a locale')).toThrow(RangeError)
    expect(() => format('format.number', 1, 'not a locale')).toThrow(RangeError)
  })
})
