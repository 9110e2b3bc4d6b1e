import { isObject, type Json, type JsonObject } from '../../runtime/core/json.ts'
import type { Field } from './description.ts'
import type { PartWords } from './kind.ts'
import { kindOf } from './kinds/index.ts'
import { labelText } from './labels.ts'
import { formField, type IsOwn } from './page-parts.ts'
import { defaultRule, workedRule } from './worked-out.ts'

/** Words of fields on a form, from the text catalogue. */
export type FormWords = PartWords & Readonly<Record<'required', string>>

/** The part of a body that a field makes. */
export const bodyOf = (one: Field, words: FormWords): JsonObject =>
  kindOf(one.kind).parts?.(one, words).body ?? { [one.name]: `{{ form.${one.name} }}` }

/** A field of a form: what its kind draws, with the label and the rules of its description. @param more  further options of its widget */
export function fieldWidgets(one: Field, words: FormWords, more: JsonObject = {}): readonly JsonObject[] {
  const parts = kindOf(one.kind).parts?.(one, words)
  return parts?.widgets ?? [fieldWidget(one, words, more)]
}

function fieldWidget(one: Field, words: FormWords, more: JsonObject): JsonObject {
  const { type, options = {} } = kindOf(one.kind).widget(one)
  const label = labelText(one.label)
  const rows = (one.fields ?? []).flatMap((field) => fieldWidgets(field, words))
  const widget = formField(type, {
    ...options,
    ...more,
    ...('optionItems' in options ? { optionItems: optionItems(one) } : {}),
    name: one.name,
    label,
    ...(one.required === true && !isFilledIn(one)
      ? { required: true, requiredHint: words.required.replace('{label}', label) }
      : {}),
    ...(isObject(one.required) ? { requiredOn: one.required } : {}),
    ...(one.help === undefined ? {} : { hint: labelText(one.help) }),
    ...(isPlainDefault(one.default) ? { defaultValue: one.default } : {}),
    ...suggested(one),
    ...(one.readonly === 'created' ? { disabledOn: { '!!': { var: 'params.id' } } } : {}),
    ...(one.worked === undefined ? {} : { readonly: true, valueOn: workedRule(one) ?? null }),
  })
  return one.fields === undefined ? widget : { ...widget, category: 'container', widgetList: rows }
}

/** True for a field that the server fills in where a new record leaves it empty: the moment, or who writes. */
export const isFilledIn = ({ kind, default: usual }: Pick<Field, 'kind' | 'default'>): boolean =>
  (usual === 'now' && (kind === 'day' || kind === 'moment')) ||
  (usual === 'me' && (kind === 'user' || kind === 'users'))

/** What a rule suggests for a new record; one that is there has its value. */
function suggested(one: Field): JsonObject {
  const rule = defaultRule(one)
  return rule === undefined ? {} : { defaultOn: { if: [{ '!': [{ var: 'params.id' }] }, rule, null] } }
}

const isPlainDefault = (value: Json | undefined): value is Json =>
  value !== undefined && value !== null && !isObject(value) && value !== 'now' && value !== 'me'

export const optionItems = ({ options = [] }: Field): Json =>
  options.map(({ value, label }) => ({ value, label: labelText(label) }))

/** The data source a field's choices come from. */
export function sourceOf(one: Field, isOwn: IsOwn): readonly JsonObject[] {
  const source = kindOf(one.kind).source?.(one, isOwn)
  return source === undefined ? [] : [source]
}

/** Widgets of fields on a form, and the sources their choices come from. */
export function fieldsOnForm(
  fields: readonly Field[],
  words: FormWords,
  isOwn: IsOwn,
): { readonly widgets: readonly JsonObject[]; readonly sources: readonly JsonObject[] } {
  return {
    widgets: fields.flatMap((one) => fieldWidgets(one, words)),
    sources: fields.flatMap((one) => sourceOf(one, isOwn)),
  }
}

/** How pages name a field of the tenant's own in a module of the product: `.` separates addresses there. */
export const ownName = (name: string): string => `ext_${name}`

/** How filters, sorts, columns, rights and faults name it. */
export const extName = (name: string): string => `ext.${name}`
