import { isObject, type Json, type JsonObject, ownValue, sameJson } from '../json.ts'
import { type ItemKey, isSlot, itemsOf, PAGE, SLOTS, type Slot, titleOf } from './entries.ts'
import { contentOf, type Home, isTouched, type Node, type Nodes, nodesOf, type Side } from './merge-nodes.ts'
import {
  type Clash,
  type Depth,
  mergeKeys,
  mergeOrder,
  mergeValues,
  type ReportClash,
  type Taken,
} from './merge-values.ts'

/** Something that both sides changed differently, or that one side removed while the other changed it. */
export interface MergeConflict extends Clash {
  /** Key of the item in the merged document; '' of the page. */
  readonly id: ItemKey
  readonly title: string
  /** A path as in a diff; `removed`, `place`, `order`. */
  readonly what: string
  /** Identifies it among the conflicts of the same three documents, independent of choices. */
  readonly name: string
  readonly taken: Taken
  /** False if only one choice gives a valid page: the content of a removed container, two items moved into each other. */
  readonly isOpen: boolean
}

export interface Merged {
  readonly document: Json
  readonly conflicts: readonly MergeConflict[]
}

const WIDGET: Depth = { options: { on: {} } }
const SOURCE: Depth = { body: {} }
const CONFIG: Depth = { page: { on: {}, texts: { '*': {} } } }

/** The choices, by {@link MergeConflict.name}. */
export type Choices = ReadonlyMap<string, Taken>

/** The merge of both versions of a page: nothing that either added, changed or moved is lost. In a conflict, mine wins unless chosen otherwise. */
export function mergePages(base: Json, mine: Json, theirs: Json, choices: Choices = new Map()): Merged {
  if (sameJson(mine, theirs) || sameJson(theirs, base)) return { document: mine, conflicts: [] }
  if (sameJson(mine, base)) return { document: theirs, conflicts: [] }
  const clashes: ReportedClash[] = []
  const reporterFor: Build['reporterFor'] =
    (node, isOpen = true) =>
    (clash, otherwise = 'mine') => {
      const name = `${nameOf(node)} ${clash.what}`
      const chosenSide = (isOpen ? choices.get(name) : undefined) ?? otherwise
      clashes.push({ node, clash, name, taken: chosenSide, isOpen })
      return chosenSide
    }
  const nodes = nodesOf(base, mine, theirs)
  const homes = homesOf(nodes, reporterFor)
  const written = new Map<JsonObject, Node>()
  const residents = {
    base: byHome(nodes.all, (node) => nodes.home(node, 'base')),
    mine: byHome(nodes.all, (node) => nodes.home(node, 'mine')),
    theirs: byHome(nodes.all, (node) => nodes.home(node, 'theirs')),
    left: byHome(homes.keys(), (node) => homes.get(node)),
  }
  const build = { residents, reporterFor, written }
  const document = {
    ...mergeRest(base, mine, theirs, reporterFor(null)),
    widgetList: childrenOf(null, 'widgetList', build),
  }
  const keys = new Map([...itemsOf(document).values()].map((item) => [written.get(item.written), item.key]))
  const conflicts = clashes.map(({ node, clash, ...details }) => ({
    id: (node === null ? PAGE : keys.get(node)) ?? PAGE,
    title: node === null ? '' : titleOf((node.mine ?? node.theirs ?? node.base)?.written ?? {}),
    ...clash,
    ...details,
  }))
  return { document: inOrderOf(mine, document), conflicts }
}

interface ReportedClash extends Pick<MergeConflict, 'name' | 'taken' | 'isOpen'> {
  readonly node: Node | null
  readonly clash: Clash
}

/** An item, independent of choices. */
const nameOf = (node: Node | null): string => (node?.base ?? node?.mine ?? node?.theirs)?.key ?? PAGE

/** The items in a list of a container (null: the page). */
type Residents = (parent: Node | null, slot: Slot) => readonly Node[]

function byHome(nodes: Iterable<Node>, homeOf: (node: Node) => Home | undefined): Residents {
  const lists = new Map<Node | null, Map<Slot, Node[]>>()
  for (const node of nodes) {
    const home = homeOf(node)
    if (home === undefined) continue
    const slots = lists.get(home.parent) ?? new Map<Slot, Node[]>()
    lists.set(home.parent, slots)
    const list = slots.get(home.slot)
    if (list === undefined) slots.set(home.slot, [node])
    else list.push(node)
  }
  return (parent, slot) => lists.get(parent)?.get(slot) ?? []
}

interface Build {
  readonly residents: Readonly<Record<Side | 'left', Residents>>
  readonly reporterFor: (node: Node | null, isOpen?: boolean) => ReportClash
  /** The item of each merged object. */
  readonly written: Map<JsonObject, Node>
}

/** The final position of each remaining item. */
function homesOf(nodes: Nodes, reporterFor: Build['reporterFor']): ReadonlyMap<Node, Home> {
  const homes = new Map<Node, Home>()
  for (const node of nodes.all) {
    const home = homeOf(node, nodes, reporterFor(node))
    if (home !== null) homes.set(node, home)
  }
  keepContents(homes, nodes)
  breakCircles(homes, nodes, reporterFor)
  for (const node of [...homes.keys()]) keepContainers(node, homes, nodes, reporterFor)
  breakCircles(homes, nodes, reporterFor)
  return homes
}

function homeOf(node: Node, nodes: Nodes, report: ReportClash): Home | null {
  const [base, mine, theirs] = (['base', 'mine', 'theirs'] as const).map((side) => nodes.home(node, side))
  if (base === undefined) {
    if (mine !== undefined && theirs !== undefined && !sameHome(mine, theirs))
      return report({ what: 'place', ...placesOf(mine, theirs) }) === 'mine' ? mine : theirs
    return mine ?? theirs ?? null
  }
  if (mine === undefined || theirs === undefined) {
    const remaining = mine ?? theirs
    const side = mine === undefined ? 'theirs' : 'mine'
    if (remaining === undefined || isAsBefore(node, side, remaining, nodes)) return null
    return report({ what: 'removed', [side]: node[side]?.written ?? null }, side) === side ? remaining : null
  }
  if (sameHome(mine, base)) return theirs
  if (sameHome(theirs, base) || sameHome(mine, theirs)) return mine
  return report({ what: 'place', ...placesOf(mine, theirs) }) === 'mine' ? mine : theirs
}

/** The labels of the containers; '' is the page. */
function placesOf(mine: Home, theirs: Home): Pick<Clash, 'mine' | 'theirs'> {
  const called = ({ parent }: Home, side: 'mine' | 'theirs'): string =>
    parent === null ? '' : titleOf(parent[side]?.written ?? {})
  return { mine: called(mine, 'mine'), theirs: called(theirs, 'theirs') }
}

/** A side has neither changed nor moved the item. @param home  where it has it */
function isAsBefore(node: Node, side: 'mine' | 'theirs', home: Home, nodes: Nodes): boolean {
  const original = nodes.home(node, 'base')
  return original !== undefined && !isTouched(node, side) && sameHome(home, original)
}

const sameHome = (a: Home, b: Home): boolean => a.parent === b.parent && a.slot === b.slot

/** Content removed unchanged along with its container stays in it if the container stays because the other side changed or moved it. */
function keepContents(homes: Map<Node, Home>, nodes: Nodes): void {
  for (let before = -1; before !== homes.size; ) {
    before = homes.size
    for (const node of nodes.all) {
      if (homes.has(node)) continue
      const side = node.mine === undefined ? 'theirs' : 'mine'
      const home = nodes.home(node, side)
      // A changed or moved item was reported as a conflict: it is missing because that was chosen.
      if (home === undefined || home.parent === null || !isAsBefore(node, side, home, nodes)) continue
      const isRemovedToo = home.parent[side === 'mine' ? 'theirs' : 'mine'] === undefined
      if (isRemovedToo && homes.has(home.parent)) homes.set(node, home)
    }
  }
}

/** A container removed by one side stays if it still contains something. */
function keepContainers(
  node: Node,
  homes: Map<Node, Home>,
  nodes: Nodes,
  reporterFor: Build['reporterFor'],
): void {
  const parent = homes.get(node)?.parent ?? null
  if (parent === null || homes.has(parent)) return
  const home = nodes.home(parent, 'mine') ?? nodes.home(parent, 'theirs')
  homes.set(parent, home ?? { parent: null, slot: 'widgetList' })
  reporterFor(parent, false)({ what: 'removed' })
  keepContainers(parent, homes, nodes, reporterFor)
}

/** Two items moved into each other: the second stays where it is in mine, or moves to the page. */
function breakCircles(homes: Map<Node, Home>, nodes: Nodes, reporterFor: Build['reporterFor']): void {
  for (const node of homes.keys()) {
    if (!isInItself(node, homes)) continue
    const page: Home = { parent: null, slot: 'widgetList' }
    homes.set(node, nodes.home(node, 'mine') ?? page)
    if (isInItself(node, homes)) homes.set(node, page)
    reporterFor(node, false)({ what: 'place' })
  }
}

function isInItself(node: Node, homes: ReadonlyMap<Node, Home>): boolean {
  const seen = new Set<Node>()
  let at = homes.get(node)?.parent ?? null
  while (at !== null && !seen.has(at)) {
    if (at === node) return true
    seen.add(at)
    at = homes.get(at)?.parent ?? null
  }
  return false
}

function childrenOf(parent: Node | null, slot: Slot, build: Build): JsonObject[] {
  const { residents, reporterFor } = build
  const remaining = new Set(residents.left(parent, slot))
  const [base, mine, theirs] = (['base', 'mine', 'theirs'] as const).map((side) =>
    residents[side](parent, slot).toSorted((a, b) => (a[side]?.index ?? 0) - (b[side]?.index ?? 0)),
  )
  const { order, clash } = mergeOrder(base ?? [], mine ?? [], theirs ?? [], remaining)
  const isTheirs = clash && reporterFor(parent)({ what: 'order' }) === 'theirs'
  const { order: chosen } = isTheirs ? mergeOrder(base ?? [], theirs ?? [], mine ?? [], remaining) : { order }
  return chosen.map((node) => writtenOf(node, build))
}

function writtenOf(node: Node, build: Build): JsonObject {
  const { base, mine, theirs } = node
  const sides = { mine: mine ?? theirs, theirs: theirs ?? mine }
  const values = mergeKeys(
    contentOf(base),
    contentOf(sides.mine),
    contentOf(sides.theirs),
    WIDGET,
    '',
    build.reporterFor(node),
  )
  const first = sides.mine?.written ?? {}
  const second = sides.theirs?.written ?? {}
  const slots = SLOTS.flatMap((slot): [string, Json][] => {
    const children = childrenOf(node, slot, build)
    const hasList = isSlot(slot, first[slot]) || isSlot(slot, second[slot])
    return children.length > 0 || hasList ? [[slot, children]] : []
  })
  const merged = inOrderOf(first, { ...values, ...Object.fromEntries(slots) })
  build.written.set(merged, node)
  return merged
}

/** The keys in the order of another object, followed by keys it does not have. */
function inOrderOf(first: Json, merged: JsonObject): JsonObject {
  const keys = isObject(first) ? Object.keys(first).filter((key) => Object.hasOwn(merged, key)) : []
  const ordered = [...new Set([...keys, ...Object.keys(merged)])]
  return Object.fromEntries(ordered.map((key) => [key, merged[key]]))
}

/** Everything except the widgets. */
function mergeRest(base: Json, mine: Json, theirs: Json, report: ReportClash): JsonObject {
  const [baseConfig, mineConfig, theirsOf] = [base, mine, theirs].map(withoutWidgets)
  const rest = mergeKeys(
    baseConfig ?? {},
    mineConfig ?? {},
    theirsOf ?? {},
    { formConfig: CONFIG },
    '',
    (clash, otherwise) => (clash.what === 'formConfig.dataSources' ? 'mine' : report(clash, otherwise)),
  )
  const sources = mergeSources(base, mine, theirs, report)
  if (sources === undefined || !isObject(rest.formConfig)) return rest
  return { ...rest, formConfig: { ...rest.formConfig, dataSources: sources } }
}

function withoutWidgets(document: Json): JsonObject {
  if (!isObject(document)) return {}
  const { widgetList: _, ...rest } = document
  return rest
}

/** Data sources by their names; as one value if one of them has no name. */
function mergeSources(base: Json, mine: Json, theirs: Json, report: ReportClash): Json | undefined {
  const [baseSources, mineSources, theirsOf] = [base, mine, theirs].map((page) =>
    ownValue(ownValue(page, 'formConfig'), 'dataSources'),
  )
  if (mineSources === undefined && theirsOf === undefined) return undefined
  const [baseByName, mineByName, theirsByName] = [baseSources, mineSources, theirsOf].map(byName)
  if (baseByName == null || mineByName == null || theirsByName == null)
    return mergeValues(
      { base: baseSources, mine: mineSources, theirs: theirsOf },
      undefined,
      'formConfig.dataSources',
      report,
    )
  const merged = new Map<string, Json>()
  for (const name of new Set([...mineByName.keys(), ...theirsByName.keys()])) {
    const three = { base: baseByName.get(name), mine: mineByName.get(name), theirs: theirsByName.get(name) }
    const value = mergeValues(three, SOURCE, `source:${name}`, report)
    if (value !== undefined) merged.set(name, value)
  }
  const names = [baseByName, mineByName, theirsByName].map((map) => [...map.keys()])
  const { order } = mergeOrder(names[0] ?? [], names[1] ?? [], names[2] ?? [], new Set(merged.keys()))
  return order.map((name) => merged.get(name) ?? null)
}

function byName(sources: Json | undefined): ReadonlyMap<string, Json> | null {
  const map = new Map<string, Json>()
  for (const source of Array.isArray(sources) ? sources : []) {
    const name = ownValue(source, 'uniqueName') ?? ownValue(source, 'fragment')
    if (typeof name !== 'string' || map.has(name)) return null
    map.set(name, source)
  }
  return map
}
