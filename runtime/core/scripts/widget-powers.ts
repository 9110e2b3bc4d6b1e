import { type Json, type JsonObject, ownValue } from '../json.ts'
import { errorCell, optionCell, splitRowKey } from '../state/cells.ts'
import { flag, names, nodeOf, type Power, type PowerContext, type Powers, text } from './power.ts'

/** Writes an option of a widget; the page derives the rest (rules of a hidden field are not checked, its value stays). */
export function setOption(context: PowerContext, key: string, option: string, value: Json): void {
  context.write([{ cell: optionCell(key, option), value }])
}

/** The current options: document, defaults, overrides. */
export function optionsOf({ model }: PowerContext, key: string): JsonObject {
  return model.node(key).options
}

const setFlag =
  (option: string): Power =>
  (context, [key, on]) => {
    setOption(context, text(key), option, flag(on))
    return undefined
  }

/** Adds or removes one class name; the stored value may be a text or a list (HOOKS 7, no. 8). */
function editClasses(context: PowerContext, key: string, edit: (classes: Set<string>) => void): undefined {
  const { customClass } = optionsOf(context, key)
  const classes = new Set(
    Array.isArray(customClass) ? names(customClass) : text(customClass).split(/\s+/).filter(Boolean),
  )
  edit(classes)
  setOption(context, key, 'customClass', [...classes])
}

/** Methods that every kind of widget has (HOOKS 4.1, 4.3). */
export const COMMON: Powers = {
  setHidden: setFlag('hidden'),
  setDisabled: setFlag('disabled'),
  setWidgetOption: (context, [key, option, value]) => {
    const name = text(option)
    if (ownValue(optionsOf(context, text(key)), name) !== undefined) {
      setOption(context, text(key), name, value ?? null)
    }
    return undefined
  },
  getWidgetOption: (context, [key, option]) => ownValue(optionsOf(context, text(key)), text(option)),
  addCssClass: (context, [key, name]) => editClasses(context, text(key), (all) => all.add(text(name))),
  removeCssClass: (context, [key, name]) => editClasses(context, text(key), (all) => all.delete(text(name))),
  clearValidate: (context, [key]) => {
    context.write([{ cell: errorCell(text(key)), value: null }])
    return undefined
  },
}

/** Reads of the guest's references about their own node, not methods. */
export const WIDGET_POWERS: Powers = {
  'widget.facts': (context, [key]) => {
    const { widget } = nodeOf(context, text(key))
    return {
      type: widget.type,
      ...(widget.id === undefined ? {} : { id: widget.id }),
      ...(widget.formItemFlag === undefined ? {} : { formItemFlag: widget.formItemFlag }),
      ...(widget.category === undefined ? {} : { category: widget.category }),
    }
  },
  'widget.options': (context, [key]) => optionsOf(context, text(key)),
  'widget.option': (context, [key, name]) => ownValue(optionsOf(context, text(key)), text(name)),
  'widget.setOption': (context, [key, name, value]) => {
    setOption(context, text(key), text(name), value ?? null)
    return undefined
  },
  'widget.row': (context, [key]) => {
    const node = nodeOf(context, text(key))
    const { rowId } = context.model.page.nodes.has(text(key)) ? { rowId: null } : splitRowKey(text(key))
    if (rowId === null || node.subForm === null) return { index: -1, id: null, subForm: '' }
    return {
      index: context.model.rowIds(node.subForm).indexOf(rowId),
      id: rowId,
      subForm: context.model.page.nodes.get(node.subForm)?.name ?? '',
    }
  },
}
