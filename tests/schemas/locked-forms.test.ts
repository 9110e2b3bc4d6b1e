import { expect, it } from 'vitest'
import { createEngine } from '../../runtime/core/create-engine.ts'
import type { Json } from '../../runtime/core/json.ts'
import { parsePage } from '../../runtime/core/parse-page.ts'
import { registry } from '../support/a-page.ts'
import { memoryWorld } from '../support/memory-ports.ts'
import { readProduct } from './product-pages.ts'

const { pages } = await readProduct()

/** Whether the form says that its record cannot be changed now. */
async function saysLocked(path: string, data: Json): Promise<boolean> {
  const parsed = parsePage(pages.find((page) => page.path === path)?.document ?? {}, { registry })
  if (!parsed.ok) throw new Error(`${path} cannot be opened`)
  const world = memoryWorld({ server: () => ({ meta: { code: 200 }, data }) })
  const engine = createEngine({ page: parsed.page, registry, ports: world.ports, params: { id: 'k1' } })
  engine.setData('detail', data)
  return !engine.hidden(engine.find('locked') ?? '')
}

it.each(['/pages/contract/add', '/pages/contract/payment/add'])(
  '%s says before anything is filled in that its record cannot be changed now',
  async (path) => {
    const record = { id: 'k1', approval_status: 1 }

    expect(await saysLocked(path, { record, actions: ['withdraw'] })).toBe(true)
    expect(await saysLocked(path, { record, actions: ['edit', 'submit'] })).toBe(false)
    expect(await saysLocked(path, null)).toBe(false)
  },
)
