import type { Json, JsonObject } from '../json.ts'
import type { WidgetSpec } from './widget-spec.ts'

/** A JSON-Logic rule over `form`, `row`, `params`, `user`, `dict`, `data` (PAGE-FORMAT). */
type Rule = Json

/** One widget as written in the document. Unknown keys are kept. */
export interface Widget extends JsonObject {
  readonly type: string
  readonly id?: string
  readonly category?: string
  readonly formItemFlag?: boolean
  readonly options: JsonObject
  readonly widgetList?: readonly Widget[]
  readonly cols?: readonly Widget[]
  readonly tabs?: readonly Widget[]
  readonly rows?: readonly JsonObject[]
}

/** A declared request (HOOKS 5). The keys after the blank line are ours; a document without them is plain VForm. */
export interface DataSource extends JsonObject {
  readonly uniqueName: string
  readonly requestURL: string
  readonly requestURLType?: 'String' | 'Variable'
  readonly requestMethod?: string
  readonly headers?: readonly JsonObject[]
  readonly params?: readonly JsonObject[]
  readonly data?: readonly JsonObject[]
  readonly configHandlerCode?: string
  readonly dataHandlerCode?: string
  readonly errorHandlerCode?: string
  readonly dataSetEnabled?: boolean

  /** Load when the page opens and again when a value it reads changes; the result is `data.<uniqueName>`. A rule: only while it holds. */
  readonly auto?: Rule
  /** Path in the result whose values go into the untouched fields of the same names; '' for the result itself. */
  readonly fill?: string
  /** Delay in ms after the last change of a value it reads; default 0. */
  readonly debounceMs?: number
  /** False: answers of an automatic source or a list are not kept for offline use. Default true. */
  readonly keep?: boolean
  /** The page depends on its answer: if the request failed and there is no answer, the page says so instead of drawing empty fields. */
  readonly needed?: boolean
}

export interface PageSettings extends JsonObject {
  /** Navigation-bar title; a text with `{{ }}` places. */
  readonly title?: string
  /** Default true. */
  readonly needLogin?: boolean
  /**
   * `module:action` a user must hold to open the page. A list where it depends on the parameters: the first entry whose `if`
   * (a rule over `params`) holds decides; where none does, nobody may.
   */
  readonly permission?: string | readonly JsonObject[]
  readonly params?: readonly JsonObject[]
  readonly pullDownRefresh?: boolean
  readonly share?: boolean
  /** Shown with the bottom bar. */
  readonly tabBar?: boolean
  /** Keep typed values until they are saved (draft); default true on pages with a `submit` action. */
  readonly draft?: boolean
  /** What the server does with a write that it could only judge in part: refuse it, or only log it (the default). */
  readonly onUnjudged?: 'refuse' | 'log'
  /** Texts by language and key; `{{ text.key }}` stands for one of them. */
  readonly texts?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export interface FormConfig extends JsonObject {
  readonly page?: PageSettings
  readonly dataSources?: readonly DataSource[]
  readonly jsonVersion?: number
  readonly labelWidth?: number
  readonly labelAlign?: string
  readonly functions?: string
  readonly cssCode?: string
  readonly onFormCreated?: string
  readonly onFormMounted?: string
  readonly onFormDataChange?: string
}

/** The document as stored. `printPage` of a parsed page returns it unchanged. */
export interface PageDocument extends JsonObject {
  readonly widgetList: readonly Widget[]
  readonly formConfig: FormConfig
}

/**
 * Names a node for as long as the page is open. A widget whose `options.name` is unique is keyed by that name, any other by
 * its JSON pointer. A field in a sub-form row is keyed `<name>@row<rowId>`, VForm's own reference name (HOOKS 4.2).
 */
export type NodeKey = string

/** One widget of a parsed page. Template nodes of a sub-form or list exist once, not per row. */
export interface PageNode {
  readonly key: NodeKey
  /** `options.name`, or '' when the document gives none. */
  readonly name: string
  /** Type without `m-`, aliases resolved: the registry name. The stored spelling is `widget.type`. */
  readonly type: string
  readonly spec: WidgetSpec
  readonly widget: Widget
  /** `widget.options` over the spec's defaults; merged on first access. */
  readonly options: JsonObject
  /** One of the {@link options}, without merging them all. */
  option(name: string): Json | undefined
  /** Names of the written options that are more than a plain value: rules, texts with places, names, lists and objects. */
  readonly special: readonly string[]
  readonly pointer: string
  readonly parent: NodeKey | null
  readonly children: readonly NodeKey[]
  /** Has a value and a rule set (VForm's `formItemFlag`). */
  readonly field: boolean
  /** Key of the nearest sub-form above, or null. */
  readonly subForm: NodeKey | null
  /** Key of the nearest container that draws its children once per data row (`list` …), or null. */
  readonly template: NodeKey | null
}

/** A page that passed every check. */
export interface Page {
  /** As it was stored. */
  readonly written: PageDocument
  /** As it is drawn: with its texts in {@link language}. */
  readonly document: PageDocument
  readonly language: string
  readonly config: FormConfig
  readonly settings: PageSettings
  readonly nodes: ReadonlyMap<NodeKey, PageNode>
  readonly roots: readonly NodeKey[]
  /** First node with that `options.name`, fields before others. */
  readonly byName: ReadonlyMap<string, NodeKey>
  readonly dataSources: ReadonlyMap<string, DataSource>
  /** True when any hook, handler or `functions` code is present: only then a script engine is loaded. */
  readonly hasCode: boolean
}
