import { isObject, type Json, type JsonObject, ownValue } from '../../../core/json.ts'
import type { OptionItem } from '../../../core/page/widget-spec.ts'
import type { ListColumn } from '../../../core/widgets/columns.ts'

const CELLS = ['text', 'number', 'day', 'moment', 'choice', 'flag'] as const

/** How a value is edited in its cell. */
export interface CellEdit {
  readonly as: (typeof CELLS)[number]
  /** Name of the field in the call that changes it. */
  readonly field: string
  /** A field added by the tenant: the call sends it under `ext`. */
  readonly ext: boolean
  /** Source of the choices: `dict` or `optionItems`. */
  readonly choices: JsonObject
}

/** The edit settings of a column; null if its values need more space than a cell. */
export function readEdit({ edit }: Pick<ListColumn, 'edit'>): CellEdit | null {
  const as = CELLS.find((one) => one === edit?.as)
  const field = ownValue(edit, 'field')
  if (as === undefined || typeof field !== 'string') return null
  const { dict = null, optionItems = null, ext } = edit ?? {}
  return { as, field, ext: ext === true, choices: { dict, optionItems } }
}

/** The body for the source `cell`: one field of one record. */
export function cellChange({ field, ext }: CellEdit, id: string, value: Json): JsonObject {
  return { ids: [id], ...(ext ? { ext: { [field]: value } } : { [field]: value }) }
}

/** A value in the format of its input: dates with a T, empty as ''. */
export function typedOf({ as }: CellEdit, value: Json | undefined): string {
  if (value === null || value === undefined) return ''
  if (as === 'moment') return String(value).slice(0, 16).replace(' ', 'T')
  return as === 'day' ? String(value).slice(0, 10) : String(value)
}

/** The choices of a cell: none that was disabled, except the one it holds. */
export const offeredItems = (items: readonly OptionItem[], held: string): readonly OptionItem[] =>
  items.filter(({ value, disabled }) => disabled !== true || String(value) === held)

/** The reverse of {@link typedOf}. */
export function valueOfTyped({ as }: CellEdit, typed: string): Json {
  const text = typed.trim()
  if (text === '') return null
  if (as === 'number') return Number(text)
  if (as === 'flag') return text === 'true'
  return as === 'moment' ? `${text.replace('T', ' ').slice(0, 16)}:00` : text
}

/** The server's text of a refusal; '' if it accepted the change. */
export function refusalOf(answer: Json): string {
  const failed = ownValue(answer, 'failed')
  const [first] = Array.isArray(failed) ? failed : []
  const message = isObject(first) ? first.message : undefined
  return typeof message === 'string' ? message : ''
}
