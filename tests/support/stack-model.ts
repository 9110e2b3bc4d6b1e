/** A page in the model: its address and its position in the browser's history. */
interface Opened {
  readonly url: string
  readonly at: number
}

/** Opened pages, tab pages kept alive, and the browser's history. The last opened page is visible. */
export interface WalkState {
  readonly opened: readonly Opened[]
  readonly kept: readonly string[]
  readonly history: readonly string[]
}

/** One action of a user or a page. `url`s are complete in-app addresses. */
export type Step =
  | { readonly act: 'navigateTo' | 'redirectTo' | 'reLaunch' | 'switchTab' | 'type'; readonly url: string }
  | { readonly act: 'back'; readonly delta: number }
  | { readonly act: 'browser'; readonly delta: number }
  | { readonly act: 'reload' }

export interface World {
  /** Existing paths, and their relation to the tab bar. */
  readonly routes: Readonly<Record<string, 'fixed' | 'chosen' | 'choice' | 'none'>>
  /** Addresses of pages that do not let the user go back. */
  readonly keepers: readonly string[]
}

const pathOf = (url: string) => url.split('?')[0] ?? ''

/** The visible page. */
export const sightOf = (state: WalkState): Opened => state.opened.at(-1) ?? { url: '/', at: 0 }

export function startWalk(url = '/'): WalkState {
  return { opened: [{ url, at: 0 }], kept: [], history: [url] }
}

/** The rules of the spec (§2; SHELL 1.2) in their simplest form: the opened pages after one step. */
export function walk(state: WalkState, step: Step, world: World): WalkState {
  const top = sightOf(state)
  const isTab = (url: string) => ['fixed', 'chosen'].includes(world.routes[pathOf(url)] ?? 'none')
  const alive = [...state.kept, ...state.opened.map(({ url }) => url).filter(isTab)]
  const first = state.opened[0]?.at ?? 0

  const only = (url: string, at: number, kept: readonly string[]): WalkState => ({
    opened: [{ url, at }],
    kept,
    history: state.history.map((one, index) => (index === at ? url : one)),
  })
  const toTab = (url: string, at: number): WalkState => {
    const known = alive.find((one) => pathOf(one) === pathOf(url))
    const others = alive.filter((one) => pathOf(one) !== pathOf(url))
    return only(known ?? url, at, others)
  }
  const push = (url: string): WalkState => ({
    ...state,
    opened: [...state.opened, { url, at: top.at + 1 }],
    history: [...state.history.slice(0, top.at + 1), url],
  })
  const pop = (to: Opened | undefined): WalkState => ({
    ...state,
    opened: state.opened.filter((one) => one.at <= (to?.at ?? 0)),
  })
  const arrive = (url: string, at: number): WalkState => {
    if (isTab(url)) return toTab(url, at)
    return at > top.at
      ? { ...state, opened: [...state.opened, { url, at }] }
      : { ...state, opened: [{ url, at }], kept: [] }
  }

  if (step.act === 'reload') return { ...state, kept: [] }
  if (step.act === 'type') {
    const history = [...state.history.slice(0, top.at + 1), step.url]
    return {
      ...arrive(step.url, top.at + 1),
      history: isTab(step.url) ? arriveHistory(history, step.url, alive) : history,
    }
  }
  if (step.act === 'browser') {
    const at = top.at + step.delta
    const url = state.history[at]
    if (url === undefined || step.delta === 0) return state
    if (step.delta < 0 && world.keepers.includes(top.url)) return state
    const known = state.opened.find((one) => one.at === at)
    return known ? pop(known) : arrive(url, at)
  }
  if (step.act === 'back') {
    if (world.keepers.includes(top.url)) return state
    if (state.opened.length === 1) return pathOf(top.url) === '/' ? state : only('/', first, [])
    return pop(state.opened[Math.max(0, state.opened.length - 1 - step.delta)])
  }
  const kind = world.routes[pathOf(step.url)]
  if (kind === undefined) return state
  if (step.act === 'reLaunch') return only(step.url, first, [])
  if (step.act === 'switchTab') return kind === 'none' ? state : toTab(pathOf(step.url), first)
  if (kind === 'fixed') return state
  if (kind === 'chosen') return toTab(pathOf(step.url), first)
  if (step.act === 'navigateTo') return push(step.url)
  return {
    ...state,
    opened: [...state.opened.slice(0, -1), { url: step.url, at: top.at }],
    history: state.history.map((one, index) => (index === top.at ? step.url : one)),
  }
}

/** A typed tab address shows the tab page that is alive, under that page's own address. */
function arriveHistory(history: readonly string[], url: string, alive: readonly string[]): readonly string[] {
  const known = alive.find((one) => pathOf(one) === pathOf(url))
  return [...history.slice(0, -1), known ?? url]
}
