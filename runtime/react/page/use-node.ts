import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { Engine, NodeState, Scope, TemplateNode } from '../../core/engine.ts'
import type { JsonObject } from '../../core/json.ts'
import type { NodeKey } from '../../core/page/page.ts'
import { subscriber } from '../../core/state/listeners.ts'
import { useEngine } from './page-context.ts'

/** One node's state; the component renders again only when that node changes. */
export function useNode(key: NodeKey): NodeState {
  const engine = useEngine()
  const subscribe = useCallback((listener: () => void) => engine.subscribe(key, listener), [engine, key])
  return useSyncExternalStore(subscribe, () => engine.node(key))
}

/** The states of several nodes (panes of a tab); renders again when one of them changes. */
export function useNodes(keys: readonly NodeKey[]): readonly NodeState[] {
  const engine = useEngine()
  const subscribe = useCallback(
    (listener: () => void) => {
      const ends = keys.map((key) => engine.subscribe(key, listener))
      return () => {
        for (const end of ends) end()
      }
    },
    [engine, keys],
  )
  const read = useCallback(() => keys.map((key) => engine.node(key)), [engine, keys])
  return useStable(subscribe, read)
}

/**
 * The scope that the page's texts and binds read, for views that resolve paths themselves (descriptions, numbers).
 * @param reads  false: nothing is read at the moment, so no change renders the view again
 */
export function useScope(reads = true): Scope {
  const engine = useEngine()
  const changes = reads ? changesOf(engine) : NO_CHANGES
  useSyncExternalStore(changes.subscribe, changes.count)
  return engine.scope()
}

/** The children of a template container for one row; renders again only when something changes that they read besides the row. */
export function useTemplate(key: NodeKey, row: JsonObject): readonly TemplateNode[] {
  const engine = useEngine()
  const subscribe = useCallback(
    (listener: () => void) => engine.subscribeTemplate(key, listener),
    [engine, key],
  )
  useSyncExternalStore(subscribe, () => engine.templateVersion(key))
  return engine.template(key, row)
}

interface Changes {
  readonly subscribe: (listener: () => void) => () => void
  readonly count: () => number
}

const NO_CHANGES: Changes = { subscribe: () => () => {}, count: () => 0 }

const counted = new WeakMap<Engine, Changes>()

/** The parts of the scope are changed in place, so changes are detected by a counter instead of a comparison. */
function changesOf(engine: Engine): Changes {
  const existing = counted.get(engine)
  if (existing) return existing
  let count = 0
  const listeners = new Set<() => void>()
  engine.subscribeScope(() => {
    count += 1
    for (const listener of listeners) listener()
  })
  const changes: Changes = {
    subscribe: subscriber(listeners),
    count: () => count,
  }
  counted.set(engine, changes)
  return changes
}

/** useSyncExternalStore for a list that is built at each read: the old list is kept while its items are the same. */
function useStable<T>(
  subscribe: (listener: () => void) => () => void,
  read: () => readonly T[],
): readonly T[] {
  const snapshot = useMemo(() => memoised(read), [read])
  return useSyncExternalStore(subscribe, snapshot)
}

function memoised<T>(read: () => readonly T[]): () => readonly T[] {
  let last: readonly T[] = []
  return () => {
    const next = read()
    if (next.length !== last.length || next.some((part, i) => part !== last[i])) last = next
    return last
  }
}
