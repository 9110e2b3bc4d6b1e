import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { isEmpty } from '../../../model/read-record.ts'
import { normaliseName } from '../../kernel/words/normalise-name.ts'
import { normalisePhones } from '../../kernel/words/normalise-phone.ts'
import type { OwnEntity } from './own-sheets.ts'
import { type SheetColumn, storedAt } from './sheet-column.ts'
import type { SheetEntity } from './sheet-kinds.ts'

/** Something that two new records may not have in common. */
interface Key {
  /** The column to correct. */
  readonly field: string
  readonly value: string
  readonly isPhone?: boolean
  /** Records of the same owner may share it: the contacts of one customer. */
  readonly of?: string
}

/** An earlier row of the file with which a row collides, and by which column. */
interface Repeat {
  readonly at: number
  readonly field: string
}

/** The accepted rows of a file that is being checked: as nothing is stored, the database does not know them. */
export interface RowsAlike {
  find(row: JsonObject): Repeat | null
  add(row: JsonObject, at: number): void
}

const wordOf = (row: JsonObject, name: string): string => String(row[name] ?? '').trim()

/** By the number itself, whatever column it stands in. */
const phoneKeys = (row: JsonObject, names: readonly string[], of?: string): readonly Key[] =>
  names.flatMap((field) =>
    normalisePhones([wordOf(row, field)]).map((phone) => ({
      field,
      value: phone,
      isPhone: true,
      ...(of === undefined ? {} : { of }),
    })),
  )

/** What the writes of each entity refuse to repeat, or repeat only after a question, which a file cannot answer (DOMAIN 1.1.3). */
const KEYS: Readonly<Partial<Record<SheetEntity, (row: JsonObject) => readonly Key[]>>> = {
  customer: (row) => [
    { field: 'name', value: normaliseName(wordOf(row, 'name')) },
    ...[wordOf(row, 'credit_code').toUpperCase()]
      .filter(Boolean)
      .map((value) => ({ field: 'credit_code', value })),
    ...phoneKeys(row, ['mobile', 'telephone', 'contact_mobile']),
  ],
  lead: (row) => phoneKeys(row, ['mobile', 'telephone']),
  contact: (row) => {
    const customer = wordOf(row, 'customer_name')
    const [mobile] = normalisePhones([wordOf(row, 'mobile')])
    return [
      ...phoneKeys(row, ['mobile', 'mobile2'], customer),
      ...(mobile === undefined
        ? []
        : [{ field: 'name', value: JSON.stringify([customer, wordOf(row, 'name'), mobile]) }]),
    ]
  },
  product: (row) => [
    { field: 'name', value: JSON.stringify([wordOf(row, 'category_id'), wordOf(row, 'name')]) },
  ],
}

/** Values of fields with `unique: "refuse"`. */
function uniqueKeys(row: JsonObject, columns: readonly SheetColumn[]): readonly Key[] {
  return columns.flatMap((column) => {
    const value = storedAt(row, column) as Json | undefined
    if (column.field.unique !== 'refuse' || isEmpty(value)) return []
    return [{ field: column.name, value: JSON.stringify(value) }]
  })
}

export function createRowsAlike(entity: SheetEntity | OwnEntity, columns: readonly SheetColumn[]): RowsAlike {
  const known = new Map<string, { readonly at: number; readonly of: string | undefined }>()
  const keysOf = (row: JsonObject): readonly Key[] => [
    ...(KEYS[entity as SheetEntity]?.(row) ?? []),
    ...uniqueKeys(row, columns),
  ]
  return {
    find(row) {
      for (const key of keysOf(row)) {
        const other = known.get(placeOf(key))
        if (other !== undefined && (key.of === undefined || key.of !== other.of))
          return { at: other.at, field: key.field }
      }
      return null
    },
    add(row, at) {
      for (const key of keysOf(row)) if (!known.has(placeOf(key))) known.set(placeOf(key), { at, of: key.of })
    },
  }
}

/** A number may stand in several columns; every other value is compared within its column. */
const placeOf = ({ field, value, isPhone = false }: Key): string => `${isPhone ? '' : field} ${value}`
