import { isObject, type Json, type JsonObject, ownValue } from '../../runtime/core/json.ts'
import { OWN_FIELD } from '../contract/pages.ts'
import { computedRule, defaultRule } from './computed-values.ts'
import type { Field, ModuleDescription } from './description.ts'
import type { FillingIn, FormParts, PartWords } from './kind.ts'
import { kindOf } from './kinds/index.ts'
import { labelText } from './labels.ts'
import type { Origin } from './merge-module.ts'
import { formField, type IsOwn } from './page-parts.ts'

/** Words of fields on a form, from the text catalogue. */
export type FormWords = PartWords &
  Readonly<
    Record<
      | 'required'
      | 'requiredChoice'
      | 'requiredFiles'
      | 'requiredRows'
      | 'format'
      | 'optional'
      | 'elseToday'
      | 'elseNow'
      | 'elseMe',
      string
    >
  >

/** What a field that must be filled in says while it is empty, by what fills it in. */
const REQUIRED = {
  write: 'required',
  choose: 'requiredChoice',
  upload: 'requiredFiles',
  add: 'requiredRows',
} as const satisfies Readonly<Record<FillingIn, keyof FormWords>>

/** What the server fills in says so while it is empty. */
const ELSE = {
  day: 'elseToday',
  moment: 'elseNow',
  me: 'elseMe',
} as const satisfies Readonly<Record<string, keyof FormWords>>

/** The part of a body that a field makes. */
export const bodyOf = (one: Field, words: FormWords): JsonObject =>
  kindOf(one.kind).parts?.(one, words).body ?? { [one.name]: `{{ form.${one.name} }}` }

/** A field of a form: what its kind draws, with the label and the rules of its description. @param more  further options of its widget */
export function fieldWidgets(one: Field, words: FormWords, more: JsonObject = {}): readonly JsonObject[] {
  return bareWidgets(one, words, more).flatMap(withNames)
}

/** {@link fieldWidgets} without what {@link withNames} puts beside them. */
export function bareWidgets(one: Field, words: FormWords, more: JsonObject = {}): readonly JsonObject[] {
  const parts = kindOf(one.kind).parts?.(one, words)
  return parts === undefined ? [fieldWidget(one, words, more)] : partWidgets(one, words, parts)
}

/** Parts of a value, the first of which speaks for all: it is asked for while none of them holds anything. */
function partWidgets(one: Field, words: FormWords, { widgets, held }: FormParts): readonly JsonObject[] {
  const { required, requiredOn = required, ...options } = requirementOf(one, words)
  const requiredOption =
    requiredOn === undefined ? {} : { requiredOn: { and: [requiredOn, { '!': [held] }] } }
  return widgets.map((widget, i) =>
    i === 0 ? withOptions(widget, { ...options, ...requiredOption }) : widget,
  )
}

const withOptions = (widget: JsonObject, more: JsonObject): JsonObject => ({
  ...widget,
  options: { ...(isObject(widget.options) ? widget.options : {}), ...more },
})

/** What a field asks for and says of itself, in whatever widget it is written. */
function requirementOf(one: Field, words: FormWords): JsonObject {
  const { kind, label, required, help, readonly } = one
  const hint = words[REQUIRED[kindOf(kind).filledBy ?? 'write']].replace('{label}', labelText(label))
  return {
    ...(required === true && !isFilledIn(one) ? { required: true, requiredHint: hint } : {}),
    ...(isObject(required) ? { requiredOn: required, requiredHint: hint } : {}),
    ...(help === undefined ? {} : { hint: labelText(help) }),
    ...(readonly === 'created' ? { disabledOn: { '!!': { var: 'params.id' } } } : {}),
  }
}

/** A widget with the hidden field that keeps the words of what it refers to, where it has one. */
export function withNames(widget: JsonObject): readonly JsonObject[] {
  const name = ownValue(widget.options, 'nameField')
  if (typeof name !== 'string' || name === '') return [widget]
  return [widget, formField('input', { name, label: ownValue(widget.options, 'label') ?? '', hidden: true })]
}

/** A module as references see it. */
export type ReferredModule = Pick<ModuleDescription, 'name' | 'pages' | 'permission'> & {
  readonly origin?: Origin
}

/** Where the records that a field refers to are looked at and made; nothing for a module without such pages. */
export function placesOf(module: ReferredModule | undefined): JsonObject {
  if (module === undefined) return {}
  const { name, permission = name, pages = {}, origin } = module
  const path = `/pages/m/${name}/`
  const { detail, form } = origin === 'tenant' ? { detail: `${path}detail`, form: `${path}add` } : pages
  const right = `${origin === 'tenant' ? `m.${name}` : permission}:add`
  return {
    ...(detail === undefined ? {} : { show: detail }),
    ...(form === undefined ? {} : { create: form, createOn: { in: [right, { var: 'user.permissions' }] } }),
  }
}

/** The longest label that stands beside its control, in the two lines that fit there. */
const BESIDE = 12

function fieldWidget(one: Field, words: FormWords, more: JsonObject): JsonObject {
  const { widget: shapeOf, unit } = kindOf(one.kind)
  const { type, options = {} } = shapeOf(one)
  const label = labelText(one.label)
  const rows = (one.fields ?? []).flatMap((field) => columnWidgets(field, words))
  const widget = formField(type, {
    ...options,
    ...('validation' in options ? { validationHint: words.format.replace('{label}', label) } : {}),
    ...(unit === undefined ? {} : { unit: unit(words) }),
    ...placeholderOf(type, one, words),
    ...(isFilledIn(one)
      ? { placeholder: words[ELSE[one.kind === 'day' || one.kind === 'moment' ? one.kind : 'me']] }
      : {}),
    ...more,
    ...('optionItems' in options ? { optionItems: optionItems(one) } : {}),
    name: one.name,
    label,
    ...(label.length > BESIDE ? { labelAlign: 'top' } : {}),
    ...requirementOf(one, words),
    ...(isPlainDefault(one.default) ? { defaultValue: one.default } : {}),
    ...suggested(one),
    ...(one.worked === undefined ? {} : { readonly: true, valueOn: computedRule(one) ?? null }),
  })
  return one.fields === undefined ? widget : { ...widget, category: 'container', widgetList: rows }
}

/** A column that was stopped goes along unseen, so that what its rows hold stays. */
const columnWidgets = (column: Field, words: FormWords): readonly JsonObject[] =>
  column.retired === true
    ? fieldWidgets({ ...column, required: false }, words, { hidden: true })
    : fieldWidgets(column, words)

/** Widgets that are typed into: pickers say by themselves that there is something to choose. */
const TYPED: ReadonlySet<string> = new Set(['input', 'textarea', 'number'])

/** What an empty field says where somebody types: what is worked out, or asked for by a rule, has nothing to say. */
function placeholderOf(type: string, one: Field, words: FormWords): JsonObject {
  const { kind, label, required = false, worked } = one
  if (!TYPED.has(type) || worked !== undefined || kindOf(kind).derived === true) return {}
  if (isObject(required)) return {}
  return { placeholder: required ? words.required.replace('{label}', labelText(label)) : words.optional }
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
  options.map(({ value, label, color }) => ({
    value,
    label: labelText(label),
    ...(color === undefined ? {} : { color }),
  }))

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
  more: (field: Field) => JsonObject = () => ({}),
): { readonly widgets: readonly JsonObject[]; readonly sources: readonly JsonObject[] } {
  return {
    widgets: fields.flatMap((field) => fieldWidgets(field, words, more(field))),
    sources: fields.flatMap((field) => sourceOf(field, isOwn)),
  }
}

/** How pages name a field of the tenant's own in a module of the product: `.` separates addresses there. */
export const ownName = (name: string): string => `${OWN_FIELD}${name}`

/** How filters, sorts, columns, rights and faults name it. */
export const extName = (name: string): string => `ext.${name}`
