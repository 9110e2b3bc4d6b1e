import { expect, it } from 'vitest'
import { applyRule } from '../../../runtime/core/logic/rule.ts'
import { hasValueRule } from '../../../src/model/derived/parts.ts'
import type { Field } from '../../../src/model/description.ts'

const fields = {
  amount: { name: 'amount', kind: 'money', label: '金额' },
  score: { name: 'score', kind: 'formula', label: '得分', formula: { '+': [1, 1] }, result: 'number' },
  town: { name: 'town', kind: 'text', label: '城镇' },
  marks: { name: 'marks', kind: 'texts', label: '标签' },
} as const satisfies Record<string, Field>

it.each([
  ['amount', 0, true],
  ['amount', null, false],
  ['amount', undefined, false],
  ['score', 0, true],
  ['town', '', false],
  ['town', '青岛', true],
  ['marks', [], false],
] as const)('a card’s line for %s is shown for %j: %s', (name, value, isThere) => {
  const row = value === undefined ? {} : { [name]: value }
  const scope = { form: {}, params: {}, user: {}, dict: {}, data: {}, row }

  expect(applyRule(hasValueRule(fields[name], 'row'), scope)).toBe(isThere)
})
