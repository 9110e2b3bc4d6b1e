import { createEngine } from '../../../runtime/core/create-engine.ts'
import type { Engine } from '../../../runtime/core/engine.ts'
import type { Problem } from '../../../runtime/core/errors.ts'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import type { PageNode } from '../../../runtime/core/page/page.ts'
import { parsePage } from '../../../runtime/core/parse-page.ts'
import type { Ports, ScriptReport } from '../../../runtime/core/ports.ts'
import { preparePage } from '../../../runtime/react/page-view.tsx'
import type { ViewRegistry } from '../../../runtime/react/view-registry.ts'
import { type Expansions, type Resolved, resolvePage } from './resolve-page.ts'

/** A draft as the runtime has it. */
export interface Drawn {
  readonly document: Json
  readonly resolved: Resolved
  /** Null while the draft does not open as a page. */
  readonly engine: Engine | null
  readonly problems: readonly Problem[]
}

export interface DrawOptions {
  readonly expansions: Expansions
  readonly outer: Engine
  readonly views: ViewRegistry
  readonly ports: Ports
  readonly params: JsonObject
  readonly onReport: (report: ScriptReport) => void
}

/** Opens a draft as a page, with what was typed and loaded in the draft before it. */
export function openDraft(document: Json, before: Engine | null, options: DrawOptions): Drawn {
  const { outer, ports, params } = options
  const resolved = resolvePage(document, options.expansions)
  const parsed = parsePage(resolved.document, { registry: outer.registry })
  if (!parsed.ok) return { document, resolved, engine: null, problems: parsed.problems }
  const { user, dict } = outer.scope()
  const engine = createEngine({
    page: parsed.page,
    registry: outer.registry,
    ports,
    params,
    user,
    dict,
    ...(before === null ? {} : { draft: before.draft() }),
  })
  for (const [name, value] of Object.entries(before?.scope().data ?? {}))
    if (value !== undefined) engine.setData(name, value)
  engine.onReport(options.onReport)
  return { document, resolved, engine, problems: parsed.warnings }
}

/** Fetches what the draft is drawn with. */
export const prepared = ({ engine }: Drawn, views: ViewRegistry): Promise<void> =>
  (engine === null ? null : preparePage(engine.page, views)) ?? Promise.resolve()

/** The nodes that an item of the document is drawn as: itself, or what a reference stands for. */
export function nodesOf({ engine, resolved }: Drawn, key: string): readonly PageNode[] {
  if (engine === null) return []
  const { nodes } = engine.page
  const own = [...nodes.values()].filter((node) => resolved.keyAt(node.pointer) === key)
  const keys = new Set(own.map((node) => node.key))
  return own.filter((node) => node.parent === null || !keys.has(node.parent))
}
