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

/** One column of a sheet: a field of the module, or something that only sheets have. */
export interface SheetColumn {
  readonly name: string
  readonly label: string
  /** The kind of its cells; has the name of the column. */
  readonly field: Field
  /** The key of a tenant's own value in `ext`. */
  readonly own?: string
  /** A file may contain it. */
  readonly isFilled: boolean
  /** Entity and field of the right to it, if it is not that of the sheet's own entity. */
  readonly guardedBy?: readonly [entity: string, field: string]
}

/** A column that only sheets have. @param more  further attributes of its cells; a text unless `kind` says otherwise */
export function column(
  name: string,
  label: TextCode,
  more: Partial<Field> & { isFilled?: boolean } = {},
): SheetColumn {
  const { isFilled = false, ...field } = more
  return { name, label: text(label), isFilled, field: { kind: 'text', ...field, name, label: text(label) } }
}

/** True if it is required in a file. */
export const isRequired = ({ field }: SheetColumn): boolean => field.required === true

/** Fields that a module's sheets replace or leave out. */
export interface ColumnOverrides {
  /** Replaced by a sheet's own column, or of no use to people. */
  readonly without?: readonly string[]
  /** Exported but not imported: other calls set them. */
  readonly exportOnly?: readonly string[]
}

/** Columns for the fields of a module, in its order: of the product's those that fit into a cell, of the tenant's own all. */
export function moduleColumns(
  module: MergedModule,
  { without = [], exportOnly = [] }: ColumnOverrides = {},
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
        isFilled: isFillable(field) && !exportOnly.includes(field.name),
      }
    })
}

/** Alternative titles of the field that names a record: also the label of its module. */
function titlesOf({ label }: MergedModule, { import: aliases = [] }: MergedField): readonly string[] {
  const called = labelText(label)
  return [...aliases, called, ...TITLE_WORDS.map((word) => `${called}${word}`), ...TITLE_WORDS]
}

/** Of the product's fields, rows of a sub-form do not fit into a cell, and coordinates are not readable. */
function hasCell(field: MergedField): boolean {
  if (field.origin === 'tenant') return true
  return field.kind !== 'lines' && !POINT.has(field.name) && isNameable(field)
}
const POINT: ReadonlySet<string> = new Set(['lng', 'lat'])

/** Files do not fit into a cell. */
function isFillable({ kind, readonly }: Field): boolean {
  const { stored, derived } = kindOf(kind)
  return stored !== 'json' && derived !== true && readonly !== 'always'
}

/** A row's value in a column, as it is stored. */
export function storedAt(
  row: Readonly<Record<string, unknown>>,
  { name, own }: Pick<SheetColumn, 'name' | 'own'>,
): unknown {
  const ext = isObject(row.ext as Json) ? (row.ext as Readonly<Record<string, unknown>>) : {}
  return own === undefined ? row[name] : ext[own]
}

/** The text of a row's value in a column, as formatted by the kind of its field. */
export function valueAt(row: Readonly<Record<string, unknown>>, column: SheetColumn, zone: string): Json {
  const value = storedAt(row, column)
  if (value instanceof Date) return dateTimeText(value, zone)
  // Codes of statuses are numbers in the database.
  if (column.field.kind === 'choice' && typeof value === 'number') return String(value)
  return (value ?? null) as Json
}
