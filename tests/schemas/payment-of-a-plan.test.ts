import { expect, it } from 'vitest'
import { createEngine } from '../../runtime/core/create-engine.ts'
import type { Json, JsonObject } from '../../runtime/core/json.ts'
import { rightsInRules } from '../../src/contract/field-rights.ts'
import { registry } from '../support/a-page.ts'
import { memoryWorld } from '../support/memory-ports.ts'
import { pageAt, readProduct } from './product-pages.ts'

const FORM = pageAt(await readProduct(), '/pages/contract/payment/add')

/** The body sent when the payment form, opened with these parameters, is saved by somebody who is proposed no assignment to plans. */
async function posted(params: Record<string, string>, rights: JsonObject = {}): Promise<Json | undefined> {
  const bodies: (Json | undefined)[] = []
  const world = memoryWorld({
    server: ({ method, body }) => {
      if (method === 'POST') bodies.push(body)
      const data: JsonObject = method === 'POST' ? { id: 'p1' } : { record: { id: 'k1' } }
      return { meta: { code: 200 }, data }
    },
  })
  const engine = createEngine({
    page: FORM,
    registry,
    ports: world.ports,
    params,
    user: { fieldRights: rights },
  })
  await engine.pageEvent('load')
  const values = { contract_id: 'k1', amount: 5, paid_at: '2026-11-02', method: 'bank' }
  for (const [name, value] of Object.entries(values)) engine.input(engine.find(name) ?? name, value)
  await engine.event('save', 'click')
  return bodies[0]
}

it('a payment that begins at a plan is of this plan, also for who sees no amounts of plans', async () => {
  expect(await posted({ contractId: 'k1', planId: 'second' })).toMatchObject({
    contract_id: 'k1',
    plan_id: 'second',
  })
  const kept = await posted(
    { contractId: 'k1', planId: 'second' },
    rightsInRules({ payment: { plan_id: 'read' } }) as JsonObject,
  )
  expect(kept).toMatchObject({ contract_id: 'k1', amount: 5 })
  expect(kept).not.toHaveProperty('plan_id')
  expect(await posted({ contractId: 'k1' })).not.toHaveProperty('plan_id', expect.anything())
})
