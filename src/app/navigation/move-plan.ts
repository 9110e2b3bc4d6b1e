import { type Place, parsePlace, type RouteTable } from './routes.ts'

export type Move = 'navigateTo' | 'redirectTo' | 'reLaunch' | 'switchTab'

/** The effect of a call; `login`: another place is shown instead. */
type MovePlan =
  | { readonly act: 'refuse'; readonly reason: string }
  | { readonly act: 'login' | Move; readonly place: Place }

interface Rules {
  readonly routes: RouteTable
  /** Another place to show instead (login), or null. */
  readonly guard: (place: Place) => Place | null
  /** True for a page in the bottom bar, as arranged by the user. */
  readonly isTab: (path: string) => boolean
}

/** The effect of a call for `url` from the page at `from`. */
export function planMove(kind: Move, url: string, from: string, { routes, guard, isTab }: Rules): MovePlan {
  const refused = (reason: string): MovePlan => ({ act: 'refuse', reason })
  if (url === '') return refused(`${kind}:fail Missing required args: "url"`)
  const parsed = parsePlace(url, from)
  const resolved = parsed && routes.resolve(parsed)
  const route = resolved && routes.find(resolved.path)
  if (!resolved || !route) return refused(`${kind}:fail page \`${url}\` is not found`)
  const place = { path: route.path, query: resolved.query }
  const login = guard(place)
  if (login) return { act: 'login', place: login }
  if (kind === 'reLaunch') return { act: kind, place }
  if (kind === 'switchTab') {
    return route.tabBar === 'none'
      ? refused('switchTab:fail can not switch to no-tabBar page')
      : { act: kind, place }
  }
  if (route.tabBar === 'fixed') return refused(`${kind}:fail can not ${kind} a tabbar page`)
  // The author of a page cannot know which pages a user put into the bottom bar, so opening one of them switches to it. With a query (the customers
  // of a number, of a day) it is opened as a separate page, since the tab page has no such query.
  if (isTab(route.path) && Object.keys(place.query).length === 0) return { act: 'switchTab', place }
  return { act: kind, place }
}
