import { createRoot } from 'react-dom/client'
import { createEngine } from '../core/create-engine.ts'
import type { Engine, FieldError } from '../core/engine.ts'
import type { Problem } from '../core/errors.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { WidgetRegistry } from '../core/page/widget-spec.ts'
import { parsePage } from '../core/parse-page.ts'
import type { Ports } from '../core/ports.ts'
import { createRegistry } from '../core/widgets/index.ts'
import { PageView, preparePage } from '../react/page/page-view.tsx'
import type { ViewRegistry } from '../react/page/view-registry.ts'
import { createWidgetViews } from '../react/widgets/index.ts'

export interface MountOptions {
  readonly ports: Ports
  /** Default: the whole catalogue. A guest's widget is registered in both, by one type. */
  readonly registry?: WidgetRegistry
  readonly views?: ViewRegistry
  /** Initial values by field name. */
  readonly values?: JsonObject
  /** What `$params` and `$user` of the page read. */
  readonly params?: JsonObject
  readonly user?: JsonObject
}

/** A page on the screen. */
export interface MountedPage {
  readonly engine: Engine
  /** Shows all messages. @returns the values, or what is wrong with them in document order */
  submit(): Promise<
    | { readonly ok: true; readonly values: JsonObject }
    | { readonly ok: false; readonly errors: readonly FieldError[] }
  >
  /** Takes the page off the screen and ends its worker. */
  unmount(): void
}

/** A page that could not be opened: every fault of the document at once. */
export class PageInvalid extends Error {
  constructor(readonly problems: readonly Problem[]) {
    super(problems.map(({ code, at, message }) => `${code} at ${at}: ${message}`).join('\n'))
    this.name = 'PageInvalid'
  }
}

/**
 * Opens a page document in an element; resolves when its views are there and its `load` event has run.
 *
 * @param document  a vform page, or a document exported by VForm
 * @throws PageInvalid when it cannot be opened; what VForm has and we do not is no such fault (`parsePage` answers it as warnings)
 */
export async function mountPage(
  document: Json,
  element: HTMLElement,
  { registry = createRegistry(), views = createWidgetViews(), ...options }: MountOptions,
): Promise<MountedPage> {
  const parsed = parsePage(document, { registry })
  if (!parsed.ok) throw new PageInvalid(parsed.problems)
  const engine = createEngine({ ...options, page: parsed.page, registry })
  await preparePage(parsed.page, views)
  const root = createRoot(element)
  root.render(<PageView engine={engine} views={views} />)
  await engine.pageEvent('load')
  return {
    engine,
    async submit() {
      const errors = await engine.validate()
      return errors.length === 0 ? { ok: true, values: engine.values() } : { ok: false, errors }
    },
    unmount() {
      root.unmount()
      engine.dispose()
    },
  }
}
