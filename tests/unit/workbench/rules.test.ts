import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../runtime/core/create-engine.ts'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { applyRule, isTruthy } from '../../../runtime/core/logic/rule.ts'
import { comparisonWord, reasonOf, sentenceOf } from '../../../src/workbench/rules/explain.ts'
import { fieldsOf, type Readable } from '../../../src/workbench/rules/fields-of.ts'
import { COMPARISONS, type Group, readRule, writeRule } from '../../../src/workbench/rules/model.ts'
import { aPage, aWidget, registry } from '../../support/a-page.ts'
import { memoryWorld } from '../../support/memory-ports.ts'

const FIELDS: readonly Readable[] = [
  {
    path: 'form.source',
    label: '客户来源',
    kind: 'choice',
    choices: [{ label: '市场活动', value: 'activity' }],
  },
  { path: 'form.amount', label: '金额', kind: 'number', choices: [] },
  { path: 'form.signed', label: '签约日期', kind: 'day', choices: [] },
]
const scopeOf = (form: Record<string, Json>) => ({ form, params: {}, user: {}, dict: {}, data: {} })

const path = fc.constantFrom('form.source', 'form.amount', 'params.id')
const value = fc.oneof(fc.constantFrom<Json>('activity', '', null, true), fc.integer({ min: 0, max: 5 }))
const condition = fc.oneof(
  fc.record({
    path,
    comparison: fc.constantFrom<'==' | '!=' | '>' | '<=' | 'has' | 'starts'>(
      '==',
      '!=',
      '>',
      '<=',
      'has',
      'starts',
    ),
    value,
  }),
  fc.record({
    path,
    comparison: fc.constantFrom<'filled' | 'empty' | 'given' | 'missing'>(
      'filled',
      'empty',
      'given',
      'missing',
    ),
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
  it('parses what it wrote: the rule has the same meaning on every page', () => {
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
    [
      '签约日期 晚于 2026-01-31，并且金额 已填写',
      { and: [{ '>': [{ var: 'form.signed' }, '2026-01-31'] }, { '!=': [{ var: 'form.amount' }, null] }] },
    ],
    ['不满足：客户来源 是 市场活动、b 之一', { '!': { in: [{ var: 'form.source' }, ['activity', 'b']] } }],
  ])('builds %s', (sentence, rule) => {
    expect(sentenceOf(readRule(rule) as Group, FIELDS)).toBe(sentence)
  })

  it.each<[string, Json]>([
    ['a sum', { '>': [{ '+': [{ var: 'form.amount' }, 1] }, 5] }],
    ['two fields compared', { '==': [{ var: 'form.amount' }, { var: 'form.source' }] }],
    ['a branch', { if: [true, 1, 2] }],
    ['two operations in one object', { '!': 1, '!!': 2 }],
  ])('leaves %s as JSON', (_, rule) => {
    expect(readRule(rule)).toBeNull()
  })

  it('shows the current result of a rule, and its cause', () => {
    const rule = { '==': [{ var: 'form.source' }, 'activity'] }

    expect(reasonOf(rule, scopeOf({ source: 'activity' }), FIELDS)).toBe(
      '成立：客户来源 等于 市场活动（客户来源 = 市场活动）',
    )
    expect(reasonOf(rule, scopeOf({}), FIELDS)).toBe('不成立：客户来源 等于 市场活动（客户来源 = （空））')
    expect(reasonOf(undefined, scopeOf({}), FIELDS)).toBe('')
  })

  it('compares each field by its type, and knows the values of choices and switches', () => {
    const page = aPage(
      FIELDS_OF_ALL.map(([type, options], i) => aWidget(type, `f${i}`, options as JsonObject)),
      { page: { params: [{ name: 'count', type: 'Number' }] } },
    )
    const engine = createEngine({ page, registry, ports: memoryWorld().ports })
    const kinds = fieldsOf(engine).map(({ label, kind }) => `${label} ${kind}`)

    expect(kinds).toEqual([
      '名称 text',
      '备注 text',
      '金额 number',
      '数量 number',
      '评分 number',
      '级别 choice',
      '来源 choice',
      '兴趣 list',
      '标签 list',
      '附件 list',
      '启用 flag',
      '签约日期 day',
      '下次跟进 moment',
      '时刻 time',
      '期间 pair',
      '明细 list',
      'count number',
    ])
    expect(
      fieldsOf(engine)
        .find(({ label }) => label === '启用')
        ?.choices.map(({ value }) => value),
    ).toEqual(['Y', 'N'])
    for (const { kind } of fieldsOf(engine))
      for (const comparison of COMPARISONS[kind])
        expect(comparisonWord('comparison', comparison, kind)).not.toMatch(/workbench/)
  })
})

const ITEMS = [{ label: '高', value: 'high' }]
const FIELDS_OF_ALL: readonly (readonly [string, object])[] = [
  ['input', { label: '名称' }],
  ['textarea', { label: '备注' }],
  ['number', { label: '金额' }],
  ['stepper', { label: '数量' }],
  ['rate', { label: '评分' }],
  ['radio', { label: '级别', optionItems: ITEMS }],
  ['select', { label: '来源', optionItems: ITEMS }],
  ['checkbox', { label: '兴趣', optionItems: ITEMS }],
  ['select', { label: '标签', multiple: true, optionItems: ITEMS }],
  ['file-upload', { label: '附件' }],
  ['switch', { label: '启用', activeValue: 'Y', inactiveValue: 'N' }],
  ['date', { label: '签约日期' }],
  ['datetime', { label: '下次跟进' }],
  ['time', { label: '时刻' }],
  ['date-range', { label: '期间' }],
  ['sub-form', { label: '明细' }],
]
