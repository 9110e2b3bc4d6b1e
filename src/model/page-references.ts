import { type Problem, phrase } from '../../runtime/core/errors.ts'
import { isObject, type Json, type JsonObject, ownValue } from '../../runtime/core/json.ts'
import type { Field } from './description.ts'
import { isWritten } from './drawn-fields.ts'
import { withRight, writtenOnly } from './field-rights.ts'
import {
  bareWidgets,
  bodyOf,
  type FormWords,
  fieldWidgets,
  placesOf,
  sourceOf,
  withNames,
} from './form-fields.ts'
import { kindOf } from './kinds/index.ts'
import { labelText } from './labels.ts'
import { groupsOf } from './merge-module.ts'
import { nameOfOwn, ownStandIn } from './own-on-pages.ts'
import {
  fieldOf,
  type ModelOf,
  type Unknown,
  unknownModule,
  unknownName,
  withoutOverridden,
} from './references/named.ts'

/** Fields of the product refer to modules of the product. */
const isOwn = (): boolean => false

/** Widgets that a reference stands for, and the data sources their choices come from. */
export interface FieldWidgets {
  readonly widgets: readonly JsonObject[]
  readonly sources: readonly JsonObject[]
  readonly problems: readonly Problem[]
}

/** The form that fields stand on. */
export interface OnForm {
  readonly model: ModelOf
  readonly words: FormWords
  /** The modules as they are shipped, where `model` is as a tenant has them. */
  readonly vendor?: ModelOf
  /** It may be opened with a record. */
  readonly ofRecord: boolean
}

/** The module that such an item names. */
export const moduleOf = ({ field, fields }: JsonObject): string =>
  String(field ?? fields).split(/[./]/)[0] ?? ''

/**
 * The fields as widgets of a form, with what their descriptions say and the page's own options over it; an option that is null there is taken
 * out. A page may name another type of widget for a field. What a tenant says otherwise of a field goes before the page, which is the
 * vendor's as the description is.
 */
export function referredFields(item: JsonObject, form: OnForm): FieldWidgets {
  const { model, vendor = model } = form
  const { field, fields, type, options, params } = item
  const more = isObject(options) ? options : {}
  if (typeof field === 'string') {
    const [module = '', name = ''] = field.split('.')
    const ownName = model(module) === undefined ? null : nameOfOwn(name)
    if (ownName !== null)
      return { widgets: [ownStandIn(module, ownName, type, more)], sources: [], problems: [] }
    const found = fieldOf(model, module, name)
    if ('problem' in found) return { widgets: [], sources: [], problems: [found.problem] }
    const widgetOptions = withoutOverridden(more, found, vendor(module))
    const reference = referring(found, model)
    const face = { type: typeof type === 'string' ? type : null, address: `${module}.${name}` }
    const all = drawn(found, face, widgetOptions, form, reference)
    return Array.isArray(params)
      ? { ...all, sources: all.sources.map((source) => asking(source, params)) }
      : all
  }
  const [module = '', group] = String(fields).split('/')
  const found = fieldsOf(model, module, group)
  if ('problem' in found) return { widgets: [], sources: [], problems: [found.problem] }
  const unknown = Object.keys(more).filter((name) => !found.some((one) => one.name === name))
  const all = found.map((one) => {
    const override = more[one.name]
    const widgetOptions = withoutOverridden(isObject(override) ? override : {}, one, vendor(module))
    return drawn(
      one,
      { type: null, address: `${module}.${one.name}` },
      widgetOptions,
      form,
      referring(one, model),
    )
  })
  return {
    widgets: all.flatMap(({ widgets }) => widgets),
    sources: all.flatMap(({ sources }) => sources),
    problems: unknown.map((name) =>
      unknownName(
        phrase('fields of {owner}', { owner: String(fields) }),
        name,
        found.map((one) => one.name),
      ),
    ),
  }
}

/** What an item of a list says it is about: `{ "of": "customer.level" }`, or a widget with that among its options. */
export const referenceOf = (item: JsonObject): Json | undefined => item.of ?? ownValue(item.options, 'of')

/** True for the address of a field, `customer.level`. */
export const isFieldName = (name: Json | undefined): name is string =>
  typeof name === 'string' && /^\w+\.\w+$/.test(name)

/**
 * The item with the words of the field it is about: the page's own label, the description's where it has none, the tenant's where that says
 * something else. A row of a detail that says no more gets its value, too. A retired field is in no row and no choice, and asked by no widget.
 * @param named  `customer.level`
 */
export function itemOfField(
  item: JsonObject,
  named: string,
  model: ModelOf,
  vendor: ModelOf = model,
): { readonly item: JsonObject | null; readonly problems: readonly Problem[] } {
  const isWidget = item.of === undefined
  const { of: _, ...written } = isWidget && isObject(item.options) ? item.options : item
  const rebuilt = (words: JsonObject): JsonObject => (isWidget ? { ...item, options: words } : words)
  const [module = '', name = ''] = named.split('.')
  const field = fieldOf(model, module, name)
  if ('problem' in field) return { item: rebuilt(written), problems: [field.problem] }
  if (field.retired === true && !isWidget) return { item: null, problems: [] }
  const label = labelText(field.label)
  const overrides = withoutOverridden(written, field, vendor(module))
  const value = isWidget || VALUES.some((key) => key in written) ? {} : boundTo(field)
  return {
    item: rebuilt({ label, ...value, ...overrides, ...(field.retired === true ? HIDDEN_WIDGET : {}) }),
    problems: [],
  }
}

/** What says the value of an item: a row of a detail, or a choice. */
const VALUES = ['bind', 'text', 'value'] as const

const boundTo = ({ name, dict }: Field): JsonObject => ({
  bind: name,
  ...(dict === undefined ? {} : { dict }),
})

const HIDDEN_WIDGET = { hidden: true }

/** The source of a field's choices with further parameters: the contacts of one customer. */
const asking = (source: JsonObject, params: readonly Json[]): JsonObject => ({
  ...source,
  params: [...(Array.isArray(source.params) ? source.params : []), ...params],
})

/** How a reference of the product is drawn: records carry `customer_name` beside `customer_id`. */
const referring = ({ kind, name, module = '' }: Field, model: ModelOf): JsonObject =>
  kindOf(kind).face === 'picker' && kind !== 'dept'
    ? { nameField: `${name.replace(/_id$/, '')}_name`, ...placesOf(model(module)) }
    : {}

/** A retired field is hidden, not gone: rules and actions of the page may name it. It is not sent. */
function drawn(
  given: Field,
  { type, address }: { readonly type: string | null; readonly address: string },
  options: JsonObject,
  { words, ofRecord }: Pick<OnForm, 'words' | 'ofRecord'>,
  reference: JsonObject,
): FieldWidgets {
  const isRetired = given.retired === true
  const field = isRetired ? { ...given, required: false } : given
  const more = isRetired ? { ...options, ...HIDDEN } : options
  const widgets = bareWidgets(field, words)
    .map((widget) => {
      if (type === null || type === widget.type) return withOptions(widget, { ...reference, ...more })
      return { ...withOptions(withoutTyped(widget), more), type }
    })
    .map((widget) => (isRetired ? widget : withRight(widget, address, ofRecord)))
    .flatMap(withNames)
  const needsSource = widgets.some(({ options }) =>
    sourceOf(field, isOwn).some((one) => one.uniqueName === ownValue(options, 'dsName')),
  )
  return { widgets, sources: needsSource ? sourceOf(field, isOwn) : [], problems: [] }
}

const HIDDEN = { hidden: true, required: null, requiredOn: null, visibleOn: null }

/** Options that say the same in whatever widget holds the value. */
const SHARED = [
  'name',
  'label',
  'required',
  'requiredHint',
  'requiredOn',
  'hint',
  'defaultValue',
  'disabledOn',
  'dict',
  'optionItems',
  'maxLength',
]

/** The widget with what any other widget for its value says, too. */
export const withoutTyped = (widget: JsonObject): JsonObject => ({
  ...widget,
  options: Object.fromEntries(
    Object.entries(isObject(widget.options) ? widget.options : {}).filter(([key]) => SHARED.includes(key)),
  ),
})

function withOptions(widget: JsonObject, more: JsonObject): JsonObject {
  const options = { ...(isObject(widget.options) ? widget.options : {}), ...more }
  return {
    ...widget,
    options: Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null)),
  }
}

function fieldsOf(model: ModelOf, module: string, group: string | undefined): readonly Field[] | Unknown {
  const found = model(module)
  if (found === undefined) return { problem: unknownModule(module) }
  const groups = groupsOf(found)
  const chosen = group === undefined ? groups : groups.filter(({ name }) => name === group)
  if (chosen.length === 0)
    return {
      problem: unknownName(
        phrase('groups of {owner}', { owner: module }),
        group ?? '',
        groups.map(({ name }) => name),
      ),
    }
  return chosen
    .flatMap(({ fields }) => fields)
    .flatMap((name) => found.fields.find((field) => field.name === name) ?? [])
    .filter(isWritten)
}

/** Fields that a form asks for. */
const isOnForm = (field: Field): boolean => isWritten(field) && field.retired !== true

/** A body that holds a record: every field of the module that the page has, and the entries the page adds. */
export function recordBody(
  body: JsonObject,
  widgets: Json,
  model: ModelOf,
  words: FormWords,
): { readonly body: JsonObject; readonly keys: readonly string[]; readonly problems: readonly Problem[] } {
  const { record, without, ...more } = body
  const excluded = Array.isArray(without) ? without : []
  const module = String(record)
  const found = model(module)
  if (found === undefined)
    return {
      body: more,
      keys: [],
      problems: [unknownModule(module)],
    }
  const widgetNames = new Set(namesIn(widgets))
  const isOnPage = (field: Field): boolean =>
    fieldWidgets(field, words).some(({ options }) => widgetNames.has(String(ownValue(options, 'name'))))
  const values: JsonObject = Object.fromEntries(
    found.fields
      .filter((field) => isOnForm(field) && isOnPage(field) && !excluded.includes(field.name))
      .flatMap((field) => Object.entries(bodyOf(field, words))),
  )
  return {
    body: writtenOnly(module, {
      ...values,
      ...(extended(module, widgets) ? { ext: { fields: module } } : {}),
      ...more,
    }),
    keys: Object.keys(values),
    problems: [],
  }
}

/** Names of the fields on a form; those in rows of a sub-form are values of their row. */
function namesIn(widgets: Json): readonly string[] {
  if (!Array.isArray(widgets)) return []
  return widgets.flatMap((widget): readonly string[] => {
    if (!isObject(widget)) return []
    const name = widget.formItemFlag === true ? [String(ownValue(widget.options, 'name'))] : []
    if (widget.type === 'sub-form' || widget.type === 'grid-sub-form')
      return [String(ownValue(widget.options, 'name'))]
    return [...name, ...CHILDREN.flatMap((key) => namesIn(widget[key] ?? null))]
  })
}

const CHILDREN = ['widgetList', 'cols', 'tabs', 'rows'] as const

/** The form has a place for the fields that a tenant adds to the module, or one of them. */
function extended(module: string, widgets: Json): boolean {
  if (!Array.isArray(widgets)) return false
  return widgets.some(
    (widget) =>
      isObject(widget) &&
      (ownValue(widget.options, 'fields') === module ||
        String(ownValue(widget.options, 'own') ?? '').startsWith(`${module}.`) ||
        CHILDREN.some((key) => extended(module, widget[key] ?? null))),
  )
}
