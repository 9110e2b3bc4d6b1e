import { createBudget, spending } from '../budget.ts'
import type { Json, JsonObject } from '../json.ts'
import { sameJson } from '../json.ts'
import { applyRule } from '../logic/rule.ts'
import { shapeOf } from '../page/effective-options.ts'
import type { NodeKey, Page, PageNode } from '../page/page.ts'
import type { Scope } from '../page/scope.ts'
import type { Text, Write } from '../ports.ts'
import { parseCell, rowKey, rowsCell, splitRowKey, valueCell } from '../state/cells.ts'
import { createStore } from '../state/store.ts'
import { createAddresses } from './addresses.ts'
import { createDynamicLogic, type DynamicLogic } from './dynamic-logic.ts'
import { type Graph, graphOf } from './graph.ts'
import type { NodeState, RuleBound, TemplateNode } from './node-state.ts'
import { createNodeStates } from './node-states.ts'
import {
  firstRows,
  initialValue,
  isSuggested,
  replaceRows,
  rowWrites,
  type SubForm,
  subFormsOf,
} from './rows.ts'

export interface ModelOptions {
  readonly page: Page
  readonly text: Text
  /** Milliseconds since the epoch, for the texts that count from now. */
  readonly now: () => number
  /** A row id nobody else makes: the page and its replica hand in makers with different prefixes. */
  readonly newRowId: () => string
  readonly params?: JsonObject
  readonly user?: JsonObject
  readonly dict?: JsonObject
  readonly values?: JsonObject
  /** A rule passed its bounds, or those of the turn: it has no answer. */
  readonly onBound?: (bound: RuleBound) => void
  /** The writes of another model of the same page, instead of the initial values (a fresh replica). */
  readonly writes?: readonly Write[]
}

/** A value that changed, for the hooks that want to know. `key` is the field's node key. */
export interface ValueChange {
  readonly key: NodeKey
  readonly value: Json
  readonly before: Json
}

/**
 * All that a page is at one moment, and everything the rules make of it. The same on the page, in the script replica and on the
 * server; it knows no port. Only what depends on a change is computed again.
 */
export interface Model {
  readonly page: Page
  readonly subForms: ReadonlyMap<NodeKey, SubForm>
  /** Values by field name, live; sub-forms as lists of row objects. */
  readonly form: JsonObject
  read(cell: string): Json | undefined
  snapshot(): readonly Write[]
  /** Applies the writes and returns the computed values that changed by them. All rules of this turn share one budget. */
  apply(writes: readonly Write[]): readonly ValueChange[]
  /** What the page's `dynamicLogicList` writes; whoever applies writes of a user or script applies these, too. */
  readonly logic: DynamicLogic
  setContext(context: {
    readonly params?: JsonObject
    readonly user?: JsonObject
    readonly dict?: JsonObject
  }): void
  scope(rowId?: string | null): Scope
  /** The node behind a key, its row part taken off. */
  pageNode(key: NodeKey): PageNode | undefined
  value(key: NodeKey): Json
  node(key: NodeKey): NodeState
  /** The node's own flag, as in {@link node} and without the rest of it. */
  hidden(key: NodeKey): boolean
  /** False when the node or anything around it is hidden. */
  shown(key: NodeKey): boolean
  template(key: NodeKey, row: JsonObject): readonly TemplateNode[]
  /** Fields with their rows, in document order. */
  fieldKeys(): readonly NodeKey[]
  rowIds(subForm: NodeKey): readonly string[]
  /** Node key of a name, an address `sub.0.field` or a reference `field@rowid1`. */
  find(name: string): NodeKey | undefined
  address(key: NodeKey): string
  subscribe(key: NodeKey, listener: () => void): () => void
  subscribeScope(listener: () => void): () => void

  /* commands: they make writes, they do not apply them */
  valueWrite(key: NodeKey, value: Json): Write
  insertRow(
    subForm: NodeKey,
    index: number,
    values: JsonObject,
  ): { readonly id: string; readonly writes: readonly Write[] }
  deleteRow(subForm: NodeKey, index: number): readonly Write[]
  setRows(subForm: NodeKey, rows: readonly JsonObject[]): readonly Write[]
  /** What every field starts with: the given value, else its default. @param again  also where a rule suggests it, which then stays empty */
  initialWrites(given: JsonObject, again?: boolean): readonly Write[]
}

export function createModel(options: ModelOptions): Model {
  const { page } = options
  const graph: Graph = graphOf(page)
  const subForms = subFormsOf(page)
  /** Names whose values are rows: a field that is called the same has no value of its own in the form. */
  const rowLists = new Set(Array.from(subForms.values(), ({ node }) => node.name))
  const store = createStore()
  const rows = new Map<string, NodeKey>() // row id → its sub-form; ids of deleted rows stay, their cells do too
  const computed = new Map<string, Json>() // by value key
  const suggested = new Set<string>() // those of them that give way to what is typed
  const rowObjects = new Map<string, JsonObject>()
  const form = Object.create(null) as Record<string, Json>
  let context = { params: options.params ?? {}, user: options.user ?? {}, dict: options.dict ?? {} }
  let data: JsonObject = {}
  const root: Scope = Object.freeze({
    form,
    get params() {
      return context.params
    },
    get user() {
      return context.user
    },
    get dict() {
      return context.dict
    },
    get data() {
      return data
    },
  })

  const rowIds = (subForm: NodeKey): readonly string[] =>
    (store.get(rowsCell(subForm)) as readonly string[] | undefined) ?? []
  const pageNode = (key: NodeKey): PageNode | undefined =>
    page.nodes.get(key) ?? page.nodes.get(splitRowKey(key).base)
  const valueKey = (key: NodeKey): string => {
    if (page.nodes.has(key)) return (page.nodes.get(key) as PageNode).name
    const { base, rowId } = splitRowKey(key)
    return rowId === null ? key : rowKey(page.nodes.get(base)?.name ?? base, rowId)
  }
  const valueAtKey = (key: string): Json =>
    (computed.has(key) ? computed.get(key) : store.get(valueCell(key))) ?? null

  function rowObject(rowId: string): JsonObject {
    const known = rowObjects.get(rowId)
    if (known) return known
    const made = Object.create(null) as Record<string, Json>
    for (const field of subForms.get(rows.get(rowId) ?? '')?.fields ?? []) {
      made[field.name] = valueAtKey(rowKey(field.name, rowId))
    }
    rowObjects.set(rowId, made)
    return made
  }
  for (const subForm of subForms.values()) {
    let list: readonly JsonObject[] = []
    Object.defineProperty(form, subForm.node.name, {
      enumerable: true,
      configurable: true,
      get() {
        const now = rowIds(subForm.node.key).map(rowObject)
        if (now.length !== list.length || now.some((row, i) => row !== list[i])) list = now
        return list as unknown as Json
      },
    })
  }
  const scope = (rowId?: string | null): Scope =>
    rowId === null || rowId === undefined ? root : { form, row: rowObject(rowId), ...context, data }

  const addresses = createAddresses({ page, subForms, rowIds, subFormOfRow: (id) => rows.get(id) })
  const logic = createDynamicLogic({ page, value: valueAtKey, read: (cell) => store.get(cell), rowIds })
  const states = createNodeStates({
    page,
    graph,
    store,
    scope,
    rowIds,
    value: (key) => valueAtKey(valueKey(key)),
    pageNode,
    address: addresses.address,
    text: options.text,
    now: options.now,
    onBound: options.onBound,
  })

  /** Everything that reads a changed dependency, as node keys with their rows; computed nodes first, by rank. */
  function propagate(dependencies: Iterable<readonly [string, string | null]>): ValueChange[] {
    const changes: ValueChange[] = []
    const waiting = new Map<NodeKey, number>()
    const wake = (dependency: string, rowId: string | null): void => {
      for (const key of graph.readers.get(dependency) ?? []) {
        for (const instance of instancesOf(key, rowId)) {
          states.invalidate(instance)
          const rank = graph.rank.get(key)
          if (rank !== undefined) waiting.set(instance, rank)
        }
      }
    }
    const wakeValue = (key: string): void => {
      for (const [dependency, rowId] of dependenciesOfValue(key)) wake(dependency, rowId)
    }
    for (const [dependency, rowId] of dependencies) wake(dependency, rowId)
    while (waiting.size > 0) {
      const [next] = [...waiting].sort((a, b) => a[1] - b[1])[0] as [NodeKey, number]
      waiting.delete(next)
      if (!isComputed(next)) continue
      const before = valueAtKey(valueKey(next))
      const value = compute(next)
      if (sameJson(before, value)) continue
      setComputed(next, value)
      changes.push({ key: next, value, before })
      wakeValue(valueKey(next))
    }
    return changes
  }
  /** A default by rule is worked out as long as nothing has been written there. */
  const isComputed = (key: NodeKey): boolean =>
    pageNode(key)?.option('valueOn') != null || store.get(valueCell(valueKey(key))) === undefined
  function compute(key: NodeKey): Json {
    const node = pageNode(key) as PageNode
    const rule = node.option('valueOn') == null ? 'defaultOn' : 'valueOn'
    if (rule === 'defaultOn') suggested.add(valueKey(key))
    const value = applyRule(node.option(rule) as Json, scope(splitRowKey(key).rowId), (error) =>
      options.onBound?.({ rule, key, error }),
    )
    return shapeOf(node, value)
  }
  function setComputed(key: NodeKey, value: Json): void {
    computed.set(valueKey(key), value)
    touchValue(valueKey(key), value)
    states.invalidate(key)
  }
  function begin(key: NodeKey): void {
    if (isComputed(key)) setComputed(key, compute(key))
  }
  /** Keeps the live `form` and row objects in step with a value. */
  function touchValue(key: string, value: Json): void {
    const { rowId } = splitRowKey(key)
    if (rowId === null) {
      if (!rowLists.has(key)) form[key] = value
    } else rowObjects.delete(rowId)
  }
  function instancesOf(key: NodeKey, rowId: string | null): readonly NodeKey[] {
    const node = page.nodes.get(key)
    if (node?.subForm == null) return [key]
    if (rowId !== null && rows.get(rowId) === node.subForm) return [rowKey(key, rowId)]
    return rowIds(node.subForm).map((id) => rowKey(key, id))
  }
  function dependenciesOfValue(key: string): readonly (readonly [string, string | null])[] {
    const { base, rowId } = splitRowKey(key)
    if (rowId === null)
      return [
        [`form.${base}`, null],
        ['form', null],
      ]
    const subForm = page.nodes.get(rows.get(rowId) ?? '')?.name ?? ''
    return [
      [`row.${base}`, rowId],
      ['row', rowId],
      [`form.${subForm}`, null],
      ['form', null],
    ]
  }

  function apply(writes: readonly Write[]): readonly ValueChange[] {
    const dependencies: (readonly [string, string | null])[] = []
    for (const { cell, before } of store.write(writes)) {
      const target = parseCell(cell)
      if (!target) continue
      const value = store.get(cell) as Json
      if (target.kind === 'value') {
        if (computed.has(target.key) && !suggested.has(target.key)) continue
        computed.delete(target.key)
        touchValue(target.key, value)
        states.invalidateValue(target.key)
        dependencies.push(...dependenciesOfValue(target.key))
      } else if (target.kind === 'option') states.setOption(target.key, target.option, value)
      else if (target.kind === 'error') states.invalidate(target.key)
      else if (target.kind === 'form') {
        states.invalidateAll()
        dependencies.push(['form', null])
      } else if (target.kind === 'data') {
        data = { ...data, [target.name]: value }
        dependencies.push([`data.${target.name}`, null], ['data', null])
      } else dependencies.push(...rowsChanged(target.key, before, value))
    }
    const changes = propagate(dependencies)
    states.flush(dependencies.length > 0)
    return changes
  }
  function rowsChanged(
    subForm: NodeKey,
    before: Json | undefined,
    after: Json,
  ): readonly (readonly [string, string | null])[] {
    for (const id of after as readonly string[]) {
      if (rows.has(id)) continue
      rows.set(id, subForm)
      for (const field of subForms.get(subForm)?.fields ?? []) {
        if (graph.rank.has(field.key)) begin(rowKey(field.key, id))
      }
    }
    states.invalidate(subForm)
    states.invalidateRows(
      new Set([...((before ?? []) as readonly string[]), ...(after as readonly string[])]),
    )
    return [
      [`form.${page.nodes.get(subForm)?.name ?? subForm}`, null],
      ['form', null],
    ]
  }

  function initialWrites(given: JsonObject, again = false): readonly Write[] {
    const fields = [...page.nodes.values()].filter(
      (node) => node.field && node.subForm === null && node.template === null,
    )
    return [
      ...fields
        .filter((f) => !subForms.has(f.key) && (again || !isSuggested(f, own(given, f.name))))
        .map((f) => ({ cell: valueCell(f.name), value: initialValue(f, own(given, f.name)) })),
      ...[...subForms.values()].flatMap((s) =>
        replaceRows(s, firstRows(s, own(given, s.node.name)), options.newRowId),
      ),
    ]
  }
  /** {@link apply} where nobody listens yet and every computed value is still to come. */
  function fill(writes: readonly Write[]): void {
    for (const { cell } of store.write(writes)) {
      const target = parseCell(cell)
      const value = store.get(cell) as Json
      if (target?.kind === 'value') touchValue(target.key, value)
      else if (target?.kind === 'option') states.setOption(target.key, target.option, value)
      else if (target?.kind === 'data') data = { ...data, [target.name]: value }
      else if (target?.kind === 'rows') for (const id of value as readonly string[]) rows.set(id, target.key)
    }
  }
  function start(): void {
    fill(options.writes ?? initialWrites(options.values ?? {}))
    const ranked = [...graph.rank.keys()].sort((a, b) => (graph.rank.get(a) ?? 0) - (graph.rank.get(b) ?? 0))
    for (const key of ranked) for (const instance of instancesOf(key, null)) begin(instance)
    if (!options.writes) apply(logic.all())
  }
  spending(createBudget(), start)

  return {
    page,
    subForms,
    form,
    read: (cell) => store.get(cell),
    snapshot: () => store.snapshot(),
    apply: (writes) => spending(createBudget(), () => apply(writes)),
    logic,
    setContext(next) {
      context = { ...context, ...next }
      spending(createBudget(), () => {
        propagate(Object.keys(next).map((name) => [name, null] as const))
        states.flush(true)
      })
    },
    scope,
    pageNode,
    initialWrites,
    value: (key) =>
      subForms.has(key) ? (form[page.nodes.get(key)?.name ?? key] as Json) : valueAtKey(valueKey(key)),
    node: states.node,
    hidden: states.hidden,
    shown: states.shown,
    template: states.template,
    fieldKeys: addresses.fieldKeys,
    rowIds,
    find: addresses.find,
    address: addresses.address,
    subscribe: states.subscribe,
    subscribeScope: states.subscribeScope,
    valueWrite: (key, value) => ({ cell: valueCell(valueKey(key)), value }),
    insertRow(subForm, index, values) {
      const id = options.newRowId()
      const ids = rowIds(subForm)
      const writes = rowWrites(subForms.get(subForm) as SubForm, id, values)
      return {
        id,
        writes: [
          ...writes,
          { cell: rowsCell(subForm), value: [...ids.slice(0, index), id, ...ids.slice(index)] },
        ],
      }
    },
    deleteRow: (subForm, index) => [
      { cell: rowsCell(subForm), value: rowIds(subForm).filter((_, i) => i !== index) },
    ],
    setRows: (subForm, list) => replaceRows(subForms.get(subForm) as SubForm, list, options.newRowId),
  }
}

const own = (values: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined
