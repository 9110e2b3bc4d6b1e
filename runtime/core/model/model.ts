import { createBudget, spending } from '../budget.ts'
import type { Json, JsonObject } from '../json.ts'
import type { NodeKey, Page, PageNode } from '../page/page.ts'
import type { Scope } from '../page/scope.ts'
import type { Text, Write } from '../ports.ts'
import { parseCell } from '../state/cells.ts'
import { createStore, type Store } from '../state/store.ts'
import { createAddresses } from './addresses.ts'
import { type Commands, createCommands } from './commands.ts'
import { type Computing, createComputing } from './computing.ts'
import { createDynamicLogic, type DynamicLogic } from './dynamic-logic.ts'
import { createGiven, type GivenContext } from './given.ts'
import { type Graph, graphOf } from './graph.ts'
import type { NodeState, RuleBound, TemplateNode } from './node-state.ts'
import { createNodeStates, type NodeStates } from './node-states.ts'
import { type SubForm, subFormsOf } from './rows.ts'
import { createValues, type Dependency, FORM, type Values } from './values.ts'

export interface ModelOptions extends GivenContext {
  readonly page: Page
  readonly text: Text
  /** Milliseconds since the epoch, for texts relative to the current time. */
  readonly now: () => number
  /** Generates unique row ids: the page and its replica supply generators with different prefixes. */
  readonly newRowId: () => string
  readonly values?: JsonObject
  /** Called if a rule exceeded its limits, or those of the turn: it has no result. */
  readonly onBound?: (bound: RuleBound) => void
  /** The writes of another model of the same page, instead of the initial values (a new replica). */
  readonly writes?: readonly Write[]
}

/** A changed value, for hooks. `key` is the field's node key. */
export interface ValueChange {
  readonly key: NodeKey
  readonly value: Json
  readonly before: Json
}

/**
 * The state of a page at one moment, and everything that the rules derive from it. The same on the page, in the script replica and on the server; it
 * uses no port. Only values that depend on a change are recomputed.
 */
export interface Model extends Commands {
  readonly page: Page
  readonly subForms: ReadonlyMap<NodeKey, SubForm>
  /** Values by field name, live; sub-forms as lists of row objects. */
  readonly form: JsonObject
  read(cell: string): Json | undefined
  snapshot(): readonly Write[]
  /** Applies the writes and returns the computed values that changed. All rules of this turn share one budget. */
  apply(writes: readonly Write[]): readonly ValueChange[]
  /** The writes of the page's `dynamicLogicList`; to be applied together with writes of a user or script. */
  readonly logic: DynamicLogic
  setContext(context: GivenContext): void
  scope(rowId?: string | null): Scope
  /** The node for a key, without its row part. */
  pageNode(key: NodeKey): PageNode | undefined
  value(key: NodeKey): Json
  node(key: NodeKey): NodeState
  /** The node's own flag, as in {@link node}, without computing the rest of it. */
  hidden(key: NodeKey): boolean
  /** False if the node or one of its containers is hidden. */
  shown(key: NodeKey): boolean
  template(key: NodeKey, row: JsonObject): readonly TemplateNode[]
  /** See {@link NodeStates.templateVersion}. */
  templateVersion(key: NodeKey): number
  /** Fields with their rows, in document order. */
  fieldKeys(): readonly NodeKey[]
  /** Everything that is checked: the fields, and sub-forms before their rows. */
  checkedKeys(): readonly NodeKey[]
  rowIds(subForm: NodeKey): readonly string[]
  /** Node key of a name, an address `sub.0.field` or a reference `field@rowid1`. */
  find(name: string): NodeKey | undefined
  address(key: NodeKey): string
  subscribe(key: NodeKey, listener: () => void): () => void
  subscribeScope(listener: () => void): () => void
  subscribeTemplate(key: NodeKey, listener: () => void): () => void
}

export function createModel(options: ModelOptions): Model {
  const { page } = options
  const graph: Graph = graphOf(page)
  const subForms = subFormsOf(page)
  const store = createStore()
  const values = createValues(page, subForms, store)
  const { form, rowIds, pageNode, valueKey } = values
  const given = createGiven(form, options)
  const scope = (rowId?: string | null): Scope =>
    rowId === null || rowId === undefined ? given.root : given.inRow(values.rowObject(rowId))

  const addresses = createAddresses({ page, subForms, rowIds, subFormOfRow: values.subFormOfRow })
  const logic = createDynamicLogic({ page, value: values.at, read: store.get, rowIds })
  const states = createNodeStates({
    page,
    graph,
    store,
    scope,
    rowIds,
    value: (key) => values.at(valueKey(key)),
    pageNode,
    address: addresses.address,
    text: options.text,
    now: options.now,
    onBound: options.onBound,
  })
  const computing = createComputing({ page, graph, store, values, states, scope, onBound: options.onBound })
  const commands = createCommands({ page, subForms, store, values, newRowId: options.newRowId })

  const { take, fill } = createWriteEffects({ page, subForms, store, values, states, given, computing })

  function apply(writes: readonly Write[]): readonly ValueChange[] {
    const dependencies = store.write(writes).flatMap(take)
    const changes = computing.propagate(dependencies)
    states.flush(dependencies.length > 0)
    return changes
  }
  spending(createBudget(), () => {
    fill(options.writes ?? commands.initialWrites(options.values ?? {}))
    computing.beginAll()
    if (!options.writes) apply(logic.all())
  })

  return {
    page,
    subForms,
    form,
    read: store.get,
    snapshot: store.snapshot,
    apply: (writes) => spending(createBudget(), () => apply(writes)),
    logic,
    setContext(next) {
      given.setContext(next)
      spending(createBudget(), () => {
        computing.propagate(Object.keys(next).map((name) => [name, null] as const))
        states.flush(true)
      })
    },
    scope,
    pageNode,
    value: (key) =>
      subForms.has(key) ? (form[page.nodes.get(key)?.name ?? key] as Json) : values.at(valueKey(key)),
    node: states.node,
    hidden: states.hidden,
    shown: states.shown,
    template: states.template,
    templateVersion: states.templateVersion,
    fieldKeys: addresses.fieldKeys,
    checkedKeys: addresses.checkedKeys,
    rowIds,
    find: addresses.find,
    address: addresses.address,
    subscribe: states.subscribe,
    subscribeScope: states.subscribeScope,
    subscribeTemplate: states.subscribeTemplate,
    ...commands,
  }
}

interface Written {
  readonly page: Page
  readonly subForms: ReadonlyMap<NodeKey, SubForm>
  readonly store: Store
  readonly values: Values
  readonly states: NodeStates
  readonly given: ReturnType<typeof createGiven>
  readonly computing: Computing
}

/** What a written cell means to the values, the states and what is computed. */
function createWriteEffects({ page, subForms, store, values, states, given, computing }: Written) {
  /** The effects of a write on its readers. */
  function take({
    cell,
    before,
  }: {
    readonly cell: string
    readonly before: Json | undefined
  }): readonly Dependency[] {
    const target = parseCell(cell)
    if (!target) return []
    const value = store.get(cell) as Json
    switch (target.kind) {
      case 'value':
        if (values.isComputed(target.key) && !values.isSuggested(target.key)) return []
        values.written(target.key, value)
        states.invalidateValue(target.key)
        return values.dependenciesOf(target.key)
      case 'option':
        states.setOption(target.key, target.option, value)
        return []
      case 'error':
        states.invalidate(target.key)
        return []
      case 'form':
        states.invalidateAll()
        return [FORM]
      case 'data':
        given.setData(target.name, value)
        return [
          [`data.${target.name}`, null],
          ['data', null],
        ]
      case 'rows':
        return rowsChanged(target.key, before, value)
    }
  }
  function rowsChanged(subForm: NodeKey, before: Json | undefined, after: Json): readonly Dependency[] {
    const ids = after as readonly string[]
    for (const id of ids)
      if (values.addRow(id, subForm)) computing.beginRow(subForms.get(subForm)?.fields ?? [], id)
    states.invalidate(subForm)
    states.invalidateRows(new Set([...((before ?? []) as readonly string[]), ...ids]))
    return [[`form.${page.nodes.get(subForm)?.name ?? subForm}`, null], FORM]
  }

  /** Takes the first writes, before there are listeners and computed values. */
  function fill(writes: readonly Write[]): void {
    for (const { cell } of store.write(writes)) {
      const target = parseCell(cell)
      const value = store.get(cell) as Json
      if (target?.kind === 'value') values.written(target.key, value)
      else if (target?.kind === 'option') states.setOption(target.key, target.option, value)
      else if (target?.kind === 'data') given.setData(target.name, value)
      else if (target?.kind === 'rows')
        for (const id of value as readonly string[]) values.addRow(id, target.key)
    }
  }
  return { take, fill }
}
