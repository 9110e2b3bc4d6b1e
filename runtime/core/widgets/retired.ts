import { type JsonObject, ownValue } from '../json.ts'
import type { OptionItem } from '../page/widget-spec.ts'

/** True for an item that whoever keeps the choices has disabled; not for one that a rule of the page disables now. */
export function isRetired(item: OptionItem, { itemStates }: JsonObject): boolean {
  const ruled = ownValue(ownValue(itemStates, String(item.value)), 'disabled')
  return item.disabled === true && ruled !== true
}

/** Items whose labels say which of them are retired. */
export function withMarks(
  items: readonly OptionItem[],
  options: JsonObject,
  mark: string,
): readonly OptionItem[] {
  return items.map((item) => (isRetired(item, options) ? { ...item, label: item.label + mark } : item))
}
