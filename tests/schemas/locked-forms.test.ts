import { expect, it } from 'vitest'
import { createEngine } from '../../runtime/core/create-engine.ts'
import type { Json } from '../../runtime/core/json.ts'
import { registry } from '../support/a-page.ts'
import { memoryWorld } from '../support/memory-ports.ts'
import { pageAt, readProduct } from './product-pages.ts'

const product = await readProduct()

/** Whether the form says that its record cannot be changed now. */
function saysLocked(path: string, data: Json): boolean {
  const opened = pageAt(product, path)
  const world = memoryWorld({ server: () => ({ meta: { code: 200 }, data }) })
  const engine = createEngine({ page: opened, registry, ports: world.ports, params: { id: 'k1' } })
  engine.setData('detail', data)
  return !engine.hidden(engine.find('locked') ?? '')
}

it.each(['/pages/contract/add', '/pages/contract/payment/add'])(
  '%s says before anything is filled in that its record cannot be changed now',
  (path) => {
    const record = { id: 'k1', approval_status: 1 }

    expect(saysLocked(path, { record, actions: ['withdraw'] })).toBe(true)
    expect(saysLocked(path, { record, actions: ['edit', 'submit'] })).toBe(false)
    expect(saysLocked(path, null)).toBe(false)
  },
)
