import { expect, it } from 'vitest'
import { createEngine } from '../../runtime/core/create-engine.ts'
import type { JsonObject } from '../../runtime/core/json.ts'
import { parsePage } from '../../runtime/core/parse-page.ts'
import { registry } from '../support/a-page.ts'
import { memoryWorld } from '../support/memory-ports.ts'
import { readProduct } from './product-pages.ts'

const { pages } = await readProduct()
const documentOf = (path: string) => pages.find((page) => page.path === path)?.document ?? {}

/** The texts shown by the named widgets of a page. */
async function shown(path: string, names: readonly string[], user: JsonObject): Promise<readonly string[]> {
  const parsed = parsePage(documentOf(path), { registry })
  if (!parsed.ok) throw new Error(`${path} cannot be opened`)
  const engine = createEngine({ page: parsed.page, registry, ports: memoryWorld().ports, user })
  return names.flatMap((name) => {
    const state = engine.node(engine.find(name) ?? name)
    return state.hidden ? [] : [String(state.options.textContent)]
  })
}

it.each([
  ['销售一部', '经理', ['星海科技 · 销售一部'], ['销售一部 · 经理']],
  ['', '经理', ['星海科技'], ['经理']],
  ['销售一部', '', ['星海科技 · 销售一部'], ['销售一部']],
  ['', '', ['星海科技'], []],
])(
  'a person of department "%s" and position "%s" is told without a lone mark',
  async (dept, position, atHome, atMine) => {
    const user = { name: '欧阳', dept, position, tenant: { name: '星海科技' } }

    expect(await shown('/pages/index', ['firm', 'firmAlone'], user)).toEqual(atHome)
    expect(await shown('/pages/my/index', ['position', 'place'], user)).toEqual(atMine)
  },
)
