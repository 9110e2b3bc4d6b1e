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

describe('an open page of which a new version comes', () => {
  it('keeps the tab that the user opened and the groups they folded; what they did not touch is as the new version says', async () => {
    const app = await opened(tabbed({ title: '旧', folded: false, expand: true }))
    app.set('parts', 'active', 'files')
    app.set('more', 'folded', true)

    await app.become(tabbed({ title: '新', folded: false, expand: false }))

    expect(app.options('parts').active).toBe('files')
    expect(app.options('more')).toMatchObject({ label: '新', folded: true })
    expect(app.options('last').expand).toBe(false)
  })

  it('does not apply that to a widget of another type with the same name', async () => {
    const app = await opened(tabbed({ title: '旧', folded: false, expand: true }))
    app.set('more', 'folded', true)

    await app.become(pageOf(['more', '备注']))

    expect(app.options('more').folded).toBeUndefined()
  })
})

describe('an open page whose form is being sent', () => {
  it('reports that it is left, with the answer and where it is by then', async () => {
    const form = (): Json => ({
      formConfig: {
        layoutType: 'H5',
        jsonVersion: -3,
        page: { title: '工单' },
        dataSources: [{ uniqueName: 'save', requestURL: '/save', requestMethod: 'post' }],
      },
      widgetList: [
        { type: 'input', formItemFlag: true, options: { name: 'title', label: '标题' } },
        {
          type: 'button',
          options: { name: 'go', label: '保存', on: { click: [{ do: 'submit', dsName: 'save' }] } },
        },
      ],
    })
    const app = await opened(form())
    app.type('title', '打印机')
    app.page.setVisible(true)
    app.page.setVisible(false)
    expect(app.left).toEqual([])

    app.page.setVisible(true)
    void app.press('go')
    app.page.setVisible(false)
    const [left] = app.left
    expect([app.left.length, left?.at()]).toEqual([1, 'covered'])
    app.page.setVisible(true)
    expect(left?.at()).toBe('visible')
    await app.page.close()

    expect(left?.at()).toBe('closed')
    expect(await left?.sending).toMatchObject({ ok: true })
  })
})

/** Tabs `parts` with panes `facts` and `files`, a group `more`, a panel `last`. */
function tabbed({ title, folded, expand }: { title: string; folded: boolean; expand: boolean }): Json {
  const pane = (name: string) => ({ type: 'tab-pane', options: { name, label: name }, widgetList: [] })
  return {
    formConfig: { layoutType: 'H5', jsonVersion: -3, page: { title: '工单', draft: false } },
    widgetList: [
      { type: 'tab', options: { name: 'parts' }, tabs: [pane('facts'), pane('files')] },
      { type: 'cell-group', options: { name: 'more', label: title, folded }, widgetList: [] },
      {
        type: 'collapse',
        options: { name: 'panels' },
        widgetList: [{ type: 'collapse-item', options: { name: 'last', expand }, widgetList: [] }],
      },
    ],
  }
}

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
  const left: { sending: Promise<unknown>; at: () => string }[] = []
  const { ports } = memoryWorld()
  const page = openPage({
    entry: { id: 'one', index: 0, tab: false, path: PATH, query: {} },
    path: PATH,
    source,
    drafts: {
      take: async () => undefined,
      remove: async () => {},
      of: async () => [],
    },
    clock: fakeClock(),
    owner: 'a:u1',
    context: createStore({ user: {}, dict: {} }),
    createEngine: ({ onAway: _, ...options }) => createEngine({ ...options, registry, ports }),
    waiting: { draft: async () => undefined, release: () => {} },
    onReport: () => {},
    onLeftSending: (one) => void left.push(one),
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
    page,
    told,
    left,
    press: (name: string) => engine().event(engine().find(name) ?? '', 'click'),
    values: () => engine().values(),
    type: (name: string, value: string) => engine().input(engine().find(name) ?? '', value),
    set: (name: string, option: string, value: Json) =>
      engine().setOption(engine().find(name) ?? '', option, value),
    options: (name: string) => engine().node(engine().find(name) ?? '').options,
    async become(next: Json) {
      const before = engine()
      document = next
      await source.load(PATH)
      await expect.poll(engine).not.toBe(before)
    },
  }
}
