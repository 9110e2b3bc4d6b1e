import type { Json, JsonObject } from '../json.ts'
import type { Model } from '../model/model.ts'
import type { NodeKey } from '../page/page.ts'
import type { Draft, Write } from '../ports.ts'
import { splitRowKey } from '../state/cells.ts'

/** Which fields the user has worked on since the last save: what a draft holds and what fresh data must not overwrite. */
export interface Touched {
  mark(key: NodeKey): void
  has(name: string): boolean
  any(): boolean
  clear(): void
  draft(): Draft
  /** The record as it was read when a restored draft was typed; until that was compared with the record as it is now. */
  base(): JsonObject | undefined
  compared(): void
  /** The writes that bring a draft back; names the page no longer has are left out. */
  restore(draft: Draft): readonly Write[]
}

export function createTouched(model: Model): Touched {
  const names = new Set<string>()
  const subForms = new Set<NodeKey>()
  let base: JsonObject | undefined
  const rowsOf = (subForm: NodeKey): readonly JsonObject[] => {
    const list = model.value(subForm)
    return Array.isArray(list) ? list.map((row) => ({ ...(row as JsonObject) })) : []
  }
  return {
    mark(key) {
      const { rowId } = model.page.nodes.has(key) ? { rowId: null } : splitRowKey(key)
      const node = model.pageNode(key)
      if (model.subForms.has(key)) subForms.add(key)
      else if (rowId !== null && node?.subForm != null) subForms.add(node.subForm)
      else if (node) names.add(node.name)
    },
    has: (name) => names.has(name) || [...subForms].some((key) => model.page.nodes.get(key)?.name === name),
    any: () => names.size + subForms.size > 0,
    clear() {
      names.clear()
      subForms.clear()
      base = undefined
    },
    base: () => base,
    compared() {
      base = undefined
    },
    draft: () => ({
      ...(base === undefined ? {} : { base }),
      values: Object.fromEntries([...names].map((name) => [name, model.form[name] as Json])),
      rows: Object.fromEntries(
        [...subForms].map((key) => [model.page.nodes.get(key)?.name ?? key, rowsOf(key)]),
      ),
    }),
    restore(draft) {
      base = draft.base
      const fields = Object.entries(draft.values).flatMap(([name, value]) => {
        const key = model.page.byName.get(name)
        if (key === undefined || value === undefined || model.page.nodes.get(key)?.field !== true) return []
        names.add(name)
        return [model.valueWrite(key, value)]
      })
      const rows = Object.entries(draft.rows).flatMap(([name, list]) => {
        const key = model.page.byName.get(name)
        if (key === undefined || !model.subForms.has(key)) return []
        subForms.add(key)
        return model.setRows(key, list)
      })
      return [...fields, ...rows]
    },
  }
}
