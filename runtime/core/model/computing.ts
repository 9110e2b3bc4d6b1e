import { type Json, sameJson } from '../json.ts'
import { applyRule } from '../logic/rule.ts'
import { shapeOf } from '../page/effective-options.ts'
import type { NodeKey, Page, PageNode } from '../page/page.ts'
import type { Scope } from '../page/scope.ts'
import { rowKey, splitRowKey, valueCell } from '../state/cells.ts'
import type { Store } from '../state/store.ts'
import type { Graph } from './graph.ts'
import type { ValueChange } from './model.ts'
import type { RuleBound } from './node-state.ts'
import type { NodeStates } from './node-states.ts'
import type { Dependency, Values } from './values.ts'

interface Parts {
  readonly page: Page
  readonly graph: Graph
  readonly store: Store
  readonly values: Values
  readonly states: NodeStates
  readonly scope: (rowId: string | null) => Scope
  readonly onBound: ((bound: RuleBound) => void) | undefined
}

/** The computed values of a page (`valueOn`, `defaultOn`), updated by dependency. */
export interface Computing {
  /** Computes every computed value, in order of dependency. */
  beginAll(): void
  /** Computes the values in a new row. */
  beginRow(fields: readonly PageNode[], rowId: string): void
  /** Recomputes everything that reads the changes. @returns the computed values that changed */
  propagate(dependencies: Iterable<Dependency>): ValueChange[]
}

export function createComputing(parts: Parts): Computing {
  const { page, graph, store, values, states, scope } = parts

  /** A default by rule is recomputed as long as nothing has been written to the field. */
  const isComputed = (key: NodeKey): boolean =>
    values.pageNode(key)?.option('valueOn') != null ||
    store.get(valueCell(values.valueKey(key))) === undefined

  /** By `valueOn`, or by `defaultOn`, whose value is replaced by what is typed. */
  const ruleOf = (node: PageNode) => (node.option('valueOn') == null ? 'defaultOn' : 'valueOn')

  function compute(key: NodeKey): Json {
    const node = values.pageNode(key) as PageNode
    const rule = ruleOf(node)
    const value = applyRule(node.option(rule) as Json, scope(splitRowKey(key).rowId), (error) =>
      parts.onBound?.({ rule, key, error }),
    )
    return shapeOf(node, value)
  }

  function set(key: NodeKey, value: Json): void {
    const node = values.pageNode(key) as PageNode
    values.setComputed(values.valueKey(key), value, ruleOf(node) === 'defaultOn')
    states.invalidate(key)
  }

  function begin(key: NodeKey): void {
    if (isComputed(key)) set(key, compute(key))
  }

  /** The node, in each of its rows, or in the one row that has changed. */
  function instancesOf(key: NodeKey, rowId: string | null): readonly NodeKey[] {
    const node = page.nodes.get(key)
    if (node?.subForm == null) return [key]
    if (rowId !== null && values.subFormOfRow(rowId) === node.subForm) return [rowKey(key, rowId)]
    return values.rowIds(node.subForm).map((id) => rowKey(key, id))
  }

  return {
    beginAll() {
      const ranked = [...graph.rank].sort((a, b) => a[1] - b[1])
      for (const [key] of ranked) for (const instance of instancesOf(key, null)) begin(instance)
    },
    beginRow(fields, rowId) {
      for (const { key } of fields) if (graph.rank.has(key)) begin(rowKey(key, rowId))
    },
    propagate(dependencies) {
      const changes: ValueChange[] = []
      const waiting = new Map<NodeKey, number>()
      const wake = ([path, rowId]: Dependency): void => {
        for (const key of graph.readers.get(path) ?? []) {
          for (const instance of instancesOf(key, rowId)) {
            states.invalidate(instance)
            const rank = graph.rank.get(key)
            if (rank !== undefined) waiting.set(instance, rank)
          }
        }
      }
      for (const dependency of dependencies) wake(dependency)
      while (waiting.size > 0) {
        const [next] = [...waiting].sort((a, b) => a[1] - b[1])[0] as [NodeKey, number]
        waiting.delete(next)
        if (!isComputed(next)) continue
        const valueKey = values.valueKey(next)
        const before = values.at(valueKey)
        const value = compute(next)
        if (sameJson(before, value)) continue
        set(next, value)
        changes.push({ key: next, value, before })
        for (const dependency of values.dependenciesOf(valueKey)) wake(dependency)
      }
      return changes
    },
  }
}
