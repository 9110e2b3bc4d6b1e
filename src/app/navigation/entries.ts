import type { Besides } from './beside.ts'
import type { HashHistory } from './hash-location.ts'
import { type Entry, markOf, type PageStack, pushEntry, startWith } from './page-stack.ts'
import { formatPlace, type Place, parsePlace, type RouteTable } from './routes.ts'

export interface EntryOptions {
  readonly routes: RouteTable
  readonly history: HashHistory
  readonly newId: () => string
  /** Paths the user put into the bottom bar. */
  readonly chosenTabs: () => readonly string[]
  readonly homePath: string
}

export interface StartOptions extends EntryOptions {
  /** Another place to show instead (login), or null. */
  readonly guard: (place: Place) => Place | null
  /** Which pages a wide window shows beside each other. */
  readonly besides: Besides
  /** The pages of the last visit of this tab, for a reload. */
  readonly restored?: readonly Entry[]
}

/** Places as entries of the stack. */
export function createEntries(options: EntryOptions) {
  const { routes, history } = options
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

  return { addressed, toEntry, toOpened, isTab }
}

/** The stack that a visit begins with: that of before a reload, else what the address asks for. */
export function startStack(options: StartOptions): PageStack {
  const { history } = options
  const { addressed, toEntry } = createEntries(options)
  const mark = history.mark()
  const known = options.restored?.findIndex((entry) => entry.id === mark?.id) ?? -1
  const [first, ...rest] = options.restored?.slice(0, known + 1) ?? []
  const asked = addressed()
  const redirected = options.guard(asked)
  if (first && !redirected) return { entries: [first, ...rest], kept: [] }
  const entry = toEntry(redirected ?? asked, mark?.index ?? 0)
  const list = mark || redirected ? null : options.besides.belowOf(asked)
  if (list) return startBeside(history, toEntry(list, 0), entry)
  history.replace(formatPlace(entry), markOf(entry))
  return startWith(entry)
}

/** A link to a record where its list has room beside it: as if it had been opened from there. */
function startBeside(history: HashHistory, below: Entry, record: Entry): PageStack {
  const above = { ...record, index: 1 }
  history.replace(formatPlace(below), markOf(below))
  history.push(formatPlace(above), markOf(above))
  return pushEntry(startWith(below), above)
}
