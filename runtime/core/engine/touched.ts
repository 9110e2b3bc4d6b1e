import type { Json, JsonObject } from '../json.ts'
import type { Model } from '../model/model.ts'
import type { NodeKey } from '../page/page.ts'
import type { Draft, Write } from '../ports.ts'
import { splitRowKey } from '../state/cells.ts'

/**
 * Fields that the user has changed since the last save: the content of a draft, which loaded data must not replace. Earlier changes are known as
 * well: their values are transferred to the next version of the page (such as the filters of a list after something else was saved).
 */
export interface Touched {
  mark(key: NodeKey): void
  has(name: string): boolean
  /** Whether the field has a value of the user's, saved or not. */
  holds(key: NodeKey): boolean
  any(): boolean
  clear(): void
  /** A save has stored what was typed. */
  settle(): void
  draft(): Draft
  /** The draft, and what was typed before the last save. */
  typed(): Draft
  /** The record on which a restored draft is based; until it was compared with the current record. */
  base(): JsonObject | undefined
  /** What was typed collided with another version of the record: its draft keeps the one it is based on, until they were compared. */
  rebase(record?: JsonObject): void
  /** The writes that restore a draft; names the page no longer has are left out. */
  restore(draft: Draft): readonly Write[]
}

export function createTouched(model: Model): Touched {
  /** Whether the value is unsaved. */
  const names = new Map<string, boolean>()
  const subForms = new Map<NodeKey, boolean>()
  let base: JsonObject | undefined
  const rowsOf = (subForm: NodeKey): readonly JsonObject[] => {
    const list = model.value(subForm)
    return Array.isArray(list) ? list.map((row) => ({ ...(row as JsonObject) })) : []
  }
  const nameOf = (subForm: NodeKey): string => model.page.nodes.get(subForm)?.name ?? subForm
  const unsaved = <Key>(marks: ReadonlyMap<Key, boolean>): readonly Key[] =>
    [...marks].flatMap(([key, isUnsaved]) => (isUnsaved ? [key] : []))
  const draftOf = (fields: Iterable<string>, lists: Iterable<NodeKey>): Draft => ({
    ...(base === undefined ? {} : { base }),
    values: Object.fromEntries([...fields].map((name) => [name, model.form[name] as Json])),
    rows: Object.fromEntries([...lists].map((key) => [nameOf(key), rowsOf(key)])),
  })
  return {
    mark(key) {
      const { rowId } = model.page.nodes.has(key) ? { rowId: null } : splitRowKey(key)
      const node = model.pageNode(key)
      if (model.subForms.has(key)) subForms.set(key, true)
      else if (rowId !== null && node?.subForm != null) subForms.set(node.subForm, true)
      else if (node) names.set(node.name, true)
    },
    has: (name) => names.get(name) === true || unsaved(subForms).some((key) => nameOf(key) === name),
    holds: (key) => subForms.has(key) || names.has(model.pageNode(key)?.name ?? ''),
    any: () => unsaved(names).length + unsaved(subForms).length > 0,
    clear() {
      names.clear()
      subForms.clear()
      base = undefined
    },
    settle() {
      for (const name of names.keys()) names.set(name, false)
      for (const key of subForms.keys()) subForms.set(key, false)
      base = undefined
    },
    base: () => base,
    rebase(record) {
      base = record
    },
    draft: () => draftOf(unsaved(names), unsaved(subForms)),
    typed() {
      const saved = [
        ...[...names].flatMap(([name, isUnsaved]) => (isUnsaved ? [] : [name])),
        ...[...subForms].flatMap(([key, isUnsaved]) => (isUnsaved ? [] : [nameOf(key)])),
      ]
      return { ...draftOf(names.keys(), subForms.keys()), ...(saved.length === 0 ? {} : { saved }) }
    },
    restore(draft) {
      base = draft.base
      const isUnsaved = (name: string): boolean => draft.saved?.includes(name) !== true
      const fields = Object.entries(draft.values).flatMap(([name, value]) => {
        const key = model.page.byName.get(name)
        if (key === undefined || value === undefined || model.page.nodes.get(key)?.field !== true) return []
        names.set(name, isUnsaved(name))
        return [model.valueWrite(key, value)]
      })
      const rows = Object.entries(draft.rows).flatMap(([name, list]) => {
        const key = model.page.byName.get(name)
        if (key === undefined || !model.subForms.has(key)) return []
        subForms.set(key, isUnsaved(name))
        return model.setRows(key, list)
      })
      return [...fields, ...rows]
    },
  }
}
