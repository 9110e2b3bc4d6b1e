import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inCapitals } from '../../../../src/server/kernel/words/capitals.ts'

const DIGITS = '零壹贰叁肆伍陆柒捌玖'
const PLACES: Readonly<Record<string, number>> = { 拾: 10, 佰: 100, 仟: 1000 }

/** Reads an amount in capitals back as cents, by a different algorithm, from left to right. */
function centsIn(written: string): number {
  const sign = written.startsWith('负') ? -1 : 1
  const [yuan = '', rest = ''] = written.includes('元')
    ? written.replace('负', '').split('元')
    : ['', written]
  let high = 0
  let group = 0
  let digit = 0
  for (const sign of yuan) {
    if (DIGITS.includes(sign)) digit = DIGITS.indexOf(sign)
    else if (sign in PLACES) {
      group += digit * (PLACES[sign] ?? 0)
      digit = 0
    } else {
      const times = sign === '万' ? 10_000 : 100_000_000
      const inside = group + digit
      high = inside === 0 ? high * times : sign === '亿' ? (high + inside) * times : high + inside * times
      group = 0
      digit = 0
    }
  }
  const jiao = DIGITS.indexOf(/(.)角/.exec(rest)?.[1] ?? '零')
  const fen = DIGITS.indexOf(/(.)分/.exec(rest)?.[1] ?? '零')
  return sign * ((high + group + digit) * 100 + jiao * 10 + fen)
}

const amounts = fc.oneof(
  fc.integer({ min: 0, max: 999_999_999_999 }),
  // Runs of zeros, which have special rules.
  fc
    .array(fc.constantFrom('0', '0', '0', '1', '5', '9'), { minLength: 1, maxLength: 14 })
    .map((digits) => Number(digits.join(''))),
)

describe('an amount in capitals', () => {
  it.each([
    [0, '零元整'],
    [0.05, '伍分'],
    [0.5, '伍角整'],
    [1, '壹元整'],
    [10, '壹拾元整'],
    [101, '壹佰零壹元整'],
    [1200.05, '壹仟贰佰元零伍分'],
    [1680.32, '壹仟陆佰捌拾元叁角贰分'],
    [10_500, '壹万零伍佰元整'],
    [107_000.53, '壹拾万柒仟元伍角叁分'],
    [100_000_001, '壹亿零壹元整'],
    [1_000_010_000, '壹拾亿零壹万元整'],
    [9_999_999_999.99, '玖拾玖亿玖仟玖佰玖拾玖万玖仟玖佰玖拾玖元玖角玖分'],
    [-320, '负叁佰贰拾元整'],
    [Number.NaN, ''],
    [1e17, ''],
  ])('%s is %s', (yuan, written) => {
    expect(inCapitals(yuan)).toBe(written)
  })

  it('equals exactly that amount, whatever zeros are in it', () => {
    fc.assert(fc.property(amounts, (cents) => centsIn(inCapitals(cents / 100)) === cents))
  })

  it('never repeats 零, nor puts it before a unit or at the end of the yuan, and ends in 整 unless there are cents', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999_999 }), (cents) => {
        const written = inCapitals(cents / 100)
        expect(written).not.toMatch(/零零|零[拾佰仟万亿元角分]/)
        expect(written.endsWith('整')).toBe(cents % 10 === 0)
      }),
    )
  })

  it('of a reversal equals that of the payment, with 负', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999_999 }), (cents) => {
        expect(inCapitals(-cents / 100)).toBe(`负${inCapitals(cents / 100)}`)
      }),
    )
  })
})
