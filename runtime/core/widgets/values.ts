import { momentFormats, shownMoment } from '../dates/moment-format.ts'
import { isObject, type Json, type JsonObject, ownValue, sameJson } from '../json.ts'
import type { OptionItem } from '../page/widget-spec.ts'
import { LIST_MARK } from '../text/filters.ts'

/** A text field's value: numbers are converted to text, null stays null, anything else is kept. */
export function asText(value: Json): Json {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}

/** Characters in amounts that are ignored, so that `¥ 99,999.90` can be pasted from a contract or a sheet. */
const WRITTEN_BESIDE = /[\s¥￥]|,(?=\d{3}(?!\d))/g
/** Digits and signs as typed with a full-width input method. */
const FULL_WIDTH = /[！-～]/g

/** A number field's value: a number, or null for an empty or invalid text. A comma is only allowed between groups of three digits. */
export function asNumber(value: Json): Json {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string') return null
  const written = value
    .replace(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(WRITTEN_BESIDE, '')
  const read = written === '' ? Number.NaN : Number(written)
  return Number.isFinite(read) ? read : null
}

/** A list: null becomes an empty list, a single value a list of one. */
export function asList(value: Json): Json {
  if (Array.isArray(value)) return value
  return value === null || value === '' ? [] : [value]
}

/** A list of lists; a list of plain values becomes the only path in it. */
export function asPaths(value: Json): Json {
  const list = asList(value) as readonly Json[]
  if (list.length === 0) return []
  return list.every(Array.isArray) ? list : [list]
}

/** Uploaded records: each an object with name and url; an address becomes one. */
export function asFiles(value: Json): Json {
  return (asList(value) as readonly Json[]).flatMap((file) => {
    if (typeof file === 'string') return [{ name: file.split('/').at(-1) ?? file, url: file }]
    return isObject(file) ? [file] : []
  })
}

/** A pair, in the order of its places if these are told; null if it does not have two elements. */
export function asPair(value: Json, placeOf = (_end: Json): number => 0): Json {
  if (!Array.isArray(value) || value.length !== 2) return null
  const [from = null, to = null] = value as readonly Json[]
  return placeOf(from) > placeOf(to) ? [to, from] : value
}

/** Read-mode text of any value; lists are joined by 、. */
export function plainText(value: Json | undefined): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(plainText).join(LIST_MARK)
  return isObject(value) ? plainText(ownValue(value, 'name') ?? ownValue(value, 'label')) : String(value)
}

/** Labels of the chosen items, joined by 、; a value without an item is shown itself. */
export function labelsOf(value: Json, items: readonly OptionItem[]): string {
  const chosen = Array.isArray(value)
    ? (value as readonly Json[])
    : value === null || value === ''
      ? []
      : [value]
  return chosen
    .map((one) => items.find((item) => sameJson(item.value, one))?.label ?? plainText(one))
    .join(LIST_MARK)
}

/** The item for a value in a display: codes of a dictionary are texts even if a record stores a number. */
export const shownItem = (value: Json, items: readonly OptionItem[]): OptionItem | undefined =>
  items.find((item) => sameJson(item.value, value)) ??
  items.find((item) => typeof value === 'number' && item.value === String(value))

/** The chosen items of a value if at least one has a colour; null for any other value, which is shown as text. */
export function colouredItems(value: Json, items: readonly OptionItem[]): readonly OptionItem[] | null {
  const chosen = (asList(value) as readonly Json[]).map(
    (one): OptionItem => shownItem(one, items) ?? { label: plainText(one), value: one },
  )
  return chosen.some(({ color = '' }) => color !== '') ? chosen : null
}

/** True for a number that a phone can call; one with its middle hidden (138****1234) would reach a stranger or nobody. */
export const canDial = (number: string): boolean => /\d/.test(number) && !number.includes('**')

/** Labels of a cascader's levels, joined by a stroke. */
export function pathLabels(value: Json, items: readonly OptionItem[]): string {
  const labels: string[] = []
  let level: readonly OptionItem[] = items
  for (const step of asList(value) as readonly Json[]) {
    const item = level.find((one) => sameJson(one.value, step))
    labels.push(item?.label ?? plainText(step))
    level = item?.children ?? []
  }
  return labels.join('/')
}

/** A stored date or time as its field shows it. */
export const momentText = (value: Json, options: JsonObject): string =>
  shownMoment(plainText(value), momentFormats(options))

/** Two of them with a tilde between. */
export function pairText(value: Json, options: JsonObject): string {
  return Array.isArray(value) && value.some((end) => end !== null && end !== '')
    ? (value as readonly Json[]).map((end) => momentText(end, options)).join(' ~ ')
    : ''
}

/** The text of an item: its label, or the template `format` with placeholders like `{label}` or `{value}`. */
export function itemText(item: OptionItem, options: JsonObject): string {
  const { format } = options
  if (typeof format !== 'string' || format === '') return item.label
  return format.replace(/\{(\w+)\}/g, (_place, name: string) => plainText(ownValue(item, name)))
}

/** Documents of the framework expect it so: a chosen text longer than this is its first 25 characters and an ellipsis, even if nothing is cut. */
const LONG_TEXT = 10
const CUT_TEXT = 25

/** The text in the closed field of a choice. */
export function shortText(text: string): string {
  return text.length > LONG_TEXT ? `${text.slice(0, CUT_TEXT)}...` : text
}
