import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { Codes, Words } from '../../../model/kind.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { fieldRight } from '../../kernel/auth/field-rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { codesFor, wordsFor } from '../../kernel/fields/value-words.ts'
import type { Mapping } from './mapping.ts'
import { isOwnEntity, moduleOfEntity, numberColumn, type OwnEntity, rightsOfEntity } from './own-sheets.ts'
import type { ReadRow } from './parse-sheet.ts'
import { textOf } from './row-reader.ts'
import { moduleColumns, type SheetColumn, valueAt } from './sheet-column.ts'
import { filledColumns, OWNER, SHEETS, type SheetEntity } from './sheet-kinds.ts'

/** Everything that a file of the entity can contain. */
export const columnsOfFile = (entity: SheetEntity | OwnEntity, ctx: CallContext): readonly SheetColumn[] =>
  isOwnEntity(entity) ? ownColumns(moduleOfEntity(entity, ctx)) : filledColumns(SHEETS[entity], ctx)

/**
 * The columns of a file that the caller may fill: without fields that they may not see, and those that they may only read, unless these tell which
 * record a row is about.
 */
export function offeredColumns(entity: SheetEntity | OwnEntity, ctx: CallContext): readonly SheetColumn[] {
  const { rights, keys } = isOwnEntity(entity)
    ? { rights: rightsOfEntity(entity), keys: keysOf(moduleOfEntity(entity, ctx)) }
    : { rights: entity, keys: SHEETS[entity].keys }
  return columnsOfFile(entity, ctx).filter(({ name, guardedBy = [rights, name] }) => {
    const right = fieldRight(ctx.caller, ...guardedBy)
    return right === 'write' || (right === 'read' && keys.includes(name))
  })
}

const keysOf = ({ fields, title }: MergedModule): readonly string[] =>
  fields.flatMap(({ name, unique }) => (name === title || unique !== undefined ? [name] : []))

const ownColumns = (module: MergedModule): readonly SheetColumn[] => [
  ...(module.number === undefined ? [] : [numberColumn(module)]),
  ...moduleColumns(module).filter(({ isFilled }) => isFilled),
  ...(module.behaviours.includes('owned') ? [OWNER] : []),
]

/** The codes for texts in a file: names of records and colleagues are looked up for all rows together. */
export function codesOfFile(
  mapping: Mapping,
  columns: readonly SheetColumn[],
  rows: readonly ReadRow[],
  ctx: CallContext,
): Promise<Codes> {
  const cells = new Map(
    columns.flatMap(({ name }): [string, readonly string[]][] => {
      const at = mapping.indexOf(name)
      return at < 0
        ? []
        : [[name, rows.map((row) => textOf(row.cells[at] ?? null)).filter((cell) => cell !== '')]]
    }),
  )
  return codesFor(
    columns.map(({ field }) => field),
    cells,
    ctx,
  )
}

/** The texts of values in the columns of a sheet. */
export const wordsOfRows = (
  columns: readonly SheetColumn[],
  rows: readonly Readonly<Record<string, unknown>>[],
  ctx: CallContext,
): Promise<Words> =>
  wordsFor(
    columns.map(({ field }) => field),
    rows.map(
      (row): JsonObject =>
        Object.fromEntries(columns.map((column) => [column.name, valueAt(row, column, ctx.zone)])),
    ),
    ctx,
  )
