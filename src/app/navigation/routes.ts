import { queryPart } from '../../../runtime/core/text/query.ts'

/** A row of `schemas/routes.json`. */
export interface RouteRow {
  /** A segment `:name` matches any segment: each such address is a separate page. */
  readonly path: string
  readonly title: string
  /** Page document when its path differs from the route's. */
  readonly page?: string
  readonly aliases?: readonly string[]
  /** Default true. */
  readonly needLogin?: boolean
  /** `fixed`: always in the bottom bar. `choice`: a user may put it there. */
  readonly tabBar?: string
  /** A dashboard instead of a list: records opened from it are not shown beside it. */
  readonly alone?: boolean
  /** Other routes behind this one, by the value of a parameter (DOMAIN 1.14: one route to create any record). */
  readonly forward?: { readonly param: string; readonly to: Readonly<Record<string, string>> }
}

interface Route {
  readonly path: string
  readonly title: string
  readonly page: string
  readonly needLogin: boolean
  readonly alone: boolean
  readonly tabBar: 'fixed' | 'choice' | 'none'
  /** Several pages share the route, so its title belongs to none of them. */
  readonly shared: boolean
}

/** A page with its query. */
export interface Place {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
}

export interface RouteTable {
  /** By path or alias. */
  find(path: string): Route | undefined
  /** The target of a place: its own route, or the route it is forwarded to with the rest of its query. */
  resolve(place: Place): Place
}

/** Reads the rows of the route table. */
export function createRouteTable(rows: readonly RouteRow[]): RouteTable {
  const routes = new Map<string, Route>()
  for (const row of rows) {
    const route = toRoute(row)
    for (const path of [row.path, ...(row.aliases ?? [])]) routes.set(path, route)
  }
  const patterns = rows
    .filter(({ path }) => path.includes('/:'))
    .map((row) => ({ row, shape: new RegExp(`^${row.path.replace(/\/:\w+/g, '/[\\w-]+')}$`) }))
  const find = (path: string): Route | undefined => {
    const found = routes.get(path)
    if (found !== undefined) return found
    const pattern = patterns.find(({ shape }) => shape.test(path))
    return pattern === undefined ? undefined : { ...toRoute({ ...pattern.row, path }), shared: true }
  }
  const forwards = new Map(rows.flatMap((row) => (row.forward ? [[row.path, row.forward] as const] : [])))
  return {
    find,
    resolve(place) {
      const path = routes.get(place.path)?.path ?? place.path
      const forward = forwards.get(path)
      if (forward === undefined) return { path, query: place.query }
      const { [forward.param]: value = '', ...query } = place.query
      const to = Object.hasOwn(forward.to, value) ? forward.to[value] : undefined
      return to === undefined ? { path, query: place.query } : { path: to, query }
    },
  }
}

function toRoute(row: RouteRow): Route {
  return {
    path: row.path,
    title: row.title,
    page: row.page ?? row.path,
    needLogin: row.needLogin ?? true,
    alone: row.alone === true,
    tabBar: row.tabBar === 'fixed' || row.tabBar === 'choice' ? row.tabBar : 'none',
    shared: false,
  }
}

const ORIGIN = 'http://in-app.invalid'

/**
 * An in-app url as a place; relative urls are resolved against `from`. Null for anything outside the app: absolute and protocol-relative urls, other
 * schemes, credentials, look-alikes.
 */
export function parsePlace(url: string, from = '/'): Place | null {
  if (!URL.canParse(url, ORIGIN + from)) return null
  const parsed = new URL(url, ORIGIN + from)
  if (parsed.origin !== ORIGIN || parsed.username !== '' || parsed.password !== '') return null
  return { path: decodePath(parsed.pathname), query: Object.fromEntries(parsed.searchParams) }
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** The url of a place, its query encoded. */
export function formatPlace(place: Place): string {
  const query = Object.entries(place.query)
    .map(([name, value]) => queryPart(name, value))
    .join('&')
  return query === '' ? place.path : `${place.path}?${query}`
}
