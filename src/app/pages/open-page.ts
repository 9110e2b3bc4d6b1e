import type { Draft, Engine, EngineOptions } from '../../../runtime/core/engine.ts'
import type { Failure } from '../../../runtime/core/errors.ts'
import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import type { Page } from '../../../runtime/core/page/page.ts'
import type { Clock, ScriptReport } from '../../../runtime/core/ports.ts'
import { isEmptyValue } from '../../../runtime/core/rules/check-field.ts'
import { holdsPermission } from '../../contract/permission.ts'
import type { BackFrom } from '../navigation/navigation.ts'
import type { Entry } from '../navigation/page-stack.ts'
import { formatPlace } from '../navigation/routes.ts'
import type { SessionContext } from '../session/session.ts'
import { createStore, type Store } from '../store.ts'
import { type DraftPlace, type Drafts, draftKey, keepsDraft } from './drafts.ts'
import type { AuthorProblem } from './live.ts'
import { requiredRight } from './page-right.ts'
import type { PageSource } from './page-source.ts'

/** The visible state of an opened page. */
export interface OpenPageState {
  readonly engine: Engine | null
  /** Faults of the newest version of the document; with an engine, the last good version is shown. */
  readonly problems: readonly AuthorProblem[]
  readonly failure: Failure | null
  /** The user does not hold the page's permission. */
  readonly refused: boolean
  /** Input of an earlier visit was restored. */
  readonly restored: boolean
  /** Time at which the visible data was cached, in milliseconds since the epoch; null for current data. */
  readonly keptAt: number | null
}

export interface OpenPage {
  readonly entry: Entry
  /** The path of the document. */
  readonly path: string
  readonly state: Store<OpenPageState>
  /** Visible or not; fires the page's show and hide. */
  setVisible(visible: boolean): void
  /** If visible, fires show again: its data was changed elsewhere. */
  showAnew(): void
  reload(): void
  /** Repeats the calls that failed without network. */
  catchUp(): void
  /** Deletes the restored draft; the page starts as if it was opened now. */
  discardDraft(): Promise<void>
  /** The input; undefined if there is none. */
  typed(): Draft | undefined
  /** Whether there is input that is kept as a draft. */
  hasDraft(): boolean
  /** Saves the input synchronously: the tab may close immediately afterwards. */
  keepNow(): void
  /** True if the page keeps the user. */
  askBack(from: BackFrom): Promise<boolean>
  close(): Promise<void>
}

/** A form that was left while it is sent. */
export interface LeftSending {
  readonly engine: Engine
  /** How the sending ends: null if the page stopped it, or has a question about it. */
  readonly sending: NonNullable<ReturnType<Engine['sending']>>
  /** Where the page is now. */
  readonly at: () => 'visible' | 'covered' | 'closed'
}

export interface OpenPageOptions {
  readonly entry: Entry
  readonly path: string
  /** The input of a page that was closed to save memory; its return is not announced. */
  readonly typed?: Draft | undefined
  readonly source: PageSource
  readonly drafts: Drafts
  readonly clock: Clock
  /** Tenant and user at the time of opening, who own the draft. */
  readonly owner: string
  readonly context: Store<SessionContext>
  readonly createEngine: (
    options: Pick<EngineOptions, 'page' | 'params' | 'user' | 'dict'> & {
      readonly draft?: Draft
      /** A read was answered from the cache (`keptAt`: its time), or not at all (null). */
      readonly onAway: (keptAt: number | null) => void
    },
  ) => Engine
  /** The waiting write that this page was opened to change. */
  readonly waiting: { readonly draft: () => Promise<Draft | undefined>; readonly release: () => void }
  /** A hook of the page failed or was stopped. */
  readonly onReport: (report: ScriptReport) => void
  /** The page is left or covered while its form is sent. */
  readonly onLeftSending: (left: LeftSending) => void
  /** Fields with input are missing in the new version of the page. @param labels  their former labels */
  readonly onFieldsGone: (labels: readonly string[]) => void
  /** Resolves when everything needed to draw the page is loaded. */
  readonly prepare: (page: Page) => Promise<void> | null
}

/** Time for which the engine of a replaced version is kept, so that views can unsubscribe. */
const LEAVE_MS = 200

/**
 * An opened page, from its document to its engine. A new version of the document takes over the input, the chosen tab and folded groups, and the loaded
 * data until it is loaded again.
 * A broken version only changes the notice for its author.
 */
export function openPage(options: OpenPageOptions): OpenPage {
  const { entry, path, source, drafts, context } = options
  const key = draftKey(options.owner, formatPlace(entry))
  const state = createStore<OpenPageState>({
    engine: null,
    problems: [],
    failure: null,
    refused: false,
    restored: false,
    keptAt: null,
  })
  let isBehind = false
  let shown: Page | null = null
  let visible = false
  let closed = false
  let place: DraftPlace | undefined
  let turn: Promise<void> = Promise.resolve()

  function follow(): void {
    const { page, problems, failure } = source.get(path)
    if (page !== null && page !== shown) turn = turn.then(() => show(page))
    state.set({ ...state.get(), problems, failure: state.get().engine === null ? failure : null })
  }

  async function show(page: Page): Promise<void> {
    if (closed || page === shown) return
    if (isRefused(page, context.get().user, readParams(page, entry.query))) {
      state.set({ ...state.get(), refused: true })
      return
    }
    await options.prepare(page)
    const old = state.get().engine
    const kept = keepsDraft(page)
    const taken =
      kept && place === undefined ? await drafts.take(key, page, old?.typed() ?? options.typed) : undefined
    if (closed) return taken?.close()
    place ??= taken
    const written = old?.typed() ?? options.typed ?? taken?.draft
    const draft = written ?? (kept ? await options.waiting.draft() : undefined)
    if (closed) return
    const removed = shown === null || old === null ? [] : removedFields(old.typed(), shown, page)
    if (removed.length > 0) options.onFieldsGone(removed)
    shown = page
    const engine = engineOf(page, draft)
    if (old !== null) takeOver(old, engine)
    const restored = old === null ? draft !== undefined && options.typed === undefined : state.get().restored
    begin(engine, restored)
  }

  function engineOf(page: Page, draft?: Draft): Engine {
    const params = readParams(page, entry.query)
    const { user, dict } = context.get() // the current state: it may have changed while views and draft were loaded
    return options.createEngine({ page, params, user, dict, onAway, ...(draft ? { draft } : {}) })
  }

  /** Shows the engine in place of the one before. */
  function begin(engine: Engine, restored: boolean): void {
    const old = state.get().engine
    engine.onReport(options.onReport)
    if (keepsDraft(engine.page)) place?.watch(engine)
    const { problems } = source.get(path)
    state.set({ ...state.get(), engine, problems, failure: null, refused: false, restored })
    if (old !== null) options.clock.after(LEAVE_MS, () => old.dispose())
    void engine.pageEvent('load')
    if (visible) void engine.pageEvent('show')
  }

  function onAway(keptAt: number | null): void {
    isBehind = true
    const known = state.get().keptAt
    if (keptAt !== null)
      state.set({ ...state.get(), keptAt: known === null ? keptAt : Math.min(known, keptAt) })
  }

  const stopFollowing = source.subscribe(path, follow)
  const stopContext = context.subscribe(() => {
    state.get().engine?.setContext(context.get())
    if (state.get().refused) turn = turn.then(() => retryRefused())
  })

  async function retryRefused(): Promise<void> {
    const { page } = source.get(path)
    if (page !== null) await show(page)
  }

  follow()
  void source.freshen(path)

  return {
    entry,
    path,
    state,
    setVisible(next) {
      if (next === visible) return
      visible = next
      const { engine } = state.get()
      if (!next) void place?.flush()
      void engine?.pageEvent(next ? 'show' : 'hide')
      const sending = engine?.sending()
      if (!next && engine && sending)
        options.onLeftSending({
          engine,
          sending,
          at: () => (closed ? 'closed' : visible ? 'visible' : 'covered'),
        })
      if (next && engine !== null) void source.freshen(path)
    },
    showAnew() {
      if (visible) void state.get().engine?.pageEvent('show')
    },
    reload() {
      state.set({ ...state.get(), failure: null })
      void source.load(path)
    },
    catchUp() {
      if (state.get().failure) this.reload()
      if (!isBehind) return
      isBehind = false
      state.set({ ...state.get(), keptAt: null })
      void state.get().engine?.refresh()
    },
    async discardDraft() {
      // What the page said of itself and filled in from its data comes back only with a new start.
      state.get().engine?.reset()
      await place?.remove()
      if (shown !== null && !closed) begin(engineOf(shown), false)
    },
    typed() {
      const { engine } = state.get()
      return engine?.dirty() ? engine.draft() : undefined
    },
    hasDraft() {
      const { engine } = state.get()
      return engine !== null && keepsDraft(engine.page) && engine.dirty()
    },
    keepNow: () => place?.keepNow(),
    askBack: async (from) => (await state.get().engine?.pageEvent('backPress', { from })) ?? false,
    async close() {
      closed = true
      stopFollowing()
      stopContext()
      options.waiting.release()
      await place?.close()
      state.get().engine?.dispose()
    },
  }
}

/** The loaded data, until it is loaded again, and what the user chose to see. */
function takeOver(old: Engine, next: Engine): void {
  for (const [name, value] of Object.entries(old.scope().data))
    if (value !== undefined) next.setData(name, value)
  for (const node of old.page.nodes.values()) {
    if (node.template !== null || next.page.nodes.get(node.key)?.type !== node.type) continue
    for (const [name, { chosen }] of Object.entries(node.spec.options)) {
      const value = chosen === true ? old.node(node.key).options[name] : undefined
      if (value !== undefined && value !== node.option(name)) next.setOption(node.key, name, value)
    }
  }
}

/** The former labels of fields with input that the next version of the page does not have. */
function removedFields({ values, rows }: Draft, before: Page, after: Page): readonly string[] {
  const names = [
    ...Object.keys(values).filter((name) => values[name] !== false && !isEmptyValue(values[name])),
    ...Object.keys(rows).filter((name) => rows[name]?.length !== 0),
  ]
  const labels = names.flatMap((name) => {
    if (after.byName.has(name)) return []
    const label = before.nodes.get(before.byName.get(name) ?? '')?.widget.options.label
    return [typeof label === 'string' && label !== '' ? label : name]
  })
  return [...new Set(labels)]
}

function isRefused(page: Page, user: JsonObject, params: JsonObject): boolean {
  const requiredPermission = requiredRight(page.settings, user, params)
  if (requiredPermission === '' || !Array.isArray(user.permissions)) return false
  return requiredPermission === null || !holdsPermission(user.permissions.map(String), requiredPermission)
}

/** The query as the page's declared parameters: typed, with defaults. Undeclared ones stay texts (PAGE-FORMAT, params). */
function readParams(page: Page, query: Readonly<Record<string, string>>): JsonObject {
  const declared = (page.settings.params ?? []).flatMap((raw): [string, Json][] => {
    if (!isObject(raw) || typeof raw.name !== 'string') return []
    const text = Object.hasOwn(query, raw.name) ? query[raw.name] : undefined
    if (text === undefined) return raw.default === undefined ? [] : [[raw.name, raw.default]]
    return [[raw.name, typed(text, raw.type)]]
  })
  return { ...query, ...Object.fromEntries(declared) }
}

function typed(text: string, type: Json | undefined): Json {
  if (type === 'Boolean') return text === 'true' || text === '1'
  if (type !== 'Number') return text
  const number = Number(text)
  return text.trim() === '' || Number.isNaN(number) ? null : number
}
