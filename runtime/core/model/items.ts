import { isObject, type Json, type JsonObject, ownValue } from '../json.ts'
import type { OptionItem } from '../page/widget-spec.ts'
import { nestRows } from '../widgets/tree.ts'

interface Keys {
  readonly label: string
  readonly value: string
  readonly children: string
  /** Key of the parent's value in a flat tree; '' if items are nested or have no levels. */
  readonly parent: string
}

const mapped = new WeakMap<object, Map<string, readonly OptionItem[]>>()
const NONE: readonly OptionItem[] = []

/**
 * The choices of an option field, in the views' format. Priority of the sources: a script's or data source's items, the named
 * dictionary, the static `optionItems` (HOOKS 5.4). Items keep `disabled` under either spelling (PAGE-FORMAT, VForm).
 *
 * @param holds  evaluates the rule of a static choice: one whose `visibleOn` is false is left out
 */
export function itemsOf(
  options: JsonObject,
  dict: JsonObject,
  holds: (rule: Json) => boolean = () => true,
): readonly OptionItem[] {
  const named = typeof options.dict === 'string' ? ownValue(dict, options.dict) : undefined
  const source =
    options.loadedItems ?? named ?? (options.dsEnabled === true ? undefined : options.optionItems)
  if (!Array.isArray(source)) return NONE
  const keys: Keys = {
    label: textOption(options.labelKey, 'label'),
    value: textOption(options.valueKey, 'value'),
    children: textOption(options.childrenKey, 'children'),
    parent: textOption(options.parentField, ''),
  }
  const items = mapOnce(
    source === options.optionItems && hasRules(source)
      ? source.filter((item) => isOffered(item, holds))
      : source,
    named === source ? { label: 'label', value: 'value', children: 'children', parent: '' } : keys,
  )
  return isObject(options.itemStates) ? withStates(items, options.itemStates) : items
}

const ruled = new WeakMap<object, boolean>()

/** True for choices with rules for their visibility. */
export function hasRules(items: readonly Json[]): boolean {
  const known = ruled.get(items)
  if (known !== undefined) return known
  const found = items.some((item) => isObject(item) && item.visibleOn !== undefined)
  ruled.set(items, found)
  return found
}

function isOffered(item: Json, holds: (rule: Json) => boolean): boolean {
  const rule = ownValue(item, 'visibleOn')
  return rule === undefined || rule === null || holds(rule)
}

/** Dynamic logic hides and disables items by their value (PAGE-FORMAT, VForm). */
function withStates(items: readonly OptionItem[], states: JsonObject): readonly OptionItem[] {
  return items.flatMap((item) => {
    const state = ownValue(states, String(item.value))
    if (!isObject(state)) return [item]
    const { disabled: itemDisabled, ...rest } = item
    const disabled = typeof state.disabled === 'boolean' ? state.disabled : itemDisabled === true
    return state.hidden === true ? [] : [disabled ? { ...rest, disabled } : rest]
  })
}

const textOption = (value: Json | undefined, fallback: string): string =>
  typeof value === 'string' && value !== '' ? value : fallback

function mapOnce(source: readonly Json[], keys: Keys): readonly OptionItem[] {
  const byKeys = mapped.get(source) ?? new Map<string, readonly OptionItem[]>()
  mapped.set(source, byKeys)
  const name = `${keys.label} ${keys.value} ${keys.children} ${keys.parent}`
  const items = byKeys.get(name) ?? itemsFrom(source.filter(isObject), keys)
  byKeys.set(name, items)
  return items
}

/** A flat tree is nested here, so that views and texts only handle nested items. */
function itemsFrom(rows: readonly JsonObject[], keys: Keys): readonly OptionItem[] {
  const items = rows.map((row) => toItem(row, keys))
  if (keys.parent === '' || !rows.some((row) => isParent(row[keys.parent]))) return items
  return nestRows(items.map((item, i) => ({ ...item, parent: rows[i]?.[keys.parent] ?? null })))
}

const isParent = (value: Json | undefined): boolean => value !== undefined && value !== null && value !== ''

function toItem(item: JsonObject, keys: Keys): OptionItem {
  const value = item[keys.value] ?? item.value ?? null
  const children = item[keys.children]
  return {
    label: String(item[keys.label] ?? item.text ?? value ?? ''),
    value,
    ...(item.disabled === true || item.disable === true ? { disabled: true } : {}),
    ...(typeof item.color === 'string' ? { color: item.color } : {}),
    ...(typeof item.icon === 'string' ? { icon: item.icon } : {}),
    ...(Array.isArray(children)
      ? { children: children.filter(isObject).map((child) => toItem(child, keys)) }
      : {}),
  }
}
