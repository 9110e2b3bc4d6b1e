import type { Json } from '../json.ts'
import type { Model, ValueChange } from '../model/model.ts'
import type { HookCall } from '../ports.ts'
import { splitRowKey } from '../state/cells.ts'
import { hookCode } from './hook-code.ts'

/**
 * The hooks that a committed change triggers, in order: the field's onChange, then the form's onFormDataChange (HOOKS 2.2); those without code are
 * left out. Used by the page for the user's changes and by the replica for a script's. Arguments that are part of the state (`subFormData`,
 * `formModel`) are null here and filled in where the hook runs.
 */
export function changeHooks(model: Model, { key, value, before }: ValueChange): readonly HookCall[] {
  const { page } = model
  const node = model.pageNode(key)
  if (!node) return []
  const rowId = rowIdOf(model, key)
  const calls: HookCall[] = []
  if (hookCode(page, 'onChange', key) !== undefined) {
    calls.push({ hook: 'onChange', key, args: [value, before, null, rowId] })
  }
  if (hookCode(page, 'onFormDataChange', '') !== undefined) {
    calls.push({ hook: 'onFormDataChange', key: '', args: changeArgs(model, { key, value, before }, null) })
  }
  return calls
}

/** The arguments of onFormDataChange and the host's `formChange`: field, new and old value, the form, sub-form and row (HOOKS 2.2). */
export function changeArgs(model: Model, { key, value, before }: ValueChange, form: Json): readonly Json[] {
  const node = model.pageNode(key)
  const rowId = rowIdOf(model, key)
  const subForm = rowId === null || !node?.subForm ? undefined : model.page.nodes.get(node.subForm)
  const index = subForm && rowId !== null ? model.rowIds(subForm.key).indexOf(rowId) : -1
  return [node?.name ?? '', value, before, form, subForm?.name ?? '', index]
}

const rowIdOf = ({ page }: Model, key: string): string | null =>
  page.nodes.has(key) ? null : splitRowKey(key).rowId
