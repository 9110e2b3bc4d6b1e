import { isObject, type JsonObject } from '../../../runtime/core/json.ts'
import type { Field } from '../description.ts'
import { addressOf, askedWith } from '../field-rights.ts'
import { FACES, type Face, type FilterTarget, faceOf } from '../filter-faces.ts'
import { kindOf } from '../kinds/index.ts'
import { labelText } from '../labels.ts'
import type { MergedModule } from '../merge-module.ts'
import { button, container, shownFields, small } from './parts.ts'
import type { DerivedWords } from './words.ts'

/**
 * Fields that the filter sheet asks for: those that say so and the status, as far as their kind has a face there, and behind them
 * what every record has.
 */
export const filtersOf = (module: MergedModule, words: DerivedWords): readonly Field[] => [
  ...shownFields(module).filter(
    ({ name, filter, kind }) =>
      (filter === true || module.statuses?.field === name) && kindOf(kind).face !== null,
  ),
  ...(module.behaviours.includes('owned')
    ? [{ name: 'owner_id', kind: 'user', label: words.owner } as const]
    : []),
  { name: 'created_at', kind: 'moment', label: words.createdAt },
]

const targetOf = (field: Field): FilterTarget => ({
  field,
  name: `f_${field.name}`,
  label: labelText(field.label),
})
const waysOf = (field: Field): Face | null => {
  const face = faceOf(field)
  return face === null ? null : FACES[face]
}

/** The conditions of a list request for what the sheet holds. */
export const filterConditions = (field: Field): readonly JsonObject[] =>
  waysOf(field)?.conditions(targetOf(field)) ?? []

/** What the sheet asks for one field with. */
export const filterWidgets = (field: Field, words: DerivedWords): readonly JsonObject[] =>
  waysOf(field)?.widgets(targetOf(field), words) ?? []

/** Names of the widgets that ask. */
export const filterNames = (fields: readonly Field[], words: DerivedWords): readonly string[] =>
  fields
    .flatMap((field) => filterWidgets(field, words))
    .map(({ options }) => (isObject(options) ? String(options.name) : ''))

const cleared = (names: readonly string[]): readonly JsonObject[] =>
  names.map((name) => ({ do: 'set', field: name, value: null }))

/** A button that is there while something is asked for, and takes it back. */
export const filterClear = (
  names: readonly string[],
  conditions: readonly JsonObject[],
  words: DerivedWords,
): JsonObject =>
  small('filterClear', words.clear, [{ do: 'set', data: 'viewName', value: null }, ...cleared(names)], {
    visibleOn: { or: conditions.flatMap(({ $if }) => $if ?? []) },
  })

/** The sheet that asks for them. @param beside  a further button of its bar */
export function filterSheet(
  module: MergedModule,
  fields: readonly Field[],
  words: DerivedWords,
  beside?: JsonObject,
): JsonObject {
  const addresses = new Map(module.fields.map((field) => [field.name, addressOf(module, field)]))
  const widgetsOf = (field: Field): readonly JsonObject[] => {
    const address = addresses.get(field.name)
    const widgets = filterWidgets(field, words)
    return address === undefined ? widgets : widgets.map((widget) => askedWith(widget, address))
  }
  return container('sheet', { name: 'filters', label: words.filter }, [
    ...fields.flatMap(widgetsOf),
    container('action-bar', { name: 'filtersBar' }, [
      button('filterReset', words.reset, cleared(filterNames(fields, words)), { type: 'default' }),
      ...(beside === undefined ? [] : [beside]),
      button('filterDone', words.done, [{ do: 'closeSheet', name: 'filters' }], { type: 'primary' }),
    ]),
  ])
}
