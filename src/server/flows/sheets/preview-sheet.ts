import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { Words } from '../../../model/kind.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { isEmpty, readRecord } from '../../../model/read-record.ts'
import type { Caller } from '../../kernel/auth/caller.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import { runRead } from '../../kernel/calls/run-read.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { checkExt } from '../../kernel/fields/ext-fields.ts'
import { faultTexts } from '../../kernel/fields/field-faults.ts'
import { inRules } from '../../kernel/records/checked-write.ts'
import { checkDescribed } from '../../kernel/records/described.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { codesOfFile, columnsOfFile, offeredColumns, wordsOfRows } from './file-columns.ts'
import { holderFault } from './holder-of-row.ts'
import { findOwnFile, readFileContent } from './import-file.ts'
import { MAX_IMPORT } from './import-sheet.ts'
import { guessMapping, missingOf, readMapping, refuseUnoffered, repeatedOf } from './mapping.ts'
import { isOwnEntity, moduleOfEntity, type OwnEntity, rightsOfEntity } from './own-sheets.ts'
import type { ReadRow } from './parse-sheet.ts'
import { readRows } from './read-sheet.ts'
import { createRowReader, textOf } from './row-reader.ts'
import { rowsAbove } from './rows-above.ts'
import { isRequired, type SheetColumn, valueAt } from './sheet-column.ts'
import type { SheetEntity } from './sheet-kinds.ts'

/** Rows shown before an import. */
const SHOWN = 5
const SAMPLE_CHARS = 40

/**
 * POST /mini/{e}/import/preview: the columns of an uploaded file with the field of each (guessed by its title unless `mapping` is given), missing
 * fields, and the first rows as they would be read. Nothing is written.
 *
 * @param intoPool  the rows get no owner
 */
export async function previewSheet(
  entity: SheetEntity | OwnEntity,
  { fileId, mapping: given }: JsonObject,
  caller: Caller,
  services: Services,
  intoPool = false,
): Promise<Json> {
  if (typeof fileId !== 'string' || fileId === '') refuse(400, 'VALIDATION', text('sheet.no-file'))
  const { columns, offered } = await runRead(services, caller, async (ctx) => {
    await findOwnFile(fileId, ctx)
    return { columns: columnsOfFile(entity, ctx), offered: offeredColumns(entity, ctx) }
  })
  const content = await readFileContent(services, caller.tenantId, fileId)
  const [head, ...body] = await readRows(caller.tenantId, content, MAX_IMPORT)
  const titles = (head?.cells ?? []).map((cell) => textOf(cell))
  const mapping = given == null ? guessMapping(titles, offered) : readMapping(given, columns)
  refuseUnoffered(mapping, columns, offered)
  return runRead(services, caller, async (ctx) => {
    const shown = body.slice(0, SHOWN)
    const codes = await codesOfFile(mapping, columns, shown, ctx)
    const reader = createRowReader(mapping, columns, codes)
    const above = rowsAbove(isOwnEntity(entity) ? moduleOfEntity(entity, ctx) : undefined)
    const read = shown.map(({ at, cells }) => {
      const row = reader(cells)
      const placed = above.placed(row)
      above.made(row, null)
      return { at, row, placed }
    })
    const words = await wordsOfRows(
      columns,
      read.map(({ row }) => row),
      ctx,
    )
    const fields = columns.filter(({ own }) => own === undefined).map(({ field }) => field)
    const rows = await Promise.all(
      read.map(async ({ at, row, placed }) => {
        const { ext, ...plain } = placed
        const { faults } = await checkDescribed(plain, fields, ctx)
        const ownFieldFaults = isOwnEntity(entity)
          ? ownFaults(moduleOfEntity(entity, ctx), extOf({ ext: ext ?? null }))
          : await checkExt(
              entity,
              null,
              ext,
              undefined,
              ctx,
              inRules(entity, null, { given: plain, ext }, ctx).own,
            )
        const ofOwner = intoPool ? '' : await ownerFault(entity, plain, ctx)
        const told = [...Object.values({ ...faults, ...ownFieldFaults.faults }), ofOwner]
        return {
          at,
          lines: columns.flatMap((column) => lineOf(valueAt(row, column, ctx.zone), column, words)),
          fault: told.filter((fault) => fault !== '').join('；'),
        }
      }),
    )
    return {
      total: body.length,
      columns: titles.map((title, at) => ({
        title: title === '' ? text('sheet.untitled', { n: at + 1 }) : title,
        sample: sampleOf(body, at),
        field: mapping[at] ?? null,
      })),
      fields: offered.map((column) => ({
        value: column.name,
        label: isRequired(column) ? `${column.label}*` : column.label,
      })),
      missing: [...missingOf(mapping, offered)],
      repeated: [...repeatedOf(mapping, columns)],
      unmatched: titles.filter((title, at) => title !== '' && (mapping[at] ?? null) === null),
      rows,
    } as Json
  })
}

/** The first non-empty cell of a column. */
function sampleOf(body: readonly ReadRow[], at: number): string {
  const filled = body.find(({ cells }) => textOf(cells[at] ?? null) !== '')
  return textOf(filled?.cells[at] ?? null).slice(0, SAMPLE_CHARS)
}

/** Errors in the values of an own module's record, as far as they can be found without the record. */
const ownFaults = ({ fields }: MergedModule, values: JsonObject) => ({
  faults: faultTexts(readRecord(values, fields, true).faults, fields),
})

/** Why the colleague named in a row cannot get its record; empty if they can, or nobody is named. */
const ownerFault = async (entity: SheetEntity | OwnEntity, { owner_name }: JsonObject, ctx: CallContext) =>
  typeof owner_name === 'string'
    ? holderFault(isOwnEntity(entity) ? rightsOfEntity(entity) : entity, owner_name, ctx)
    : ''

const extOf = ({ ext }: JsonObject): JsonObject => (isObject(ext) ? ext : {})

/** `label：value` as the record will show it. */
const lineOf = (value: Json, { label, field }: SheetColumn, words: Words): readonly string[] =>
  isEmpty(value) ? [] : [text('sheet.line', { label, value: kindOf(field.kind).write(value, field, words) })]
