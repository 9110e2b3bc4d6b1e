import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import type { Field } from '../description.ts'
import { optionItems } from '../form-fields.ts'
import type { FilterFace } from '../kind.ts'
import { kindOf } from '../kinds/index.ts'
import { labelText } from '../labels.ts'
import type { MergedModule } from '../merge-module.ts'
import { formField } from '../page-parts.ts'
import { button, container, shownFields } from './parts.ts'
import type { DerivedWords } from './words.ts'

/** A way of asking for a value: the widgets of the sheet, and the conditions of a list request for what they hold. */
interface Face {
  readonly widgets: (asked: Asked, words: DerivedWords) => readonly JsonObject[]
  readonly conditions: (asked: Asked) => readonly JsonObject[]
}

interface Asked {
  readonly field: Field
  /** The name of the widget. */
  readonly name: string
  readonly label: string
}

const filled = (path: string): JsonObject => ({ '!!': { var: path } })
const given = (path: string): JsonObject => ({ '!=': [{ var: path }, null] })
const condition = ({ field }: Asked, rule: JsonObject, op: string, value: Json): JsonObject => ({
  $if: rule,
  field: field.name,
  op,
  value,
})
/** The one condition of a widget that is filled in. */
const whole =
  (op: string): Face['conditions'] =>
  (asked) => [condition(asked, filled(`form.${asked.name}`), op, `{{ form.${asked.name} }}`)]

const FACES: Readonly<Record<FilterFace, Face>> = {
  choices: {
    widgets: ({ field, name, label }) => [
      formField('checkbox', {
        name,
        label,
        ...(field.dict === undefined ? { optionItems: optionItems(field) } : { dict: field.dict }),
        buttonStyle: true,
      }),
    ],
    conditions: whole('in'),
  },
  picker: {
    widgets({ field, name, label }) {
      const { type, options = {} } = kindOf(field.kind).widget(field)
      return [formField(type, { ...options, nameField: '', name, label, multiple: true })]
    },
    conditions: whole('in'),
  },
  range: {
    widgets: ({ name, label }, words) => [
      formField('number', { name: `${name}_from`, label: `${label} ${words.from}` }),
      formField('number', { name: `${name}_to`, label: `${label} ${words.until}` }),
    ],
    conditions: (asked) => [
      condition(asked, given(`form.${asked.name}_from`), 'gte', `{{ form.${asked.name}_from }}`),
      condition(asked, given(`form.${asked.name}_to`), 'lte', `{{ form.${asked.name}_to }}`),
    ],
  },
  days: {
    widgets: ({ name, label }) => [formField('date-range', { name, label })],
    conditions: whole('between'),
  },
  moments: {
    widgets: ({ name, label }) => [formField('date-range', { name, label })],
    conditions: (asked) => [
      condition(asked, filled(`form.${asked.name}.0`), 'gte', `{{ form.${asked.name}.0 }} 00:00:00`),
      condition(asked, filled(`form.${asked.name}.1`), 'lte', `{{ form.${asked.name}.1 }} 23:59:59`),
    ],
  },
  switch: {
    widgets: ({ name, label }) => [formField('switch', { name, label })],
    conditions: (asked) => [condition(asked, filled(`form.${asked.name}`), 'eq', true)],
  },
  text: {
    widgets: ({ name, label }) => [formField('input', { name, label, trim: true, maxLength: 50 })],
    conditions: whole('contains'),
  },
}

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

const askedOf = (field: Field): Asked => ({
  field,
  name: `f_${field.name}`,
  label: labelText(field.label),
})
const faceOf = ({ kind }: Field): Face | null => {
  const { face } = kindOf(kind)
  return face === null ? null : FACES[face]
}

/** The conditions of a list request for what the sheet holds. */
export const filterConditions = (field: Field): readonly JsonObject[] =>
  faceOf(field)?.conditions(askedOf(field)) ?? []

/** What the sheet asks for one field with. */
export const filterWidgets = (field: Field, words: DerivedWords): readonly JsonObject[] =>
  faceOf(field)?.widgets(askedOf(field), words) ?? []

/** The sheet that asks for them. */
export function filterSheet(fields: readonly Field[], words: DerivedWords): JsonObject {
  const widgets = fields.flatMap((one) => filterWidgets(one, words))
  const names = widgets.map(({ options }) => (isObject(options) ? String(options.name) : ''))
  return container('sheet', { name: 'filters', label: words.filter }, [
    ...widgets,
    container('action-bar', { name: 'filtersBar' }, [
      button(
        'filterReset',
        words.reset,
        names.map((name) => ({ do: 'set', field: name, value: null })),
        { type: 'default' },
      ),
      button('filterDone', words.done, [{ do: 'closeSheet', name: 'filters' }], { type: 'primary' }),
    ]),
  ])
}
