import type { Json, JsonObject } from '../json.ts'
import type { NodeKey, Page, PageNode } from '../page/page.ts'
import { rowKey, rowsCell, splitRowKey, valueCell } from '../state/cells.ts'
import type { Store } from '../state/store.ts'
import type { SubForm } from './rows.ts'

/** A dependency, and its row; null: of the form. */
export type Dependency = readonly [path: string, rowId: string | null]

/**
 * The values of a page, in three views: by value key (`name`, `name@row1`), as the live `form` that rules and texts read, and as row objects. A
 * computed value hides the written one with the same key.
 */
export interface Values {
  /** By field name, live; sub-forms as lists of row objects; a list is the same object while no row has changed. */
  readonly form: JsonObject
  rowIds(subForm: NodeKey): readonly string[]
  /** The sub-form of a row, including deleted ones. */
  subFormOfRow(rowId: string): NodeKey | undefined
  /** Records the sub-form of a row. False: it was known. */
  addRow(rowId: string, subForm: NodeKey): boolean
  rowObject(rowId: string): JsonObject
  pageNode(key: NodeKey): PageNode | undefined
  valueKey(key: NodeKey): string
  at(valueKey: string): Json
  /** A value computed by a rule. `suggested` ones are replaced by what is typed. */
  isComputed(valueKey: string): boolean
  isSuggested(valueKey: string): boolean
  setComputed(valueKey: string, value: Json, suggested: boolean): void
  /** A value was written: it replaces a computed one. */
  written(valueKey: string, value: Json): void
  /** The dependencies of a value. */
  dependenciesOf(valueKey: string): readonly Dependency[]
}

export function createValues(page: Page, subForms: ReadonlyMap<NodeKey, SubForm>, store: Store): Values {
  /** Names whose values are rows: a field with the same name has no value of its own in the form. */
  const rowLists = new Set(Array.from(subForms.values(), ({ node }) => node.name))
  const rows = new Map<string, NodeKey>() // row id → its sub-form; ids of deleted rows stay, their cells do too
  const computed = new Map<string, Json>() // by value key
  const suggested = new Set<string>() // those of them that are replaced by what is typed
  const rowObjects = new Map<string, JsonObject>()
  const form = Object.create(null) as Record<string, Json>

  const rowIds = (subForm: NodeKey): readonly string[] =>
    (store.get(rowsCell(subForm)) as readonly string[] | undefined) ?? []
  const at = (key: string): Json =>
    (computed.has(key) ? computed.get(key) : store.get(valueCell(key))) ?? null

  function rowObject(rowId: string): JsonObject {
    const known = rowObjects.get(rowId)
    if (known) return known
    const copy = Object.create(null) as Record<string, Json>
    for (const field of subForms.get(rows.get(rowId) ?? '')?.fields ?? []) {
      copy[field.name] = at(rowKey(field.name, rowId))
    }
    rowObjects.set(rowId, copy)
    return copy
  }

  for (const { node } of subForms.values()) {
    let list: readonly JsonObject[] = []
    Object.defineProperty(form, node.name, {
      enumerable: true,
      configurable: true,
      get() {
        const now = rowIds(node.key).map(rowObject)
        if (now.length !== list.length || now.some((row, i) => row !== list[i])) list = now
        return list as unknown as Json
      },
    })
  }

  /** Updates the live `form` and row objects for a value. */
  function touch(key: string, value: Json): void {
    const { rowId } = splitRowKey(key)
    if (rowId === null) {
      if (!rowLists.has(key)) form[key] = value
    } else rowObjects.delete(rowId)
  }

  return {
    form,
    rowIds,
    subFormOfRow: (id) => rows.get(id),
    addRow(id, subForm) {
      if (rows.has(id)) return false
      rows.set(id, subForm)
      return true
    },
    rowObject,
    pageNode: (key) => page.nodes.get(key) ?? page.nodes.get(splitRowKey(key).base),
    valueKey(key) {
      const node = page.nodes.get(key)
      if (node) return node.name
      const { base, rowId } = splitRowKey(key)
      return rowId === null ? key : rowKey(page.nodes.get(base)?.name ?? base, rowId)
    },
    at,
    isComputed: (key) => computed.has(key),
    isSuggested: (key) => suggested.has(key),
    setComputed(key, value, isSuggestion) {
      if (isSuggestion) suggested.add(key)
      computed.set(key, value)
      touch(key, value)
    },
    written(key, value) {
      computed.delete(key)
      touch(key, value)
    },
    dependenciesOf(key) {
      const { base, rowId } = splitRowKey(key)
      if (rowId === null) return [[`form.${base}`, null], FORM]
      const subForm = page.nodes.get(rows.get(rowId) ?? '')?.name ?? ''
      return [[`row.${base}`, rowId], ['row', rowId], [`form.${subForm}`, null], FORM]
    },
  }
}

/** The whole form as a dependency, for any change in it. */
export const FORM: Dependency = ['form', null]
