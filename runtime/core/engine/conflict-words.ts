import type { Conflict, Engine } from '../engine.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { subFormsOf } from '../model/rows.ts'
import type { NodeKey } from '../page/page.ts'

/** A field that two people changed, as texts for comparison. */
export interface ConflictField {
  readonly name: string
  readonly label: string
  readonly mine: string
  readonly theirs: string
}

/** A conflict in words. */
export interface ConflictWords {
  readonly fields: readonly ConflictField[]
  readonly taken: readonly ConflictField[]
}

/** The fields of a conflict with both values in words: choices by their labels, references by their names, rows by their number and first field. */
export function conflictWords(engine: Engine, { record, fields, taken }: Conflict): ConflictWords {
  const inWords = (key: NodeKey): ConflictField => wordsOf(engine, key, record)
  return { fields: fields.map(inWords), taken: taken.map(inWords) }
}

function wordsOf(engine: Engine, key: NodeKey, record: JsonObject): ConflictField {
  const { node, label, options, items } = engine.node(key)

  const rows = subFormsOf(engine.page).get(key)
  const asText = (given: Json): string =>
    rows === undefined
      ? (node.spec.text?.(given, options, items) ?? (given === null ? '' : String(given)))
      : rowsText(engine, rows.fields[0]?.name ?? '', given)
  /** The text for an id, because people cannot identify records by ids. */
  const wordsIn = (values: JsonObject): string | undefined => {
    const words = values[String(options.nameField ?? '')]
    return typeof words === 'string' ? words : undefined
  }
  const shown = (values: JsonObject): string => wordsIn(values) ?? asText(values[node.name] ?? null)
  return { name: node.name, label, mine: shown(engine.values()), theirs: shown(record) }
}

/** The number of rows, and the first field of each. */
function rowsText({ ports }: Engine, first: string, value: Json): string {
  const rows = Array.isArray(value) ? value.filter(isObject) : []
  const count = ports.text('subForm.count', { count: rows.length })
  return [count, ...rows.map((row) => String(row[first] ?? ''))].join(' · ')
}
