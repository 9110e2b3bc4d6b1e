import { isObject, type Json, type JsonObject, ownValue } from '../../../../runtime/core/json.ts'
import type { ListWords } from '../../../model/list-words.ts'
import { moduleOf } from '../../../model/page-references.ts'
import type { Models } from '../../../model/references/chosen.ts'
import {
  type FilterUse,
  type Placed,
  referredFilters,
  referredSorts,
} from '../../../model/references/list-references.ts'
import { referredCard, referredFacts } from '../../../model/references/record-references.ts'

/** The filters and sorts of a page's lists, by module: found in its sheets, used in its requests, buttons and saved views. */
export interface ListParts {
  readonly filters: Map<string, FilterUse>
  readonly orders: Map<string, readonly JsonObject[]>
  readonly size: number
}

export function createListParts(): ListParts {
  const filters = new Map<string, FilterUse>()
  const orders = new Map<string, readonly JsonObject[]>()
  return {
    filters,
    orders,
    get size() {
      return filters.size + orders.size
    },
  }
}

/** A text with the surrounding parameters inserted. */
type Named = (text: string) => string

/** Replaces such an item. @param found  collects the filters and sorts */
export function placedParts(
  item: JsonObject,
  models: Models,
  words: ListWords,
  found: ListParts,
): Placed & { readonly module: string } {
  const { filters, sorts, card, facts } = item
  const module = moduleOf({ fields: filters ?? sorts ?? card ?? facts ?? '' })
  if (card !== undefined) return { ...referredCard(item, models), module }
  if (facts !== undefined) return { ...referredFacts(item, models), module }
  if (sorts !== undefined) {
    const { orders, ...placed } = referredSorts(item, models, words)
    found.orders.set(module, orders)
    return { ...placed, module }
  }
  const { asked, ...placed } = referredFilters(item, models, words)
  found.filters.set(module, asked)
  return { ...placed, module }
}

/**
 * `{ "filters": "customer" }` and `{ "sorts": "customer" }` in a request: the filters and sorts of the page, followed by the place for the tenant's
 * own; null for any other item.
 */
export function referencedParts(
  item: JsonObject,
  named: Named,
  { filters, orders }: ListParts,
): readonly JsonObject[] | null {
  const [entry, ...others] = Object.entries(item)
  if (entry === undefined || others.length > 0 || typeof entry[1] !== 'string') return null
  const [key, text] = entry
  const module = named(text)
  if (key === 'filters') return [...(filters.get(module)?.conditions ?? []), { filters: module }]
  if (key === 'sorts') return [...(orders.get(module) ?? []), { sorts: module }]
  return null
}

/**
 * An object that names the filters: `{ "filters": "customer" }` alone is replaced by their empty values, `"chosen": "customer"` beside other entries
 * by their current values. The name stays, for the tenant's own.
 */
export function referencedValues(value: JsonObject, named: Named, { filters }: ListParts): JsonObject {
  const { filters: emptied, chosen } = value
  if (typeof chosen === 'string') {
    const module = named(chosen)
    const names = Object.keys(filters.get(module)?.empty ?? {})
    return {
      ...value,
      ...Object.fromEntries(names.map((name) => [name, `{{ form.${name} }}`])),
      chosen: module,
    }
  }
  if (typeof emptied !== 'string' || Object.keys(value).length > 1) return value
  const module = named(emptied)
  return { ...filters.get(module)?.empty, filters: module }
}

/** A widget with `"filtered": "customer"` is shown while a filter is set: by one of its own rules, or one of the sheet's. */
export function withFilledRule(item: JsonObject, named: Named, { filters }: ListParts): JsonObject {
  const filtered = ownValue(item.options, 'filtered')
  if (typeof filtered !== 'string' || !isObject(item.options)) return item
  const { visibleOn, ...options } = item.options
  const module = named(filtered)
  const alternatives = ownValue(visibleOn, 'or')
  const rules: Json[] = [
    ...(Array.isArray(alternatives) ? alternatives : visibleOn === undefined ? [] : [visibleOn]),
    ...(filters.get(module)?.conditions ?? []).flatMap(({ $if }) => $if ?? []),
  ]
  return { ...item, options: { ...options, filtered: module, visibleOn: { or: rules } } }
}
