import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { createEngine } from '../../runtime/core/create-engine.ts'
import type { Engine } from '../../runtime/core/engine.ts'
import type { JsonObject } from '../../runtime/core/json.ts'
import { parsePage } from '../../runtime/core/parse-page.ts'
import { createRegistry } from '../../runtime/core/widgets/index.ts'
import { PageView } from '../../runtime/react/page/page-view.tsx'
import { createWidgetViews } from '../../runtime/react/widgets/index.ts'
import { benchPorts } from './ports.ts'
import './bench.css'

/** The interface that the benchmark calls (bench-peers "The contract"). */
interface Bench {
  /** Opens a form; resolves once it is drawn. A second call replaces the first form. */
  mountForm(document: JsonObject, element: HTMLElement, formData?: JsonObject): Promise<void>
  /** Shows all messages; resolves with their number. */
  validateForm(): Promise<number>
  getFormData(): JsonObject
  /** Only what is near the viewport is mounted: scrolls to a field. `row` counts from 0. */
  revealField(name: string, row?: number): Promise<void>
  readonly benchOptions: { readonly textEvent: 'onInput' }
}

declare global {
  interface Window extends Bench {}
}

const registry = createRegistry()
const views = createWidgetViews()
/* The app loads such views after its first page; none of them is part of a mount. */
void views.prepare(['sub-form', 'number', 'select', 'switch', 'date', 'textarea'])
let root: Root | null = null
let engine: Engine | null = null

function opened(): Engine {
  if (engine === null) throw new Error('mountForm comes first')
  return engine
}

const bench: Bench = {
  async mountForm(document, element, formData = {}) {
    root?.unmount()
    engine?.dispose()
    const parsed = parsePage(document, { registry })
    if (!parsed.ok) throw new Error(parsed.problems.map((one) => `${one.code} at ${one.at}`).join('\n'))
    const next = createEngine({ page: parsed.page, registry, ports: benchPorts, values: formData })
    engine = next
    await views.prepare(Array.from(parsed.page.nodes.values(), (node) => node.type))
    const made = createRoot(element)
    root = made
    flushSync(() => made.render(<PageView engine={next} views={views} />))
  },
  validateForm: async () => (await opened().validate()).length,
  getFormData: () => opened().values(),
  async revealField(name, row) {
    await opened().reveal(row === undefined ? name : rowAddress(opened(), name, row))
  },
  benchOptions: { textEvent: 'onInput' },
}
Object.assign(window, bench)

/** The address of a field in a sub-form: `subForm.row.name`. */
function rowAddress(from: Engine, name: string, row: number): string {
  const node = [...from.page.nodes.values()].find((one) => one.name === name && one.subForm !== null)
  const subForm = node?.subForm === null || node === undefined ? undefined : from.page.nodes.get(node.subForm)
  return subForm === undefined ? name : `${subForm.name}.${row}.${name}`
}
