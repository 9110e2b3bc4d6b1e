import type { Failure } from './errors.ts'
import type { Json, JsonObject } from './json.ts'
import type { FieldError } from './model/check-fields.ts'
import type { NodeState, TemplateNode } from './model/node-state.ts'
import type { NodeKey, Page } from './page/page.ts'
import type { Scope } from './page/scope.ts'
import type { WidgetRegistry } from './page/widget-spec.ts'
import type { AbortLike, Draft, FileHandle, Outcome, Ports, ScriptReport } from './ports.ts'

export type { Draft, FieldError, NodeState, Scope, TemplateNode }

/** State of one declared data source that loads by itself or was asked for. */
export interface SourceState {
  readonly status: 'idle' | 'loading' | 'ready' | 'failed'
  readonly failure: Failure | null
}

/** Two people changed one record: each field in sight that differs, as texts a person can compare. */
export interface Conflict {
  readonly fields: readonly {
    readonly name: string
    readonly label: string
    readonly mine: string
    readonly theirs: string
    /** False: only the other has changed it. */
    readonly changed: boolean
  }[]
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
  /** What the user had typed before; wins over `values`. */
  readonly draft?: Draft
}

/** One open page. */
export interface Engine {
  readonly page: Page
  readonly registry: WidgetRegistry
  /** The world the page was opened in; views take texts, questions and the device from here. */
  readonly ports: Ports

  /* reading */
  node(key: NodeKey): NodeState
  /** The node's own flag, as in {@link node} and without the rest of it. */
  hidden(key: NodeKey): boolean
  /** Calls `listener` after each change of that node's state; returns the unsubscribe function. */
  subscribe(key: NodeKey, listener: () => void): () => void
  /** Subscribes to whatever the page's texts, binds and data may read (title, lists). */
  subscribeScope(listener: () => void): () => void
  scope(): Scope
  /** Key of the node a name or address (`sub.0.field`) stands for; undefined when there is none. */
  find(address: string): NodeKey | undefined
  /** Children of a template container, decided for one data row. */
  template(key: NodeKey, row: JsonObject): readonly TemplateNode[]
  /** Fills the `{{ }}` places of a text. */
  fill(text: string, row?: JsonObject): string
  /** What the page asked to be shown: open sheets, scripts' notices. */
  values(): JsonObject
  /** True while the page holds input that was not saved. */
  dirty(): boolean
  draft(): Draft
  /** The draft, and what was typed before the last save and still stands there: for the next version of the page. */
  typed(): Draft

  /* the user's acts */
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
   * An event that the widget's code may refuse (a dialog's buttons and its closing): runs its `on` actions, then its hook.
   * @returns false when the hook answered false, or while the same event is still being answered
   */
  consents(key: NodeKey, name: string): Promise<boolean>
  /**
   * What a view keeps about itself as an option, so that actions and hooks can read and set it too: a sheet's `open` (openSheet
   * and closeSheet write the same option), a tab's `active`.
   */
  setOption(key: NodeKey, option: string, value: Json): void
  addRow(subForm: NodeKey, index?: number): void
  removeRow(subForm: NodeKey, index: number): void
  /** Starts the upload of picked files into an upload field. */
  upload(key: NodeKey, files: readonly FileHandle[]): Promise<void>
  /** Sends an unfinished file again; `id` as in the node's `uploads` option. */
  retryUpload(key: NodeKey, id: string): Promise<void>
  /** Takes a file out: an unfinished one by its id, a finished one by its url or as it is in the value. The question comes before. */
  removeUpload(key: NodeKey, which: string | JsonObject): void

  /* the host's acts */
  setValues(values: JsonObject): void
  setErrors(errors: Readonly<Record<string, string>>): void
  reset(): void
  setReadMode(on: boolean): void
  setData(name: string, value: Json): void
  setContext(context: { readonly user?: JsonObject; readonly dict?: JsonObject }): void
  /** Shows all messages; resolves with what is wrong, in document order. */
  validate(): Promise<readonly FieldError[]>
  /** Runs a declared data source with local variables; its handlers included. */
  request(
    name: string,
    variables?: JsonObject,
    options?: {
      readonly signal?: AbortLike
      /** A read of what stands on the screen: its answer may be kept for when the network is away. */
      readonly keep?: boolean
    },
  ): Promise<Outcome<Json>>
  source(name: string): SourceState
  /** What the last submit collided with, or null; announced to {@link subscribeScope}. */
  conflict(): Conflict | null
  /** Settles the collision: fields named in `theirs` take the other person's value, the rest keep mine; then submits again. */
  resolveConflict(theirs: readonly string[]): Promise<void>
  /** Leaves the collision as it is; what was typed stays. */
  dismissConflict(): void
  /** Names of the sources that load by themselves (`auto`). */
  autoSources(): readonly string[]
  /**
   * What an automatic source would ask now, as JSON: the key of its cache entry in the view layer. Null while its rule does not
   * hold or a required part is missing. Changes with the values it reads; see {@link subscribeScope}.
   */
  sourceKey(name: string, variables?: JsonObject): Json | null
  /** Asks for the automatic sources (all, or one) and lists again: tells the listeners of {@link onRefresh}; without any, asks itself. */
  refresh(name?: string): Promise<void>
  /**
   * Page life: `load`, `show`, `hide`, `pullDownRefresh`, `reachBottom`, `live`; `backPress` (result `{ from }`: navigateBack, backbutton) answers true to veto.
   * @param result  what the actions read as `result`: the news of `live`
   */
  pageEvent(name: string, result?: Json): Promise<boolean>

  /* views' services */
  /** Where a view can be brought on screen; the windowing container answers for its children. */
  onReveal(reveal: (key: NodeKey) => Promise<void>): () => void
  reveal(address: string): Promise<void>
  /**
   * Called for each `refresh` (method or action) with the source's name, or undefined for all; lists ask again then.
   * `refresh` resolves after the listeners' promises.
   */
  onRefresh(listener: (name: string | undefined) => Promise<void>): () => void
  /**
   * What the page's `emit` actions and `$emit` of its scripts tell the host; besides `buttonClick`, `appendButtonClick` and, for each
   * committed change by whomever, `formChange` (field, value, before, the live form, sub-form or '', row or -1).
   */
  onEmit(listener: (name: string, args: readonly Json[]) => void): () => void
  onReport(listener: (report: ScriptReport) => void): () => void
  dispose(): void
}
