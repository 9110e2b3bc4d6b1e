import type { HashHistory } from './hash-location.ts'
import { type Entry, markOf, type PageStack, pushEntry, startWith } from './page-stack.ts'
import { formatPlace, type Place, parsePlace, type RouteTable } from './routes.ts'
import type { SideBySide } from './side-by-side.ts'

export interface EntryOptions {
  readonly routes: RouteTable
  readonly history: HashHistory
  readonly newId: () => string
  /** Paths of the pages that the user put into the bottom bar. */
  readonly chosenTabs: () => readonly string[]
  readonly homePath: string
}

export interface StartOptions extends EntryOptions {
  /** Another place to show instead (login), or null. */
  readonly guard: (place: Place) => Place | null
  /** Decides which pages a wide window shows side by side. */
  readonly sideBySide: SideBySide
  /** The pages of this tab before a reload. */
  readonly restored?: readonly Entry[]
}

/** Creates entries of the stack from places. */
export function createEntries(options: EntryOptions) {
  const { routes, history } = options
  /** The place in the address bar. */
  function addressed(): Place {
    return routes.resolve(parsePlace(history.url()) ?? { path: options.homePath, query: {} })
  }

  function toEntry(place: Place, index: number, id = options.newId()): Entry {
    const path = routes.find(place.path)?.path ?? place.path
    return { id, index, path, query: place.query, tab: isTab(path) }
  }

  /** A page above others is not a tab page, even if its path is in the bottom bar. */
  function toOpened(place: Place, index: number): Entry {
    return { ...toEntry(place, index), tab: false }
  }

  function isTab(path: string): boolean {
    const kind = routes.find(path)?.tabBar
    return kind === 'fixed' || (kind === 'choice' && options.chosenTabs().includes(path))
  }

  return { addressed, toEntry, toOpened, isTab }
}

/** The initial stack: the one before a reload, else the page of the address. */
export function startStack(options: StartOptions): PageStack {
  const { history } = options
  const { addressed, toEntry } = createEntries(options)
  const mark = history.mark()
  const restoredIndex = options.restored?.findIndex((entry) => entry.id === mark?.id) ?? -1
  const [first, ...rest] = options.restored?.slice(0, restoredIndex + 1) ?? []
  const requested = addressed()
  const redirected = options.guard(requested)
  if (first && !redirected) return { entries: [first, ...rest], kept: [] }
  const entry = toEntry(redirected ?? requested, mark?.index ?? 0)
  const list = mark || redirected ? null : options.sideBySide.belowOf(requested)
  if (list) return startSideBySide(history, toEntry(list, 0), entry)
  history.replace(formatPlace(entry), markOf(entry))
  return startWith(entry)
}

/** A link to a record whose list fits beside it: the stack is as if the record had been opened from the list. */
function startSideBySide(history: HashHistory, below: Entry, record: Entry): PageStack {
  const above = { ...record, index: 1 }
  history.replace(formatPlace(below), markOf(below))
  history.push(formatPlace(above), markOf(above))
  return pushEntry(startWith(below), above)
}
