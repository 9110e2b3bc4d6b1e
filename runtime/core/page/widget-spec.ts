import type { Json, JsonObject } from '../json.ts'

/** How one option is written in the page format; also the source of `schemas/page.schema.json`. */
export interface OptionSpec {
  /** JSON type(s) an editor should offer. A document with another type still loads. */
  readonly type: 'string' | 'number' | 'boolean' | 'array' | 'object' | 'any' | 'code' | 'rule' | 'text'
  readonly default: Json
  readonly enum?: readonly Json[]
  /** A written value for which this is false counts as missing. */
  readonly fits?: (value: Json) => boolean
  /** One sentence for the hover text of an editor. */
  readonly doc?: string
  /** What the user chose to see (a tab, a folded group): a new version of the open page takes it over, like the input. */
  readonly chosen?: true
}

/**
 * field: has a value · static: draws only · container: holds widgets · part: only inside its container (grid-col, tab-pane)
 * · page: a page widget that reads data (list, descriptions …).
 */
type WidgetKind = 'field' | 'static' | 'container' | 'part' | 'page'

/** What bounds are of: the number itself, or how many entries are chosen. */
export type Bounded = 'value' | 'count'

/**
 * What defines a widget, apart from its view. The view of the same file name is in `runtime/react/widgets`.
 */
export interface WidgetSpec {
  /** Registry name, without `m-`. */
  readonly type: string
  readonly kind: WidgetKind
  /** Other stored types drawn by this widget (`card` for `cell-group`). */
  readonly aliases?: readonly string[]
  readonly options: Readonly<Record<string, OptionSpec>>
  /** Events that `options.on` and hooks of this widget may name. */
  readonly events: readonly string[]
  /**
   * Where its children are; absent for leaves. `template`: its widgetList is drawn once per data row (list).
   * `rowList`: its widgetList is drawn once per row of its own value (sub-form).
   */
  readonly children?: 'widgetList' | 'cols' | 'tabs' | 'rows' | 'template' | 'rowList'
  /**
   * Its contents cannot be used while it is disabled, nor changed while it is read-only, and are drawn as text in read mode. Default: true for
   * all that holds widgets.
   */
  readonly locks?: boolean
  /** What its `min` and `max` hold for; default `value`. */
  readonly bounded?: Bounded
  /** What clearing stores, and what a required field may not hold; default null. */
  readonly emptyValue?: Json
  /** Options come from `optionItems` or a data source. */
  readonly hasItems?: boolean
  /** Brings a stored or incoming value into the widget's own shape; must be idempotent. */
  readonly normalize?: (value: Json, options: JsonObject) => Json
  /** Read-mode text; default: the value as text. */
  readonly text?: (value: Json, options: JsonObject, items: readonly OptionItem[]) => string
  /** Estimated height in px before it is drawn, by its options where they matter; default 52. */
  readonly estimatedHeight?: number | ((option: (name: string) => Json | undefined) => number)
}

/** One choice of an option field, as the views see it. */
export interface OptionItem {
  readonly label: string
  readonly value: Json
  readonly disabled?: boolean
  readonly color?: string
  readonly icon?: string
  readonly children?: readonly OptionItem[]
}

/** The only way to register a widget, ours or a guest's. */
export interface WidgetRegistry {
  register(spec: WidgetSpec): void
  /** By stored type: a leading `m-` and aliases are resolved. */
  get(type: string): WidgetSpec | undefined
  list(): readonly WidgetSpec[]
}
