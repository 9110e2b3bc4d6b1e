import { itemsOf, keysByPlace } from '../../../runtime/core/edit/entries.ts'
import { isObject, type Json, type JsonObject, ownValue } from '../../../runtime/core/json.ts'
import { fieldReference } from '../../../runtime/core/page/field-reference.ts'
import { fragmentName } from '../../../runtime/core/page/fragments.ts'
import { listReference } from '../../../runtime/core/page/list-reference.ts'
import { joinPointer } from '../../../runtime/core/page/pointer.ts'
import { OWN_FIELD } from '../../contract/pages.ts'
import type { Expansion } from '../calls.ts'

/** Replacements of references, by the reference as written. */
export type Expansions = ReadonlyMap<string, Expansion>

/** A page with its references replaced. */
export interface Resolved {
  readonly document: Json
  /** References whose replacement is not known yet; they are left out, or drawn with their previous one. */
  readonly missing: readonly JsonObject[]
  /** Key of the written item for a path of {@link document}. */
  keyAt(pointer: string): string | undefined
}

/** Identity of a reference. */
export const referenceKey = (item: JsonObject): string => JSON.stringify(item)

/** Identity of a reference without its options: the previous replacement is drawn until the server has answered. */
export function looseKey(item: JsonObject): string {
  const { options: _, with: __, ...about } = item
  return `~${JSON.stringify(about)}`
}

/** The previous replacement with the current options, as far as possible here. */
function nearly({ items, sources }: Expansion, { options }: JsonObject): Expansion {
  const [first, ...others] = items
  if (!isObject(options) || !isObject(first)) return { items, sources }
  const entries = Object.entries({ ...(isObject(first.options) ? first.options : {}), ...options })
  const now = Object.fromEntries(entries.filter(([, value]) => value !== null))
  return { items: [{ ...first, options: now }, ...others], sources }
}

/** True for an item that is replaced by others: a fragment, fields of a module, parts of a list or detail. */
export function isReference(item: Json | undefined): boolean {
  if (!isObject(item)) return false
  return fragmentName(item) !== null || listReference(item) || fieldReference(item) !== null
}

/** Places of the tenant's own fields: an item of a list, and containers that hold nothing else. */
const PLACES = ['fields', 'facts', 'card', 'filters', 'sorts', 'patch', 'columns']

/** True for values that the server replaces. */
function isPlaceholder(item: Json | undefined): item is JsonObject {
  if (isReference(item)) return true
  if (!isObject(item)) return false
  const [key, more] = Object.keys(item)
  if (key !== undefined && more === undefined) return PLACES.includes(key) && typeof item[key] === 'string'
  if (isFieldName(item.of)) return true
  const isEmpty = !Array.isArray(item.widgetList) || item.widgetList.length === 0
  if (!isEmpty) return false
  return (
    isFieldName(ownValue(item.options, 'of')) ||
    PLACES.some((place) => typeof ownValue(item.options, place) === 'string')
  )
}

/** Names the field whose label an item gets. */
const isFieldName = (of: Json | undefined): boolean => typeof of === 'string' && /^\w+\.\w+$/.test(of)

/** Replaces known references, so that a draft is drawn without asking the server. Parts without references are shared. */
export function resolvePage(document: Json, expansions: Expansions): Resolved {
  const missing: JsonObject[] = []
  const sources: Json[] = []
  const moved = new Map<string, string>()
  const run = { expansions, missing, sources, moved, named: namedAlone(document, expansions) }
  const placed = copy(document, '', '', run)
  return {
    document: withSources(placed, sources),
    missing,
    keyAt: (pointer) => keyAround(document, writtenAt(pointer, moved)),
  }
}

interface Run {
  readonly expansions: Expansions
  readonly missing: JsonObject[]
  readonly sources: Json[]
  /** Pointer in the resolved page → pointer in the written one, for items that have moved. */
  readonly moved: Map<string, string>
  /** Own fields that the page names individually, and what stands beside them: places for all fields leave them out. */
  readonly named: ReadonlySet<string>
}

function namedAlone(document: Json, expansions: Expansions): ReadonlySet<string> {
  const alone = [...itemsOf(document).values()].flatMap(({ written }) => {
    const [, name = ''] = typeof written.field === 'string' ? written.field.split('.') : []
    return name.startsWith(OWN_FIELD) ? [{ name, written }] : []
  })
  return new Set(
    alone.flatMap(({ name, written }) => {
      const expansion = expansions.get(referenceKey(written)) ?? expansions.get(looseKey(written))
      return [
        name,
        ...(expansion?.items ?? []).map((one) => String(ownValue(ownValue(one, 'options'), 'name'))),
      ]
    }),
  )
}

/** A replacement without fields that are elsewhere on the page; a container that becomes empty is removed. */
function withoutNamed(items: readonly Json[], named: ReadonlySet<string>): readonly Json[] {
  if (named.size === 0) return items
  return items.flatMap((item): readonly Json[] => {
    if (!isObject(item)) return [item]
    if (named.has(String(ownValue(item.options, 'name')))) return []
    const { widgetList } = item
    if (!Array.isArray(widgetList)) return [item]
    const remaining = withoutNamed(widgetList, named)
    return remaining.length === 0 && widgetList.length > 0 ? [] : [{ ...item, widgetList: remaining }]
  })
}

/** The written position for a path of the resolved page: for the content of a reference, the reference itself. */
function writtenAt(pointer: string, moved: ReadonlyMap<string, string>): string {
  if (moved.size === 0) return pointer
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) {
    const place = moved.get(pointer.slice(0, end))
    if (place !== undefined) return place + pointer.slice(end)
  }
  return pointer
}

function keyAround(document: Json, place: string): string | undefined {
  const keys = keysByPlace(document)
  for (let end = place.length; end > 0; end = place.lastIndexOf('/', end - 1)) {
    const key = keys.get(place.slice(0, end))
    if (key !== undefined) return key
  }
  return undefined
}

const hasReferences = new WeakMap<object, boolean>()

/** True if the value contains a reference; cached, because values are never modified. */
function refers(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false
  const found = hasReferences.get(value)
  if (found !== undefined) return found
  const list: readonly (Json | undefined)[] = Array.isArray(value) ? value : Object.values(value)
  const is = isPlaceholder(value) || list.some((one) => one !== undefined && refers(one))
  hasReferences.set(value, is)
  return is
}

function copy(value: Json, from: string, to: string, run: Run): Json {
  if (!refers(value)) return value
  if (Array.isArray(value)) return copyList(value, from, to, run)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      key,
      copy(child ?? null, joinPointer(from, key), joinPointer(to, key), run),
    ]),
  )
}

function copyList(list: readonly Json[], from: string, to: string, run: Run): Json[] {
  const out: Json[] = []
  list.forEach((item, index) => {
    const place = joinPointer(from, index)
    const now = joinPointer(to, out.length)
    if (!isPlaceholder(item)) {
      if (now !== place) run.moved.set(now, place)
      out.push(copy(item, place, now, run))
      return
    }
    const expansion = run.expansions.get(referenceKey(item))
    const last = run.expansions.get(looseKey(item))
    if (expansion === undefined) run.missing.push(item)
    const found = expansion ?? (last === undefined ? undefined : nearly(last, item))
    if (found === undefined) return
    const isNamed = typeof item.field === 'string'
    for (const one of isNamed ? found.items : withoutNamed(found.items, run.named)) {
      run.moved.set(joinPointer(to, out.length), place)
      out.push(one)
    }
    run.sources.push(...found.sources)
  })
  return out
}

/** Added sources follow the page's own; one with an existing name is not added. */
function withSources(page: Json, brought: readonly Json[]): Json {
  if (brought.length === 0 || !isObject(page)) return page
  const config = isObject(page.formConfig) ? page.formConfig : {}
  const sources: Json[] = Array.isArray(config.dataSources) ? [...config.dataSources] : []
  const names = new Set(sources.map((source) => ownValue(source, 'uniqueName')))
  for (const one of brought) {
    const name = ownValue(one, 'uniqueName')
    if (names.has(name)) continue
    names.add(name)
    sources.push(one)
  }
  return { ...page, formConfig: { ...config, dataSources: sources } }
}
