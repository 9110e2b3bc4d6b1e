import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../runtime/core/json.ts'
import { readExpression, writeExpression } from '../../../src/model/expression.ts'

const FIELDS = [
  { name: 'amount', label: '合同金额' },
  { name: 'ext_paid', label: '已回款' },
  { name: 'rate', label: '毛利 (%)' },
]
const read = (text: string) => readExpression(text, FIELDS)

describe('an expression', () => {
  it.each([
    ['合同金额 - 已回款', { '-': [{ var: 'amount' }, { var: 'ext_paid' }] }],
    ['合同金额-已回款*2', { '-': [{ var: 'amount' }, { '*': [{ var: 'ext_paid' }, 2] }] }],
    [
      '（合同金额＋1）×[毛利 (%)]÷100',
      { '/': [{ '*': [{ '+': [{ var: 'amount' }, 1] }, { var: 'rate' }] }, 100] },
    ],
    ['-ext_paid', { '-': [{ var: 'ext_paid' }] }],
    ['0.5', { '+': [0.5] }],
  ])('is parsed: %s', (text, rule) => {
    expect(read(text)).toEqual({ rule })
  })

  it.each([
    ['', ''],
    ['合同金额 +', ''],
    ['合同金额 + 毛利', '毛利'],
    ['(合同金额', ''],
    ['合同金额)', ')'],
    ['合同金额 已回款', '已回款'],
    ['[合同金额', '[合同金额'],
    ['* 2', '*'],
  ])('reports the position of the fault: %s', (text, fault) => {
    expect(read(text)).toEqual({ fault })
  })

  it('is written so that it can be parsed again, whatever it contains', () => {
    const leaf = fc.oneof(
      fc.constantFrom<Json>({ var: 'amount' }, { var: 'ext_paid' }, { var: 'rate' }),
      fc.integer({ min: 0, max: 999 }),
    )
    const { rule } = fc.letrec<{ rule: Json; pair: Json }>((tie) => ({
      rule: fc.oneof({ maxDepth: 4 }, leaf, tie('pair')),
      pair: fc
        .tuple(fc.constantFrom('+', '-', '*', '/'), tie('rule'), tie('rule'))
        .map(([op, left, right]) => ({ [op]: [left, right] as Json[] })),
    }))

    fc.assert(
      fc.property(rule, (one) => {
        const text = writeExpression(one, FIELDS) ?? ''
        const again = read(text)
        expect('rule' in again ? again.rule : again).toEqual(typeof one === 'object' ? one : { '+': [one] })
      }),
    )
  })

  it('is not derived from a rule with another meaning', () => {
    expect(writeExpression({ cat: [{ var: 'amount' }] }, FIELDS)).toBeNull()
    expect(writeExpression({ var: 'gone' }, FIELDS)).toBeNull()
  })
})
