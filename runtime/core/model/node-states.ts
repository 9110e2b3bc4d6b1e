import type { JsonObject } from '../json.ts'
import { type Json, sameJson } from '../json.ts'
import type { NodeKey, PageNode } from '../page/page.ts'
import { rowKey, splitRowKey } from '../state/cells.ts'
import { subscriber, subscriberAt } from '../state/listeners.ts'
import { createLocks, locks } from './locks.ts'
import { createStateMaker, type StateParts } from './make-states.ts'
import type { NodeState, TemplateNode } from './node-state.ts'

/** The states for views, computed on demand and cached until one of their inputs changes. */
export interface NodeStates {
  node(key: NodeKey): NodeState
  hidden(key: NodeKey): boolean
  shown(key: NodeKey): boolean
  template(key: NodeKey, row: JsonObject): readonly TemplateNode[]
  /** Increases when a value changes that the template of a container reads besides its row. */
  templateVersion(key: NodeKey): number
  setOption(key: NodeKey, option: string, value: Json): void
  invalidate(key: NodeKey): void
  /** All nodes that show the value stored under that key. */
  invalidateValue(valueKey: string): void
  /** Everything drawn in these rows. */
  invalidateRows(rowIds: ReadonlySet<string>): void
  invalidateAll(): void
  /** Notifies the listeners of invalidated states; `scope`: values that texts and lists read changed too. */
  flush(scope: boolean): void
  subscribe(key: NodeKey, listener: () => void): () => void
  subscribeScope(listener: () => void): () => void
  /** Changes of {@link templateVersion}. */
  subscribeTemplate(key: NodeKey, listener: () => void): () => void
}

const LOCKED: ReadonlySet<string> = new Set(['disabled', 'readonly', 'readMode'])

export function createNodeStates(parts: StateParts): NodeStates {
  const { page, scope, pageNode } = parts
  const states = new Map<NodeKey, NodeState>()
  const overrides = new Map<NodeKey, JsonObject>()
  const listeners = new Map<NodeKey, Set<() => void>>()
  const scopeListeners = new Set<() => void>()
  const stale = new Set<NodeKey>()
  const templateListeners = new Map<NodeKey, Set<() => void>>()
  const templateVersions = new Map<NodeKey, number>()
  const staleTemplates = new Set<NodeKey>()
  const namesakes = new Map<string, NodeKey[]>() // nodes whose key is not their name
  for (const node of page.nodes.values()) {
    if (node.key === node.name) continue
    const list = namesakes.get(node.name)
    if (list) list.push(node.key)
    else namesakes.set(node.name, [node.key])
  }
  const containers = createLocks(page)
  const maker = createStateMaker(parts, { locks: containers, overrides, stateOf })

  function stateOf(key: NodeKey): NodeState {
    const known = states.get(key)
    if (known && !stale.has(key)) return known
    stale.delete(key)
    const built = maker.build(key)
    const state = known && sameState(known, built) ? known : built
    states.set(key, state)
    return state
  }
  function hidden(key: NodeKey): boolean {
    const known = states.get(key)
    return known && !stale.has(key) ? known.hidden : maker.hidden(key)
  }
  /** Part of a template that somebody draws: each of its rows is drawn again. */
  function invalidateTemplate(key: NodeKey): void {
    let above = pageNode(splitRowKey(key).base)?.parent ?? null
    for (; above !== null; above = page.nodes.get(above)?.parent ?? null)
      if (templateListeners.has(above)) staleTemplates.add(above)
  }
  const invalidate = (key: NodeKey): void => {
    if (templateListeners.size > 0) invalidateTemplate(key)
    if (!states.has(key)) return // states that nobody has read are computed on demand
    stale.add(key)
    if (containers.isRuled(splitRowKey(key).base)) invalidateBelow(key)
  }
  /** A field of a sub-form in each row: what is set for the field applies to all of them. */
  function invalidateInRows(base: NodeKey): void {
    for (const other of states.keys())
      if (other !== base && splitRowKey(other).base === base) invalidate(other)
  }
  function invalidateBelow(key: NodeKey): void {
    const { base } = splitRowKey(key)
    for (const other of states.keys()) {
      const node = pageNode(other)
      if (node && containers.above(node).includes(base)) stale.add(other)
    }
  }

  return {
    node: stateOf,
    hidden,
    shown(key) {
      const { rowId } = page.nodes.has(key) ? { rowId: null } : splitRowKey(key)
      for (
        let at: PageNode | undefined = pageNode(key);
        at;
        at = at.parent === null ? undefined : page.nodes.get(at.parent)
      ) {
        const inRow = rowId !== null && at.subForm !== null
        if (hidden(inRow ? rowKey(at.key, rowId) : at.key)) return false
      }
      return true
    },
    template: (key, row) => {
      const at = scope(null)
      return maker.template(key, {
        form: at.form,
        row,
        params: at.params,
        user: at.user,
        dict: at.dict,
        data: at.data,
      })
    },
    templateVersion: (key) => templateVersions.get(key) ?? 0,
    setOption(key, option, value) {
      overrides.set(key, { ...overrides.get(key), [option]: value })
      invalidate(key)
      if (page.nodes.get(key)?.subForm != null) invalidateInRows(key)
      const node = LOCKED.has(option) ? pageNode(key) : undefined
      if (node && locks(node)) invalidateBelow(key)
    },
    invalidate,
    invalidateValue(valueKey) {
      const { base, rowId } = splitRowKey(valueKey)
      const keys = namesakes.get(base) ?? [base]
      for (const key of keys) invalidate(rowId === null ? key : rowKey(key, rowId))
    },
    invalidateRows(rowIds) {
      for (const key of states.keys()) {
        const { rowId } = splitRowKey(key)
        if (rowId !== null && rowIds.has(rowId)) stale.add(key)
      }
    },
    invalidateAll: () => [...states.keys()].forEach(invalidate),
    flush(scopeChanged) {
      const woken: (() => void)[] = []
      /* Read first, because computing one state may compute that of a container. */
      const before = [...stale].map((key) => [key, states.get(key)] as const)
      for (const [key, known] of before) {
        const subscribed = listeners.get(key)
        if (subscribed && stateOf(key) !== known) woken.push(...subscribed)
      }
      if (scopeChanged) woken.push(...scopeListeners)
      for (const key of staleTemplates) {
        templateVersions.set(key, (templateVersions.get(key) ?? 0) + 1)
        woken.push(...(templateListeners.get(key) ?? []))
      }
      staleTemplates.clear()
      for (const listener of woken) listener()
    },
    subscribe: subscriberAt(listeners),
    subscribeScope: subscriber(scopeListeners),
    subscribeTemplate: subscriberAt(templateListeners),
  }
}

/** True if a view would draw the same for both. */
function sameState(a: NodeState, b: NodeState): boolean {
  for (const name of Object.keys(a) as (keyof NodeState)[]) {
    if (a[name] === b[name]) continue
    if (name === 'node' || !sameJson(a[name] as unknown as Json, b[name] as unknown as Json)) return false
  }
  return true
}
