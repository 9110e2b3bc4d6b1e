import { itemsOf } from '../../runtime/core/edit/entries.ts'
import { type Editing, perform, redo, retype, select, undo } from '../../runtime/core/edit/history.ts'
import type { Json } from '../../runtime/core/json.ts'
import type { Ports } from '../../runtime/core/ports.ts'
import { createMerging } from './bench-merging.ts'
import { createBenchPage, NONE } from './bench-page.ts'
import type { Bench, BenchState } from './bench-state.ts'
import { createVersions } from './bench-versions.ts'
import { BLOCKS, type Block, blocksIn, withBlock } from './blocks.ts'
import type { Calls } from './calls.ts'
import {
  afterTyping,
  broughtBack,
  createTypedKeeper,
  NOTHING_TYPED,
  type TypedTexts,
  withoutOne,
} from './code/typed-texts.ts'
import { PAGE_CODE } from './page-code.ts'

/** Opens a page for editing: its draft if there is one, otherwise the current version. */
export function openBench(path: string, calls: Calls, ports: Pick<Ports, 'storage' | 'clock'>): Bench {
  const { storage } = ports
  const page = createBenchPage(
    path,
    calls,
    ports,
    (serverDraft, sent) => void merging.meet(serverDraft, sent),
  )
  const { get, set } = page
  const merging = createMerging(page)
  const versions = createVersions(page, merging)

  const stretch = createEditGroups(ports.clock)

  function act(work: (now: Editing) => Editing): void {
    const { editing } = get()
    if (editing === null) return
    const next = work(editing)
    if (next === editing) return
    if (next.text === editing.text) set({ editing: next, also: NONE })
    else page.follow(next)
  }

  async function readClip(): Promise<void> {
    const clip = await storage.get(CLIP)
    if (typeof clip === 'string' && clip !== get().clip) set({ clip })
  }

  const storedBlocks = async () => blocksIn((await storage.get(BLOCKS)) ?? undefined)

  async function writeBlocks(blocks: readonly Block[]): Promise<void> {
    set({ blocks })
    await storage.set(BLOCKS, blocks as unknown as Json)
  }

  const typedKeeper = createTypedKeeper(path, ports)

  function holdTyped(typed: TypedTexts): void {
    if (typed.now === get().typed.now && typed.before === get().typed.before) return
    set({ typed })
    typedKeeper.follow(typed)
  }

  /** The typed text of an earlier visit; what has been typed meanwhile goes before it. */
  async function readTyped(): Promise<void> {
    const kept = await typedKeeper.kept()
    if (get().typed === NOTHING_TYPED) set({ typed: kept })
  }

  /** Reports that the page is open here, and asks who else has it open; unknown without a network. */
  async function visit(): Promise<void> {
    const answer = await calls.visit(path)
    if (!page.isClosed()) set({ here: answer.ok ? answer.value : NONE })
  }

  void versions.open()
  void visit()
  void merging.askUpgrade()
  void readClip()
  void readTyped()
  void storedBlocks().then((blocks) => set({ blocks }))

  return {
    get,
    subscribe: page.subscribe,
    perform: (edit, group) => act((now) => perform(now, edit, group && stretch(group))),
    undo: () => act(undo),
    redo: () => act(redo),
    select(key) {
      if (get().also.length > 0) set({ also: NONE })
      act((now) => (now.selected === key ? now : select(now, key)))
    },
    goTo(pointer) {
      const { editing } = get()
      if (editing === null) return
      const around = [...itemsOf(editing.document).values()].filter(({ at }) =>
        `${pointer}/`.startsWith(`${at}/`),
      )
      this.select(around.at(-1)?.key ?? null)
      const name = /^\/formConfig\/(\w+)$/.exec(pointer)?.[1] ?? ''
      if (PAGE_CODE.includes(name)) set({ code: { name } })
    },
    pick(key) {
      const { editing, also } = get()
      if (editing === null) return
      const selected = selectionOf(get())
      const nextSelected = selected.includes(key) ? selected.filter((one) => one !== key) : [...selected, key]
      const [first, ...more] = nextSelected
      if (first === editing.selected) set({ also: more.length === 0 && also.length === 0 ? also : more })
      else set({ editing: select(editing, first ?? null), also: more })
    },
    selection: () => selectionOf(get()),
    clip(text) {
      set({ clip: text })
      void storage.set(CLIP, text)
    },
    async keepBlock(block) {
      // Another tab may have stored one since.
      const blocks = withBlock(await storedBlocks(), block)
      await writeBlocks(blocks)
      return blocks[0]?.title ?? block.title
    },
    async dropBlock(title) {
      await writeBlocks((await storedBlocks()).filter((one) => one.title !== title))
    },
    retype(text) {
      const before = get().editing?.text ?? ''
      const isJson = page.rewrite(text, undefined, stretch('text'))
      holdTyped(afterTyping(get().typed, before, { text, isJson }))
      return isJson
    },
    bringBack: () => holdTyped(broughtBack(get().typed, get().editing?.text ?? '')),
    dropTyped: () => holdTyped(withoutOne(get().typed, get().editing?.text ?? '')),
    publish: versions.publish,
    settle: merging.settle,
    dismissConflict: merging.dismissConflict,
    takeIn: merging.takeIn,
    takeOver: merging.takeOver,
    takeUpgrade: merging.takeUpgrade,
    async look() {
      await Promise.all([readClip(), visit()])
      await versions.look()
    },
    rollBack: versions.rollBack,
    async take(revision) {
      const answer = await calls.source(path, revision)
      if (answer.ok) act((now) => retype(now, answer.value.text) ?? now)
    },
    async discard() {
      holdTyped(NOTHING_TYPED)
      await versions.discard()
    },
    calls,
    close() {
      page.close()
      void calls.leave(path)
    },
  }
}

/** A pause of this length ends a group of edits that are undone together, in milliseconds. */
const PAUSE_MS = 1_500

/** Names each stretch of typing in one place without a longer pause. */
function createEditGroups({ now }: Pick<Ports['clock'], 'now'>): (of: string) => string {
  let last = { of: '', at: 0, since: 0 }
  return (of) => {
    const isNew = of !== last.of || now() - last.at > PAUSE_MS
    last = { of, at: now(), since: isNew ? now() : last.since }
    return `${of} ${last.since}`
  }
}

/** Where a copy for another page is stored. */
const CLIP = 'workbench-clip'

const selectionOf = ({ editing, also }: BenchState): readonly string[] =>
  editing?.selected == null ? NONE : [editing.selected, ...also]
