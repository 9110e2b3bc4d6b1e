import { isObject, type Json, type JsonObject } from '../json.ts'
import { shapeOf } from '../page/effective-options.ts'
import type { NodeKey, Page, PageNode } from '../page/page.ts'
import type { Write } from '../ports.ts'
import { rowKey, rowsCell, valueCell } from '../state/cells.ts'

/** A sub-form and the fields of its rows. */
export interface SubForm {
  readonly node: PageNode
  readonly fields: readonly PageNode[]
}

/** The sub-forms of a page, by key. */
export function subFormsOf(page: Page): ReadonlyMap<NodeKey, SubForm> {
  const found = new Map<NodeKey, { node: PageNode; fields: PageNode[] }>()
  for (const node of page.nodes.values()) {
    if (node.spec.children === 'rowList') found.set(node.key, { node, fields: [] })
    else if (node.field && node.subForm !== null) found.get(node.subForm)?.fields.push(node)
  }
  return found
}

/** A field's initial value: the given one, else the default, normalised by the widget. */
export function initialValue(field: PageNode, given: Json | undefined): Json {
  return shapeOf(field, given !== undefined ? given : (field.option('defaultValue') ?? null))
}

/** Nothing is written if a rule computes the default. */
const isSuggested = (field: PageNode, given: Json | undefined): boolean =>
  given === undefined && field.option('defaultOn') != null

/** The writes that fill one row. Missing fields get their defaults. */
export function rowWrites(subForm: SubForm, id: string, values: JsonObject): readonly Write[] {
  return subForm.fields
    .filter((field) => !isSuggested(field, values[field.name]))
    .map((field) => ({
      cell: valueCell(rowKey(field.name, id)),
      value: initialValue(field, values[field.name]),
    }))
}

/** The writes that replace the content of a sub-form by `rows`; every row gets a new id. What is no object is a blank row. */
export function replaceRows(
  subForm: SubForm,
  rows: readonly Json[],
  newRowId: () => string,
): readonly Write[] {
  const ids = rows.map(() => newRowId())
  return [
    ...rows.flatMap((row, i) => rowWrites(subForm, ids[i] as string, isObject(row) ? row : {})),
    { cell: rowsCell(subForm.node.key), value: ids },
  ]
}

/** The initial rows of a sub-form: those given, else one blank row if the document says so. */
function firstRows(subForm: SubForm, given: Json | undefined): readonly Json[] {
  if (Array.isArray(given)) return given
  return subForm.node.options.showBlankRow === false ? [] : [{}]
}

/**
 * The initial value of every field of a page: the given value, else its default.
 *
 * @param again  also for a default by rule, which then stays empty
 */
export function initialWrites(
  page: Page,
  subForms: ReadonlyMap<NodeKey, SubForm>,
  given: JsonObject,
  { newRowId, again }: { readonly newRowId: () => string; readonly again: boolean },
): readonly Write[] {
  const givenValue = (name: string): Json | undefined =>
    Object.hasOwn(given, name) ? given[name] : undefined
  const fields = [...page.nodes.values()].filter(
    (node) => node.field && node.subForm === null && node.template === null && !subForms.has(node.key),
  )
  return [
    ...fields
      .filter((field) => again || !isSuggested(field, givenValue(field.name)))
      .map((field) => ({ cell: valueCell(field.name), value: initialValue(field, givenValue(field.name)) })),
    ...[...subForms.values()].flatMap((subForm) =>
      replaceRows(subForm, firstRows(subForm, givenValue(subForm.node.name)), newRowId),
    ),
  ]
}
