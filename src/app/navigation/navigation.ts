import type { Layers } from '../../../runtime/react/layers/layers.ts'
import { createEntries, type StartOptions, startStack } from './entries.ts'
import type { HistoryMark } from './hash-location.ts'
import { createHistorySteps } from './history-steps.ts'
import { type Move, planMove } from './move-plan.ts'
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
import { formatPlace, type Place } from './routes.ts'

/** How long opening the url in sight again is taken for a second tap (SHELL 5, navigation animation). */
const LOCK_MS = 300

/** Who goes back: the page itself, or the user by the bar's button or the browser's own back (SHELL 1.2). */
export type BackFrom = 'navigateBack' | 'backbutton'
/** Null when the call was carried out, else why it was refused, in the words of the text catalogue. */
export type Refusal = string | null

export interface NavigationOptions extends StartOptions {
  readonly now: () => number
  /** Asks the page in sight; true keeps the user there. */
  readonly askBack: (entryId: string, from: BackFrom) => Promise<boolean>
  /** What stands above the page: the user's Back closes that first. */
  readonly layers: Layers
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
  let openedAt = Number.NEGATIVE_INFINITY
  const { addressed, toEntry, toOpened, isTab } = createEntries(options)
  let stack = startStack(options)
  const steps = createHistorySteps(history, layers)

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
    const plan = planMove(kind, url, topOf(stack).path, { routes, guard: options.guard, isTab })
    switch (plan.act) {
      case 'refuse':
        return plan.reason
      case 'login':
        return openInstead(plan.place, kind)
      case 'reLaunch':
      case 'switchTab':
        return start(plan.place, plan.act)
      case 'redirectTo':
        return redirect(plan.place)
      case 'navigateTo':
        return from !== undefined && options.besides.listOf(stack)?.id === from
          ? exchange(plan.place)
          : open(plan.place)
    }
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
    if (formatPlace(topOf(stack)) === url && options.now() - openedAt < LOCK_MS)
      return `navigateTo:fail ${url} locked`
    openedAt = options.now()
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

  /** A page below becomes visible again; one whose session is over stays empty. */
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
