import { printLike } from '../../runtime/core/edit/edit-text.ts'
import { itemsOf } from '../../runtime/core/edit/entries.ts'
import { withFreeNames } from '../../runtime/core/edit/free-names.ts'
import {
  type Editing,
  openText,
  perform,
  readJson,
  redo,
  retype,
  select,
  undo,
} from '../../runtime/core/edit/history.ts'
import { type Choices, mergePages } from '../../runtime/core/edit/merge-pages.ts'
import { type Json, sameJson } from '../../runtime/core/json.ts'
import type { Ports } from '../../runtime/core/ports.ts'
import type { Bench, BenchState, Conflict } from './bench-state.ts'
import type { Answer, Calls, DraftThere, Upgrade } from './calls.ts'
import { looseKey, referenceKey, resolvePage } from './canvas/resolve-page.ts'
import { t } from './context.ts'
import { createDraftKeeper, type Draft, draftToOpen } from './kept-draft.ts'

const CHECK_AFTER_MS = 500

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
    also: [],
    clip: '',
    expansions: new Map(),
    problems: [],
    advice: [],
    isChecking: false,
    isBusy: false,
    isRestored: false,
    keeping: 'nothing',
    others: [],
    conflict: null,
    upgrade: null,
  }
  /** The release that was brought in: told with the publish, as long as the draft still holds it. */
  let taken: Upgrade | null = null
  const listeners = new Set<() => void>()
  const set = (change: Partial<BenchState>): void => {
    if (isClosed) return
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  let isClosed = false
  let cancelCheck = (): void => {}
  let check = 0
  const keeper = createDraftKeeper(
    path,
    calls,
    { storage, clock },
    {
      keeping: (keeping) => set({ keeping, ...(keeping === 'device' ? { isChecking: false } : {}) }),
      checked(text, { problems, advice, others }) {
        set({ others, ...(text === state.editing?.text ? { problems, advice, isChecking: false } : {}) })
      },
      parted: (there, sent) => void meet(there, sent),
    },
  )

  const checkNow = async (text: string): Promise<void> => {
    check += 1
    const mine = check
    set({ isChecking: true })
    const answer = await calls.check(path, text)
    if (mine === check) set({ ...(answer.ok ? answer.value : {}), isChecking: false })
  }

  const expandMissing = async (): Promise<void> => {
    if (state.editing === null) return
    const { missing } = resolvePage(state.editing.document, state.expansions)
    if (missing.length === 0) return
    const answer = await calls.expand(missing)
    if (!answer.ok) return // asked again with the next change
    const expansions = new Map(state.expansions)
    missing.forEach((item, i) => {
      const found = answer.value[i]
      expansions.set(referenceKey(item), found ?? { items: [], sources: [] })
      if (found !== undefined) expansions.set(looseKey(item), found)
    })
    set({ expansions })
  }

  const follow = (editing: Editing, change: Partial<BenchState> = {}): void => {
    const before = state.editing
    set({ editing, also: NONE, ...change })
    if (before?.text === editing.text && Object.keys(change).length === 0) return
    const { base, baseText } = state
    const { text, done, undone } = editing
    keeper.follow({ text, base, baseText, done, undone })
    void expandMissing()
    cancelCheck()
    // What is kept on the server is judged on the way.
    if (text !== baseText && keeper.isAhead()) set({ isChecking: true })
    else cancelCheck = clock.after(CHECK_AFTER_MS, () => void checkNow(text))
  }

  const act = (work: (now: Editing) => Editing): void => {
    if (state.editing === null) return
    const next = work(state.editing)
    if (next === state.editing) return
    if (next.text === state.editing.text) set({ editing: next, also: NONE })
    else follow(next)
  }

  /** Puts a page on the bench, with what can be taken back where that is known. */
  const show = (
    draft: Pick<Draft, 'text' | 'base' | 'baseText'> & Partial<Draft>,
    isRestored: boolean,
  ): void => {
    const fresh = openText(draft.text)
    if (fresh === null) {
      set({ failure: draft.text })
      return
    }
    const { base, baseText, done = [], undone = [] } = draft
    const selected = state.editing?.selected ?? null
    const isThere = selected !== null && itemsOf(fresh.document).has(selected)
    follow(
      { ...fresh, done, undone, selected: isThere ? selected : null },
      { base, baseText, isRestored, failure: '', conflict: null },
    )
  }

  /** The text that a draft was begun from; '' where there was none. */
  const textOf = async (revision: number): Promise<string> => {
    const answer = await calls.source(path, revision)
    return answer.ok ? answer.value.text : ''
  }

  const open = async (): Promise<void> => {
    const [answer, device] = await Promise.all([calls.draft(path), keeper.kept()])
    if (isClosed) return
    if (!answer.ok) {
      if (device === null) {
        set({ failure: answer.message })
        return
      }
      keeper.startFrom({ stamp: device.stamp, text: device.sent })
      return show(device, true)
    }
    const { draft, others, text, base } = answer.value
    set({ others })
    const which = draftToOpen(draft, device)
    if (which === 'device' && device !== null) {
      const isGone = draft === null
      const isSame = draft !== null && draft.text === device.text
      keeper.startFrom(isSame ? draft : isGone ? NOTHING : { stamp: device.stamp, text: device.sent })
      return show(device, true)
    }
    keeper.startFrom(draft ?? NOTHING)
    const baseText = draft === null ? text : await textOf(base)
    if (!isClosed) show({ text, base, baseText }, draft !== null)
  }
  const askUpgrade = async (): Promise<void> => {
    taken = null
    const answer = await calls.upgrade(path)
    set({ upgrade: answer.ok ? answer.value : null })
  }

  void open()
  void askUpgrade()
  void storage.get(CLIP).then((text) => typeof text === 'string' && set({ clip: text }))

  const startAnew = async (): Promise<void> => {
    await keeper.forget()
    const answer = await calls.source(path)
    if (!answer.ok || isClosed) return
    const { text, revision } = answer.value
    show({ text, base: revision, baseText: text }, false)
    void askUpgrade()
  }

  /** Both made one: as a step that can be taken back. */
  const putTogether = (conflict: Conflict, choices: Choices): void => {
    const { editing } = state
    if (editing === null) return
    const { document } = merged(editing.document, conflict, choices)
    const next = retype(editing, printLike(editing.text, document))
    if (conflict.there !== null) keeper.startFrom(conflict.there)
    const { base, baseText } = conflict
    if (conflict.kind === 'vendor') {
      taken = state.upgrade
      set({ upgrade: null })
    }
    if (next !== null) follow({ ...next, selected: kept(next) }, { base, baseText, conflict: null })
  }

  const bringTogether = (conflict: Conflict): void => {
    if (state.editing === null) return
    const { conflicts } = merged(state.editing.document, conflict)
    if (conflicts.length === 0) putTogether(conflict, new Map())
    else set({ conflict })
  }

  /** Another window of this person has gone on. */
  const meet = async (there: DraftThere, sent: string): Promise<void> => {
    const document = readJson(there.text)
    if (state.editing === null) return
    if (document === undefined) {
      // What cannot be read cannot be brought together: this window is the later one.
      keeper.startFrom(there)
      return follow(state.editing, { base: state.base })
    }
    const isLater = there.base > state.base
    const base = isLater ? there.base : state.base
    const baseText = isLater ? await textOf(base) : state.baseText
    const baseDocument = readJson(sent) ?? null
    bringTogether({ kind: 'window', author: '', baseDocument, document, base, baseText, there })
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
    select(key) {
      if (state.also.length > 0) set({ also: NONE })
      act((now) => (now.selected === key ? now : select(now, key)))
    },
    pick(key) {
      const { editing, also } = state
      if (editing === null) return
      const selected = selectionOf(state)
      const left = selected.includes(key) ? selected.filter((one) => one !== key) : [...selected, key]
      const [first, ...more] = left
      if (first === editing.selected) set({ also: more.length === 0 && also.length === 0 ? also : more })
      else set({ editing: select(editing, first ?? null), also: more })
    },
    selection: () => selectionOf(state),
    clip(text) {
      set({ clip: text })
      void storage.set(CLIP, text)
    },
    retype(text) {
      const next = state.editing === null ? null : retype(state.editing, text)
      if (next === null) return false
      if (next !== state.editing) follow({ ...next, selected: kept(next) })
      return true
    },
    async publish(note) {
      const { editing, base } = state
      if (editing === null) return UNREADABLE
      set({ isBusy: true })
      const answer = await calls.publish(path, editing.text, base, note, holds(editing.document, taken))
      set({ isBusy: false })
      if (answer.ok) {
        await keeper.forget()
        const { text } = editing
        show({ text, base: answer.value.revision, baseText: text }, false)
        void askUpgrade()
      } else if (answer.other !== null) {
        const { revision, document, baseDocument } = answer.other
        const baseText = printLike(editing.text, document)
        set({
          conflict: {
            kind: 'published',
            author: '',
            baseDocument,
            document,
            base: revision,
            baseText,
            there: null,
          },
        })
      } else if (answer.problems.length > 0) set({ problems: answer.problems })
      return answer
    },
    settle(choices) {
      if (state.conflict !== null) putTogether(state.conflict, choices)
    },
    dismissConflict: () => set({ conflict: null }),
    async takeIn({ user, author }) {
      const answer = await calls.draftOf(path, user)
      if (!answer.ok) return answer
      const { base, baseText } = state
      const document = readJson(answer.value.text)
      if (document === undefined) return UNREADABLE
      const common = Math.min(base, answer.value.base)
      const baseDocument = readJson(common === base ? baseText : await textOf(common)) ?? null
      bringTogether({ kind: 'colleague', author, baseDocument, document, base, baseText, there: null })
      return { ok: true, value: null }
    },
    async takeOver({ user }) {
      const answer = await calls.draftOf(path, user)
      if (!answer.ok || state.editing === null) return answer.ok ? { ok: true, value: null } : answer
      const next = retype(state.editing, answer.value.text)
      if (next === null) return UNREADABLE
      const { base } = answer.value
      const baseText = base === state.base ? state.baseText : await textOf(base)
      follow({ ...next, selected: kept(next) }, { base, baseText })
      return { ok: true, value: null }
    },
    takeUpgrade() {
      const { upgrade, base, baseText } = state
      if (upgrade === null) return
      const { baseDocument, document } = upgrade
      bringTogether({ kind: 'vendor', author: '', baseDocument, document, base, baseText, there: null })
    },
    async look() {
      const clip = await storage.get(CLIP)
      if (typeof clip === 'string' && clip !== state.clip) set({ clip })
      if (state.editing === null || state.conflict !== null || keeper.isAhead()) return
      const answer = await calls.draft(path)
      if (!answer.ok || keeper.isAhead() || state.editing === null) return
      const { draft, others, text, base } = answer.value
      set({ others })
      keeper.startFrom(draft ?? NOTHING)
      if (draft?.text === state.editing.text || (text === state.editing.text && base === state.base)) return
      const baseText = draft === null ? text : base === state.base ? state.baseText : await textOf(base)
      const next = retype(state.editing, text)
      if (next !== null) follow({ ...next, selected: kept(next) }, { base, baseText })
    },
    async rollBack(revision) {
      const answer = await calls.rollBack(path, revision)
      if (answer.ok) {
        await calls.dropDraft(path)
        await startAnew()
      }
      return answer
    },
    async take(revision) {
      const answer = await calls.source(path, revision)
      if (answer.ok) act((now) => retype(now, answer.value.text) ?? now)
    },
    async discard() {
      await calls.dropDraft(path)
      await startAnew()
    },
    calls,
    close() {
      isClosed = true
      keeper.close()
      cancelCheck()
    },
  }
}

/** Where a copy waits for another page. */
const CLIP = 'workbench-clip'

const NONE: readonly string[] = []

const selectionOf = ({ editing, also }: BenchState): readonly string[] =>
  editing?.selected == null ? NONE : [editing.selected, ...also]

const UNREADABLE = {
  ok: false,
  message: t('workbench.others.unreadable'),
  problems: [],
  other: null,
  there: null,
} satisfies Answer<never>

const NOTHING = { stamp: '', text: '' } as const

const merged = (mine: Json, { baseDocument, document }: Conflict, choices?: Choices) =>
  mergePages(baseDocument, withFreeNames(baseDocument, mine, document), document, choices)

/** The selected item, if the page still has it. */
const kept = ({ document, selected }: Editing): string | null =>
  selected !== null && itemsOf(document).has(selected) ? selected : null

/** Names the release that a draft has taken in; '' for none, and where that was undone since. */
function holds(document: Json, taken: Upgrade | null): string {
  if (taken === null) return ''
  const merged = mergePages(taken.baseDocument, document, taken.document)
  return sameJson(merged.document, document) ? taken.etag : ''
}
