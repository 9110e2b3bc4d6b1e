import type { Conflict } from '../engine.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import type { Model } from '../model/model.ts'
import { initialValue } from '../model/rows.ts'
import { shapeOf } from '../page/effective-options.ts'
import type { NodeKey } from '../page/page.ts'
import { type Fate, fateOf } from './three-way.ts'

export interface Differences {
  readonly conflict: Conflict
  /** Fields that only the other person has changed, visible or not: their version is kept without asking. */
  readonly untouched: readonly string[]
}

/** The differences between `record` and both the form and `base`, with which the form was filled. */
export function differencesFrom(model: Model, record: JsonObject, base: JsonObject): Differences {
  // Fields in rows have no value of their own in the record: their sub-form is compared as a whole.
  const topLevel = model.fieldKeys().filter((key) => model.page.nodes.has(key))
  const all = [...topLevel, ...model.subForms.keys()].map((key) => {
    const [was, theirs] = [base, record].map((values) => inShape(model, key, values))
    // A record without the field says nothing of it.
    const fate = theirs === undefined ? 'keep' : fateOf(was, inShape(model, key, model.form), theirs)
    return { key, fate, name: model.pageNode(key)?.name ?? '' }
  })
  const seen = (wanted: Fate) =>
    all.flatMap(({ key, fate }) => (fate === wanted && model.shown(key) ? [key] : []))
  return {
    untouched: all.flatMap(({ fate, name }) => (fate === 'take' ? [name] : [])),
    conflict: { record, fields: seen('ask'), taken: seen('take') },
  }
}

/** A value as the form holds it: rows with the sub-form's own fields only, because a record's rows have more. */
function inShape(model: Model, key: NodeKey, values: JsonObject): Json | undefined {
  const node = model.pageNode(key)
  const value = node && values[node.name]
  const fields = model.subForms.get(key)?.fields
  if (node === undefined || value === undefined) return undefined
  if (fields === undefined) return shapeOf(node, value)
  const rows = Array.isArray(value) ? value.filter(isObject) : []
  return rows.map((row) =>
    Object.fromEntries(fields.map((field) => [field.name, initialValue(field, row[field.name])])),
  )
}
