import type { Layers } from '../../../runtime/react/layers/layers.ts'
import type { Besides } from './beside.ts'
import type { HashHistory, HistoryMark } from './hash-location.ts'
import { createHistorySteps } from './history-steps.ts'
import {
  type Entry,
  markOf,
  type PageStack,
  popTo,
  pushEntry,
  replaceTop,
  startWith,
  switchTo,
  topOf,
} from './page-stack.ts'
import { formatPlace, type Place, parsePlace, type RouteTable } from './routes.ts'

/** How long opening the same url again is taken for a second tap (SHELL 5, navigation animation). */
const LOCK_MS = 300

/** Who goes back: the page itself, or the user by the bar's button or the browser's own back (SHELL 1.2). */
export type BackFrom = 'navigateBack' | 'backbutton'
type Move = 'navigateTo' | 'redirectTo' | 'reLaunch' | 'switchTab'
/** Null when the call was carried out, else why it was refused, in the words of the text catalogue. */
export type Refusal = string | null

export interface NavigationOptions {
  readonly routes: RouteTable
  readonly history: HashHistory
  readonly now: () => number
  readonly newId: () => string
  /** Paths the user put into the bottom bar. */
  readonly chosenTabs: () => readonly string[]
  /** Another place to show instead (login), or null. */
  readonly guard: (place: Place) => Place | null
  /** Asks the page in sight; true keeps the user there. */
  readonly askBack: (entryId: string, from: BackFrom) => Promise<boolean>
  /** Which pages a wide window shows beside each other. */
  readonly besides: Besides
  /** What stands above the page: the user's Back closes that first. */
  readonly layers: Layers
  readonly homePath: string
  /** The pages of the last visit of this tab, for a reload. */
  readonly restored?: readonly Entry[]
  readonly onChange?: (stack: PageStack) => void
}

export interface Navigation {
  stack(): PageStack
  subscribe(listener: () => void): () => void
  /** `from`: the entry of the page that asks; a list that stands beside a record puts the next one in its place. */
  move(kind: Move, url: string, from?: string): Promise<Refusal>
  /** `delta` at most down to the first page; on the first page goes to `/`. */
  back(delta?: number, from?: BackFrom): Promise<Refusal>
  dispose(): void
}

/** Opened pages like those of a native app, in step with the browser's history (SHELL 1). */
export function createNavigation(options: NavigationOptions): Navigation {
  const { history, layers, routes } = options
  const listeners = new Set<() => void>()
  let queue: Promise<unknown> = Promise.resolve()
  let lastOpened = { url: '', at: Number.NEGATIVE_INFINITY }
  let stack = startStack()
  const steps = createHistorySteps(history, layers)

  function startStack(): PageStack {
    const mark = history.mark()
    const known = options.restored?.findIndex((entry) => entry.id === mark?.id) ?? -1
    const [first, ...rest] = options.restored?.slice(0, known + 1) ?? []
    const asked = addressed()
    const redirected = options.guard(asked)
    if (first && !redirected) return { entries: [first, ...rest], kept: [] }
    const entry = toEntry(redirected ?? asked, mark?.index ?? 0)
    const list = mark || redirected ? null : options.besides.belowOf(asked)
    if (list) return startBeside(list, entry)
    history.replace(formatPlace(entry), markOf(entry))
    return startWith(entry)
  }

  /** A link to a record where its list has room beside it: as if it had been opened from there. */
  function startBeside(list: Place, record: Entry): PageStack {
    const below = toEntry(list, 0)
    const above = { ...record, index: 1 }
    history.replace(formatPlace(below), markOf(below))
    history.push(formatPlace(above), markOf(above))
    return pushEntry(startWith(below), above)
  }

  /** The place in the address line. */
  function addressed(): Place {
    return routes.resolve(parsePlace(history.url()) ?? { path: options.homePath, query: {} })
  }

  function toEntry(place: Place, index: number, id = options.newId()): Entry {
    const path = routes.find(place.path)?.path ?? place.path
    return { id, index, path, query: place.query, tab: isTab(path) }
  }

  /** A page above others is not one of the bar, even where its path is. */
  function toOpened(place: Place, index: number): Entry {
    return { ...toEntry(place, index), tab: false }
  }

  function isTab(path: string): boolean {
    const kind = routes.find(path)?.tabBar
    return kind === 'fixed' || (kind === 'choice' && options.chosenTabs().includes(path))
  }

  function settle(next: PageStack): null {
    stack = next
    options.onChange?.(next)
    for (const listener of listeners) listener()
    return null
  }

  async function start(place: Place, kind: 'reLaunch' | 'switchTab'): Promise<null> {
    const index = stack.entries[0].index
    // History and stack keep the same length: nothing is left for the back key.
    await steps.go(index - topOf(stack).index)
    const entry = toEntry(place, index)
    return show(kind === 'reLaunch' ? startWith(entry) : switchTo(stack, { ...entry, query: {} }))
  }

  /** The address becomes that of the page in sight: a tab page that was alive keeps its own. */
  function show(next: PageStack): null {
    const shown = topOf(next)
    history.replace(formatPlace(shown), markOf(shown))
    return settle(next)
  }

  async function run(kind: Move, url: string, from?: string): Promise<Refusal> {
    const top = topOf(stack)
    const asked = url === '' ? null : parsePlace(url, top.path)
    const place = asked && routes.resolve(asked)
    if (url === '') return `${kind}:fail Missing required args: "url"`
    const route = place && routes.find(place.path)
    if (!place || !route) return `${kind}:fail page \`${url}\` is not found`
    const target = { path: route.path, query: place.query }
    const login = options.guard(target)
    if (login) return openInstead(login, kind)

    if (kind === 'reLaunch') return start(target, kind)
    if (kind === 'switchTab') {
      return route.tabBar === 'none' ? 'switchTab:fail can not switch to no-tabBar page' : start(target, kind)
    }
    if (route.tabBar === 'fixed') return `${kind}:fail can not ${kind} a tabbar page`
    // A page's author cannot know what a user put into the bar: opening such a page switches to it. With a query it is a
    // question of its own (the customers of a number, of a day), which the page in the bar would not answer.
    if (isTab(route.path) && Object.keys(target.query).length === 0) return start(target, 'switchTab')
    if (kind === 'redirectTo') return redirect(target)
    return from !== undefined && options.besides.listOf(stack)?.id === from ? exchange(target) : open(target)
  }

  /** The list stays where it is; what stood beside it leaves, unless it keeps the user. */
  async function exchange(place: Place): Promise<Refusal> {
    const top = topOf(stack)
    if (formatPlace(top) === formatPlace(place)) return null
    if (await options.askBack(top.id, 'navigateBack')) return 'navigateTo:fail onBackPress'
    return redirect(place)
  }

  /** Login stands where the page would have stood: above the others, in the place of one, or alone. */
  function openInstead(login: Place, kind: Move): Refusal | Promise<Refusal> {
    if (kind === 'reLaunch') return start(login, kind)
    const isThere = topOf(stack).path === login.path
    return kind === 'redirectTo' || isThere ? redirect(login) : open(login)
  }

  function open(place: Place): Refusal {
    const url = formatPlace(place)
    if (lastOpened.url === url && options.now() - lastOpened.at < LOCK_MS)
      return `navigateTo:fail ${url} locked`
    lastOpened = { url, at: options.now() }
    const entry = toOpened(place, topOf(stack).index + 1)
    history.push(url, markOf(entry))
    return settle(pushEntry(stack, entry))
  }

  function redirect(place: Place): null {
    const entry = toOpened(place, topOf(stack).index)
    history.replace(formatPlace(place), markOf(entry))
    return settle(replaceTop(stack, entry))
  }

  async function runBack(delta: number, from: BackFrom): Promise<Refusal> {
    if (from === 'backbutton' && layers.closeTop()) return 'navigateBack:fail layer'
    await steps.giveBack()
    const top = topOf(stack)
    if (await options.askBack(top.id, from)) return 'navigateBack:fail onBackPress'
    if (stack.entries.length === 1) {
      const home = { path: options.homePath, query: {} }
      return top.path === options.homePath ? null : start(options.guard(home) ?? home, 'reLaunch')
    }
    const position = stack.entries.length - 1 - Math.min(Math.max(1, delta), stack.entries.length - 1)
    await steps.go((stack.entries[position]?.index ?? 0) - top.index)
    return reveal(position)
  }

  /** A page below comes into sight again; whose session is over shows nothing any more. */
  function reveal(position: number, index?: number): Refusal | Promise<Refusal> {
    const next = popTo(stack, position)
    const login = options.guard(topOf(next))
    if (!login) return index === undefined ? settle(next) : settleAt(index, next)
    stack = next
    return start(login, 'reLaunch')
  }

  async function followBrowser(wasAbove: boolean): Promise<Refusal> {
    const mark = history.mark()
    const top = topOf(stack)
    if (mark?.id === top.id) {
      if (wasAbove && mark.above !== true) await steps.closeLayer()
      return settleAt(mark.index, stack)
    }
    // SHELL 6: the browser's own back asks the hook too, and is undone by a veto.
    if (mark && mark.index < top.index && (await options.askBack(top.id, 'backbutton'))) {
      await steps.go(top.index - mark.index)
      return 'navigateBack:fail onBackPress'
    }
    const position = stack.entries.findIndex((entry) => entry.id === mark?.id)
    return mark && position >= 0 ? reveal(position, mark.index) : followUnknown(mark, top)
  }

  /** A tab page may stand in the browser's history more than once: its place is where the browser is now. */
  function settleAt(index: number, next: PageStack): null {
    const top = topOf(next)
    return settle(top.index === index ? next : replaceTop(next, { ...top, index }))
  }

  /** A typed address, a forward step, or a step back over pages that a reload made forget. */
  function followUnknown(mark: HistoryMark | null, top: Entry): null {
    const asked = addressed()
    const guarded = options.guard(asked)
    const entry = toEntry(guarded ?? asked, mark?.index ?? top.index + 1, mark?.id)
    if (guarded?.path === top.path) return show(replaceTop(stack, entry))
    const opened = entry.index > top.index ? pushEntry(stack, entry) : startWith(entry)
    return show(entry.tab ? switchTo(stack, entry) : opened)
  }

  const keepAbove = (): Promise<void> => steps.keepAbove(topOf(stack))

  function enqueue(task: () => Refusal | Promise<Refusal>): Promise<Refusal> {
    const result = queue.then(task)
    queue = result.catch(() => null).then(keepAbove)
    return result
  }

  const stopListening = steps.onUserStep((wasAbove) => void enqueue(() => followBrowser(wasAbove)))
  const stopWatching = layers.subscribe(() => {
    queue = queue.then(keepAbove)
  })
  options.onChange?.(stack)
  // After a reload nothing stands above the page yet.
  queue = queue.then(keepAbove)

  return {
    stack: () => stack,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    move: (kind, url, from) =>
      enqueue(async () => {
        await steps.giveBack()
        return run(kind, url, from)
      }),
    back: (delta = 1, from = 'navigateBack') => enqueue(() => runBack(delta, from)),
    dispose() {
      stopListening()
      stopWatching()
    },
  }
}
