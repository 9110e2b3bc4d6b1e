import { textWith } from '../../runtime/core/edit/edit-text.ts'
import { withFreeNames } from '../../runtime/core/edit/free-names.ts'
import { readJson } from '../../runtime/core/edit/history.ts'
import { type Choices, mergePages } from '../../runtime/core/edit/merge-pages.ts'
import { type Json, sameJson } from '../../runtime/core/json.ts'
import type { BenchPage } from './bench-page.ts'
import type { Bench, Conflict } from './bench-state.ts'
import type { Answer, ServerDraft, Upgrade } from './calls.ts'
import { t } from './context.ts'

interface Merging extends Pick<Bench, 'settle' | 'dismissConflict' | 'takeIn' | 'takeOver' | 'takeUpgrade'> {
  /** Another window of this person has saved a later state than `sent`. */
  meet(serverDraft: ServerDraft, sent: string): Promise<void>
  /** Checks for a newer release of the page. */
  askUpgrade(): Promise<void>
  /** Names the release that was merged into this page; '' for none, and after undoing it. */
  holds(document: Json): string
  /** The state of another window that this draft contains or has been decided against; undefined for none. */
  settledWith(): Json | undefined
}

/** Two versions of the page made one: another window's, a colleague's, the product's. */
export function createMerging({
  path,
  calls,
  keeper,
  get,
  set,
  rewrite,
  follow,
  textOf,
}: BenchPage): Merging {
  /** The merged release: reported when publishing if the draft still contains it. */
  let mergedUpgrade: Upgrade | null = null
  let settledWindow: Json | undefined

  /** Applies the merged page as a step that can be undone. */
  function applyMerge(conflict: Conflict, choices: Choices): void {
    const { editing } = get()
    if (editing === null) return
    const { document } = merged(editing.document, conflict, choices)
    if (conflict.serverDraft !== null) keeper.startFrom(conflict.serverDraft)
    if (conflict.kind === 'window') settledWindow = conflict.document
    if (conflict.kind === 'vendor') {
      mergedUpgrade = get().upgrade
      set({ upgrade: null })
    }
    const { base, baseText } = conflict
    rewrite(textWith(editing.text, editing.document, document), { base, baseText, conflict: null })
  }

  function bringTogether(conflict: Conflict): void {
    const { editing } = get()
    if (editing === null) return
    const { conflicts } = merged(editing.document, conflict)
    if (conflicts.length === 0) applyMerge(conflict, new Map())
    else set({ conflict })
  }

  return {
    settle(choices) {
      const { conflict } = get()
      if (conflict !== null) applyMerge(conflict, choices)
    },
    dismissConflict: () => set({ conflict: null }),
    async meet(serverDraft, sent) {
      const document = readJson(serverDraft.text)
      const { editing } = get()
      if (editing === null) return
      if (document === undefined) {
        // A text that cannot be parsed cannot be merged: this window's version wins.
        keeper.startFrom(serverDraft)
        return follow(editing, { base: get().base })
      }
      const isLater = serverDraft.base > get().base
      const base = isLater ? serverDraft.base : get().base
      const baseText = isLater ? await textOf(base) : get().baseText
      const baseDocument = readJson(sent) ?? null
      bringTogether({ kind: 'window', author: '', baseDocument, document, base, baseText, serverDraft })
    },
    async takeIn({ user, author }) {
      const answer = await calls.draftOf(path, user)
      if (!answer.ok) return answer
      const { base, baseText } = get()
      const document = readJson(answer.value.text)
      if (document === undefined) return UNREADABLE
      const common = Math.min(base, answer.value.base)
      const baseDocument = readJson(common === base ? baseText : await textOf(common)) ?? null
      bringTogether({ kind: 'colleague', author, baseDocument, document, base, baseText, serverDraft: null })
      return { ok: true, value: null }
    },
    async takeOver({ user }) {
      const answer = await calls.draftOf(path, user)
      if (!answer.ok) return answer
      if (get().editing === null) return { ok: true, value: null }
      const { text, base } = answer.value
      const baseText = base === get().base ? get().baseText : await textOf(base)
      return rewrite(text, { base, baseText }) ? { ok: true, value: null } : UNREADABLE
    },
    takeUpgrade() {
      const { upgrade, base, baseText } = get()
      if (upgrade === null) return
      const { baseDocument, document } = upgrade
      bringTogether({ kind: 'vendor', author: '', baseDocument, document, base, baseText, serverDraft: null })
    },
    async askUpgrade() {
      mergedUpgrade = null
      const answer = await calls.upgrade(path)
      set({ upgrade: answer.ok ? answer.value : null })
    },
    holds(document) {
      if (mergedUpgrade === null) return ''
      const together = mergePages(mergedUpgrade.baseDocument, document, mergedUpgrade.document)
      return sameJson(together.document, document) ? mergedUpgrade.etag : ''
    },
    settledWith: () => settledWindow,
  }
}

export const UNREADABLE = {
  ok: false,
  message: t('workbench.others.unreadable'),
  problems: [],
  other: null,
  serverDraft: null,
  isChangedSince: false,
} satisfies Answer<never>

const merged = (mine: Json, { baseDocument, document }: Conflict, choices?: Choices) =>
  mergePages(baseDocument, withFreeNames(baseDocument, mine, document), document, choices)
