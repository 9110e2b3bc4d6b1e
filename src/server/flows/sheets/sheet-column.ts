import { isObject, type Json } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import { extName } from '../../../model/form-fields.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedField, MergedModule } from '../../../model/merge-module.ts'
import { isNameable } from '../../kernel/fields/words.ts'
import { type TextCode, text } from '../../kernel/text/text.ts'
import { dateTimeText } from '../../kernel/time/zone.ts'
import { TITLE_WORDS } from '../../kernel/words/title-words.ts'

/** One column of a sheet: a field of the module, or something that sheets alone say of a record. */
export interface SheetColumn {
  readonly name: string
  readonly label: string
  /** What its cells hold; named as the column. */
  readonly field: Field
  /** The key of a tenant's own value in `ext`. */
  readonly own?: string
  /** A file may fill it. */
  readonly isFilled: boolean
}

/** A column that only sheets have. @param more  what else is to be said of its cells, of a text unless `kind` says otherwise */
export function column(
  name: string,
  label: TextCode,
  more: Partial<Field> & { isFilled?: boolean } = {},
): SheetColumn {
  const { isFilled = false, ...field } = more
  return { name, label: text(label), isFilled, field: { kind: 'text', ...field, name, label: text(label) } }
}

/** True when a file needs the column. */
export const isRequired = ({ field }: SheetColumn): boolean => field.required === true

/** Fields that a module's sheets say otherwise, or do not say. */
export interface Said {
  /** Said by a column of the sheet's own, or no word for people. */
  readonly without?: readonly string[]
  /** Told, and filled by no file: other calls decide them. */
  readonly told?: readonly string[]
}

/** Columns of the fields of a module, in its order: of the product's those with a cell, of the tenant's own all. */
export function moduleColumns(
  module: MergedModule,
  { without = [], told = [] }: Said = {},
): readonly SheetColumn[] {
  return module.fields
    .filter((field) => field.retired !== true && hasCell(field) && !without.includes(field.name))
    .map((field): SheetColumn => {
      const isOwn = field.origin === 'tenant'
      const name = isOwn && module.origin === 'vendor' ? extName(field.name) : field.name
      return {
        name,
        label: labelText(field.label),
        field: {
          ...field,
          name,
          ...(field.name === module.title ? { import: titlesOf(module, field) } : {}),
        },
        ...(isOwn ? { own: field.name } : {}),
        isFilled: isFillable(field) && !told.includes(field.name),
      }
    })
}

/** What files call the field that names a record: as its module is called, too. */
function titlesOf({ label }: MergedModule, { import: said = [] }: MergedField): readonly string[] {
  const called = labelText(label)
  return [...said, called, ...TITLE_WORDS.map((word) => `${called}${word}`), ...TITLE_WORDS]
}

/** Of the product's fields, rows of a sub-form are no cell, and a point on the map is no word. */
function hasCell(field: MergedField): boolean {
  if (field.origin === 'tenant') return true
  return field.kind !== 'lines' && !POINT.has(field.name) && isNameable(field)
}
const POINT: ReadonlySet<string> = new Set(['lng', 'lat'])

/** A cell is no place for files. */
function isFillable({ kind, readonly }: Field): boolean {
  const { stored, derived } = kindOf(kind)
  return stored !== 'json' && derived !== true && readonly !== 'always'
}

/** What a row holds in a column, as the kind of its field writes it. */
export function valueAt(
  row: Readonly<Record<string, unknown>>,
  { name, field, own }: SheetColumn,
  zone: string,
): Json {
  const ext = isObject(row.ext as Json) ? (row.ext as Readonly<Record<string, unknown>>) : {}
  const value = own === undefined ? row[name] : ext[own]
  if (value instanceof Date) return dateTimeText(value, zone)
  // Codes of statuses are numbers in the database.
  if (field.kind === 'choice' && typeof value === 'number') return String(value)
  return (value ?? null) as Json
}
