import { type Json, listOf, ownValue } from '../json.ts'
import { dependenciesOf } from '../logic/rule.ts'
import type { NodeKey, Page, PageNode } from '../page/page.ts'
import { RULE_OPTIONS } from '../page/rule-options.ts'
import type { WidgetSpec } from '../page/widget-spec.ts'
import { pathsOf, readsDictionary } from '../text/template.ts'
import { hasRules } from './items.ts'

/**
 * The dependencies of a page, found in the rules and texts themselves, never by evaluation. A dependency is named `form.<field>`, `row.<field>`,
 * `data.<name>`, `params`, `user`, `dict`; `form`, `row` and `data` alone mean any of theirs.
 */
export interface Graph {
  /** Nodes to be updated when that dependency changes. */
  readonly readers: ReadonlyMap<string, readonly NodeKey[]>
  /** Computed nodes in an order in which each comes after those it reads. */
  readonly rank: ReadonlyMap<NodeKey, number>
  /** Options of a node with `{{ }}` placeholders. */
  readonly texts: ReadonlyMap<NodeKey, readonly string[]>
  /** Cycles of computed nodes, by name; a page with one cannot be opened. */
  readonly cycles: readonly (readonly NodeKey[])[]
}

const graphs = new WeakMap<Page, Graph>()

/** The page's graph; built once per page. */
export function graphOf(page: Page): Graph {
  const known = graphs.get(page)
  if (known) return known
  const graph = buildGraph(page)
  graphs.set(page, graph)
  return graph
}

function buildGraph(page: Page): Graph {
  const readers = new Map<string, NodeKey[]>()
  const texts = new Map<NodeKey, readonly string[]>()
  for (const node of page.nodes.values()) {
    const places = placesOf(node)
    if (places.length > 0) texts.set(node.key, places)
    else if (!node.special.some(isReading) && !hasRuledItems(node)) continue
    for (const dependency of readsOf(node, places)) {
      const list = readers.get(dependency)
      if (list) list.push(node.key)
      else readers.set(dependency, [node.key])
    }
  }
  return { readers, texts, ...order(page) }
}

const READING: ReadonlySet<string> = new Set([...RULE_OPTIONS, 'bind', 'dict'])
const isReading = (option: string): boolean => READING.has(option)
const isWorking = (option: string): boolean => option === 'valueOn' || option === 'defaultOn'

/** Choices with rules for their visibility. */
const hasRuledItems = (node: PageNode): boolean =>
  node.special.includes('optionItems') && hasRules(listOf(node.option('optionItems')))

const NO_PLACES: readonly string[] = []

/** Options of a node with placeholders, including the defaults of its spec. */
function placesOf(node: PageNode): readonly string[] {
  const byDefault = defaultPlaces(node.spec)
  const holds = (name: string) => isText(node.option(name))
  if (byDefault.length > 0) return [...new Set([...byDefault, ...node.special])].filter(holds)
  return node.special.some(holds) ? node.special.filter(holds) : NO_PLACES
}

const defaultTexts = new WeakMap<WidgetSpec, readonly string[]>()

function defaultPlaces(spec: WidgetSpec): readonly string[] {
  const known = defaultTexts.get(spec)
  if (known) return known
  const found = Object.keys(spec.options).filter((name) => isText(spec.options[name]?.default))
  defaultTexts.set(spec, found)
  return found
}

const isText = (value: Json | undefined): value is string => typeof value === 'string' && value.includes('{{')

function readsOf(node: PageNode, places: readonly string[]): ReadonlySet<string> {
  const paths: string[] = []
  for (const option of RULE_OPTIONS) {
    const rule = node.option(option)
    if (rule !== undefined && rule !== null) paths.push(...dependenciesOf(rule))
  }
  if (hasRuledItems(node))
    for (const item of listOf(node.option('optionItems')))
      paths.push(...dependenciesOf(ownValue(item, 'visibleOn') ?? null))
  for (const option of places) paths.push(...pathsOf(node.option(option) as string))
  const bind = node.option('bind')
  if (typeof bind === 'string') paths.push(bind)
  if (
    typeof node.option('dict') === 'string' ||
    places.some((name) => readsDictionary(node.option(name) as string))
  )
    paths.push('dict')
  return new Set(paths.map(dependencyOf))
}

/** `form.a.b` → `form.a`; `user.permissions` → `user`; a path without a known root is a field's. */
function dependencyOf(path: string): string {
  const [root = '', name] = path.split('.')
  switch (root) {
    case 'form':
    case 'row':
    case 'data':
      return name === undefined ? root : `${root}.${name}`
    case 'params':
    case 'user':
    case 'dict':
    case 'result':
    case 'error':
    case 'args':
      return root
    default:
      return `form.${root}`
  }
}

/** Depth-first order of the computed nodes; meeting a node again on its own path is a cycle. */
function order(page: Page): Pick<Graph, 'rank' | 'cycles'> {
  const computed = new Map<string, PageNode[]>()
  const nodes = [...page.nodes.values()].filter((node) => node.special.some(isWorking))
  for (const node of nodes) {
    for (const dependency of dependenciesGiven(page, node)) {
      const list = computed.get(dependency)
      if (list) list.push(node)
      else computed.set(dependency, [node])
    }
  }
  const reads = (node: PageNode): PageNode[] =>
    dependenciesOf((node.options.valueOn ?? node.options.defaultOn) as Json).flatMap((path) => {
      const dependency = dependencyOf(path)
      const named = dependency.startsWith('row.') ? `${dependency}@${node.subForm ?? ''}` : dependency
      return dependency === 'form' ? [...computed.values()].flat() : (computed.get(named) ?? [])
    })
  const rank = new Map<NodeKey, number>()
  const cycles: NodeKey[][] = []
  const path: NodeKey[] = []
  const visit = (node: PageNode): void => {
    if (rank.has(node.key)) return
    const at = path.indexOf(node.key)
    if (at >= 0) {
      cycles.push([...path.slice(at), node.key])
      return
    }
    path.push(node.key)
    for (const read of reads(node)) visit(read)
    path.pop()
    rank.set(node.key, rank.size)
  }
  for (const node of nodes) visit(node)
  return { rank, cycles }
}

/** The dependencies that change when a computed node does. */
function dependenciesGiven(page: Page, node: PageNode): readonly string[] {
  if (node.subForm === null) return [`form.${node.name}`]
  const subForm = page.nodes.get(node.subForm)
  return [`row.${node.name}@${node.subForm}`, `form.${subForm?.name ?? node.subForm}`]
}
