import { expect, it } from 'vitest'
import { createEngine } from '../../../../runtime/core/create-engine.ts'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import { parsePage } from '../../../../runtime/core/parse-page.ts'
import { aDocument, aPage, aWidget, registry } from '../../../support/a-page.ts'
import { memoryWorld } from '../../../support/memory-ports.ts'

const choices: readonly JsonObject[] = [
  { label: '最新', value: 'new' },
  { label: '金额', value: 'amount', visibleOn: { '!': { var: 'user.fieldRights.contract.amount' } } },
  { label: '黄金', value: 'gold', visibleOn: { '==': [{ var: 'form.level' }, 'gold'] } },
]
const opened = (user: JsonObject) => {
  const page = aPage([aWidget('input', 'level'), aWidget('radio', 'sort', { optionItems: [...choices] })])
  return createEngine({ page, registry, ports: memoryWorld().ports, user })
}
const valuesOf = (engine: ReturnType<typeof opened>) => engine.node('sort').items.map(({ value }) => value)

it('a choice is offered while its rule is true, and follows its inputs', () => {
  const engine = opened({})
  expect(valuesOf(engine)).toEqual(['new', 'amount'])

  engine.change('level', 'gold')
  expect(valuesOf(engine)).toEqual(['new', 'amount', 'gold'])

  engine.change('level', 'silver')
  expect(valuesOf(engine)).toEqual(['new', 'amount'])
})

it('a rule may depend on the user', () => {
  expect(valuesOf(opened({ fieldRights: { contract: { amount: 'hidden' } } }))).toEqual(['new'])
})

it('a rule that reads unknown names is a fault of the page', () => {
  const choice = { label: '一', value: 1, visibleOn: { '!!': { var: 'form.gone' } } }
  const document = aDocument([aWidget('radio', 'sort', { optionItems: [choice] })])

  expect(JSON.stringify(parsePage(document, { registry }))).toContain('RULE_UNKNOWN_NAME')
})
