import type { JsonObject } from '../../../../runtime/core/json.ts'
import { extName } from '../../../model/form-fields.ts'
import type { Codes, Words } from '../../../model/kind.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedField } from '../../../model/merge-module.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import { liveExtFields } from '../../kernel/fields/ext-fields.ts'
import { codesFor, wordsFor } from '../../kernel/fields/value-words.ts'
import { type InputColumn, inputColumns, SHEETS, type SheetColumn, type SheetEntity } from './columns.ts'
import type { Mapping } from './mapping.ts'
import { isOwnEntity, moduleColumns, moduleOfEntity, type OwnEntity } from './own-sheets.ts'
import type { ReadRow } from './parse-sheet.ts'
import { textOf } from './row-reader.ts'

/** A column of a tenant's own field. */
export type OwnColumn = SheetColumn & { readonly own: MergedField }

/** Columns of the fields a tenant added, of an own module all, in the order they stand in the module. */
export function ownColumns(entity: string, asking: Asking): readonly OwnColumn[] {
  if (isOwnEntity(entity)) return moduleColumns(moduleOfEntity(entity, asking))
  return liveExtFields(entity, asking)
    .filter(({ kind }) => kindOf(kind).stored !== 'none')
    .map((own) => ({ name: extName(own.name), label: labelText(own.label), own }))
}

/** Those of them that a file can fill: a cell is no place for files, or for a point on the map. */
export const ownInputColumns = (entity: string, asking: Asking): readonly (InputColumn & OwnColumn)[] =>
  ownColumns(entity, asking).filter(
    ({ own }) => kindOf(own.kind).stored !== 'json' && kindOf(own.kind).derived !== true,
  )

/** Everything a file of the entity can fill: the product's columns and the tenant's own. */
export const columnsOfFile = (entity: SheetEntity | OwnEntity, asking: Asking): readonly InputColumn[] => [
  ...(isOwnEntity(entity) ? [] : inputColumns(SHEETS[entity])),
  ...ownInputColumns(entity, asking),
]

const ownOf = (columns: readonly SheetColumn[]): readonly MergedField[] =>
  columns.flatMap(({ own }) => (own === undefined ? [] : [own]))

/** The codes behind the words of a file: names of records and colleagues are looked up for all of its rows at once. */
export function codesOfFile(
  mapping: Mapping,
  columns: readonly InputColumn[],
  rows: readonly ReadRow[],
  asking: Asking,
): Promise<Codes> {
  const cells = new Map(
    columns.flatMap(({ name, own }): [string, readonly string[]][] => {
      const at = mapping.indexOf(name)
      return own === undefined || at < 0
        ? []
        : [[own.name, rows.map((row) => textOf(row.cells[at] ?? null)).filter((cell) => cell !== '')]]
    }),
  )
  return codesFor(ownOf(columns), cells, asking)
}

/** The words behind own values of rows that are written to a sheet. */
export const wordsOfRows = (
  columns: readonly SheetColumn[],
  rows: readonly JsonObject[],
  asking: Asking,
): Promise<Words> => wordsFor(ownOf(columns), rows, asking)
