import { type Place, parsePlace, type RouteTable } from './routes.ts'

export type Move = 'navigateTo' | 'redirectTo' | 'reLaunch' | 'switchTab'

/** What a call comes to; `login`: another place is shown instead. */
type MovePlan =
  | { readonly act: 'refuse'; readonly reason: string }
  | { readonly act: 'login' | Move; readonly place: Place }

interface Rules {
  readonly routes: RouteTable
  /** Another place to show instead (login), or null. */
  readonly guard: (place: Place) => Place | null
  /** A page of the bar, as the user has arranged it. */
  readonly isTab: (path: string) => boolean
}

/** What a call for `url` from the page at `from` comes to. */
export function planMove(kind: Move, url: string, from: string, { routes, guard, isTab }: Rules): MovePlan {
  const refused = (reason: string): MovePlan => ({ act: 'refuse', reason })
  if (url === '') return refused(`${kind}:fail Missing required args: "url"`)
  const asked = parsePlace(url, from)
  const found = asked && routes.resolve(asked)
  const route = found && routes.find(found.path)
  if (!found || !route) return refused(`${kind}:fail page \`${url}\` is not found`)
  const place = { path: route.path, query: found.query }
  const login = guard(place)
  if (login) return { act: 'login', place: login }
  if (kind === 'reLaunch') return { act: kind, place }
  if (kind === 'switchTab') {
    return route.tabBar === 'none'
      ? refused('switchTab:fail can not switch to no-tabBar page')
      : { act: kind, place }
  }
  if (route.tabBar === 'fixed') return refused(`${kind}:fail can not ${kind} a tabbar page`)
  // A page's author cannot know what a user put into the bar: opening such a page switches to it. With a query it is a
  // question of its own (the customers of a number, of a day), which the page in the bar would not answer.
  if (isTab(route.path) && Object.keys(place.query).length === 0) return { act: 'switchTab', place }
  return { act: kind, place }
}
