import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import { OFFERS } from '../../../model/field-offers.ts'
import { KIND_GROUPS } from '../../../model/kinds/index.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedField, MergedModule } from '../../../model/merge-module.ts'
import { countedAt, isRolled, type Modules, ROLLUPS } from '../../../model/rollups.ts'
import { ROW_KINDS } from '../../../model/rows.ts'
import { type TextCode, text } from '../../kernel/text/text.ts'

/** Attributes that the field's form uses unchanged. */
export const PLAIN = [
  'min',
  'max',
  'decimals',
  'most',
  'dict',
  'module',
  'number',
  'form',
  'default',
  'unique',
] as const satisfies readonly (keyof Field)[]
export const FLAGS = [...OFFERS, 'retired'] as const satisfies readonly (keyof Field)[]

/** A kind as a person who adds a field calls it. */
export const kindLabel = (name: string): string => text(`kind.${name}` as TextCode)

/** What a row of a sub-form can hold. */
export const rowKindItems = (): readonly JsonObject[] =>
  ROW_KINDS.map((value) => ({ value, label: kindLabel(value) }))

/** Every kind that can be chosen on screen, ordered by group. */
export const kindItems = (): readonly JsonObject[] =>
  Object.values(KIND_GROUPS)
    .flat()
    .map(({ name }) => ({ value: name, label: kindLabel(name) }))

/** Records that a rollup of the module can count, as offered by its sheet. */
export const countedItems = ({ name }: MergedModule, modules: Modules): readonly JsonObject[] =>
  countedAt(name, modules).map(({ child, by }) => ({
    value: `${child.name}/${by.name}`,
    label: text('model.counted', { module: labelText(child.label), field: labelText(by.label) }),
  }))

/** Fields of those records that can be aggregated; the last of them can also be chosen by creation time. */
export function rolledItems(module: MergedModule | undefined, of: string): readonly JsonObject[] {
  const rollup = ROLLUPS.find((one) => one === of)
  if (module === undefined || rollup === undefined) return []
  const fields = module.fields.filter((field) => isRolled(rollup, field))
  return [
    ...(rollup === 'latest' ? [{ value: '', label: text('model.last-made') }] : []),
    ...fields.map(({ name, label }) => ({ value: name, label: labelText(label) })),
  ]
}

/** A field in its form's shape: attributes side by side, options as rows, a simple rule as its three parts. */
export function fieldForm(field: MergedField): JsonObject {
  const { name, kind, label, help, options = [], inverse, rollup } = field
  return {
    name,
    kind,
    label: labelText(label),
    help: help === undefined ? null : labelText(help),
    ...requirementOf(field),
    ...Object.fromEntries(FLAGS.map((flag) => [flag, field[flag] === true])),
    ...Object.fromEntries(PLAIN.map((key) => [key, (field[key] ?? null) as Json])),
    default_now: field.default === 'now' ? 'now' : '',
    default_me: field.default === 'me' ? 'me' : '',
    default_yes: field.default === true ? 'yes' : '',
    default_option: optionChosen(field),
    fixed: field.readonly === 'created',
    masked: field.mask === 'pool',
    also: (field.import ?? []).join('、'),
    pattern: field.pattern ?? null,
    source: field.dict === undefined ? 'options' : 'dict',
    options: options.map(({ value, label: words, color = '' }) => ({
      value,
      label: labelText(words),
      color,
    })),
    inverse: inverse === undefined ? null : labelText(inverse.label),
    rows: (field.fields ?? []).map(rowOf),
    ...(rollup === undefined
      ? {}
      : {
          rollup_at: `${rollup.module}/${rollup.by}`,
          rollup_of: rollup.of,
          rollup_field: rollup.field ?? null,
        }),
  }
}

/** The default option of a new record: for a dictionary its value, for the field's own options the label, because it may not have a code yet. */
function optionChosen({ dict, options = [], default: usual }: Field): string | null {
  if (typeof usual !== 'string') return null
  if (dict !== undefined) return usual
  const found = options.find(({ value }) => value === usual)
  return found === undefined ? null : labelText(found.label)
}

/** Options that a sheet offers for that. @param items  of its dictionary, if it has one */
export const optionItems = (
  { options = [] }: Field,
  items:
    | readonly { readonly value: string; readonly label: string; readonly disable?: boolean }[]
    | undefined,
): readonly JsonObject[] =>
  items === undefined
    ? options.map(({ label }) => ({ value: labelText(label), label: labelText(label) }))
    : items.filter(({ disable }) => disable !== true).map(({ value, label }) => ({ value, label }))

/** A field of a row in the sheet's shape; its options are in one line. */
const rowOf = ({ name, kind, label, required, retired, options = [] }: Field): JsonObject => ({
  name,
  kind,
  label: labelText(label),
  required: required === true,
  retired: retired === true,
  options: options.map((option) => labelText(option.label)).join('、'),
})

const NO_OPTION: JsonObject = { value: null, label: null }

/** A new field with initial values; a choice has at least two options. */
export const emptyForm = (): JsonObject => ({
  kind: 'text',
  required: 'no',
  source: 'options',
  options: [NO_OPTION, NO_OPTION],
  rows: [{ name: null, kind: 'text', label: null, required: false, retired: false, options: null }],
  ...Object.fromEntries(FLAGS.map((flag) => [flag, false])),
})

function requirementOf({ required }: Field): JsonObject {
  if (!isObject(required)) return { required: required === true ? 'yes' : 'no' }
  const when = conditionOf(required)
  return when === null ? { required: 'rule' } : { required: 'when', ...when }
}

const OPERATORS: Readonly<Record<string, string>> = { '==': 'eq', '!=': 'ne', '!!': 'filled' }

/** The parts of a rule with one comparison; null for any other, which stays as written. */
function conditionOf(rule: JsonObject): JsonObject | null {
  const [entry, ...others] = Object.entries(rule)
  const op = entry === undefined ? undefined : OPERATORS[entry[0]]
  if (entry === undefined || others.length > 0 || op === undefined) return null
  const [side, value = null] = Array.isArray(entry[1]) ? entry[1] : [entry[1] ?? null]
  const field = isObject(side) ? side.var : null
  return typeof field === 'string' && !isObject(value)
    ? { when_field: field, when_op: op, when_value: value, when_text: isScalar(value) ? String(value) : null }
    : null
}

const isScalar = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number'

/** The rule for these parts; `when_text` is the input if there are no options to choose from. */
export function ruleOf({ when_field, when_op, when_value, when_text }: JsonObject): JsonObject | null {
  if (typeof when_field !== 'string' || when_field === '') return null
  const at = { var: when_field }
  if (when_op === 'filled') return { '!!': [at] }
  return { [when_op === 'ne' ? '!=' : '==']: [at, when_value ?? when_text ?? null] }
}

/** The sheet of a field after retiring or restoring it. */
export const retiredForm = (field: MergedField, retired: boolean): JsonObject => ({
  ...fieldForm(field),
  retired,
})
