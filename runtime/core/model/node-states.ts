import { RuntimeError } from '../errors.ts'
import { type Json, type JsonObject, sameJson, valueAt } from '../json.ts'
import { applyRule, isTruthy } from '../logic/rule.ts'
import type { NodeKey, Page, PageNode } from '../page/page.ts'
import type { Scope } from '../page/scope.ts'
import type { Text } from '../ports.ts'
import { errorCell, formCell, rowKey, splitRowKey } from '../state/cells.ts'
import { joining } from '../state/listeners.ts'
import type { Store } from '../state/store.ts'
import { fillText } from '../text/template.ts'
import type { Graph } from './graph.ts'
import { itemsOf } from './items.ts'
import type { NodeState, RuleBound, TemplateNode } from './node-state.ts'

interface Parts {
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

/** What views draw, made on demand and kept until something it was made of changes. */
export interface NodeStates {
  node(key: NodeKey): NodeState
  hidden(key: NodeKey): boolean
  shown(key: NodeKey): boolean
  template(key: NodeKey, row: JsonObject): readonly TemplateNode[]
  setOption(key: NodeKey, option: string, value: Json): void
  invalidate(key: NodeKey): void
  /** All nodes that show the value stored under that key. */
  invalidateValue(valueKey: string): void
  /** Everything drawn in these rows. */
  invalidateRows(rowIds: ReadonlySet<string>): void
  invalidateAll(): void
  /** Tells the listeners of what was invalidated; `scope`: values that texts and lists read changed too. */
  flush(scope: boolean): void
  subscribe(key: NodeKey, listener: () => void): () => void
  subscribeScope(listener: () => void): () => void
}

const NO_KEYS: readonly NodeKey[] = []
const LOCKED: ReadonlySet<string> = new Set(['disabled', 'readonly', 'readMode'])
const LOCK_RULES: ReadonlySet<string> = new Set(['disabledOn', 'readonlyOn', 'requiredOn'])

export function createNodeStates(parts: Parts): NodeStates {
  const { page, graph, store, scope, pageNode } = parts
  const states = new Map<NodeKey, NodeState>()
  const overrides = new Map<NodeKey, Record<string, Json>>()
  const listeners = new Map<NodeKey, Set<() => void>>()
  const scopeListeners = new Set<() => void>()
  const stale = new Set<NodeKey>()
  const namesakes = new Map<string, NodeKey[]>() // nodes that do not go by their name
  for (const node of page.nodes.values()) {
    if (node.key === node.name) continue
    const list = namesakes.get(node.name)
    if (list) list.push(node.key)
    else namesakes.set(node.name, [node.key])
  }

  const locksOf = new Map<NodeKey, readonly NodeKey[]>()
  const ruled = new Set<NodeKey>() // containers whose rules decide about what stands in them
  for (const node of page.nodes.values()) {
    if (locks(node) && node.special.some((name) => LOCK_RULES.has(name))) ruled.add(node.key)
  }

  /** The containers around a node whose state it shares. */
  function locksAbove(node: PageNode): readonly NodeKey[] {
    if (node.parent === null) return NO_KEYS
    const known = locksOf.get(node.parent)
    if (known) return known
    const parent = page.nodes.get(node.parent)
    const further = parent ? locksAbove(parent) : NO_KEYS
    const all = parent && locks(parent) ? [parent.key, ...further] : further
    locksOf.set(node.parent, all)
    return all
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
    const node = pageNode(key)
    if (!node) throw new RuntimeError('NODE_UNKNOWN', { key })
    const { rowId } = page.nodes.has(key) ? { rowId: null } : splitRowKey(key)
    const at = scope(rowId)
    const options = optionsOf(node, key, at)
    const holds = (name: string, whenAbsent: boolean): boolean => rulesOn(node, key, name, at, whenAbsent)
    const above = locksAbove(node).map((lock) =>
      stateOf(rowId !== null && page.nodes.get(lock)?.subForm != null ? rowKey(lock, rowId) : lock),
    )
    const formFlag = (name: string): boolean => store.get(formCell(name)) === true
    const childKey = (child: NodeKey): NodeKey => (rowId === null ? child : rowKey(child, rowId))
    return {
      key,
      address: parts.address(key),
      node,
      options,
      label: typeof options.label === 'string' ? options.label : '',
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
      required:
        options.required === true ||
        holds('requiredOn', false) ||
        above.some((one) => one.required && asksFor(one.node, node)),
      folded: options.folded === true || (options.folded !== false && !holds('openOn', true)),
      readMode:
        options.readMode === true ||
        (options.readMode !== false && (formFlag('readMode') || above.some(({ readMode }) => readMode))),
      error: (store.get(errorCell(key)) as string | null | undefined) ?? null,
      items: node.spec.hasItems || options.dict !== undefined ? itemsOf(options, at.dict) : [],
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
  const rulesOn = (node: PageNode, key: NodeKey, name: string, at: Scope, whenAbsent: boolean): boolean => {
    const rule = node.option(name)
    return rule === undefined || rule === null ? whenAbsent : isTruthy(answerOf(rule, at, key, name))
  }
  const answerOf = (rule: Json, at: Scope, key: NodeKey, name: string): Json =>
    applyRule(rule, at, (error) => parts.onBound?.({ rule: name, key, error }))
  function hidden(key: NodeKey): boolean {
    const known = states.get(key)
    if (known && !stale.has(key)) return known.hidden
    const node = pageNode(key)
    if (!node) throw new RuntimeError('NODE_UNKNOWN', { key })
    const own = overrides.get(key)?.hidden ?? overrides.get(node.key)?.hidden ?? node.option('hidden')
    if (own === true || !node.special.includes('visibleOn')) return own === true
    return !rulesOn(node, key, 'visibleOn', scope(page.nodes.has(key) ? null : splitRowKey(key).rowId), true)
  }
  const boundValue = (node: PageNode, at: Scope): Json =>
    typeof node.options.bind === 'string' && node.options.bind !== ''
      ? (valueAt(at, node.options.bind) ?? null)
      : null

  function stateOf(key: NodeKey): NodeState {
    const known = states.get(key)
    if (known && !stale.has(key)) return known
    stale.delete(key)
    const made = build(key)
    const state = known && sameState(known, made) ? known : made
    states.set(key, state)
    return state
  }
  function template(parent: NodeKey, at: Scope): readonly TemplateNode[] {
    return (pageNode(parent)?.children ?? []).map((key) => {
      const node = page.nodes.get(key) as PageNode
      const rule = node.options.visibleOn
      // What a rule hides is not drawn: its texts and what stands in it are not worked out for every row.
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
  const invalidate = (key: NodeKey): void => {
    if (!states.has(key)) return // what nobody has looked at is made when somebody does
    stale.add(key)
    if (ruled.size > 0 && ruled.has(splitRowKey(key).base)) invalidateBelow(key)
  }
  /** A field of a sub-form as it stands in each row: what is said of the field holds for all of them. */
  function invalidateInRows(base: NodeKey): void {
    for (const other of states.keys())
      if (other !== base && splitRowKey(other).base === base) invalidate(other)
  }
  function invalidateBelow(key: NodeKey): void {
    const { base } = splitRowKey(key)
    for (const other of states.keys()) {
      const node = pageNode(other)
      if (node && locksAbove(node).includes(base)) stale.add(other)
    }
  }

  return {
    node: stateOf,
    hidden,
    shown(key) {
      const { rowId } = page.nodes.has(key) ? { rowId: null } : splitRowKey(key)
      for (
        let at: PageNode | undefined = pageNode(key);
        at;
        at = at.parent === null ? undefined : page.nodes.get(at.parent)
      ) {
        const inRow = rowId !== null && at.subForm !== null
        if (hidden(inRow ? rowKey(at.key, rowId) : at.key)) return false
      }
      return true
    },
    template: (key, row) => {
      const at = scope(null)
      return template(key, {
        form: at.form,
        row,
        params: at.params,
        user: at.user,
        dict: at.dict,
        data: at.data,
      })
    },
    setOption(key, option, value) {
      overrides.set(key, { ...overrides.get(key), [option]: value })
      invalidate(key)
      if (page.nodes.get(key)?.subForm != null) invalidateInRows(key)
      const node = LOCKED.has(option) ? pageNode(key) : undefined
      if (node && locks(node)) invalidateBelow(key)
    },
    invalidate,
    invalidateValue(valueKey) {
      const { base, rowId } = splitRowKey(valueKey)
      const keys = namesakes.get(base) ?? [base]
      for (const key of keys) invalidate(rowId === null ? key : rowKey(key, rowId))
    },
    invalidateRows(rowIds) {
      for (const key of states.keys()) {
        const { rowId } = splitRowKey(key)
        if (rowId !== null && rowIds.has(rowId)) stale.add(key)
      }
    },
    invalidateAll: () => [...states.keys()].forEach(invalidate),
    flush(scopeChanged) {
      const woken: (() => void)[] = []
      /* Read first: making one state may make that of a container it stands in. */
      const before = [...stale].map((key) => [key, states.get(key)] as const)
      for (const [key, known] of before) {
        const heard = listeners.get(key)
        if (heard && stateOf(key) !== known) woken.push(...heard)
      }
      if (scopeChanged) woken.push(...scopeListeners)
      for (const listener of woken) listener()
    },
    subscribe(key, listener) {
      const heard = listeners.get(key) ?? new Set()
      listeners.set(key, heard.add(listener))
      return () => {
        heard.delete(listener)
        if (heard.size === 0 && listeners.get(key) === heard) listeners.delete(key)
      }
    },
    subscribeScope: joining(scopeListeners),
  }
}

const locks = ({ spec }: PageNode): boolean =>
  spec.locks ?? (spec.children !== undefined && spec.children !== 'template')

/** What a group's `requiredOn` asks for: the fields in it, not those in the rows of a sub-form in it. A sub-form asks for rows of its own. */
const asksFor = (group: PageNode, node: PageNode): boolean =>
  !group.field &&
  group.spec.children !== 'rowList' &&
  group.subForm === node.subForm &&
  (group.option('requiredOn') ?? null) !== null

/** True when a view that drew `a` would draw the same from `b`. */
function sameState(a: NodeState, b: NodeState): boolean {
  for (const name of Object.keys(a) as (keyof NodeState)[]) {
    if (a[name] === b[name]) continue
    if (name === 'node' || !sameJson(a[name] as unknown as Json, b[name] as unknown as Json)) return false
  }
  return true
}
