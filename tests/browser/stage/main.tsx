import { createRoot, type Root } from 'react-dom/client'
import { createEngine } from '../../../runtime/core/create-engine.ts'
import type { Engine } from '../../../runtime/core/engine.ts'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { parsePage } from '../../../runtime/core/parse-page.ts'
import { createRegistry } from '../../../runtime/core/widgets/index.ts'
import { PageView, preparePage } from '../../../runtime/react/page/page-view.tsx'
import { createWidgetViews } from '../../../runtime/react/widgets/index.ts'
import { type StageWorld, stagePorts } from './ports.ts'
import './stage.css'

/** The interface the tests drive: one page at a time, with ports defined by the test. */
export interface Stage {
  /** Opens a page; resolves after its first frame. */
  open(document: JsonObject, world?: StageWorld): Promise<void>
  engine(): Engine
  /** Renders of each widget since the last call, by key. */
  draws(): Record<string, number>
  /** Calls of the page to its ports: toasts, questions, navigation, requests. */
  asked(): readonly (readonly Json[])[]
  reveal(address: string): Promise<void>
}

declare global {
  interface Window {
    stage: Stage
  }
}

const registry = createRegistry()
const views = createWidgetViews()
registry.register({ type: 'broken', kind: 'static', options: {}, events: [] })
views.register('broken', () => {
  throw new Error('broken on purpose')
})

let root: Root | null = null
let engine: Engine | null = null
let draws: Record<string, number> = {}
let asked: (readonly Json[])[] = []

window.stage = {
  async open(document, world = {}) {
    root?.unmount()
    engine?.dispose()
    draws = {}
    asked = []
    const parsed = parsePage(document, { registry })
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
    engine = createEngine({
      page: parsed.page,
      registry,
      ports: stagePorts(world, (...call) => asked.push(call)),
      params: world.params ?? {},
      user: world.user ?? {},
      dict: world.dict ?? {},
      values: world.values ?? {},
    })
    for (const [name, value] of Object.entries(world.data ?? {})) engine.setData(name, value ?? null)
    if (world.readMode) engine.setReadMode(true)
    await preparePage(parsed.page, views)
    root = createRoot(window.document.querySelector('#root') as Element)
    root.render(
      <PageView
        engine={engine}
        views={views}
        onDraw={(key) => {
          draws[key] = (draws[key] ?? 0) + 1
        }}
      />,
    )
    await engine.pageEvent('load')
    await frame()
    await frame()
  },
  engine() {
    if (engine === null) throw new Error('no page is open')
    return engine
  },
  draws() {
    const counted = draws
    draws = {}
    return counted
  },
  asked: () => asked,
  reveal: (address) => window.stage.engine().reveal(address),
}

const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
