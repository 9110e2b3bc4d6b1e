import { momentFormats, shownMoment } from '../dates/moment-format.ts'
import { isObject, type Json, type JsonObject, ownValue, sameJson } from '../json.ts'
import type { OptionItem } from '../page/widget-spec.ts'
import { LIST_MARK } from '../text/filters.ts'

/** A text field's value: numbers become their text, null stays null, anything else is kept. */
export function asText(value: Json): Json {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}

/** What amounts are written with and do not mean: `¥ 99,999.90` is what a contract or a sheet has to be copied from. */
const WRITTEN_BESIDE = /[\s¥￥]|,(?=\d{3}(?!\d))/g
/** Digits and signs as an input method of full width writes them. */
const FULL_WIDTH = /[！-～]/g

/** A number field's value: a number, or null for what is empty or no number. A comma stands between groups of three digits alone. */
export function asNumber(value: Json): Json {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string') return null
  const written = value
    .replace(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(WRITTEN_BESIDE, '')
  const read = written === '' ? Number.NaN : Number(written)
  return Number.isFinite(read) ? read : null
}

/** A list: null is the empty one, a single value a list of one. */
export function asList(value: Json): Json {
  if (Array.isArray(value)) return value
  return value === null || value === '' ? [] : [value]
}

/** A list of lists; one list of plain values is the only path in it. */
export function asPaths(value: Json): Json {
  const list = asList(value) as readonly Json[]
  if (list.length === 0) return []
  return list.every(Array.isArray) ? list : [list]
}

/** Uploaded records: each an object with name and url; a bare address becomes one. */
export function asFiles(value: Json): Json {
  return (asList(value) as readonly Json[]).flatMap((file) => {
    if (typeof file === 'string') return [{ name: file.split('/').at(-1) ?? file, url: file }]
    return isObject(file) ? [file] : []
  })
}

/** A pair, or null when it is not two things. */
export function asPair(value: Json): Json {
  return Array.isArray(value) && value.length === 2 ? value : null
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

/** The item that a display shows for a value: codes of a dictionary are texts where a record may hold the number. */
export const shownItem = (value: Json, items: readonly OptionItem[]): OptionItem | undefined =>
  items.find((item) => sameJson(item.value, value)) ??
  items.find((item) => typeof value === 'number' && item.value === String(value))

/** The chosen items of a value of which one has a colour at least; null for any other, which its text says. */
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

/** How an item is written: its label, or the template `format` with places like `{label}` or `{value}`. */
export function itemText(item: OptionItem, options: JsonObject): string {
  const { format } = options
  if (typeof format !== 'string' || format === '') return item.label
  return format.replace(/\{(\w+)\}/g, (_place, name: string) => plainText(ownValue(item, name)))
}

/** More letters than this and a chosen text is cut, to its first 25 and dots. */
const LONG_TEXT = 10
const CUT_TEXT = 25

/** What stands in the closed field of a choice. */
export function shortText(text: string): string {
  return text.length > LONG_TEXT ? `${text.slice(0, CUT_TEXT)}...` : text
}
