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

/** Time within which opening the visible url again counts as a double tap (SHELL 5, navigation animation). */
const LOCK_MS = 300

/** The origin of a step back: the page, or the user by the bar's button or the browser's back button (SHELL 1.2). */
export type BackFrom = 'navigateBack' | 'backbutton'
/** Null if the call was carried out, else the reason of the refusal, as a text of the catalogue. */
export type Refusal = string | null

export interface NavigationOptions extends StartOptions {
  readonly now: () => number
  /** Asks the visible page; true keeps the user there. */
  readonly askBack: (entryId: string, from: BackFrom) => Promise<boolean>
  /** The layers above the page, which a step back of the user closes first. */
  readonly layers: Layers
  readonly onChange?: (stack: PageStack) => void
}

export interface Navigation {
  stack(): PageStack
  subscribe(listener: () => void): () => void
  /**
   * `from`: the entry of the calling page. A list beside a record replaces that record. A page that is not visible replaces none: its answer came
   * after the user had gone on.
   */
  move(kind: Move, url: string, from?: string): Promise<Refusal>
  /** Goes back `delta` pages, at most to the first one; on the first page goes to `/`. @param by  the entry of the calling page, as for `move` */
  back(delta?: number, from?: BackFrom, by?: string): Promise<Refusal>
  dispose(): void
}

/** A stack of opened pages as in a native app, synchronised with the browser's history (SHELL 1). */
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
    // History and stack keep the same length, so that the back button finds no extra entries.
    await steps.go(index - topOf(stack).index)
    const entry = toEntry(place, index)
    return show(kind === 'reLaunch' ? startWith(entry) : switchTo(stack, { ...entry, query: {} }))
  }

  /** The address becomes that of the visible page; a tab page that was alive keeps its own. */
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
        return from !== undefined && options.sideBySide.listOf(stack)?.id === from
          ? exchange(plan.place)
          : open(plan.place)
    }
  }

  /** The list stays, and the record beside it is replaced unless it keeps the user. */
  async function exchange(place: Place): Promise<Refusal> {
    const top = topOf(stack)
    if (formatPlace(top) === formatPlace(place)) return null
    if (await options.askBack(top.id, 'navigateBack')) return 'navigateTo:fail onBackPress'
    return redirect(place)
  }

  /** Login is opened where the page would have been: above the others, replacing one, or alone. */
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

  /** Shows a page further down again. If its session is over, it stays empty. */
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
    // SHELL 6: the browser's back button also asks the hook, and is undone by a veto.
    if (mark && mark.index < top.index && (await options.askBack(top.id, 'backbutton'))) {
      await steps.go(top.index - mark.index)
      return 'navigateBack:fail onBackPress'
    }
    const position = stack.entries.findIndex((entry) => entry.id === mark?.id)
    return mark && position >= 0 ? reveal(position, mark.index) : followUnknown(mark, top)
  }

  /** A tab page may have several entries in the browser's history: it takes the current one. */
  function settleAt(index: number, next: PageStack): null {
    const top = topOf(next)
    return settle(top.index === index ? next : replaceTop(next, { ...top, index }))
  }

  /** A typed address, a step forward, or a step back over pages that were lost in a reload. */
  function followUnknown(mark: HistoryMark | null, top: Entry): null {
    const requested = addressed()
    const guarded = options.guard(requested)
    const entry = toEntry(guarded ?? requested, mark?.index ?? top.index + 1, mark?.id)
    if (guarded?.path === top.path) return show(replaceTop(stack, entry))
    const opened = entry.index > top.index ? pushEntry(stack, entry) : startWith(entry)
    return show(entry.tab ? switchTo(stack, entry) : opened)
  }

  const keepAbove = (): Promise<void> => steps.keepAbove(topOf(stack))
  /** The page was left, or another one covers it. */
  const isAway = (id = topOf(stack).id): boolean =>
    id !== topOf(stack).id && id !== options.sideBySide.listOf(stack)?.id

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
  // After a reload no layer is open yet.
  queue = queue.then(keepAbove)

  return {
    stack: () => stack,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async move(kind, url, from) {
      if (kind === 'redirectTo' && isAway(from)) return 'redirectTo:fail page left'
      return enqueue(async () => {
        await steps.giveBack()
        return run(kind, url, from)
      })
    },
    back: async (delta = 1, from = 'navigateBack', by) =>
      isAway(by) ? 'navigateBack:fail page left' : enqueue(() => runBack(delta, from)),
    dispose() {
      stopListening()
      stopWatching()
    },
  }
}
