import { isObject, type Json, type JsonObject, listOf, ownValue } from '../../../../runtime/core/json.ts'
import { cardLines } from '../../../model/derived/card-line.ts'
import { cellSources } from '../../../model/derived/cells.ts'
import { type Column, columnsOf, headOrders } from '../../../model/derived/columns.ts'
import { filterConditions, filterWidgets } from '../../../model/derived/filters.ts'
import { heldFiles, isHeldFile } from '../../../model/derived/held-files.ts'
import { asShown, factOf, placeOf, saysAny } from '../../../model/derived/parts.ts'
import { patchedFields, patchSources, patchWidgets } from '../../../model/derived/patch.ts'
import { searchHint } from '../../../model/derived/search-hint.ts'
import { orderOf } from '../../../model/derived/sorts.ts'
import type { DerivedWords } from '../../../model/derived/words.ts'
import type { Field } from '../../../model/description.ts'
import { isDrawn, isWritten } from '../../../model/drawn-fields.ts'
import {
  addressOf,
  askedWith,
  seenRule,
  setWithAny,
  takesRecord,
  withRight,
} from '../../../model/field-rights.ts'
import { bodyOf, extName, fieldsOnForm, ownName, placesOf, sourceOf } from '../../../model/form-fields.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import { labelText } from '../../../model/labels.ts'
import { groupsOf, type MergedField, type MergedModule } from '../../../model/merge-module.ts'
import { BY_KIND, LABEL_PLACE, type OwnPlaces, ownPlaces } from '../../../model/own-on-pages.ts'
import { withOwnRules } from '../../../model/own-rule.ts'
import type { TenantModel } from './library.ts'
import { asOffered } from './own-index.ts'

/** Options that mark the places of a page for the tenant's own fields of a module; the value is the name of the module. */
const PLACES = ['fields', 'facts', 'card', 'filters', 'filtered', 'sorts', 'searched', 'patch'] as const
type Place = (typeof PLACES)[number]

/**
 * The page for a tenant, with its own fields of a module inserted at the marked places: on a form, in a detail, on cards, in a filter sheet, among
 * the sorts, the columns and the fields that are set on many records at once (PAGE-FORMAT). Places that stay empty are removed.
 */
export function withOwnWidgets(document: JsonObject, model: TenantModel, words: DerivedWords): JsonObject {
  if (placedModules(document).size === 0) return document
  const page: Filling = {
    model,
    words,
    places: ownPlaces(document),
    ofRecord: takesRecord(document),
    sources: [],
  }
  const filled = fill(document, page) as JsonObject
  return page.sources.length === 0 ? filled : withSources(filled, page.sources)
}

/** The path at which rules read the right to a field that the tenant added to one of our modules. */
const ownAddress = (module: string, name: string): string =>
  addressOf({ name: module, origin: 'vendor' }, { name, origin: 'tenant' })

const PLACED = new RegExp(`"(?:columns|chosen|own|${PLACES.join('|')})":"(\\w*)`, 'g')
const placed = new WeakMap<JsonObject, ReadonlySet<string>>()

/** Modules whose own fields have places in a document; computed once, however many tenants use it. */
export function placedModules(document: JsonObject): ReadonlySet<string> {
  const known = placed.get(document)
  if (known !== undefined) return known
  const names = new Set(Array.from(JSON.stringify(document).matchAll(PLACED), ([, name = '']) => name))
  placed.set(document, names)
  return names
}

/** A page being filled; collects the data sources that its new widgets need. */
interface Filling {
  readonly model: TenantModel
  readonly words: DerivedWords
  readonly places: OwnPlaces
  /** The page may be opened for an existing record. */
  readonly ofRecord: boolean
  readonly sources: JsonObject[]
}

/** Keys whose value may be a place. */
const MARKS: ReadonlySet<string> = new Set([...PLACES, 'columns', 'chosen', 'own'])
const marked = new WeakMap<object, boolean>()

/** Whether a part of a document has a place, cached. A part without one is used as it is. */
function hasPlace(part: object): boolean {
  const known = marked.get(part)
  if (known !== undefined) return known
  const found = Object.entries(part).some(([key, value]) =>
    typeof value === 'string'
      ? MARKS.has(key)
      : typeof value === 'object' && value !== null && hasPlace(value),
  )
  marked.set(part, found)
  return found
}

function fill(value: Json, page: Filling): Json {
  if (typeof value !== 'object' || value === null || !hasPlace(value)) return value
  if (Array.isArray(value)) return value.flatMap((item) => fillItem(item, page))
  if (!isObject(value)) return value
  return (
    valuesAt(value, page) ??
    Object.fromEntries(Object.entries(value).map(([key, child]) => [key, fill(child ?? null, page)]))
  )
}

/** An item of a list: a widget, an entry of a body, or anything else. */
function fillItem(item: Json, page: Filling): readonly Json[] {
  if (!isObject(item) || !hasPlace(item)) return [fill(item, page)]
  const { filters, sorts, columns } = item
  if (Object.keys(item).length === 1 && typeof filters === 'string') return conditions(filters, page)
  if (Object.keys(item).length === 1 && typeof sorts === 'string')
    return [...orders(sorts, page), ...headOrders(columnsAt(sorts, page))]
  if (Object.keys(item).length === 1 && typeof columns === 'string') {
    const named = columnsAt(columns, page)
    page.sources.push(...cellSources(`/mini/${columns}/patch`, named))
    return named
  }
  const options = isObject(item.options) ? item.options : {}
  if (typeof options.own === 'string') return ownPart(item, options.own, page)
  const place = PLACES.find((name) => typeof options[name] === 'string')
  if (place === undefined) return [fill(item, page)]
  const { [place]: module, ...rest } = options
  const widget = fill({ ...item, options: rest }, page) as JsonObject
  const name = String(module)
  const fields = fieldsAt(place, name, page)
  const unnamed = place === 'fields' ? fields.filter((field) => !isNamed(field, name, page)) : fields
  return WIDGETS[place](widget, unnamed, page, name)
}

const isNamed = (field: Field, module: string, { places }: Filling): boolean =>
  places.named.has(`${module}.${field.name}`)

/** A single own field that the page names, on a form or a card; removed if the tenant does not have it. */
function ownPart(item: JsonObject, address: string, page: Filling): readonly Json[] {
  const [module = '', name = ''] = address.split('.')
  const all = ownFields(page.model, module)
  const field = all.find((one) => one.name === name)
  if (field === undefined) return []
  const { own: _, ...overrides } = isObject(item.options) ? item.options : {}
  if (item.formItemFlag !== true) return [{ ...item, options: lineOptions(field, overrides) }]
  const form = formOf([field], all, page)
  page.sources.push(...form.sources)
  return form.widgets
    .map((widget) =>
      ownValue(widget.options, 'name') === overrides.name ? asNamed(widget, item, overrides) : widget,
    )
    .map((widget) => withRight(widget, ownAddress(module, name), page.ofRecord))
}

/** A field on a form with the page's options; an option that is null is removed. */
function asNamed(widget: JsonObject, item: JsonObject, overrides: JsonObject): JsonObject {
  const options = { ...(isObject(widget.options) ? widget.options : {}), ...overrides }
  return {
    ...widget,
    type: item.type === BY_KIND ? (widget.type ?? null) : (item.type ?? null),
    options: Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null)),
  }
}

/** The line of a card with the field's label, text and dictionary filled in. */
function lineOptions(field: MergedField, overrides: JsonObject): JsonObject {
  const { textContent } = overrides
  if (typeof textContent !== 'string')
    return field.dict === undefined ? overrides : { dict: field.dict, ...overrides }
  const words = textContent
    .replace(LABEL_PLACE, () => labelText(field.label))
    .replace(`{{ row.${ownName(field.name)} }}`, () => placeOf(renamed(field), 'row'))
  return { ...overrides, textContent: words }
}

const formOf = (fields: readonly MergedField[], all: readonly MergedField[], { words, model }: Filling) =>
  fieldsOnForm(
    fields.map((field) => renamed(field, all)),
    words,
    isOwnIn(model),
    (field) => ({ ...placesOf(model.modules.get(field.module ?? '')), ...begunWith(field) }),
  )

/**
 * `{ "fields": module }` in a body: the values of own fields; `"filters": module` in the value of an action: the empty values of their filters;
 * `"chosen": module` in a saved view: their current values.
 */
function valuesAt(value: JsonObject, page: Filling): JsonObject | null {
  const { fields, filters, chosen, ...more } = value
  if (typeof chosen === 'string')
    return { ...more, ...filterValues(chosen, page, (name) => `{{ form.${name} }}`) }
  if (typeof filters === 'string') return { ...more, ...filterValues(filters, page, () => null) }
  if (typeof fields !== 'string' || Object.keys(value).length > 1) return null
  return Object.fromEntries(
    fieldsAt('fields', fields, page)
      .filter((field) => isWritten(field) && (page.places.whole.has(fields) || isNamed(field, fields, page)))
      .flatMap((field) =>
        Object.values(bodyOf(renamed(field), page.words)).map((one): [string, Json] => [
          field.name,
          one ?? null,
        ]),
      ),
  )
}

/** A value for each widget that filters by a tenant's own field. */
function filterValues(module: string, page: Filling, readOption: (name: string) => Json): JsonObject {
  const widgets = fieldsAt('filters', module, page).flatMap((field) =>
    filterWidgets(renamed(field), page.words),
  )
  const names = widgets.map(({ options }) => String(ownValue(options, 'name')))
  return Object.fromEntries(names.map((name) => [name, readOption(name)]))
}

/** Conditions of a list request; requests name own fields `ext.<name>`. */
const conditions = (module: string, page: Filling): readonly JsonObject[] =>
  fieldsAt('filters', module, page).flatMap((field) =>
    filterConditions(renamed(field)).map((condition) => ({ ...condition, field: `ext.${field.name}` })),
  )

const orders = (module: string, page: Filling): readonly JsonObject[] =>
  fieldsAt('sorts', module, page).map((field) => ({
    $if: { '==': [{ var: 'form.sort' }, ownName(field.name)] },
    field: `ext.${field.name}`,
    dir: orderOf(field),
  }))

function columnsAt(module: string, { model, words }: Filling): readonly Column[] {
  const described = model.modules.get(module)
  return described === undefined ? [] : columnsOf(asOffered(described, model), words)
}

function fieldsAt(place: Place, module: string, { model }: Filling): readonly MergedField[] {
  if (place === 'patch') return patchedAt(model, module)
  if (place === 'searched') return []
  const described = model.modules.get(module) ?? { fields: [] }
  const kept = place === 'facts' ? keptFields(model, module) : ownFields(model, module)
  return kept.filter((field) => BELONGS[place](field, described))
}

/** All fields that may be set on many records at once: the product's fields, then those of the tenant. */
function patchedAt(model: TenantModel, name: string): readonly MergedField[] {
  const described = model.modules.get(name)
  return described === undefined ? [] : patchedFields(asOffered(described, model))
}

const isOwnIn =
  ({ modules }: TenantModel) =>
  (name: string): boolean =>
    modules.get(name)?.origin === 'tenant'

/** The own fields that a place accepts. */
const BELONGS: Readonly<
  Record<
    Exclude<Place, 'patch' | 'searched'>,
    (field: MergedField, module: Pick<MergedModule, 'fields'>) => boolean
  >
> = {
  fields: isDrawn,
  facts: () => true,
  card: ({ card }) => card === true,
  filters: ({ filter, kind }) => filter === true && kindOf(kind).face !== null,
  filtered: ({ filter, kind }) => filter === true && kindOf(kind).face !== null,
  sorts: ({ sort, kind }) => sort === true && kindOf(kind).sorts === true,
}

type Put = (
  widget: JsonObject,
  fields: readonly MergedField[],
  page: Filling,
  module: string,
) => readonly JsonObject[]

const WIDGETS: Readonly<Record<Place, Put>> = {
  fields(widget, fields, page, module) {
    if (fields.length === 0) return []
    const all = fieldsAt('fields', module, page)
    const widgets = fields.flatMap((field) => {
      const form = formOf([field], all, page)
      page.sources.push(...form.sources)
      return form.widgets.map((one) => withRight(one, `${module}.${extName(field.name)}`, page.ofRecord))
    })
    return [{ ...widget, widgetList: widgets }]
  },
  facts(widget, own, { model, words }) {
    const fields = own.map((field) => asShown(field, words))
    const bind = String(ownValue(widget.options, 'bind') ?? '')
    const isOpen = ownValue(widget.options, 'visibleOn')
    const before = listOf(ownValue(widget.options, 'items'))
    const said = fields.filter((field) => !isHeldFile(field)).map((field) => renamed(field))
    const items = [...before, ...said.map((field) => factOf(field, bind, model.modules))]
    const rules = isObject(isOpen) ? [isOpen, saysAny(said, bind)] : [saysAny(said, bind)]
    return [
      ...(items.length === 0
        ? []
        : [withOptions(widget, before.length > 0 ? { items } : { items, visibleOn: { and: rules } })]),
      ...fields
        .filter(isHeldFile)
        .map((field) => heldFiles(renamed(field), bind, isObject(isOpen) ? isOpen : undefined)),
    ]
  },
  card: (widget, fields) =>
    fields.length === 0 ? [] : [{ ...widget, widgetList: fields.flatMap(cardText) }],
  filters(sheet, fields, { words, sources, model }, module) {
    const renamedFields = fields.map((field) => renamed(field))
    sources.push(...renamedFields.flatMap((field) => sourceOf(field, isOwnIn(model))))
    const existing = listOf(sheet.widgetList)
    const bar = existing.findIndex((one) => isObject(one) && one.type === 'action-bar')
    const at = bar < 0 ? existing.length : bar
    const widgets = fields.flatMap((field) =>
      filterWidgets(renamed(field), words).map((widget) =>
        askedWith(widget, `${module}.${extName(field.name)}`),
      ),
    )
    return [{ ...sheet, widgetList: [...existing.slice(0, at), ...widgets, ...existing.slice(at)] }]
  },
  filtered(button, fields) {
    const rules = fields.flatMap((field) => filterConditions(renamed(field)).flatMap(({ $if }) => $if ?? []))
    const shown = ownValue(button.options, 'visibleOn')
    return [withOptions(button, { visibleOn: { or: [...listOf(ownValue(shown, 'or')), ...rules] } })]
  },
  sorts: (choice, fields, _, module) => [
    withOptions(choice, {
      optionItems: [
        ...listOf(ownValue(choice.options, 'optionItems')),
        ...fields.map(({ name, label }) => ({
          label: labelText(label),
          value: ownName(name),
          visibleOn: seenRule(ownAddress(module, name)),
        })),
      ],
    }),
  ],
  searched: (box, _, { model, words }, name) => {
    const [module = '', where] = name.split('/')
    const described = model.modules.get(module)
    if (described === undefined) return [box]
    return [
      withOptions(box, { placeholder: searchHint(asOffered(described, model), words, where === 'pool') }),
    ]
  },
  // The button that opens the sheet carries the same option: without fields both are removed.
  patch(widget, fields, { words, sources, model }, module) {
    if (fields.length === 0) return []
    const described = { name: module, origin: 'vendor' } as const
    const addressed = fields.map((field) => ({ ...field, address: addressOf(described, field) }))
    if (widget.type !== 'sheet')
      return [
        setWithAny(
          widget,
          addressed.map(({ address }) => address),
        ),
      ]
    const isOwn = isOwnIn(model)
    const named = addressed.map(({ name, origin, ...field }) => ({
      ...field,
      name: origin === 'tenant' ? ownName(name) : name,
      part: (value: Json): JsonObject =>
        origin === 'tenant' ? { ext: { [name]: value } } : { [name]: value },
    }))
    const call = `/mini/${module}/patch`
    sources.push(
      ...patchSources({ call, fields: named, part: ({ part }, value) => part(value) }, words, isOwn),
    )
    return [{ ...widget, widgetList: [...patchWidgets(named, words, isOwn)] }]
  },
}

/** A reference can also be started from the other record: its form is then opened with it filled in. */
const begunWith = ({ name, inverse }: Field): JsonObject =>
  inverse === undefined
    ? {}
    : { defaultOn: { if: [{ '!': [{ var: 'params.id' }] }, { var: `params.${name}` }, null] } }

const cardText = (field: MergedField): readonly JsonObject[] =>
  cardLines(renamed(field), 'row', `card_${ownName(field.name)}`)

const withOptions = (widget: JsonObject, more: JsonObject): JsonObject => ({
  ...widget,
  options: { ...(isObject(widget.options) ? widget.options : {}), ...more },
})

/** Own fields that people fill in. */
const ownFields = (model: TenantModel, name: string): readonly MergedField[] =>
  keptFields(model, name).filter(({ retired }) => retired !== true)

/** Own fields whose values records hold, in the order of their groups. */
function keptFields(model: TenantModel, name: string): readonly MergedField[] {
  const described = model.modules.get(name)
  if (described === undefined) return []
  const module = asOffered(described, model)
  const byName = new Map(module.fields.map((field) => [field.name, field]))
  return groupsOf(module)
    .flatMap(({ fields }) => fields.flatMap((field) => byName.get(field) ?? []))
    .filter(({ origin }) => origin === 'tenant')
}

/** The field under the name that pages of the product, and their rules, use. */
const renamed = (field: MergedField, all: readonly MergedField[] = []): MergedField => ({
  ...withOwnRules(field, new Set(all.map(({ name }) => name))),
  name: ownName(field.name),
})

/** The page with further data sources; existing ones are kept. */
export function withSources(document: JsonObject, more: readonly JsonObject[]): JsonObject {
  const config = isObject(document.formConfig) ? document.formConfig : {}
  const existing = Array.isArray(config.dataSources) ? config.dataSources : []
  const names = new Set(existing.map((one) => ownValue(one, 'uniqueName')))
  const added = new Map(more.filter((one) => !names.has(one.uniqueName)).map((one) => [one.uniqueName, one]))
  return { ...document, formConfig: { ...config, dataSources: [...existing, ...added.values()] } }
}
