import { type Problem, phrase } from '../../../runtime/core/errors.ts'
import { isObject, type Json, type JsonObject, ownValue } from '../../../runtime/core/json.ts'
import { orderOf } from '../derived/sorts.ts'
import type { Field } from '../description.ts'
import { askedWith, seenRule } from '../field-rights.ts'
import { FACES, faceOf, type SheetFace } from '../filter-faces.ts'
import { sourceOf } from '../form-fields.ts'
import { labelText } from '../labels.ts'
import type { ListWords } from '../list-words.ts'
import { chosenFields, type Models } from './chosen.ts'
import { unknownName } from './named.ts'

/** What the filters of a module come to elsewhere on the page that asks them. */
export interface FilterUse {
  /** The conditions of a list request. */
  readonly conditions: readonly JsonObject[]
  /** What empties the widgets, by their names. */
  readonly empty: JsonObject
}

/** What a reference on a list page stands for. */
export interface Placed {
  readonly items: readonly JsonObject[]
  readonly sources: readonly JsonObject[]
  readonly problems: readonly Problem[]
}

/** What every list of the product can be asked by beside the fields of its module. */
const commonFields = (words: ListWords): readonly Field[] => [
  { name: 'owner_id', kind: 'user', label: words.owner },
  { name: 'created_at', kind: 'moment', label: words.createdAt },
  { name: 'last_follow_at', kind: 'moment', label: words.followedAt },
  { name: 'owner_since', kind: 'moment', label: words.ownerSince },
  { name: 'pool_entered_at', kind: 'moment', label: words.poolEnteredAt },
  { name: 'pool_reason', kind: 'choice', dict: 'pool_reason', label: words.poolReason },
  { name: 'py', kind: 'text', label: words.spoken },
]

/** How they are asked for where that is not as their kind says. */
const COMMON_FACES: Readonly<Record<string, SheetFace>> = {
  owner_id: 'person',
  created_at: 'when',
  last_follow_at: 'when',
  pool_entered_at: 'when',
}

/** The latest and largest first, apart from what is worked through from its oldest. */
const COMMON_ORDERS: Readonly<Record<string, 'asc' | 'desc'>> = {
  created_at: 'desc',
  last_follow_at: 'desc',
  owner_since: 'desc',
  pool_entered_at: 'desc',
}

/** No field of the product refers to a module of a tenant's own. */
const isOwn = (): boolean => false

/** `{ "filters": "customer", "only": […], "options": { … } }`: the widgets of a filter sheet. */
export function referredFilters(
  item: JsonObject,
  models: Models,
  words: ListWords,
): Placed & { readonly asked: FilterUse } {
  const { chosen, problems } = chosenFields(
    item,
    { of: String(item.filters), mark: 'filter', keepsRetired: true, common: commonFields(words) },
    models,
  )
  const module = String(item.filters)
  const parts = chosen.map(({ field, options }) => filterOf(field, options, words, `${module}.${field.name}`))
  return {
    items: parts.flatMap(({ widgets }) => widgets),
    sources: parts.flatMap(({ sources }) => sources),
    problems: [...problems, ...parts.flatMap((part) => part.problems)],
    asked: {
      conditions: parts.flatMap(({ conditions }) => conditions),
      empty: Object.assign({}, ...parts.map(({ empty }) => empty)) as JsonObject,
    },
  }
}

function filterOf(field: Field, { as, name, label, ...more }: JsonObject, words: ListWords, address: string) {
  const faceName = as === undefined ? faceFor(field) : isFace(as) ? as : null
  const face = FACES[faceName ?? 'text']
  const target = {
    field,
    name: String(name ?? `f_${field.name.replace(/^owner_id$/, 'owner')}`),
    label: String(label ?? labelText(field.label)),
  }
  const options = field.retired === true ? { ...more, hidden: true } : more
  const widgets = face
    .widgets(target, words)
    .map((widget) => askedWith(withOptions(widget, options), address))
  const named = widgets.map(({ options }) => String(ownValue(options, 'name')))
  const needs = new Set(widgets.map(({ options }) => ownValue(options, 'dsName')))
  const sources = [...(face.sources ?? []), ...sourceOf(field, isOwn)]
  return {
    widgets,
    conditions: face.conditions(target),
    empty: Object.fromEntries(named.map((one) => [one, face.empty ?? null])),
    sources: sources.filter(({ uniqueName }) => needs.has(uniqueName)),
    problems:
      faceName === null ? [unknownName(phrase('ways of asking'), String(as), Object.keys(FACES))] : [],
  }
}

const isFace = (name: Json): name is SheetFace => typeof name === 'string' && Object.hasOwn(FACES, name)

function faceFor(field: Field): SheetFace {
  return COMMON_FACES[field.name] ?? faceOf(field) ?? 'text'
}

/** What sorts a list: the choices of the sheet, and by their values the orders of a list request. */
export function referredSorts(
  item: JsonObject,
  models: Models,
  words: ListWords,
): Placed & { readonly orders: readonly JsonObject[] } {
  const { chosen, problems } = chosenFields(
    item,
    { of: String(item.sorts), mark: 'sort', common: commonFields(words) },
    models,
  )
  const sorts = chosen.map(({ field, options, said }) => ({
    label: options.label ?? labelText(field.label),
    value: options.value ?? field.name,
    field: field.name,
    dir: said.split(' ')[1] ?? COMMON_ORDERS[field.name] ?? orderOf(field),
  }))
  return {
    items: sorts.map(({ label, value, field }) => ({
      label,
      value,
      visibleOn: seenRule(`${item.sorts}.${field}`),
    })),
    sources: [],
    problems,
    orders: sorts.map(({ value, field, dir }) => ({
      $if: { '==': [{ var: 'form.sort' }, value] },
      field,
      dir,
    })),
  }
}

function withOptions(widget: JsonObject, more: JsonObject): JsonObject {
  const options = { ...(isObject(widget.options) ? widget.options : {}), ...more }
  return {
    ...widget,
    options: Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null)),
  }
}
