import { itemsOf } from '../../runtime/core/edit/entries.ts'
import { type Editing, openText, retype } from '../../runtime/core/edit/history.ts'
import type { Clock, Ports } from '../../runtime/core/ports.ts'
import type { BenchState } from './bench-state.ts'
import type { Calls, ServerDraft } from './calls.ts'
import { looseKey, referenceKey, resolvePage } from './canvas/resolve-page.ts'
import { NOTHING_TYPED } from './code/typed-texts.ts'
import { createDraftSaver, type Draft } from './draft-saver.ts'

/** The common state of all parts of the workbench. */
export interface BenchPage {
  readonly path: string
  readonly calls: Calls
  readonly keeper: ReturnType<typeof createDraftSaver>
  get(): BenchState
  subscribe(listener: () => void): () => void
  set(change: Partial<BenchState>): void
  /** Called when the page has changed: saves, checks and draws it. */
  follow(editing: Editing, change?: Partial<BenchState>): void
  /** Replaces the text. False while it is not valid JSON. @param group  identifies one stretch of typing */
  rewrite(text: string, change?: Partial<BenchState>, group?: string): boolean
  /** Opens a page, with its undo history if known. */
  show(draft: Pick<Draft, 'text' | 'base' | 'baseText'> & Partial<Draft>, isRestored: boolean): void
  /** The text on which a draft is based; '' if there was none. */
  textOf(revision: number): Promise<string>
  isClosed(): boolean
  close(): void
}

export const NONE: readonly string[] = []
const CHECK_AFTER_MS = 500

/** @param parted  another window of this person has saved a later state than `sent` */
export function createBenchPage(
  path: string,
  calls: Calls,
  { storage, clock }: Pick<Ports, 'storage' | 'clock'>,
  parted: (serverDraft: ServerDraft, sent: string) => void,
): BenchPage {
  const store = createBenchStore(path)
  const { get, set } = store
  const judge = createJudge(store, path, calls, clock)
  const keeper = createDraftSaver(
    path,
    calls,
    { storage, clock },
    {
      keeping: (keeping) => set({ keeping, ...(keeping === 'device' ? { isChecking: false } : {}) }),
      checked(text, { problems, advice, others }) {
        set({ others, ...(text === get().editing?.text ? { problems, advice, isChecking: false } : {}) })
      },
      parted,
    },
  )

  function follow(editing: Editing, change: Partial<BenchState> = {}): void {
    const before = get().editing
    set({ editing, also: NONE, ...change })
    if (before?.text === editing.text && Object.keys(change).length === 0) return
    const { base, baseText } = get()
    const { text, done, undone } = editing
    keeper.follow({ text, base, baseText, done, undone })
    void expandMissing(store, calls)
    // Saving on the server also checks the page.
    if (text !== baseText && keeper.isAhead()) judge.leave()
    else judge.soon(text)
  }

  return {
    path,
    calls,
    keeper,
    get,
    subscribe: store.subscribe,
    set,
    follow,
    rewrite(text, change, group) {
      const { editing } = get()
      const next = editing === null ? null : retype(editing, text, group)
      if (next === null) return false
      if (next !== editing || change !== undefined)
        follow({ ...next, selected: existingSelection(next) }, change)
      return true
    },
    show(draft, isRestored) {
      const fresh = openText(draft.text)
      if (fresh === null) return set({ failure: draft.text })
      const { base, baseText, done = [], undone = [] } = draft
      const selected = existingSelection({ ...fresh, selected: get().editing?.selected ?? null })
      follow(
        { ...fresh, done, undone, selected },
        { base, baseText, isRestored, failure: '', conflict: null },
      )
    },
    async textOf(revision) {
      const answer = await calls.source(path, revision)
      return answer.ok ? answer.value.text : ''
    },
    isClosed: store.isClosed,
    close() {
      store.close()
      keeper.close()
      judge.close()
    },
  }
}

/** The selected item, if it still exists. */
const existingSelection = ({ document, selected }: Editing): string | null =>
  selected !== null && itemsOf(document).has(selected) ? selected : null

type BenchStore = ReturnType<typeof createBenchStore>

function createBenchStore(path: string) {
  let state: BenchState = {
    path,
    editing: null,
    failure: '',
    base: 0,
    baseText: '',
    also: [],
    clip: '',
    blocks: [],
    expansions: new Map(),
    problems: [],
    advice: [],
    isChecking: false,
    isBusy: false,
    isRestored: false,
    keeping: 'nothing',
    others: [],
    here: [],
    conflict: null,
    upgrade: null,
    typed: NOTHING_TYPED,
    code: null,
  }
  const listeners = new Set<() => void>()
  let isClosed = false
  return {
    get: () => state,
    set(change: Partial<BenchState>): void {
      if (isClosed) return
      state = { ...state, ...change }
      for (const listener of listeners) listener()
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    isClosed: () => isClosed,
    close(): void {
      isClosed = true
    },
  }
}

/** Has the server check a text that is not saved there. */
function createJudge({ set }: BenchStore, path: string, calls: Calls, clock: Clock) {
  let cancel = (): void => {}
  let latest = 0
  const check = async (text: string): Promise<void> => {
    latest += 1
    const mine = latest
    set({ isChecking: true })
    const answer = await calls.check(path, text)
    if (mine === latest) set({ ...(answer.ok ? answer.value : {}), isChecking: false })
  }
  return {
    soon(text: string): void {
      cancel()
      cancel = clock.after(CHECK_AFTER_MS, () => void check(text))
    },
    /** Saving the text returns its problems. */
    leave(): void {
      cancel()
      set({ isChecking: true })
    },
    close: () => cancel(),
  }
}

/** Fetches the replacements of references that are not known yet. */
async function expandMissing({ get, set }: BenchStore, calls: Calls): Promise<void> {
  const { editing, expansions } = get()
  if (editing === null) return
  const { missing } = resolvePage(editing.document, expansions)
  if (missing.length === 0) return
  const answer = await calls.expand(missing)
  if (!answer.ok) return // requested again with the next change
  const nextExpansions = new Map(get().expansions)
  missing.forEach((item, i) => {
    const found = answer.value[i]
    nextExpansions.set(referenceKey(item), found ?? { items: [], sources: [] })
    if (found !== undefined) nextExpansions.set(looseKey(item), found)
  })
  set({ expansions: nextExpansions })
}
