import type { Json, JsonObject } from '../json.ts'
import type { NodeKey, PageNode } from '../page/page.ts'
import type { OptionItem } from '../page/widget-spec.ts'

/** The input of a view: an immutable snapshot, the same object until something in it changes. */
export interface NodeState {
  readonly key: NodeKey
  /** `name`, or `subForm.rowIndex.name` in a row; the `data-field` of the view. '' for nameless widgets. */
  readonly address: string
  readonly node: PageNode
  /** Effective options: document, defaults and script overrides; placeholders already replaced. */
  readonly options: JsonObject
  /** `options.label`, with placeholders replaced. */
  readonly label: string
  readonly value: Json
  readonly hidden: boolean
  readonly disabled: boolean
  readonly readonly: boolean
  readonly required: boolean
  /** Closed on the screen; its content is checked nevertheless. */
  readonly folded: boolean
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

/** A widget drawn once per data row (`list`, `timeline` …): completely computed, without subscriptions. */
export interface TemplateNode {
  readonly key: NodeKey
  readonly node: PageNode
  readonly options: JsonObject
  readonly label: string
  /** The value of `bind` in this row, or the row's own value under the node's name. */
  readonly value: Json
  readonly hidden: boolean
  readonly children: readonly TemplateNode[]
}

/** A rule without a result: its option (`valueOn`, `visibleOn` …), its node, and the exceeded limit. */
export interface RuleBound {
  readonly rule: string
  readonly key: NodeKey
  readonly error: RangeError
}
