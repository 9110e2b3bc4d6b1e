import { RuntimeError } from '../errors.ts'
import { type Json, type JsonObject, valueAt } from '../json.ts'
import { applyRule, isTruthy } from '../logic/rule.ts'
import type { NodeKey, Page, PageNode } from '../page/page.ts'
import type { Scope } from '../page/scope.ts'
import type { Text } from '../ports.ts'
import { requiredMessage } from '../rules/check-field.ts'
import { errorCell, formCell, rowKey, splitRowKey } from '../state/cells.ts'
import type { Store } from '../state/store.ts'
import { fillText } from '../text/template.ts'
import type { Graph } from './graph.ts'
import { itemsOf } from './items.ts'
import { isRequiredBy, type Locks } from './locks.ts'
import type { NodeState, RuleBound, TemplateNode } from './node-state.ts'

/** The inputs of a node's state. */
export interface StateParts {
  readonly page: Page
  readonly graph: Graph
  readonly store: Store
  readonly scope: (rowId?: string | null) => Scope
  readonly rowIds: (subForm: NodeKey) => readonly string[]
  readonly value: (key: NodeKey) => Json
  readonly pageNode: (key: NodeKey) => PageNode | undefined
  readonly address: (key: NodeKey) => string
  readonly text: Text
  readonly now: () => number
  readonly onBound: ((bound: RuleBound) => void) | undefined
}

interface Around {
  readonly locks: Locks
  /** Options that were set since the page was opened. */
  readonly overrides: ReadonlyMap<NodeKey, JsonObject>
  /** The state of a container around the node. */
  readonly stateOf: (key: NodeKey) => NodeState
}

/** Computes states, without caching: the current state of a node, from its options, the rules and its containers. */
export interface StateMaker {
  /** @throws NODE_UNKNOWN */
  build(key: NodeKey): NodeState
  /** The `hidden` of {@link build} without computing the rest. */
  hidden(key: NodeKey): boolean
  /** Children of a template container, computed for one data row. */
  template(parent: NodeKey, at: Scope): readonly TemplateNode[]
}

export function createStateMaker(parts: StateParts, { locks, overrides, stateOf }: Around): StateMaker {
  const { page, graph, store, scope, pageNode } = parts
  const rowOf = (key: NodeKey): string | null => (page.nodes.has(key) ? null : splitRowKey(key).rowId)
  function known(key: NodeKey): PageNode {
    const node = pageNode(key)
    if (!node) throw new RuntimeError('NODE_UNKNOWN', { key })
    return node
  }

  function optionsOf(node: PageNode, key: NodeKey, at: Scope): JsonObject {
    const override =
      key === node.key ? overrides.get(key) : { ...overrides.get(node.key), ...overrides.get(key) }
    const texts = graph.texts.get(node.key)
    if (!override && !texts) return node.options
    const options: Record<string, Json | undefined> = { ...node.options, ...override }
    for (const name of texts ?? []) options[name] = fill(options[name], at)
    return options
  }
  const fill = (text: Json | undefined, at: Scope): Json =>
    typeof text === 'string'
      ? fillText(text, at, { now: parts.now(), dict: at.dict, text: parts.text })
      : (text ?? null)

  function build(key: NodeKey): NodeState {
    const node = known(key)
    const rowId = rowOf(key)
    const at = scope(rowId)
    const options = optionsOf(node, key, at)
    const holds = (name: string, whenAbsent: boolean): boolean => rulesOn(node, key, name, at, whenAbsent)
    const above = locks
      .above(node)
      .map((lock) =>
        stateOf(rowId !== null && page.nodes.get(lock)?.subForm != null ? rowKey(lock, rowId) : lock),
      )
    const formFlag = (name: string): boolean => store.get(formCell(name)) === true
    const label = typeof options.label === 'string' ? options.label : ''
    const required =
      options.required === true ||
      holds('requiredOn', false) ||
      above.some((one) => one.required && isRequiredBy(one.node, node))
    const error = (store.get(errorCell(key)) as string | null | undefined) ?? null
    const childKey = (child: NodeKey): NodeKey => (rowId === null ? child : rowKey(child, rowId))
    return {
      key,
      address: parts.address(key),
      node,
      options,
      label,
      value: node.field ? parts.value(key) : boundValue(node, at),
      hidden: options.hidden === true || !holds('visibleOn', true),
      disabled:
        options.disabled === true ||
        holds('disabledOn', false) ||
        formFlag('disabled') ||
        above.some(({ disabled }) => disabled),
      readonly:
        options.readonly === true ||
        holds('readonlyOn', false) ||
        node.special.includes('valueOn') ||
        above.some(({ readonly }) => readonly),
      required,
      folded: options.folded === true || (options.folded !== false && !holds('openOn', true)),
      readMode:
        options.readMode === true ||
        (options.readMode !== false && (formFlag('readMode') || above.some(({ readMode }) => readMode))),
      // That it is required is said for as long as it is.
      error: error && !required && error === requiredMessage({ label, options }, parts.text) ? null : error,
      items:
        node.spec.hasItems || options.dict !== undefined
          ? itemsOf(options, at.dict, (rule) => isTruthy(answerOf(rule, at, key, 'visibleOn')))
          : [],
      itemsState:
        options.itemsState === 'loading' || options.itemsState === 'failed' ? options.itemsState : 'ready',
      children:
        node.spec.children === 'rowList' ? [] : rowId === null ? node.children : node.children.map(childKey),
      rows:
        node.spec.children === 'rowList'
          ? parts.rowIds(key).map((id) => ({ id, children: node.children.map((child) => rowKey(child, id)) }))
          : null,
    }
  }
  /** Whether a rule of the node is true. */
  const rulesOn = (node: PageNode, key: NodeKey, name: string, at: Scope, whenAbsent: boolean): boolean => {
    if (!node.special.includes(name)) return whenAbsent
    const rule = node.option(name)
    return rule === undefined || rule === null ? whenAbsent : isTruthy(answerOf(rule, at, key, name))
  }
  const answerOf = (rule: Json, at: Scope, key: NodeKey, name: string): Json =>
    applyRule(rule, at, (error) => parts.onBound?.({ rule: name, key, error }))

  function template(parent: NodeKey, at: Scope): readonly TemplateNode[] {
    return (pageNode(parent)?.children ?? []).map((key) => {
      const node = page.nodes.get(key) as PageNode
      const rule = node.options.visibleOn
      // A widget hidden by a rule is not drawn, so its texts and content are not computed for every row.
      if (rule !== undefined && rule !== null && !isTruthy(answerOf(rule, at, key, 'visibleOn')))
        return { key, node, options: node.options, label: '', value: null, hidden: true, children: [] }
      const options = optionsOf(node, key, at)
      return {
        key,
        node,
        options,
        label: typeof options.label === 'string' ? options.label : '',
        value: typeof options.bind === 'string' ? boundValue(node, at) : (valueAt(at.row, node.name) ?? null),
        hidden: options.hidden === true,
        children: template(key, at),
      }
    })
  }

  return {
    build,
    hidden(key) {
      const node = known(key)
      const hiddenOption =
        overrides.get(key)?.hidden ?? overrides.get(node.key)?.hidden ?? node.option('hidden')
      if (hiddenOption === true || !node.special.includes('visibleOn')) return hiddenOption === true
      return !rulesOn(node, key, 'visibleOn', scope(rowOf(key)), true)
    },
    template,
  }
}

/** The value that a display widget reads by its path. */
const boundValue = (node: PageNode, at: Scope): Json =>
  typeof node.options.bind === 'string' && node.options.bind !== ''
    ? (valueAt(at, node.options.bind) ?? null)
    : null
