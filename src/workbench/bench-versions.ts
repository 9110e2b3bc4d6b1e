import { printLike } from '../../runtime/core/edit/edit-text.ts'
import { type Json, sameJson } from '../../runtime/core/json.ts'
import { UNREADABLE } from './bench-merging.ts'
import type { BenchPage } from './bench-page.ts'
import type { Bench } from './bench-state.ts'
import { draftToOpen } from './draft-saver.ts'

interface Parts {
  readonly askUpgrade: () => Promise<void>
  /** Names the release of the product that was merged into the page. */
  readonly holds: (document: Json) => string
  /** The state of another window that the draft has been decided against. */
  readonly settledWith: () => Json | undefined
}

interface Versions extends Pick<Bench, 'publish' | 'look' | 'rollBack' | 'discard'> {
  /** The draft on the device or server if there is one, otherwise the current version. */
  open(): Promise<void>
}

const NOTHING = { stamp: '', text: '' } as const

/** The draft and the published versions of a page: which one is opened, and how the draft is published. */
export function createVersions(page: BenchPage, { askUpgrade, holds, settledWith }: Parts): Versions {
  const { path, calls, keeper, get, set, show, follow, rewrite, textOf } = page

  /** The published version; if there is none any more, the initial text of a new page. */
  async function currentPage(): Promise<{ readonly text: string; readonly base: number } | null> {
    const source = await calls.source(path)
    if (source.ok) return { text: source.value.text, base: source.value.revision }
    const opened = await calls.draft(path)
    return opened.ok && opened.value.draft === null ? opened.value : null
  }

  async function startAnew(): Promise<void> {
    await keeper.forget()
    const current = await currentPage()
    if (current === null || page.isClosed()) return
    const { text, base } = current
    show({ text, base, baseText: text }, false)
    void askUpgrade()
  }

  /** A draft in transit has arrived by now: the server deletes it when publishing. */
  async function publishNow(note: string) {
    const { editing, base } = get()
    if (editing === null) return { answer: UNREADABLE, text: '' }
    const { text } = editing
    const answer = await calls.publish(path, text, base, note, holds(editing.document))
    if (answer.ok) {
      await keeper.forget()
      show({ text, base: answer.value.revision, baseText: text }, false)
    }
    return { answer, text }
  }

  /** Publishes; over what the same person has published in another window and has decided about here, without asking again. */
  async function publishSettled(note: string) {
    const first = await publishNow(note)
    const { answer, text } = first
    const { editing } = get()
    if (answer.ok || answer.other === null || editing === null) return first
    const { revision, document } = answer.other
    if (!sameJson(settledWith() ?? null, document)) return first
    follow(editing, { base: revision, baseText: printLike(text, document) })
    return publishNow(note)
  }

  return {
    async open() {
      const [answer, device] = await Promise.all([calls.draft(path), keeper.kept()])
      if (page.isClosed()) return
      if (!answer.ok) {
        if (device === null) return set({ failure: answer.message })
        keeper.startFrom({ stamp: device.stamp, text: device.sent })
        return show(device, true)
      }
      const { draft, others, text, base } = answer.value
      set({ others })
      const source = draftToOpen(draft, device)
      if (source === 'device' && device !== null) {
        const hasNoDraft = draft === null
        const isSame = draft !== null && draft.text === device.text
        keeper.startFrom(isSame ? draft : hasNoDraft ? NOTHING : { stamp: device.stamp, text: device.sent })
        return show(device, true)
      }
      keeper.startFrom(draft ?? NOTHING)
      const baseText = draft === null ? text : await textOf(base)
      if (!page.isClosed()) show({ text, base, baseText }, draft !== null)
    },
    async look() {
      if (get().editing === null || get().conflict !== null || keeper.isAhead()) return
      const answer = await calls.draft(path)
      const { editing, base: knownBase, baseText: knownText } = get()
      if (!answer.ok || keeper.isAhead() || editing === null) return
      const { draft, others, text, base } = answer.value
      set({ others })
      keeper.startFrom(draft ?? NOTHING)
      if (draft?.text === editing.text || (text === editing.text && base === knownBase)) return
      const baseText = draft === null ? text : base === knownBase ? knownText : await textOf(base)
      rewrite(text, { base, baseText })
    },
    async publish(note) {
      set({ isBusy: true })
      const { answer, text } = await keeper.alone(() => publishSettled(note))
      set({ isBusy: false })
      if (answer.ok) void askUpgrade()
      else if (answer.other !== null) {
        const { revision, document, baseDocument: common, isOwn } = answer.other
        const baseText = printLike(text, document)
        // What was decided between two windows is not asked again.
        const baseDocument = isOwn ? (settledWith() ?? common) : common
        const theirs = { author: '', baseDocument, document, base: revision, baseText, serverDraft: null }
        set({ conflict: { kind: isOwn ? 'own' : 'published', ...theirs } })
      } else if (answer.problems.length > 0) set({ problems: answer.problems })
      return answer
    },
    rollBack: (revision, way = 'alone') =>
      keeper.alone(async () => {
        const answer = await calls.rollBack(path, revision, way)
        if (answer.ok) {
          await calls.dropDraft(path)
          await startAnew()
        }
        return answer
      }),
    discard: () =>
      keeper.alone(async () => {
        await calls.dropDraft(path)
        await startAnew()
      }),
  }
}
