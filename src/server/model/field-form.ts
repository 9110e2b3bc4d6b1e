import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import type { Field } from '../../model/description.ts'
import { isKindName, KIND_GROUPS, kindOf } from '../../model/kinds/index.ts'
import { labelText } from '../../model/labels.ts'
import type { MergedField } from '../../model/merge-module.ts'
import { type TextCode, text } from '../text.ts'

/** Attributes that the field's form asks for as they are. */
const PLAIN = [
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
const FLAGS = [
  'filter',
  'sort',
  'card',
  'patch',
  'search',
  'retired',
] as const satisfies readonly (keyof Field)[]
/** What a product's field may say otherwise of these. */
const FLAGS_OF_VENDOR = ['filter', 'sort', 'card', 'patch', 'retired'] as const

/** A kind in the words of whoever adds a field. */
export const kindLabel = (name: string): string => text(`kind.${name}` as TextCode)

/** Every kind that can be chosen, in the order of its group. */
export const kindItems = (): readonly JsonObject[] =>
  Object.values(KIND_GROUPS)
    .flat()
    .map(({ name }) => ({ value: name, label: kindLabel(name) }))

/** A field as its form has it: attributes side by side, options as rows. */
export function fieldForm(field: MergedField): JsonObject {
  const { name, kind, label, help, options = [], required } = field
  return {
    name,
    kind,
    label: labelText(label),
    help: help === undefined ? null : labelText(help),
    required: required === true,
    ...Object.fromEntries(FLAGS.map((flag) => [flag, field[flag] === true])),
    ...Object.fromEntries(PLAIN.map((key) => [key, (field[key] ?? null) as Json])),
    options: options.map(({ value, label: words }) => ({ value, label: labelText(words) })),
  }
}

/**
 * The field that a form describes: what its kind does not know is left out, and so is what is empty.
 * @param before  the field as it is; what the form does not ask for stays
 */
export function fieldOfForm(form: JsonObject, before: MergedField | undefined): JsonObject {
  const kind = isKindName(form.kind) ? form.kind : (before?.kind ?? null)
  const said = (key: string): Json | undefined => {
    const value = form[key]
    return value === null || value === '' ? undefined : value
  }
  const shared = {
    name: before?.name ?? form.name ?? null,
    label: said('label'),
    help: said('help'),
    required: isObject(before?.required) ? before.required : form.required === true ? true : undefined,
  }
  const flags = (names: readonly string[]) =>
    names.map((flag) => [flag, form[flag] === true ? true : undefined] as const)
  if (before?.origin === 'vendor')
    return present({ ...shared, ...Object.fromEntries(flags(FLAGS_OF_VENDOR)) })
  if (kind === null) return present({ ...shared, kind: form.kind })
  const { attributes, index, sorts } = kindOf(kind)
  const plain = PLAIN.filter((key) => key === 'default' || key === 'unique' || attributes.includes(key))
  const allowed = FLAGS.filter(
    (flag) => (flag !== 'filter' || index !== null) && (flag !== 'sort' || sorts === true),
  )
  const rows = (Array.isArray(form.options) ? form.options : []).filter(isObject)
  const kept = {
    formula: before?.formula,
    rollup: before?.rollup,
    fields: before?.fields,
    pattern: before?.pattern,
  }
  return present({
    ...Object.fromEntries(Object.entries(kept).filter(([key]) => attributes.includes(key as keyof Field))),
    ...shared,
    kind,
    ...Object.fromEntries(flags(allowed)),
    ...Object.fromEntries(plain.map((key) => [key, said(key)])),
    ...(attributes.includes('options') && said('dict') === undefined && rows.length > 0
      ? {
          options: rows.map(({ value, label }, i) => ({ value: value || `v${i + 1}`, label: label ?? null })),
        }
      : {}),
  })
}

/** Only what is said. */
const present = (given: Readonly<Record<string, unknown>>): JsonObject =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as JsonObject
