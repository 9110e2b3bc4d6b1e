import { type Json, type JsonObject, objectsIn, ownValue } from '../../../runtime/core/json.ts'

/** A read whose answer is cached. */
export interface CachedCall {
  readonly method: string
  readonly url: string
  readonly at: number
  readonly data: Json
}

/** Parameters of a picker that only select among its rows. */
const NARROWING = ['keyword', 'cursor', 'ids'] as const
const OPTIONS = /\/options$/
/** Maximum number of rows in one answer. */
const MAX_ROWS = 50

/**
 * The answer of a picker (`…/options`) from all cached data of its records: earlier answers of pickers, with whatever parameters, and rows of the
 * module's lists. Undefined if there are none.
 *
 * @param cached  newest first
 */
export function cachedChoices(
  url: string,
  cached: readonly CachedCall[],
): Pick<CachedCall, 'at' | 'data'> | undefined {
  const query = readUrl(url)
  const list = query.path.replace(OPTIONS, '/list')
  const offered = cached.filter(({ url: other }) => isSameQuestion(readUrl(other), query))
  // Rows of a list do not tell which of them a picker with a filter would offer.
  const listed =
    query.otherParameters === '' ? cached.filter(({ url: other }) => readUrl(other).path === list) : []
  const answers = [...offered, ...listed]
  if (answers.length === 0) return undefined
  const rowsById = new Map<string, JsonObject>()
  const rows = [
    ...offered.flatMap(({ data }) => rowsOf(data)),
    ...listed.flatMap(({ data }) => rowsOf(data).flatMap(asChoice)),
  ]
  for (const row of rows) {
    const id = textAt(row, 'value')
    if (id !== '' && !rowsById.has(id)) rowsById.set(id, row)
  }
  const found = query.cursor === '' ? [...rowsById.values()].filter((row) => matches(row, query)) : []
  return {
    at: Math.max(...answers.map(({ at }) => at)),
    data: { meta: { code: 200 }, data: { list: found.slice(0, MAX_ROWS), nextCursor: null } },
  }
}

/**
 * The answer of a search for records of the kinds in `types` (`…/search/global`, `…/search/recent`), from all cached data of pickers and lists of these
 * kinds. Undefined if there are none.
 *
 * @param cached  newest first
 */
export function cachedHits(
  url: string,
  cached: readonly CachedCall[],
): Pick<CachedCall, 'at' | 'data'> | undefined {
  const { searchParams } = new URL(url, 'http://device')
  const words = new URLSearchParams({ keyword: searchParams.get('keyword') ?? '' })
  const found = (searchParams.get('types') ?? '').split(',').flatMap((type) => {
    const choices = cachedChoices(`/mini/${type}/options?${words}`, cached)
    return choices === undefined ? [] : [{ ...choices, type }]
  })
  if (found.length === 0) return undefined
  const list = found.flatMap(({ type, data }) =>
    rowsOf(data).map((row) => ({
      type,
      id: textAt(row, 'value'),
      title: textAt(row, 'label'),
      sub: textAt(row, 'desc'),
      // Writing checks again.
      follow: row.disabled !== true,
    })),
  )
  return { at: Math.max(...found.map(({ at }) => at)), data: { meta: { code: 200 }, data: { list } } }
}

/**
 * The answer of a detail (`…/detail?id=…`) from the cached answers of that record: the newest, regardless of other parameters such as the list it was
 * opened from.
 *
 * @param cached  newest first
 */
export function cachedRecord(
  url: string,
  cached: readonly CachedCall[],
): Pick<CachedCall, 'at' | 'data'> | undefined {
  const record = recordOf(url)
  return record === null ? undefined : cached.find((call) => recordOf(call.url) === record)
}

/** The record of a detail call, as its path and id. */
function recordOf(url: string): string | null {
  const { pathname, searchParams } = new URL(url, 'http://device')
  const id = searchParams.get('id')
  return pathname.endsWith('/detail') && id !== null ? `${pathname} ${id}` : null
}

interface PickerQuery {
  readonly path: string
  readonly keyword: string
  readonly ids: string
  readonly cursor: string
  /** The other parameters. */
  readonly otherParameters: string
}

function readUrl(url: string): PickerQuery {
  const { pathname, searchParams } = new URL(url, 'http://device')
  const [keyword = '', cursor = '', ids = ''] = NARROWING.map((name) => searchParams.get(name) ?? '')
  for (const name of NARROWING) searchParams.delete(name)
  searchParams.sort()
  return { path: pathname, keyword, cursor, ids, otherParameters: searchParams.toString() }
}

const isSameQuestion = (one: PickerQuery, other: PickerQuery): boolean =>
  one.path === other.path && one.otherParameters === other.otherParameters

const rowsOf = (answer: Json): readonly JsonObject[] => objectsIn(ownValue(ownValue(answer, 'data'), 'list'))

const textAt = (row: JsonObject, key: string): string => {
  const value = ownValue(row, key)
  return typeof value === 'string' ? value : ''
}

/** A row of a list as an option of a picker; lists have `title` or `name`. */
function asChoice(row: JsonObject): readonly JsonObject[] {
  const label = textAt(row, 'title') || textAt(row, 'name')
  const id = textAt(row, 'id')
  return label === '' || id === '' ? [] : [{ value: id, label, desc: '', disabled: false }]
}

function matches(row: JsonObject, { keyword, ids }: PickerQuery): boolean {
  if (ids !== '') return ids.split(',').includes(textAt(row, 'value'))
  const words = `${textAt(row, 'label')} ${textAt(row, 'desc')}`.toLowerCase()
  return words.includes(keyword.trim().toLowerCase())
}
