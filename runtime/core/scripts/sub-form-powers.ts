import { newRowHooks } from '../hooks/life-hooks.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import type { HookCall } from '../ports.ts'
import { rowKey } from '../state/cells.ts'
import { setValue } from './field-powers.ts'
import { flag, nodeOf, type Power, type PowerContext, type Powers, text } from './power.ts'
import { COMMON, setOption } from './widget-powers.ts'

const rowHook = (hook: string, key: string, ...more: readonly Json[]): HookCall => ({
  hook,
  key,
  args: [null, ...more],
})

/** The data first, then the row hook, then onSubFormRowChange (HOOKS 2.4). */
function insert(context: PowerContext, key: string, index: number, hook: string): void {
  const { id, writes } = context.model.insertRow(key, index, {})
  context.write(writes)
  context.fire([rowHook(hook, key, id), rowHook('onSubFormRowChange', key)])
  context.fire(newRowHooks(context.model, key, [id]))
  context.effect({ name: 'rowAdded', args: [key, id] })
}

const rowsOf = (context: PowerContext, key: string): readonly JsonObject[] => {
  const value = context.model.value(key)
  return Array.isArray(value) ? value.filter(isObject) : []
}
const at = (value: Json | undefined): number => Math.trunc(Number(value ?? 0)) || 0

/** Writes an option to every field of the sub-form, in each row and in the template for future rows. */
function setEverywhere(context: PowerContext, key: string, option: string, value: Json): void {
  const { model } = context
  for (const field of model.subForms.get(key)?.fields ?? []) {
    setOption(context, field.key, option, value)
    for (const id of model.rowIds(key)) setOption(context, rowKey(field.key, id), option, value)
  }
}
function setRow(context: PowerContext, key: string, index: number, disabled: boolean): void {
  const id = context.model.rowIds(key)[index]
  if (id === undefined) return
  for (const field of context.model.subForms.get(key)?.fields ?? []) {
    setOption(context, rowKey(field.key, id), 'disabled', disabled)
  }
}
const setWhole =
  (disabled: boolean): Power =>
  (context, [key]) => {
    setEverywhere(context, text(key), 'disabled', disabled)
    setOption(context, text(key), 'actionDisabled', disabled)
    return undefined
  }
const setter =
  (option: string): Power =>
  (context, [key, on]) => {
    setOption(context, text(key), option, flag(on))
    return undefined
  }

/** Methods of sub-forms (HOOKS 4.2). Indexes count from 0; one beyond the end is ignored, or adds at the end. */
export const SUB_FORM: Powers = {
  ...COMMON,
  addSubFormRow: (context, [key]) => {
    insert(context, text(key), context.model.rowIds(text(key)).length, 'onSubFormRowAdd')
    return undefined
  },
  insertSubFormRow: (context, [key, before]) => {
    insert(context, text(key), at(before), 'onSubFormRowInsert')
    return undefined
  },
  resetSubForm: (context, [key]) => {
    const { options } = nodeOf(context, text(key))
    setValue(context, text(key), options.showBlankRow === false ? [] : [{}])
    return undefined
  },
  getSubFormValues: (context, [key]) => context.model.value(text(key)),
  getValue: (context, [key]) => context.model.value(text(key)),
  setSubFormValues: (context, [key, rows]) => {
    setValue(context, text(key), rows ?? [])
    return undefined
  },
  setValue: (context, [key, rows]) => {
    setValue(context, text(key), rows ?? [])
    return undefined
  },
  setSubFormFieldValue: (context, [sub, field, value, index]) => {
    const key = text(sub)
    const id = context.model.rowIds(key)[at(index)]
    const node = context.model.subForms.get(key)?.fields.find(({ name }) => name === text(field))
    if (id === undefined || !node) return undefined
    setValue(context, rowKey(node.key, id), value ?? null, true)
    context.fire([rowHook('onSubFormRowChange', key)])
    return undefined
  },
  getSubFormRowCount: (context, [key]) => context.model.rowIds(text(key)).length,
  getRowIdData: (context, [key]) => context.model.rowIds(text(key)),
  disableSubForm: setWhole(true),
  enableSubForm: setWhole(false),
  disableSubFormRow: (context, [key, index]) => {
    setRow(context, text(key), at(index), true)
    return undefined
  },
  enableSubFormRow: (context, [key, index]) => {
    setRow(context, text(key), at(index), false)
    return undefined
  },
  setInsertDisabled: setter('insertDisabled'),
  setDeleteDisabled: setter('deleteDisabled'),
}

/** Internal calls of the sub-form's references, not methods. */
export const ROW_POWERS: Powers = {
  'rows.delete': (context, [sub, index]) => {
    const key = text(sub)
    const deleted = rowsOf(context, key)[at(index)]
    if (deleted === undefined) return undefined
    context.write(context.model.deleteRow(key, at(index)))
    context.fire([
      rowHook('onSubFormRowDelete', key, { ...deleted }, at(index)),
      rowHook('onSubFormRowChange', key),
    ])
    return undefined
  },
  'rows.widget': (context, [sub, field, index]) => {
    const id = context.model.rowIds(text(sub))[at(index)]
    const node = context.model.subForms.get(text(sub))?.fields.find(({ name }) => name === text(field))
    return id === undefined || !node ? undefined : { kind: 'field', key: rowKey(node.key, id) }
  },
}
