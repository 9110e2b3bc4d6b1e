import { newRowHooks } from '../hooks/life-hooks.ts'
import { isObject, type Json, type JsonObject, ownValue } from '../json.ts'
import { errorCell, splitRowKey } from '../state/cells.ts'
import { flag, nodeOf, type Power, type PowerContext, type Powers, text } from './power.ts'
import { COMMON, optionsOf, setOption } from './widget-powers.ts'

/** Sets a value like a script does: model, then onChange and onFormDataChange, even for the same value (HOOKS 2.3). */
export function setValue(context: PowerContext, key: string, value: Json, quiet = false): void {
  const { model } = context
  const node = nodeOf(context, key)
  if (model.subForms.has(node.key)) {
    context.write(model.setRows(node.key, Array.isArray(value) ? value.filter(isObject) : []))
    context.fire(newRowHooks(model, node.key, model.rowIds(node.key)))
    context.effect({ name: 'rowsReplaced', args: [node.key] })
    return
  }
  if (!node.field) return // no effect on static widgets
  const before = model.value(key)
  const shaped = node.spec.normalize ? node.spec.normalize(value, node.options) : value
  context.write([model.valueWrite(key, shaped)])
  if (!quiet) context.changed({ key, value: model.value(key), before })
}

/** Drops the files of a field that are in transfer or have failed; later answers are ignored. */
export function dropUploads(context: PowerContext, key: string): void {
  const { uploads } = optionsOf(context, key)
  if (Array.isArray(uploads) && uploads.length > 0) setOption(context, key, 'uploads', [])
}

const setter =
  (option: string, read: (value: Json | undefined) => Json): Power =>
  (context, [key, value]) => {
    setOption(context, text(key), option, read(value))
    return undefined
  }
const list = (value: Json | undefined): Json => (Array.isArray(value) ? value : [])

/** Changes the `disabled` of the items with that value; comparison is strict (PAGE-FORMAT, VForm). */
const markOption =
  (disabled: boolean): Power =>
  (context, [key, value]) => {
    const options = optionsOf(context, text(key))
    const keyName = text(options.valueKey) || 'value'
    const source = Array.isArray(options.loadedItems) ? options.loadedItems : options.optionItems
    const items = (Array.isArray(source) ? source : []).filter(isObject)
    setOption(
      context,
      text(key),
      'loadedItems',
      items.map((item) =>
        (ownValue(item, keyName) ?? ownValue(item, 'value')) === value ? { ...item, disabled } : item,
      ),
    )
    return undefined
  }

/** Adds an entry to an option that is an object: headers and form data of uploads. */
const putEntry =
  (option: string): Power =>
  (context, [key, name, value]) => {
    const known = optionsOf(context, text(key))[option]
    const entries: JsonObject = isObject(known) ? known : {}
    setOption(context, text(key), option, { ...entries, [text(name)]: text(value) })
    return undefined
  }

const items = (context: PowerContext, key: string): Json =>
  context.model.node(key).items.map((item) => ({ ...item })) as unknown as Json

/** Methods of fields (HOOKS 4.1). */
export const FIELD: Powers = {
  ...COMMON,
  getValue: (context, [key]) => context.model.value(text(key)),
  setValue: (context, [key, value, quiet]) => {
    setValue(context, text(key), value ?? null, quiet === true)
    return undefined
  },
  resetField: (context, [key]) => {
    const node = nodeOf(context, text(key))
    const inRow = splitRowKey(text(key)).rowId !== null && !context.model.page.nodes.has(text(key))
    if (inRow) return undefined
    dropUploads(context, text(key))
    setValue(context, text(key), node.options.defaultValue ?? null)
    return undefined
  },
  setReadonly: setter('readonly', flag),
  setLabel: setter('label', text),
  setReadMode: setter('readMode', flag),
  setRequired: (context, [key, on]) => {
    setOption(context, text(key), 'required', flag(on))
    if (!flag(on)) context.write([{ cell: errorCell(text(key)), value: null }])
    return undefined
  },
  focus: (context, [key]) => {
    context.effect({ name: 'focus', args: [context.model.address(text(key))] })
    return undefined
  },
  blur: (context, [key]) => {
    context.effect({ name: 'blur', args: [context.model.address(text(key))] })
    return undefined
  },
  loadOptions: setter('loadedItems', list),
  reloadOptions: setter('loadedItems', list),
  getOptions: (context, [key]) => items(context, text(key)),
  getOptionItems: (context, [key]) => items(context, text(key)),
  clearSelectedOptions: (context, [key]) => {
    const { options } = nodeOf(context, text(key))
    const many = options.multiple === true || Array.isArray(options.defaultValue)
    setValue(context, text(key), many ? [] : '')
    return undefined
  },
  disableOption: markOption(true),
  enableOption: markOption(false),
  setAppendButtonVisible: setter('appendButton', flag),
  setAppendButtonDisabled: setter('appendButtonDisabled', flag),
  setUploadHeader: putEntry('uploadHeaders'),
  setUploadData: putEntry('uploadData'),
  isSubFormItem: (context, [key]) => nodeOf(context, text(key)).subForm !== null,
  isSubFormField: (context, [key]) => nodeOf(context, text(key)).subForm !== null,
  getSelectedLabel: (context, [key]) => {
    const value = context.model.value(text(key))
    const chosen = Array.isArray(value) ? value : [value]
    const labels = context.model.node(text(key)).items.filter((item) => chosen.includes(item.value))
    return labels.map((item) => item.label).join(',')
  },
  setToolbar: setter('toolbar', list),
  disableChangeValidate: (context, [key]) => quietCheck(context, text(key), true),
  enableChangeValidate: (context, [key]) => quietCheck(context, text(key), false),
}

function quietCheck(context: PowerContext, key: string, on: boolean): undefined {
  setOption(context, key, 'changeValidateDisabled', on)
}
