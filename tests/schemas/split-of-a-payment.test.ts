import { expect, it } from 'vitest'
import { createEngine } from '../../runtime/core/create-engine.ts'
import type { Json, JsonObject } from '../../runtime/core/json.ts'
import { registry } from '../support/a-page.ts'
import { memoryWorld } from '../support/memory-ports.ts'
import { pageAt, readProduct } from './product-pages.ts'

const FORM = pageAt(await readProduct(), '/pages/contract/payment/add')

/** The two plans of the contract, of 100 each, with this payment spread over them by date. */
const spread = (amount: number): JsonObject[] =>
  [Math.min(amount, 100), Math.max(0, amount - 100)].map((share, i) => ({
    plan_id: `l${i + 1}`,
    period_no: i + 1,
    plan_date: '2026-12-01',
    open: 100,
    amount: share,
  }))

/** The payment form with 100 proposed and spread, and what it posts. */
async function opened() {
  const posted: JsonObject[] = []
  const world = memoryWorld({
    server: ({ method, url, body }) => {
      if (method === 'POST') posted.push(body as JsonObject)
      const amount = Number(/amount=([\d.]+)/.exec(url)?.[1] ?? 100)
      const data: Json = url.includes('/propose')
        ? { shares: spread(amount) }
        : { id: 'p1', record: { id: 'k1' } }
      return { meta: { code: 200 }, data }
    },
  })
  const params = { contractId: 'k1' }
  const engine = createEngine({ page: FORM, registry, ports: world.ports, params, user: {} })
  await engine.pageEvent('load')
  const type = (values: JsonObject) => {
    for (const [name, value] of Object.entries(values)) engine.input(engine.find(name) ?? name, value ?? null)
  }
  type({ contract_id: 'k1', amount: 100, paid_at: '2026-11-02', method: 'bank' })
  await engine.refresh('proposal')
  expect(engine.values().shares).toMatchObject([{ amount: 100 }, { amount: 0 }])
  return { engine, posted, type }
}

it.each([160, 60])(
  'a payment of %d that is saved before it is spread is left to the server',
  async (amount) => {
    const { engine, posted, type } = await opened()

    type({ amount })
    await engine.event('save', 'click')

    expect(posted).toMatchObject([{ amount, shares: null }])
  },
)

it('a split made by hand is posted as it is, and not above the amount', async () => {
  const { engine, posted, type } = await opened()
  const [first] = engine.node(engine.find('shares') ?? '').rows ?? []
  const share = first?.children.find((key) => engine.node(key).node.name === 'amount') ?? ''

  engine.input(share, 80)
  type({ amount: 70 })
  await engine.event('save', 'click')
  expect(posted).toEqual([])

  type({ amount: 90 })
  await engine.event('save', 'click')
  expect(posted).toMatchObject([
    {
      amount: 90,
      shares: [
        { plan_id: 'l1', amount: 80 },
        { plan_id: 'l2', amount: 0 },
      ],
    },
  ])
})
