import { expect, it } from 'vitest'
import type { Json } from '../../runtime/core/json.ts'
import { applyRule } from '../../runtime/core/logic/rule.ts'
import type { ModuleDescription } from '../../src/model/description.ts'
import { readJson } from './product-pages.ts'

it.each([
  ['expense', 'items'],
  ['quotation', 'lines'],
  ['sales_order', 'lines'],
])('the sum of %s counts a line without an amount as nothing', async (name, lines) => {
  const { fields } = (await readJson(`schemas/modules/${name}.json`)) as unknown as ModuleDescription
  const worked = fields.find((field) => field.name === 'amount')?.worked as Json
  const sum = (...amounts: readonly (number | null)[]) => {
    const form = { [lines]: amounts.map((amount) => ({ amount })), discount_rate: null }
    return applyRule(worked, { form } as unknown as Parameters<typeof applyRule>[1])
  }

  expect(sum(120.5, 30)).toBe(150.5)
  expect(sum(120.5, null)).toBe(120.5)
  expect(sum(null)).toBe(0)
})
