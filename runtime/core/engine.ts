import type { UploadParts, Uploads } from './engine/uploads.ts'
import type { Failure } from './errors.ts'
import type { Json, JsonObject } from './json.ts'
import type { FieldError } from './model/check-fields.ts'
import type { NodeState, TemplateNode } from './model/node-state.ts'
import type { NodeKey, Page } from './page/page.ts'
import type { Scope } from './page/scope.ts'
import type { WidgetRegistry } from './page/widget-spec.ts'
import type { AbortLike, Draft, Outcome, Ports, ScriptReport } from './ports.ts'

export type { Draft, FieldError, NodeState, Scope, TemplateNode }

/** State of one declared data source that loads automatically or was requested. */
export interface SourceState {
  readonly status: 'idle' | 'loading' | 'ready' | 'failed'
  readonly failure: Failure | null
}

/** Two people changed one record: the visible fields in question. `conflictWords` puts them in words. */
export interface Conflict {
  /** The other person's. */
  readonly record: JsonObject
  /** Both have changed them: the user decides. */
  readonly fields: readonly NodeKey[]
  /** Only the other person has changed them: they are taken over. */
  readonly taken: readonly NodeKey[]
}

export interface EngineOptions {
  readonly page: Page
  readonly registry: WidgetRegistry
  readonly ports: Ports
  /** Values of the page's parameters, already typed. */
  readonly params?: JsonObject
  readonly user?: JsonObject
  readonly dict?: JsonObject
  /** Initial values by field name (the `formData` of VForm). */
  readonly values?: JsonObject
  /** Host variables of data sources and hooks (`globalDsv`). */
  readonly variables?: JsonObject
  /** What the user had typed before; takes precedence over `values`. */
  readonly draft?: Draft
}

/** One open page. */
export interface Engine {
  readonly page: Page
  readonly registry: WidgetRegistry
  /** The ports with which the page was opened; views use its texts, dialogs and device functions. */
  readonly ports: Ports

  /* reading */
  node(key: NodeKey): NodeState
  /** The node's own flag, as in {@link node}, without computing the rest of it. */
  hidden(key: NodeKey): boolean
  /** Calls `listener` after each change of that node's state; returns the unsubscribe function. */
  subscribe(key: NodeKey, listener: () => void): () => void
  /** Subscribes to everything that the page's texts, binds and data may read (title, lists). */
  subscribeScope(listener: () => void): () => void
  scope(): Scope
  /** Key of the node with a name or address (`sub.0.field`); undefined if there is none. */
  find(address: string): NodeKey | undefined
  /** Children of a template container, computed for one data row. */
  template(key: NodeKey, row: JsonObject): readonly TemplateNode[]
  /** Increases when a value changes that the container's template reads besides its row. */
  templateVersion(key: NodeKey): number
  /** Subscribes to {@link templateVersion}; returns the unsubscribe function. */
  subscribeTemplate(key: NodeKey, listener: () => void): () => void
  /** Replaces the `{{ }}` placeholders of a text. */
  fill(text: string, row?: JsonObject): string
  /** What the page shows on request: open sheets, notices of scripts. */
  values(): JsonObject
  /** True while the page has unsaved input. */
  dirty(): boolean
  draft(): Draft
  /** The draft, and values typed before the last save that are still there: for the next version of the page. */
  typed(): Draft

  /* Actions of the user */
  /** A keystroke: model, rules, onInput. */
  input(key: NodeKey, value: Json): void
  /** A committed change: model, rules, onChange, onFormDataChange, validation of the field. */
  change(key: NodeKey, value: Json): void
  focus(key: NodeKey): void
  blur(key: NodeKey): void
  /** Any other event of a widget: runs its `on` actions, then its hook. `row` is the data row in a template. */
  event(
    key: NodeKey,
    name: string,
    detail?: { readonly args?: readonly Json[]; readonly row?: JsonObject },
  ): Promise<void>
  /**
   * An event that the widget's code may veto (a dialog's buttons and its closing): runs its `on` actions, then its hook.
   *
   * @returns false if the hook returned false, or while the same event is still being handled
   */
  consents(key: NodeKey, name: string): Promise<boolean>
  /**
   * State of a view that is stored as an option, so that actions and hooks can read and set it: a sheet's `open` (openSheet and closeSheet write the
   * same option), a tab's `active`.
   */
  setOption(key: NodeKey, option: string, value: Json): void
  addRow(subForm: NodeKey, index?: number): void
  removeRow(subForm: NodeKey, index: number): void
  /** The uploads of the page, created by the first call. The views of upload fields pass the code, so that no other page loads it (`uploadsOf`). */
  uploads(create: (parts: UploadParts) => Uploads): Uploads

  /* Actions of the host */
  setValues(values: JsonObject): void
  setErrors(errors: Readonly<Record<string, string>>): void
  reset(): void
  setReadMode(on: boolean): void
  setData(name: string, value: Json): void
  setContext(context: { readonly user?: JsonObject; readonly dict?: JsonObject }): void
  /** Shows all messages; resolves with the errors, in document order. */
  validate(): Promise<readonly FieldError[]>
  /** Runs a declared data source with local variables, including its handlers. */
  request(
    name: string,
    variables?: JsonObject,
    options?: {
      readonly signal?: AbortLike
      /** A read for display: its answer may be stored for offline use. */
      readonly keep?: boolean
    },
  ): Promise<Outcome<Json>>
  source(name: string): SourceState
  /** The submit under way, which its page may be closed before; null if there is none. Afterwards `dirty` tells whether it was stored. */
  sending(): Promise<Outcome<Json> | null> | null
  /** The conflict of the last submit, or null; changes are announced to {@link subscribeScope}. */
  conflict(): Conflict | null
  /** Resolves the conflict: fields named in `theirs` and those only they changed take the other person's value, the others keep mine; then submits again. */
  resolveConflict(theirs: readonly string[]): Promise<void>
  /** Dismisses the conflict; what was typed stays. */
  dismissConflict(): void
  /** Names of the sources that load automatically (`auto`). */
  autoSources(): readonly string[]
  /**
   * The current request of an automatic source, as JSON: the key of its cache entry in the view layer. Null while its rule is false or a required
   * part is missing. Changes with the values it reads; see {@link subscribeScope}.
   */
  sourceKey(name: string, variables?: JsonObject): Json | null
  /** Reloads the automatic sources (all, or one) and lists: notifies the listeners of {@link onRefresh}; if there are none, loads the data itself. */
  refresh(name?: string): Promise<void>
  /**
   * Life cycle of the page: `load`, `show`, `hide`, `pullDownRefresh`, `reachBottom`, `live`; `backPress` (result `{ from }`: navigateBack,
   * backbutton) returns true to veto.
   *
   * @param result  what the actions read as `result`: the news of `live`
   */
  pageEvent(name: string, result?: Json): Promise<boolean>

  /* Services for views */
  /** Registers a function that scrolls a view into sight; a windowing container does this for its children. */
  onReveal(reveal: (key: NodeKey) => Promise<void>): () => void
  reveal(address: string): Promise<void>
  /**
   * Called for each `refresh` (method or action) with the source's name, or undefined for all; lists then reload. `refresh` resolves after the
   * listeners' promises.
   */
  onRefresh(listener: (name: string | undefined) => Promise<void>): () => void
  /**
   * Events for the host from the page's `emit` actions and `$emit` of its scripts; also `buttonClick`, `appendButtonClick` and, for each committed
   * change, `formChange` (field, value, before, the live form, sub-form or '', row or -1).
   */
  onEmit(listener: (name: string, args: readonly Json[]) => void): () => void
  onReport(listener: (report: ScriptReport) => void): () => void
  dispose(): void
}
