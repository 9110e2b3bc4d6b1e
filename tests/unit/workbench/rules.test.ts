import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../runtime/core/json.ts'
import { applyRule, isTruthy } from '../../../runtime/core/logic/rule.ts'
import { reasonOf, sentenceOf } from '../../../src/workbench/rules/explain.ts'
import type { Readable } from '../../../src/workbench/rules/fields-of.ts'
import { type Group, readRule, writeRule } from '../../../src/workbench/rules/model.ts'

const FIELDS: readonly Readable[] = [
  { path: 'form.source', label: '客户来源', choices: [{ label: '市场活动', value: 'activity' }] },
  { path: 'form.amount', label: '金额', choices: [] },
]
const scopeOf = (form: Record<string, Json>) => ({ form, params: {}, user: {}, dict: {}, data: {} })

const path = fc.constantFrom('form.source', 'form.amount', 'params.id')
const value = fc.oneof(fc.constantFrom<Json>('activity', '', null, true), fc.integer({ min: 0, max: 5 }))
const condition = fc.oneof(
  fc.record({
    path,
    comparison: fc.constantFrom<'==' | '!=' | '>' | '<=' | 'has'>('==', '!=', '>', '<=', 'has'),
    value,
  }),
  fc.record({
    path,
    comparison: fc.constantFrom<'filled' | 'empty'>('filled', 'empty'),
    value: fc.constant(null),
  }),
  fc.record({
    path,
    comparison: fc.constant<'in'>('in'),
    value: fc.array(value, { minLength: 1, maxLength: 3 }),
  }),
)
const { group } = fc.letrec<{ group: Group }>((tie) => ({
  group: fc.record({
    join: fc.constantFrom<'and' | 'or'>('and', 'or'),
    not: fc.boolean(),
    parts: fc.array(fc.oneof({ depthSize: 'small', withCrossShrink: true }, condition, tie('group')), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
}))
const aForm = fc.record({ source: value, amount: value })

describe('the rule builder', () => {
  it('reads back what it wrote: the rule says the same on every page', () => {
    fc.assert(
      fc.property(group, aForm, (built, form) => {
        const rule = writeRule(built)
        const again = readRule(rule)

        expect(again).not.toBeNull()
        const holds = (one: Json) => isTruthy(applyRule(one, scopeOf(form)))
        expect(holds(writeRule(again as Group))).toBe(holds(rule))
      }),
      { numRuns: 500 },
    )
  })

  it.each<[string, Json]>([
    ['客户来源 等于 市场活动', { '==': [{ var: 'form.source' }, 'activity'] }],
    [
      '客户来源 已填写，并且（金额 大于 5，或者金额 为空）',
      {
        and: [
          { '!!': [{ var: 'form.source' }] },
          { or: [{ '>': [{ var: 'form.amount' }, 5] }, { '!': { var: 'form.amount' } }] },
        ],
      },
    ],
    ['不满足：客户来源 是 市场活动、b 之一', { '!': { in: [{ var: 'form.source' }, ['activity', 'b']] } }],
  ])('says %s', (sentence, rule) => {
    expect(sentenceOf(readRule(rule) as Group, FIELDS)).toBe(sentence)
  })

  it.each<[string, Json]>([
    ['a sum', { '>': [{ '+': [{ var: 'form.amount' }, 1] }, 5] }],
    ['two fields compared', { '==': [{ var: 'form.amount' }, { var: 'form.source' }] }],
    ['a branch', { if: [true, 1, 2] }],
    ['two operations in one object', { '!': 1, '!!': 2 }],
  ])('leaves %s to its JSON', (_, rule) => {
    expect(readRule(rule)).toBeNull()
  })

  it('says what a rule comes to now, and because of what', () => {
    const rule = { '==': [{ var: 'form.source' }, 'activity'] }

    expect(reasonOf(rule, scopeOf({ source: 'activity' }), FIELDS)).toBe(
      '成立：客户来源 等于 市场活动（客户来源 = 市场活动）',
    )
    expect(reasonOf(rule, scopeOf({}), FIELDS)).toBe('不成立：客户来源 等于 市场活动（客户来源 = （空））')
    expect(reasonOf(undefined, scopeOf({}), FIELDS)).toBe('')
  })
})
