import { expect, it } from 'vitest'
import { createEngine } from '../../runtime/core/create-engine.ts'
import type { Json, JsonObject } from '../../runtime/core/json.ts'
import { applyRule, isTruthy } from '../../runtime/core/logic/rule.ts'
import { registry } from '../support/a-page.ts'
import { memoryWorld } from '../support/memory-ports.ts'
import { pageAt, readProduct } from './product-pages.ts'

const PAPER = pageAt(await readProduct(), '/pages/contract/print')

/** The row 整单折扣 of the printed contract; undefined if it has none. */
function discountOf(discount_rate: Json): string | undefined {
  const record: JsonObject = {
    id: 'k1',
    name: '年度服务合同',
    amount: 3344.11,
    amount_capitals: '叁仟叁佰肆拾肆元壹角壹分',
    approval_status: 2,
    received_amount: 1000,
    discount_rate,
    lines: [{ product_id: 'p1', product_name: '标准版', price: 299, quantity: 10, amount: 2990 }],
  }
  const { ports } = memoryWorld()
  const engine = createEngine({ page: PAPER, registry, ports, params: { id: 'k1' }, user: {} })
  engine.setData('detail', { record })
  const { items = [] } = engine.node(engine.find('money') ?? '').options as { items?: readonly JsonObject[] }
  const row = items.find(({ label }) => label === '整单折扣')
  const isShown = isTruthy(
    applyRule(row?.visibleOn ?? null, {
      data: { detail: { record } },
      form: {},
      params: {},
      user: {},
      dict: {},
    }),
  )
  return isShown ? engine.fill(String(row?.text)) : undefined
}

it('a printed contract says what was taken off its lines as a whole, if anything was', () => {
  expect(discountOf(95)).toBe('95%')
  expect(discountOf(100)).toBeUndefined()
  expect(discountOf(null)).toBeUndefined()
})

it('prices and sums of printed products are not broken, and a product may be there twice', () => {
  const nodes = [...PAPER.nodes.values()]
  const unbroken = nodes.filter(({ options }) =>
    /^paper-(?:price|count|sum)$/.test(String(options.customClass)),
  )
  expect(unbroken.map(({ options }) => options.name)).toEqual(['h2', 'h3', 'h4', 'c2', 'c3', 'c4'])
  expect(nodes.find(({ options }) => options.name === 'sold')?.options.rowKey).toBe('id')
})
