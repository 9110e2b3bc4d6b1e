import type { Conflict } from '../engine.ts'
import { isObject, type Json, type JsonObject, sameJson } from '../json.ts'
import type { Model } from '../model/model.ts'
import type { NodeKey } from '../page/page.ts'
import type { Text } from '../ports.ts'

export interface Differences {
  readonly conflict: Conflict
  /** Fields that are not visible here and that the user has not changed: the other person's version is kept without asking. */
  readonly unseen: readonly string[]
}

/** The differences between `record` and both the form and `base`, with which the form was filled. */
export function differencesFrom(model: Model, text: Text, record: JsonObject, base: JsonObject): Differences {
  const nameOf = (key: NodeKey): string => model.pageNode(key)?.name ?? ''
  const same = (key: NodeKey, one: Json, other: Json): boolean =>
    sameJson(inShape(model, key, one), inShape(model, key, other))
  const isMine = (key: NodeKey): boolean => !same(key, base[nameOf(key)] ?? null, model.value(key))
  // Fields in rows have no value of their own in the record: their sub-form is compared as a whole.
  const topLevel = model.fieldKeys().filter((key) => model.page.nodes.has(key))
  const differing = [...topLevel, ...model.subForms.keys()].filter((key) => {
    const theirs = record[nameOf(key)]
    return (
      theirs !== undefined && !same(key, theirs, model.value(key)) && !sameJson(theirs, base[nameOf(key)])
    )
  })
  const seen = differing.filter((key) => model.shown(key))
  const unseen = differing.filter((key) => !model.shown(key) && !isMine(key)).map(nameOf)
  return {
    unseen,
    conflict: {
      fields: seen.map((key) => ({ ...inWords(model, text, key, record), changed: isMine(key) })),
    },
  }
}

/** Rows with the sub-form's own fields only: a record's rows have more. */
function inShape(model: Model, key: NodeKey, value: Json): Json {
  const names = model.subForms.get(key)?.fields.map((field) => field.name)
  if (names === undefined || !Array.isArray(value)) return value
  return value.map((row) =>
    Object.fromEntries(names.map((name) => [name, isObject(row) ? (row[name] ?? null) : null])),
  )
}

function inWords(
  model: Model,
  text: Text,
  key: NodeKey,
  record: JsonObject,
): Omit<Conflict['fields'][number], 'changed'> {
  const { node, label, options, items } = model.node(key)
  const asText = (value: Json): string =>
    model.subForms.has(key)
      ? rowsText(model, text, key, value)
      : (node.spec.text?.(value, options, items) ?? (value === null ? '' : String(value)))
  /** The text for an id, because people cannot identify records by ids. */
  const wordsIn = (values: JsonObject): string | undefined => {
    const words = values[String(options.nameField ?? '')]
    return typeof words === 'string' ? words : undefined
  }
  return {
    name: node.name,
    label,
    mine: wordsIn(model.form) ?? asText(model.value(key)),
    theirs: wordsIn(record) ?? asText(record[node.name] ?? null),
  }
}

/** The number of rows, and the first field of each. */
function rowsText(model: Model, text: Text, key: NodeKey, value: Json): string {
  const rows = Array.isArray(value) ? value.filter(isObject) : []
  const first = model.subForms.get(key)?.fields[0]?.name ?? ''
  const count = text('subForm.count', { count: rows.length })
  return [count, ...rows.map((row) => String(row[first] ?? ''))].join(' · ')
}
