import { type Problem, problem } from '../errors.ts'
import { dependenciesOf } from '../logic/rule.ts'
import type { NodeKey, Page, PageNode } from '../page/page.ts'
import type { PageCheck, Placing } from '../page/parse.ts'

/**
 * Rules that depend on each other. Values computed from each other have no result: an error. Fields that show, require or lock each other have a
 * result that is hard to predict: a warning; a field whose own value decides about it is common and accepted.
 */
export const checkCycles: PageCheck = (page, placing) => {
  const computed = findCycles(edgesOf(page, ['valueOn', 'defaultOn'], true))
  const others = findCycles(edgesOf(page, ['visibleOn', 'valueOn', 'defaultOn'], false))
  const known = new Set(computed.flat())
  return [
    ...computed.map((cycle) => report(cycle, 'error', page, placing)),
    ...others
      .filter((cycle) => !cycle.some((key) => known.has(key)))
      .map((cycle) => report(cycle, 'warning', page, placing)),
  ]
}

type Edges = ReadonlyMap<NodeKey, readonly NodeKey[]>

function edgesOf(page: Page, rules: readonly string[], loops: boolean): Edges {
  const edges = new Map<NodeKey, readonly NodeKey[]>()
  const parts = new Map<NodeKey, NodeKey[]>()
  for (const node of page.nodes.values()) {
    if (node.subForm === null || !node.field) continue
    const fields = parts.get(node.subForm)
    if (fields) fields.push(node.key)
    else parts.set(node.subForm, [node.key])
  }
  for (const node of page.nodes.values()) {
    if (node.special.length === 0) continue
    const paths = rules.flatMap((rule) => dependenciesOf(node.widget.options?.[rule]))
    if (paths.length === 0) continue
    const read = paths
      .flatMap((path) => namedBy(path, node, page))
      .flatMap((key) => [key, ...(parts.get(key) ?? [])])
    edges.set(
      node.key,
      [...new Set(read)].filter((key) => loops || key !== node.key),
    )
  }
  return edges
}

/** The field a path reads: by name in the form, among its neighbours in a row. */
function namedBy(path: string, node: PageNode, page: Page): readonly NodeKey[] {
  const [root, name = ''] = path.split('.')
  if (root === 'form') return page.byName.has(name) ? [page.byName.get(name) ?? ''] : []
  if (root !== 'row' || node.subForm === null) return []
  for (const other of page.nodes.values()) {
    if (other.name === name && other.subForm === node.subForm) return [other.key]
  }
  return []
}

/** Each cycle once, starting with its first node in document order. Iterative, because a long chain must not overflow the stack. */
function findCycles(edges: Edges): NodeKey[][] {
  const cycles: NodeKey[][] = []
  const done = new Set<NodeKey>()
  for (const start of edges.keys()) {
    const path: { readonly key: NodeKey; next: number }[] = [{ key: start, next: 0 }]
    const open = new Set([start])
    while (path.length > 0) {
      const top = path[path.length - 1]
      if (top === undefined) break
      const key = done.has(top.key) ? undefined : edges.get(top.key)?.[top.next]
      top.next += 1
      if (key === undefined) {
        done.add(top.key)
        open.delete(top.key)
        path.pop()
      } else if (open.has(key)) {
        cycles.push(path.slice(path.findIndex((step) => step.key === key)).map((step) => step.key))
      } else if (!done.has(key)) {
        path.push({ key, next: 0 })
        open.add(key)
      }
    }
  }
  return cycles
}

function report(
  cycle: readonly NodeKey[],
  severity: Problem['severity'],
  page: Page,
  placing: Placing,
): Problem {
  const [first = ''] = cycle
  const node = page.nodes.get(first)
  const names = [...cycle, first].map((key) => page.nodes.get(key)?.name || key)
  const rule =
    ['valueOn', 'defaultOn'].find((one) => node?.widget.options?.[one] !== undefined) ?? 'visibleOn'
  const at = node === undefined ? '' : placing.at(node, `/options/${rule}`)
  return problem('RULE_CYCLE', at, { path: names.join(' → ') }, severity)
}
