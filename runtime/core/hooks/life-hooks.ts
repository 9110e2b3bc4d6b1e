import type { Model } from '../model/model.ts'
import type { NodeKey, PageNode } from '../page/page.ts'
import type { HookCall } from '../ports.ts'
import { rowKey, splitRowKey } from '../state/cells.ts'
import { hookCode } from './hook-code.ts'

const call = (hook: string, key: NodeKey, ...args: HookCall['args']): HookCall => ({ hook, key, args })

/** Keeps the calls whose hook has code. */
const coded = ({ page }: Model, calls: readonly HookCall[]): readonly HookCall[] =>
  calls.filter(({ hook, key }) => hookCode(page, hook, key) !== undefined)

/** The hooks of a page that opens, in order: form created, each widget created, each mounted, form mounted (HOOKS 2.1). */
export function openingHooks(model: Model): readonly HookCall[] {
  const keys = [...model.page.nodes.values()]
    .filter(({ template }) => template === null)
    .flatMap((node) => keysOf(model, node))
  return coded(model, [
    call('onFormCreated', ''),
    ...keys.map((key) => call('onCreated', key)),
    ...keys.map((key) => call('onMounted', key)),
    call('onFormMounted', ''),
  ])
}

/** The hooks of the widgets in new rows, run after the row hooks (HOOKS 2.4). */
export function newRowHooks(model: Model, subForm: NodeKey, rowIds: readonly string[]): readonly HookCall[] {
  const keys = rowIds.flatMap((id) => inRows(model, subForm).map(({ key }) => rowKey(key, id)))
  return coded(model, [
    ...keys.map((key) => call('onCreated', key)),
    ...keys.map((key) => call('onMounted', key)),
  ])
}

/** The onChange of each field of new rows, which runs some time after their creation; not onFormDataChange (HOOKS 2.4). */
export function settledRowHooks(
  model: Model,
  subForm: NodeKey,
  rowIds: readonly string[],
): readonly HookCall[] {
  const alive = rowIds.filter((id) => model.rowIds(subForm).includes(id))
  const calls = alive.flatMap((id) =>
    inRows(model, subForm)
      .filter(({ field }) => field)
      .map(({ key }) => call('onChange', rowKey(key, id), model.value(rowKey(key, id)), null, null, id)),
  )
  return coded(model, calls)
}

/** Calls of a sub-form's own hooks, without those that have no code; `null` stands for its data. */
export function rowHooks(
  model: Model,
  subForm: NodeKey,
  ...calls: readonly (readonly [hook: string, ...args: HookCall['args']])[]
): readonly HookCall[] {
  return coded(
    model,
    calls.map(([hook, ...args]) => call(hook, subForm, null, ...args)),
  )
}

const inRows = ({ page }: Model, subForm: NodeKey): readonly PageNode[] =>
  [...page.nodes.values()].filter((node) => node.subForm === subForm)

function keysOf(model: Model, node: PageNode): readonly NodeKey[] {
  if (node.subForm === null || splitRowKey(node.key).rowId !== null) return [node.key]
  return model.rowIds(node.subForm).map((id) => rowKey(node.key, id))
}
