import { createEngine } from '../../../runtime/core/create-engine.ts'
import type { Engine } from '../../../runtime/core/engine.ts'
import type { Problem } from '../../../runtime/core/errors.ts'
import type { Json } from '../../../runtime/core/json.ts'
import type { PageNode } from '../../../runtime/core/page/page.ts'
import { parsePage } from '../../../runtime/core/parse-page.ts'
import type { Ports, ScriptReport } from '../../../runtime/core/ports.ts'
import { preparePage } from '../../../runtime/react/page/page-view.tsx'
import type { ViewRegistry } from '../../../runtime/react/page/view-registry.ts'
import type { Look } from './look.ts'
import { type Expansions, type Resolved, resolvePage } from './resolve-page.ts'

/** A draft as drawn by the runtime. */
export interface Drawn {
  readonly document: Json
  readonly resolved: Resolved
  /** Null while the draft cannot be opened as a page. */
  readonly engine: Engine | null
  readonly problems: readonly Problem[]
}

export interface DrawOptions {
  readonly expansions: Expansions
  readonly outer: Engine
  readonly views: ViewRegistry
  readonly ports: Ports
  readonly look: Pick<Look, 'params' | 'role' | 'language'>
  readonly onReport: (report: ScriptReport) => void
}

/** Opens a draft as a page, with the values typed and loaded in the previous draft. */
export function openDraft(document: Json, before: Engine | null, options: DrawOptions): Drawn {
  const { outer, ports, look } = options
  const { params, role, language } = look
  const resolved = resolvePage(document, options.expansions)
  const parsed = parsePage(resolved.document, {
    registry: outer.registry,
    ...(language === '' ? {} : { language }),
  })
  if (!parsed.ok) return { document, resolved, engine: null, problems: parsed.problems }
  const { user, dict } = outer.scope()
  const engine = createEngine({
    page: parsed.page,
    registry: outer.registry,
    ports,
    params,
    user:
      role === null ? user : { ...user, permissions: [...role.permissions], fieldRights: role.fieldRights },
    dict,
    ...(before === null ? {} : { draft: before.typed() }),
  })
  for (const [name, value] of Object.entries(before?.scope().data ?? {}))
    if (value !== undefined) engine.setData(name, value)
  engine.onReport(options.onReport)
  return { document, resolved, engine, problems: parsed.warnings }
}

/** Loads the modules for drawing the draft. */
export const prepared = ({ engine }: Drawn, views: ViewRegistry): Promise<void> =>
  (engine === null ? null : preparePage(engine.page, views)) ?? Promise.resolve()

const byItem = new WeakMap<Drawn, ReadonlyMap<string, readonly PageNode[]>>()

/** The nodes for an item of the document: itself, or the replacement of a reference. */
export function nodesOf(drawn: Drawn, key: string): readonly PageNode[] {
  const nodes = byItem.get(drawn) ?? nodesByItem(drawn)
  byItem.set(drawn, nodes)
  return nodes.get(key) ?? []
}

/** The node that an item is: its only one, or, of a field with what stands beside it, the one of its name; undefined for a fragment of several. */
export const mainNode = <Node extends Pick<PageNode, 'name'>>(
  nodes: readonly Node[],
  name: string,
): Node | undefined => (nodes.length === 1 ? nodes[0] : nodes.find((node) => node.name === name))

function nodesByItem({ engine, resolved }: Drawn): ReadonlyMap<string, readonly PageNode[]> {
  const keyOf = new Map<string, string>()
  const items = new Map<string, PageNode[]>()
  for (const node of engine?.page.nodes.values() ?? []) {
    const key = resolved.keyAt(node.pointer)
    if (key === undefined) continue
    keyOf.set(node.key, key)
    // A node inside one of them is a part of it.
    if (node.parent !== null && keyOf.get(node.parent) === key) continue
    items.set(key, [...(items.get(key) ?? []), node])
  }
  return items
}
