import type { Failure } from './errors.ts'
import type { Json, JsonObject } from './json.ts'
import type { NodeKey, Page, PageNode } from './page/page.ts'
import type { Scope } from './page/scope.ts'
import type { OptionItem, WidgetRegistry } from './page/widget-spec.ts'
import type { FileHandle, Outcome, Ports, ScriptReport } from './ports.ts'

export type { Scope }

/** What a view draws: an immutable snapshot, the same object until something in it changed. */
export interface NodeState {
  readonly key: NodeKey
  /** `name`, or `subForm.rowIndex.name` in a row; the `data-field` of the view. '' for nameless widgets. */
  readonly address: string
  readonly node: PageNode
  /** Effective options: document, defaults and script overrides; texts already filled in. */
  readonly options: JsonObject
  /** `options.label`, filled in. */
  readonly label: string
  readonly value: Json
  readonly hidden: boolean
  readonly disabled: boolean
  readonly readonly: boolean
  readonly required: boolean
  /** Draw the value as text. */
  readonly readMode: boolean
  /** The message under the field, or null. */
  readonly error: string | null
  /** Choices of an option field; empty for others. */
  readonly items: readonly OptionItem[]
  readonly itemsState: 'ready' | 'loading' | 'failed'
  /** Keys of the children to draw, in order. For a sub-form see {@link rows}. */
  readonly children: readonly NodeKey[]
  /** Rows of a sub-form; null for other widgets. */
  readonly rows: readonly { readonly id: string; readonly children: readonly NodeKey[] }[] | null
}

/** A widget drawn once per data row (`list`, `timeline` …): everything decided, nothing to subscribe to. */
export interface TemplateNode {
  readonly key: NodeKey
  readonly node: PageNode
  readonly options: JsonObject
  readonly label: string
  /** What `bind` reads in this row, or the row's own value under the node's name. */
  readonly value: Json
  readonly hidden: boolean
  readonly children: readonly TemplateNode[]
}

export interface FieldError {
  /** `name` or `subForm.rowIndex.name`. */
  readonly address: string
  readonly key: NodeKey
  readonly message: string
}

/** State of one declared data source that loads by itself or was asked for. */
export interface SourceState {
  readonly status: 'idle' | 'loading' | 'ready' | 'failed'
  readonly failure: Failure | null
}

/** What an engine remembers of the user's work; survives a page change on disk and a killed tab. */
export interface Draft {
  readonly values: JsonObject
  readonly rows: Readonly<Record<string, readonly JsonObject[]>>
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
  addRow(subForm: NodeKey, index?: number): void
  removeRow(subForm: NodeKey, index: number): void
  /** Starts the upload of picked files into an upload field. */
  upload(key: NodeKey, files: readonly FileHandle[]): Promise<void>

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
  request(name: string, variables?: JsonObject): Promise<Outcome<Json>>
  source(name: string): SourceState
  /** Names of the sources that load by themselves (`auto`). */
  autoSources(): readonly string[]
  /**
   * What an automatic source would ask now, as JSON: the key of its cache entry in the view layer. Null while its rule does not
   * hold or a required part is missing. Changes with the values it reads; see {@link subscribeScope}.
   */
  sourceKey(name: string, variables?: JsonObject): Json | null
  /** Asks for the automatic sources (all, or one) and lists again: tells the listeners of {@link onRefresh}; without any, asks itself. */
  refresh(name?: string): Promise<void>
  /** Page life: `load`, `show`, `hide`, `pullDownRefresh`, `reachBottom`; `backPress` answers true to veto. */
  pageEvent(name: string): Promise<boolean>

  /* views' services */
  /** Where a view can be brought on screen; the windowing container answers for its children. */
  onReveal(reveal: (key: NodeKey) => Promise<void>): () => void
  reveal(address: string): Promise<void>
  /**
   * Called for each `refresh` (method or action) with the source's name, or undefined for all; lists ask anew by it.
   * `refresh` resolves after the listeners' promises.
   */
  onRefresh(listener: (name: string | undefined) => Promise<void>): () => void
  onReport(listener: (report: ScriptReport) => void): () => void
  dispose(): void
}
