import type { Edit } from '../../runtime/core/edit/edit.ts'
import { printLike } from '../../runtime/core/edit/edit-text.ts'
import { itemsOf } from '../../runtime/core/edit/entries.ts'
import {
  type Editing,
  openText,
  perform,
  redo,
  retype,
  type Step,
  select,
  undo,
} from '../../runtime/core/edit/history.ts'
import { type Merged, mergePages } from '../../runtime/core/edit/merge-pages.ts'
import type { Json } from '../../runtime/core/json.ts'
import type { Ports } from '../../runtime/core/ports.ts'
import type { PageProblem } from '../contract/pages.ts'
import type { Answer, Calls, Other, Source } from './calls.ts'
import { type Expansions, referenceKey, resolvePage } from './canvas/resolve-page.ts'

/** Everything the workbench draws. */
export interface BenchState {
  readonly path: string
  /** Null while it is being fetched, or could not be. */
  readonly editing: Editing | null
  readonly failure: string
  /** Number of the version that the draft was made from. */
  readonly base: number
  /** Text of that version. */
  readonly baseText: string
  readonly expansions: Expansions
  readonly problems: readonly PageProblem[]
  readonly advice: readonly PageProblem[]
  readonly isChecking: boolean
  readonly isBusy: boolean
  /** A draft of an earlier visit is in sight. */
  readonly isRestored: boolean
  /** Somebody published meanwhile: what became of both. */
  readonly conflict: (Other & { readonly merged: Merged }) | null
}

/** The work on one page. */
export interface Bench {
  readonly get: () => BenchState
  readonly subscribe: (listener: () => void) => () => void
  /** Does an act; acts of one `group` that follow each other are one. */
  perform(edit: Edit, group?: string): void
  undo(): void
  redo(): void
  select(key: string | null): void
  /** The text as somebody types it. False while it is no JSON. */
  retype(text: string): boolean
  publish(note: string): Promise<Answer<{ readonly revision: number }>>
  /** Takes what both made, with `mine` or `theirs` where they contradict each other. */
  settle(document: Json): void
  dismissConflict(): void
  rollBack(revision: number): Promise<Answer<{ readonly revision: number }>>
  /** The text of a version, put in the place of the draft. */
  take(revision: number): Promise<void>
  /** Gives the draft up. */
  discard(): Promise<void>
  readonly calls: Calls
  close(): void
}

const CHECK_AFTER_MS = 500
const KEEP_AFTER_MS = 300

/** What is kept on the device, so that a reload or a lost network costs nothing. */
interface Draft {
  readonly text: string
  readonly base: number
  readonly baseText: string
  readonly done: readonly Step[]
  readonly undone: readonly Step[]
}

/** Opens a page for work: its draft where there is one, else what is current. */
export function openBench(
  path: string,
  calls: Calls,
  { storage, clock }: Pick<Ports, 'storage' | 'clock'>,
): Bench {
  let state: BenchState = {
    path,
    editing: null,
    failure: '',
    base: 0,
    baseText: '',
    expansions: new Map(),
    problems: [],
    advice: [],
    isChecking: false,
    isBusy: false,
    isRestored: false,
    conflict: null,
  }
  const listeners = new Set<() => void>()
  const set = (change: Partial<BenchState>): void => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  const draftKey = `workbench:${path}`
  let cancelCheck = (): void => {}
  let cancelKeep = (): void => {}
  let isClosed = false
  let check = 0

  const keep = (): void => {
    cancelKeep()
    const { editing, base, baseText } = state
    if (editing === null) return
    const draft: Draft = { text: editing.text, base, baseText, done: editing.done, undone: editing.undone }
    const isNothing = editing.done.length === 0 && editing.undone.length === 0
    cancelKeep = clock.after(KEEP_AFTER_MS, () => {
      if (isNothing) void storage.remove(draftKey)
      else void storage.set(draftKey, draft as unknown as Json)
    })
  }

  const checkNow = async (text: string): Promise<void> => {
    check += 1
    const mine = check
    set({ isChecking: true })
    const answer = await calls.check(path, text)
    if (isClosed || mine !== check) return
    if (answer.ok) set({ ...answer.value, isChecking: false })
    else set({ isChecking: false })
  }

  const expandMissing = async (): Promise<void> => {
    if (state.editing === null) return
    const { missing } = resolvePage(state.editing.document, state.expansions)
    if (missing.length === 0) return
    const answer = await calls.expand(missing)
    if (isClosed) return
    const expansions = new Map(state.expansions)
    missing.forEach((item, i) => {
      const found = answer.ok ? answer.value[i] : undefined
      expansions.set(referenceKey(item), found ?? { items: [], sources: [] })
    })
    set({ expansions })
  }

  const follow = (editing: Editing, change: Partial<BenchState> = {}): void => {
    const before = state.editing
    set({ editing, ...change })
    if (before?.text === editing.text) return
    keep()
    void expandMissing()
    cancelCheck()
    cancelCheck = clock.after(CHECK_AFTER_MS, () => void checkNow(editing.text))
  }

  const act = (work: (now: Editing) => Editing): void => {
    if (state.editing === null) return
    const next = work(state.editing)
    if (next !== state.editing) follow(next)
  }

  const show = ({ text, revision }: Source, draft: Draft | null): void => {
    const fresh = openText(draft?.text ?? text)
    if (fresh === null) {
      set({ failure: text })
      return
    }
    const editing = draft === null ? fresh : { ...fresh, done: draft.done, undone: draft.undone }
    follow(editing, {
      base: draft?.base ?? revision,
      baseText: draft?.baseText ?? text,
      isRestored: draft !== null,
      failure: '',
      conflict: null,
    })
  }

  const open = async (): Promise<void> => {
    const [answer, kept] = await Promise.all([calls.source(path), storage.get(draftKey)])
    if (isClosed) return
    if (!answer.ok) return set({ failure: answer.message })
    show(answer.value, (kept as unknown as Draft | undefined) ?? null)
  }
  void open()

  const startAnew = async (): Promise<void> => {
    cancelKeep()
    await storage.remove(draftKey)
    const answer = await calls.source(path)
    if (answer.ok && !isClosed) {
      set({ editing: null })
      show(answer.value, null)
    }
  }

  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    perform: (edit, group) => act((now) => perform(now, edit, group)),
    undo: () => act(undo),
    redo: () => act(redo),
    select: (key) => act((now) => (now.selected === key ? now : select(now, key))),
    retype(text) {
      const next = state.editing === null ? null : retype(state.editing, text)
      if (next === null) return false
      if (next !== state.editing) follow({ ...next, selected: kept(next) })
      return true
    },
    async publish(note) {
      const { editing, base } = state
      if (editing === null) return { ok: false, message: '', problems: [], other: null }
      set({ isBusy: true })
      const answer = await calls.publish(path, editing.text, base, note)
      set({ isBusy: false })
      if (answer.ok) {
        cancelKeep()
        await storage.remove(draftKey)
        const fresh = openText(editing.text)
        set({
          base: answer.value.revision,
          baseText: editing.text,
          editing: fresh === null ? editing : { ...fresh, selected: editing.selected },
          isRestored: false,
        })
      } else if (answer.other !== null) {
        const merged = mergePages(answer.other.baseDocument, editing.document, answer.other.document)
        set({ conflict: { ...answer.other, merged } })
      } else if (answer.problems.length > 0) set({ problems: answer.problems })
      return answer
    },
    settle(document) {
      const { conflict, editing } = state
      if (conflict === null || editing === null) return
      const text = printLike(editing.text, document)
      const next = retype(editing, text)
      if (next !== null)
        follow(next, {
          base: conflict.revision,
          baseText: printLike(editing.text, conflict.document),
          conflict: null,
        })
    },
    dismissConflict: () => set({ conflict: null }),
    async rollBack(revision) {
      const answer = await calls.rollBack(path, revision)
      if (answer.ok) await startAnew()
      return answer
    },
    async take(revision) {
      const answer = await calls.source(path, revision)
      if (answer.ok) act((now) => retype(now, answer.value.text) ?? now)
    },
    discard: startAnew,
    calls,
    close() {
      isClosed = true
      cancelCheck()
    },
  }
}

/** The selected item, if the page still has it. */
const kept = ({ document, selected }: Editing): string | null =>
  selected !== null && itemsOf(document).has(selected) ? selected : null
