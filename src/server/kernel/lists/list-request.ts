import { isObject, type Json } from '../../../../runtime/core/json.ts'
import type { Filter, ListRequest, Sort, StatFilter } from '../../../contract/list.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'

/** Bounds of a list request (DOMAIN 8.1, 8.7). */
const LIMIT = { default: 20, most: 100 }
const MAX_KEYWORD = 50
const MAX_FILTERS = 20
const MAX_SORTS = 3
const MAX_CURSOR = 2000

const KNOWN = new Set([
  'tab',
  'keyword',
  'filters',
  'match',
  'sort',
  'cursor',
  'limit',
  'withTotal',
  'withTabs',
  'stat',
  // The client sends one with every POST; reading does not need it.
  'clientToken',
])

/** A syntactically valid list request; whether its fields and tabs exist is checked by the list. */
export type ReadyListRequest = Required<Pick<ListRequest, 'filters' | 'sort' | 'limit' | 'keyword'>> &
  Pick<ListRequest, 'tab' | 'cursor' | 'withTotal' | 'withTabs' | 'stat'>

/**
 * Reads the body of a list call.
 *
 * @param extra further keys that this list accepts
 * @throws Refusal 400 BAD_FILTER
 */
export function readListRequest(body: unknown, extra: readonly string[] = []): ReadyListRequest {
  const given = body ?? {}
  if (!isObject(given)) bad('the body is an object')
  for (const key of Object.keys(given)) if (!KNOWN.has(key) && !extra.includes(key)) bad(`unknown key ${key}`)
  const { tab, keyword, match, cursor, stat } = given
  if (match !== undefined && match !== 'all') bad('match is all')
  return {
    ...(isGiven(tab) ? { tab: textOf('tab', tab, 40) } : {}),
    keyword: isGiven(keyword) ? textOf('keyword', keyword, MAX_KEYWORD).trim() : '',
    filters: listOf('filters', given.filters, MAX_FILTERS).map(readFilter),
    sort: listOf('sort', given.sort, MAX_SORTS).map(readSort),
    limit: limitOf(given.limit),
    ...(isGiven(cursor) ? { cursor: textOf('cursor', cursor, MAX_CURSOR) } : {}),
    withTotal: given.withTotal === true,
    withTabs: given.withTabs === true,
    ...(isGiven(stat) ? { stat: readStat(stat) } : {}),
  }
}

/** The quick tabs to count; absent: the whole list. @throws Refusal 400 BAD_FILTER */
export function readTabs(
  value: Json | undefined,
  { tabs }: { readonly tabs: Readonly<Record<string, unknown>> },
): readonly string[] {
  if (value === undefined) return Object.keys(tabs)
  if (!Array.isArray(value) || !value.every((it) => typeof it === 'string')) bad('tabs is a list of names')
  return value as string[]
}

/** @throws Refusal 400 BAD_FILTER, with the error for the developer of the client */
export function bad(detail: string): never {
  refuse(400, 'BAD_FILTER', text('list.bad-filter'), { detail })
}

function isGiven(value: Json | undefined): value is Exclude<Json, null> {
  return value !== undefined && value !== null && value !== ''
}

function textOf(name: string, value: Json, most: number): string {
  if (typeof value !== 'string' || value.length > most || value.includes('\0'))
    bad(`${name} is a text of at most ${most}`)
  return value
}

function listOf(name: string, value: Json | undefined, most: number): readonly Json[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.length > most) bad(`${name} is a list of at most ${most}`)
  return value
}

function limitOf(value: Json | undefined): number {
  const limit = value ?? LIMIT.default
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > LIMIT.most)
    bad(`limit is 1 to ${LIMIT.most}`)
  return limit
}

function readFilter(value: Json): Filter {
  if (!isObject(value) || typeof value.field !== 'string' || typeof value.op !== 'string')
    bad('a filter is {field, op, value}')
  return { field: value.field, op: value.op as Filter['op'], value: value.value }
}

function readSort(value: Json): Sort {
  if (!isObject(value) || typeof value.field !== 'string' || (value.dir !== 'asc' && value.dir !== 'desc'))
    bad('a sort is {field, dir}')
  return { field: value.field, dir: value.dir }
}

function readStat(value: Json): StatFilter {
  if (!isObject(value) || typeof value.key !== 'string' || typeof value.period !== 'string')
    bad('stat is {key, period, scope}')
  const optional = (name: 'scope' | 'from' | 'to') =>
    isGiven(value[name]) ? { [name]: textOf(name, value[name], 64) } : {}
  return {
    key: value.key,
    period: value.period,
    ...optional('scope'),
    ...optional('from'),
    ...optional('to'),
  }
}
