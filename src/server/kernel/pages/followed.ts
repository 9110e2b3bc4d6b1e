import { itemsOf } from '../../../../runtime/core/edit/entries.ts'
import { withFreeNames } from '../../../../runtime/core/edit/free-names.ts'
import { type MergeConflict, mergePages } from '../../../../runtime/core/edit/merge-pages.ts'
import type { Taken } from '../../../../runtime/core/edit/merge-values.ts'
import {
  isObject,
  type Json,
  type JsonObject,
  listOf,
  objectsIn,
  ownValue,
} from '../../../../runtime/core/json.ts'

/**
 * A tenant's version of a derived page with what came to its module since: what the tenant wrote stays. What the module no longer has goes even
 * if the tenant changed it, and a field that they took out returns only when it must be filled in: nobody could save a record without it.
 *
 * @param base  what was derived when it was published @param derived  what is derived now
 */
export function followedPage(base: Json, written: Json, derived: Json): Json {
  const mine = withFreeNames(base, written, derived)
  const { document, conflicts } = mergePages(base, mine, derived)
  const choices = new Map(conflicts.flatMap(sideOf))
  const merged = choices.size === 0 ? document : mergePages(base, mine, derived, choices).document
  return isObject(merged) ? sendingAll(withoutLines(merged, [written, derived]), derived) : merged
}

const namesIn = (page: Json): readonly string[] =>
  [...itemsOf(page).values()].map(({ written }) => String(ownValue(written.options, 'name')))

/** What is copied of a form has a line for each field: those that the page has no longer go. */
function withoutLines(page: JsonObject, sides: readonly Json[]): JsonObject {
  const kept = new Set(namesIn(page))
  const gone = new Set(sides.flatMap(namesIn).filter((name) => !kept.has(name)))
  const stays = (line: string): boolean => !gone.has(/\{\{ form\.(\w+)/.exec(line)?.[1] ?? '')
  const walk = (value: Json, key: string): Json => {
    if (typeof value === 'string') return key === 'copy' ? value.split('\n').filter(stays).join('\n') : value
    if (Array.isArray(value)) return value.map((one) => walk(one, key))
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([at, one]) => [at, walk(one ?? null, at)]))
  }
  return gone.size === 0 ? page : (walk(page, '') as JsonObject)
}

/** The page that also sends what came back to it. */
function sendingAll(page: JsonObject, derived: Json): JsonObject {
  const names = new Set(namesIn(page))
  const config = isObject(page.formConfig) ? page.formConfig : {}
  const bodies = new Map(
    objectsIn(ownValue(ownValue(derived, 'formConfig'), 'dataSources')).map((source) => [
      source.uniqueName,
      source.body,
    ]),
  )
  const dataSources = listOf(config.dataSources).map((source) => {
    const [body, whole] = [ownValue(source, 'body'), bodies.get(ownValue(source, 'uniqueName'))]
    if (!isObject(source) || !isObject(body) || !isObject(whole)) return source
    const missing = Object.entries(whole).filter(([key]) => names.has(key) && !Object.hasOwn(body, key))
    return { ...source, body: { ...body, ...Object.fromEntries(missing) } }
  })
  return { ...page, formConfig: { ...config, dataSources } }
}

function sideOf({ name, what, mine, theirs }: MergeConflict): readonly (readonly [string, Taken])[] {
  if (what !== 'removed' || (mine === undefined) === (theirs === undefined)) return []
  return [[name, theirs === undefined || isRequired(theirs) ? 'theirs' : 'mine']]
}

const isRequired = (widget: Json): boolean => {
  const options = ownValue(widget, 'options')
  return ownValue(options, 'required') === true || isObject(ownValue(options, 'requiredOn'))
}
