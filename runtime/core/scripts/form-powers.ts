import { isObject, type Json, type JsonObject, ownValue } from '../json.ts'
import { namedKeys } from '../model/named-keys.ts'
import type { NodeKey, PageNode } from '../page/page.ts'
import { errorCell, formCell, rowKey, splitRowKey } from '../state/cells.ts'
import { dropUploads, setValue } from './field-powers.ts'
import { DEFAULT_LOCALE } from './format-powers.ts'
import { flag, names, nodeOf, type Power, type PowerContext, type Powers, text } from './power.ts'
import { setOption } from './widget-powers.ts'

const setAll =
  (option: string, on: boolean | null): Power =>
  (context, [given, wanted]) => {
    for (const name of names(given)) {
      for (const key of namedKeys(context.model, name)) setOption(context, key, option, on ?? flag(wanted))
    }
    return undefined
  }
const setForm =
  (disabled: boolean): Power =>
  (context) => {
    const { model } = context
    for (const node of model.page.nodes.values()) {
      if (node.subForm === null) setOption(context, node.key, 'disabled', disabled)
    }
    for (const { node, fields } of model.subForms.values()) {
      setOption(context, node.key, 'actionDisabled', disabled)
      for (const id of model.rowIds(node.key)) {
        for (const field of fields) setOption(context, rowKey(field.key, id), 'disabled', disabled)
      }
    }
    return undefined
  }

/** Writes known keys, then rebuilds rows, then runs the hooks of every other field, changed or not (HOOKS 2.3). */
function setFormData(context: PowerContext, data: JsonObject): void {
  const { model } = context
  const fields = topFields(context).filter((node) => ownValue(data, node.name) !== undefined)
  const before = new Map(fields.map((node) => [node.key, model.value(node.key)]))
  const shaped = (node: PageNode): Json => {
    const value = ownValue(data, node.name) ?? null
    return node.spec.normalize ? node.spec.normalize(value, node.options) : value
  }
  context.write(fields.map((node) => model.valueWrite(node.key, shaped(node))))
  for (const { node } of model.subForms.values()) {
    const rows = ownValue(data, node.name)
    if (Array.isArray(rows)) setValue(context, node.key, rows)
  }
  for (const { key } of fields) {
    context.changed({ key, value: model.value(key), before: before.get(key) ?? null })
  }
}
const topFields = ({ model }: PowerContext): readonly PageNode[] =>
  [...model.page.nodes.values()].filter(
    (node) => node.field && node.subForm === null && node.template === null && !model.subForms.has(node.key),
  )

function resetForm(context: PowerContext): void {
  for (const { node } of context.model.subForms.values()) {
    setValue(context, node.key, node.options.showBlankRow === false ? [] : [{}])
  }
  for (const key of context.model.fieldKeys()) dropUploads(context, key)
  for (const node of topFields(context)) setValue(context, node.key, node.options.defaultValue ?? null)
  clearValidate(context, undefined)
}
function clearValidate(context: PowerContext, given: Json | undefined): undefined {
  const keys =
    given === undefined
      ? context.model.fieldKeys()
      : names(given).flatMap((name) => namedKeys(context.model, name))
  context.write(keys.map((key) => ({ cell: errorCell(key), value: null })))
}

function fieldValue({ model }: PowerContext, name: string): Json {
  const key = model.find(name)
  const node = key === undefined ? undefined : model.pageNode(key)
  if (key === undefined || !node) return []
  if (node.subForm === null || splitRowKey(key).rowId !== null) return model.value(key)
  return model.rowIds(node.subForm).map((id) => model.value(rowKey(key, id)))
}
/** Opens a dialog, drawer or sheet by its name; the given values are written into the form, whose fields it shows. */
const open: Power = (context, [name, data, _extra, title]) => {
  const key = context.model.find(text(name))
  if (key === undefined) throw new Error(`the page has no widget "${text(name)}"`)
  if (isObject(data)) setFormData(context, data)
  const { spec } = nodeOf(context, key)
  if (text(title) !== '') setOption(context, key, 'title' in spec.options ? 'title' : 'label', text(title))
  setOption(context, key, 'open', true)
  return undefined
}
/** The sub-form with that name; the user is told if there is none. */
const subFormKey = (context: PowerContext, name: Json | undefined): NodeKey | undefined => {
  const key = context.model.find(text(name))
  if (key !== undefined && context.model.subForms.has(key)) return key
  context.effect(
    key === undefined ? { name: 'widgetNotFound', args: [text(name)] } : { name: 'notSubForm', args: [] },
  )
  return undefined
}
const listed = (context: PowerContext, wanted: (node: PageNode) => boolean, as: string): Json =>
  [...context.model.page.nodes.values()]
    .filter(wanted)
    .map((node) => ({ type: node.widget.type, name: node.name, [as]: { options: node.options } }))

/** Methods of the form (HOOKS 3) that are a single call; those with promises or callbacks are in `guest/refs.js`. */
export const FORM: Powers = {
  setFormData: (context, [data]) => {
    if (isObject(data)) setFormData(context, data)
    return undefined
  },
  getFieldValue: (context, [name]) => fieldValue(context, text(name)),
  setFieldValue: (context, [name, value, quiet]) => {
    const keys = namedKeys(context.model, text(name))
    const rows = keys.filter((key) => !context.model.page.nodes.has(key))
    for (const key of rows.length > 0 ? rows : keys) setValue(context, key, value ?? null, quiet === true)
    return undefined
  },
  getSubFormValues: (context, [name]) => {
    const key = subFormKey(context, name)
    return key === undefined ? undefined : context.model.value(key)
  },
  setSubFormValues: (context, [name, rows]) => {
    const key = subFormKey(context, name)
    if (key !== undefined) setValue(context, key, rows ?? [])
    return undefined
  },
  clearValidate: (context, [given]) => clearValidate(context, given),
  resetForm: (context) => {
    resetForm(context)
    return undefined
  },
  disableForm: setForm(true),
  enableForm: setForm(false),
  disableWidgets: setAll('disabled', true),
  enableWidgets: setAll('disabled', false),
  hideWidgets: setAll('hidden', true),
  showWidgets: setAll('hidden', false),
  setWidgetsRequired: setAll('required', null),
  setReadMode: (context, [on]) => {
    context.write([{ cell: formCell('readMode'), value: flag(on) }])
    return undefined
  },
  getReadMode: ({ model }) => model.read(formCell('readMode')) === true,
  reloadOptionData: (context, [given]) => {
    context.effect({ name: 'reloadOptions', args: [[...names(given)]] })
    return undefined
  },
  getFormJson: ({ model }) => model.page.document,
  getFieldWidgets: (context, [staticIncluded]) =>
    listed(
      context,
      (node) => node.field || (staticIncluded === true && node.spec.kind === 'static'),
      'field',
    ),
  getContainerWidgets: (context) => listed(context, (node) => node.spec.kind === 'container', 'container'),
  isPreviewState: () => false,
  setFocus: (context, [name]) => {
    context.effect({ name: 'focus', args: [text(name)] })
    return undefined
  },
  triggerDynamicLogic: (context, [name]) => {
    context.write(context.model.logic.all(name === undefined ? undefined : text(name)))
    return undefined
  },
  changeLanguage: (context, [name]) => {
    context.effect({ name: 'emit', args: ['changeLanguage', [text(name)]] })
    return undefined
  },
  getLanguageName: () => DEFAULT_LOCALE,
  showDialog: open,
  showDrawer: open,
  getMiniFormJson: ({ model }) => model.page.document,
}
