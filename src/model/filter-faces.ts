import type { Json, JsonObject } from '../../runtime/core/json.ts'
import type { Field } from './description.ts'
import { optionItems } from './form-fields.ts'
import type { FilterFace } from './kind.ts'
import { kindOf } from './kinds/index.ts'
import type { ListWords } from './list-words.ts'
import { formField, getSource, variable } from './page-parts.ts'

/** A way of asking for a value: the widgets of the sheet, and the conditions of a list request for what they hold. */
export interface Face {
  readonly widgets: (target: FilterTarget, words: ListWords) => readonly JsonObject[]
  readonly conditions: (target: FilterTarget) => readonly JsonObject[]
  /** What its widgets hold while nothing is asked, where that is not null. */
  readonly empty?: Json
  /** Where its choices come from, when that is not where the kind of the field has them. */
  readonly sources?: readonly JsonObject[]
}

export interface FilterTarget {
  readonly field: Field
  /** The name of the widget. */
  readonly name: string
  readonly label: string
}

const filled = (path: string): JsonObject => ({ '!!': { var: path } })
const given = (path: string): JsonObject => ({ '!=': [{ var: path }, null] })
const condition = ({ field }: FilterTarget, rule: JsonObject, op: string, value: Json): JsonObject => ({
  $if: rule,
  field: field.name,
  op,
  value,
})
/** The one condition of a widget that is filled in. */
const whenFilled =
  (op: string): Face['conditions'] =>
  (target) => [condition(target, filled(`form.${target.name}`), op, `{{ form.${target.name} }}`)]

/** The one condition of a widget that holds something, 0 and false included. */
const whenGiven =
  (op: string): Face['conditions'] =>
  (target) => [condition(target, given(`form.${target.name}`), op, `{{ form.${target.name} }}`)]

const choicesOf = (field: Field): JsonObject =>
  field.dict === undefined ? { optionItems: optionItems(field) } : { dict: field.dict }

/** What a page may ask with instead of what the kind of the field has. */
export type SheetFace = FilterFace | 'select' | 'one' | 'when' | 'least' | 'person'

/** All ways of asking, by name. */
export const FACES: Readonly<Record<SheetFace, Face>> = {
  choices: {
    widgets: ({ field, name, label }) => [
      formField('checkbox', { name, label, ...choicesOf(field), buttonStyle: true }),
    ],
    conditions: whenFilled('in'),
    empty: [],
  },
  select: {
    widgets: ({ field, name, label }, { any }) => [
      formField('select', {
        name,
        label,
        ...choicesOf(field),
        multiple: true,
        defaultValue: [],
        placeholder: any,
        filterable: true,
      }),
    ],
    conditions: whenFilled('in'),
    empty: [],
  },
  one: {
    widgets: ({ field, name, label }) => [
      formField('radio', { name, label, ...choicesOf(field), buttonStyle: true }),
    ],
    conditions: whenGiven('eq'),
  },
  when: {
    widgets: ({ name, label }, { today, thisWeek, thisMonth, last30d }) => [
      formField('radio', {
        name,
        label,
        buttonStyle: true,
        optionItems: [
          { label: today, value: 'today' },
          { label: thisWeek, value: 'thisWeek' },
          { label: thisMonth, value: 'thisMonth' },
          { label: last30d, value: 'last30d' },
        ],
      }),
    ],
    conditions: whenFilled('rel'),
  },
  least: {
    widgets: ({ name, label }, { from, any }) => [
      formField('number', { name, label: `${label}${from}`, placeholder: any, min: 0 }),
    ],
    conditions: whenFilled('gte'),
  },
  region: {
    widgets: ({ name, label }, { any }) => [
      formField('cascader', {
        name,
        label,
        placeholder: any,
        defaultValue: [],
        dsEnabled: true,
        dsName: 'regions',
        filterable: true,
        checkStrictly: true,
      }),
    ],
    conditions: whenFilled('contains'),
    empty: [],
  },
  person: {
    widgets: ({ name, label }, { any }) => [
      formField('select', {
        name,
        label,
        placeholder: any,
        clearable: true,
        filterable: true,
        remote: true,
        dsEnabled: true,
        dsName: 'owners',
        dataSetName: 'list',
        labelKey: 'label',
        valueKey: 'value',
        visibleOn: { in: ['stats:team', { var: 'user.permissions' }] },
      }),
    ],
    conditions: whenFilled('eq'),
    sources: [
      getSource('owners', '/mini/user/options', [
        variable('keyword', 'DSV.search'),
        { name: 'scope', type: 'String', value: 'team' },
      ]),
    ],
  },
  picker: {
    widgets({ field, name, label }) {
      const { type, options = {} } = kindOf(field.kind).widget(field)
      return [formField(type, { ...options, nameField: '', name, label, multiple: true })]
    },
    conditions: whenFilled('in'),
  },
  range: {
    widgets: ({ name, label }, words) => [
      formField('number', { name: `${name}_from`, label: `${label}${words.from}` }),
      formField('number', { name: `${name}_to`, label: `${label}${words.until}` }),
    ],
    conditions: (target) => [
      condition(target, given(`form.${target.name}_from`), 'gte', `{{ form.${target.name}_from }}`),
      condition(target, given(`form.${target.name}_to`), 'lte', `{{ form.${target.name}_to }}`),
    ],
  },
  days: {
    widgets: ({ name, label }) => [formField('date-range', { name, label })],
    conditions: whenFilled('between'),
  },
  moments: {
    widgets: ({ name, label }) => [formField('date-range', { name, label })],
    conditions: (target) => [
      condition(target, filled(`form.${target.name}.0`), 'gte', `{{ form.${target.name}.0 }} 00:00:00`),
      condition(target, filled(`form.${target.name}.1`), 'lte', `{{ form.${target.name}.1 }} 23:59:59`),
    ],
  },
  switch: {
    widgets: ({ name, label }) => [formField('switch', { name, label })],
    conditions: (target) => [condition(target, filled(`form.${target.name}`), 'eq', true)],
    empty: false,
  },
  text: {
    widgets: ({ name, label }) => [formField('input', { name, label, trim: true, maxLength: 50 })],
    conditions: whenFilled('contains'),
  },
  // Any of the words that are typed, each as a whole: so the index has them.
  words: {
    widgets: ({ name, label }, { any }) => [
      formField('select', {
        name,
        label,
        placeholder: any,
        multiple: true,
        allowCreate: true,
        defaultValue: [],
      }),
    ],
    conditions: whenFilled('in'),
    empty: [],
  },
}

/** How the filter sheet of a list asks for a field, unless a page says otherwise; null: not at all. */
export const faceOf = ({ kind }: Field): SheetFace | null => kindOf(kind).face
