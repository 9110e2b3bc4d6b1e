import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../runtime/core/create-engine.ts'
import type { Json } from '../../../runtime/core/json.ts'
import { parsePage } from '../../../runtime/core/parse-page.ts'
import { createRegistry } from '../../../runtime/core/widgets/index.ts'
import { openPage } from '../../../src/app/pages/open-page.ts'
import { createPageSource } from '../../../src/app/pages/page-source.ts'
import { createStore } from '../../../src/app/store.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { memoryWorld } from '../../support/memory-ports.ts'
import { memoryStorage } from '../../support/memory-storage.ts'

const PATH = '/pages/m/ticket/index'
const registry = createRegistry()

const pageOf = (...fields: readonly (readonly [name: string, label: string])[]): Json => ({
  formConfig: { layoutType: 'H5', jsonVersion: -3, page: { title: '工单', draft: false } },
  widgetList: fields.map(([name, label]) => ({
    type: 'input',
    formItemFlag: true,
    options: { name, label },
  })),
})

describe('an open page whose fields change', () => {
  it('keeps the input of fields that still exist, and reports the removed fields that had input', async () => {
    const app = await opened(pageOf(['keyword', '搜索'], ['f_town', '城镇'], ['f_note', '备注']))
    app.type('keyword', '打印机')
    app.type('f_town', '青岛')

    await app.become(pageOf(['keyword', '搜索'], ['f_note', '备注']))
    await app.become(pageOf(['keyword', '搜索']))

    expect(app.told).toEqual([['城镇']])
    expect(app.values()).toEqual({ keyword: '打印机' })
  })
})

async function opened(first: Json) {
  let document = first
  const source = createPageSource({
    now: () => 0,
    heardSince: () => null,
    storage: memoryStorage(),
    owner: () => 'a:u1',
    url: '/page',
    bundleUrl: '/bundle',
    timeoutMs: 60_000,
    http: {
      send: async () => ({ ok: true, value: { status: 200, headers: {}, data: document } }),
      upload: async () => ({ ok: false, error: { code: 'NETWORK', message: '' } }),
    },
    parse: (written) => {
      const parsed = parsePage(written, { registry })
      return parsed.ok ? { page: parsed.page, problems: [] } : { page: null, problems: parsed.problems }
    },
  })
  await source.load(PATH)
  const told: (readonly string[])[] = []
  const { ports } = memoryWorld()
  const page = openPage({
    entry: { id: 'one', index: 0, tab: false, path: PATH, query: {} },
    path: PATH,
    source,
    drafts: {
      read: async () => undefined,
      remove: async () => {},
      of: async () => [],
      watch: () => null as never,
    },
    clock: fakeClock(),
    owner: 'a:u1',
    context: createStore({ user: {}, dict: {} }),
    createEngine: ({ onAway: _, ...options }) => createEngine({ ...options, registry, ports }),
    waiting: { draft: async () => undefined, release: () => {} },
    onReport: () => {},
    onFieldsGone: (labels) => told.push(labels),
    prepare: () => null,
  })
  const engine = () => {
    const found = page.state.get().engine
    if (found === null) throw new Error('the page is not there yet')
    return found
  }
  await expect.poll(() => page.state.get().engine).not.toBeNull()
  return {
    told,
    values: () => engine().values(),
    type: (name: string, value: string) => engine().input(engine().find(name) ?? '', value),
    async become(next: Json) {
      const before = engine()
      document = next
      await source.load(PATH)
      await expect.poll(engine).not.toBe(before)
    },
  }
}
