import { isObject, type Json, type JsonObject, valueAt } from '../../../runtime/core/json.ts'
import type { Http } from '../../../runtime/core/ports.ts'
import { queryPart } from '../../../runtime/core/text/query.ts'
import type { MenuEntry } from './menu.ts'
import { sideMenus } from './side-menus.ts'

/** A search result of the palette. */
export interface Target {
  readonly path: string
  readonly title: string
  /** Distinguishes it from others with the same name. */
  readonly note: string
}

const SEARCH = '/mini/search/global'
const MIN_KEYWORD = 2

/** Pages of the user's menus whose titles contain the words, including pages that create records. */
export function pagesFor(user: JsonObject, words: string, more: readonly Target[]): readonly Target[] {
  const query = words.trim().toLowerCase()
  const shortcuts = (Array.isArray(user.authorities) ? user.authorities : []).filter(isShortcut)
  const pages = [
    ...more,
    ...[...sideMenus(user), ...shortcuts].map(({ path, title }) => ({ path, title, note: '' })),
  ]
  return pages.filter(({ title }) => title.toLowerCase().includes(query))
}

const isShortcut = (one: Json): one is MenuEntry =>
  isObject(one) &&
  one.hide === 0 &&
  typeof one.title === 'string' &&
  typeof one.path === 'string' &&
  Array.isArray(one.slot) &&
  one.slot.includes('shortcut')

/** Records found by the search; none for a single character or if the search fails. */
export async function recordsFor(http: Http, words: string): Promise<readonly Target[]> {
  const keyword = words.trim()
  if (keyword.length < MIN_KEYWORD) return []
  const outcome = await http.send({ url: `${SEARCH}?${queryPart('keyword', keyword)}`, method: 'GET' })
  const groups = outcome.ok ? valueAt(outcome.value.data, 'data.groups') : null
  return listOf(groups)
    .flatMap((group) => listOf(valueAt(group, 'list')))
    .flatMap(readHit)
}

const listOf = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : []

function readHit(hit: Json): readonly Target[] {
  if (!isObject(hit)) return []
  const { route, title, kind, sub } = hit
  if (typeof route !== 'string' || typeof title !== 'string') return []
  return [{ path: route, title, note: [kind, sub].filter((one) => typeof one === 'string').join(' · ') }]
}
