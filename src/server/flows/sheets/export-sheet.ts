import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { createBudget, spending } from '../../../../runtime/core/budget.ts'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import type { Words } from '../../../model/kind.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { isEmpty } from '../../../model/read-record.ts'
import { fieldRight } from '../../kernel/auth/field-rights.ts'
import { runRead } from '../../kernel/calls/run-read.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { shownOwn } from '../../kernel/fields/ext-fields.ts'
import { formulaValues, unseenFormulas } from '../../kernel/fields/own-formulas.ts'
import { rollupValues } from '../../kernel/fields/own-rollups.ts'
import { asPagesName } from '../../kernel/fields/record-in-rules.ts'
import { writeSeen } from '../../kernel/fields/value-words.ts'
import { type ReadyListRequest, readListRequest } from '../../kernel/lists/list-request.ts'
import { openList } from '../../kernel/lists/open-list.ts'
import { wireValues } from '../../kernel/records/wire.ts'
import { text } from '../../kernel/text/text.ts'
import { dayText, wallTimeOf } from '../../kernel/time/zone.ts'
import { type MaskableRow, maskValues, rightsMask } from '../../kernel/visibility/masking.ts'
import { storeResult } from '../work/result-file.ts'
import type { WorkHandler, WorkJob } from '../work/runner.ts'
import { type ExportEntity, exportKind, listOf, mayExport } from './exports.ts'
import { wordsOfRows } from './file-columns.ts'
import { isOwnEntity, moduleOfEntity, type OwnEntity, rightsOfEntity } from './own-sheets.ts'
import { valueAt } from './sheet-column.ts'
import { columnsOf, type ExportKind } from './sheet-kinds.ts'
import { type Cell, createSheetWriter } from './write-sheet.ts'

/** Maximum rows of one export (DOMAIN 8.7). */
const MAX_EXPORT = 50_000
const PAGE_ROWS = 500
/** Rows whose formulas share one budget; other calls run between such parts. */
const BUDGET_ROWS = 50
const WIDE = 28
const NARROW = 16

type Row = MaskableRow & Readonly<Record<string, unknown>>

/**
 * Writes the rows that a list request finds, limited to what the caller may see. It only reads and runs in the background; after a crash it starts
 * over.
 */
export const exportHandler: WorkHandler = {
  permission: ({ entity }) =>
    isOwnEntity(entity) ? `${rightsOfEntity(entity)}:export` : mayExport(entity as ExportEntity),
  async run(job) {
    const reading = <T>(read: (ctx: CallContext) => Promise<T>) => runRead(job.services, job.caller, read)
    const entity = job.work.entity as ExportEntity | OwnEntity
    const kind = await reading((ctx) => Promise.resolve(exportKind(entity, ctx)))
    const { list: request, ids } = readInput(job)
    const every = await reading((ctx) => Promise.resolve(columnsOf(kind, ctx)))
    const columns = await reading(async ({ caller }) =>
      every.filter(({ name }) => fieldRight(caller, rightsName(entity), name) !== 'hidden'),
    )
    const sheet = createSheetWriter(
      columns.map(({ name }) => (/name|address|remark|demand/.test(name) ? WIDE : NARROW)),
    )
    sheet.row(columns.map(({ label }) => label))
    let done = 0
    let cursor: string | undefined
    do {
      const limit = Math.min(PAGE_ROWS, MAX_EXPORT - done)
      const pageRequest = {
        ...request,
        limit,
        withTotal: done === 0,
        ...(cursor === undefined ? {} : { cursor }),
      }
      const { page, rows, words } = await reading(async (ctx) => {
        const found = await openList<Row>(
          listOf(kind, ctx),
          pageRequest,
          ctx,
          narrowed(kind, request, ids, ctx),
        ).page((row) => row)
        const rows = await drawnRows(kind, found.list as readonly Row[], ctx)
        return { page: found, rows, words: await wordsOfRows(columns, rows, ctx) }
      })
      for (const row of rows)
        sheet.row(
          columns.map((column) =>
            cellOf(valueAt(row, column, job.caller.tenant.timezone), column.field, words),
          ),
        )
      done += page.list.length
      cursor = page.hasMore && done < MAX_EXPORT ? (page.nextCursor ?? undefined) : undefined
      const known = typeof page.total === 'number' ? { total: page.total } : {}
      await job.progress({ done, ok: done, ...known })
    } while (cursor !== undefined)
    const day = dayText(wallTimeOf(new Date(job.services.now()), job.caller.tenant.timezone))
    const fileName = `${job.work.title}-${day}.xlsx`
    const fileId = await storeResult(job, fileName, sheet.end())
    return { message: text('sheet.exported', { n: done }), fileId, fileName }
  },
}

/** The entity whose field rights apply. */
const rightsName = (entity: ExportEntity | OwnEntity): string =>
  isOwnEntity(entity) ? rightsOfEntity(entity) : entity

const shownExt = ({ entity }: ExportKind, row: Row, ctx: CallContext): JsonObject => {
  if (!isOwnEntity(entity)) return shownOwn(entity, row, ctx)
  const values = isObject(row.ext as Json) ? (row.ext as JsonObject) : {}
  const mask = rightsMask(ctx.caller, rightsOfEntity(entity))
  return { ...maskValues(values, mask), ...unseenFormulas(moduleOfEntity(entity, ctx), mask) }
}

/** Rows limited to what the caller sees, with the tenant's own rollups and formulas. */
async function drawnRows(kind: ExportKind, rows: readonly Row[], ctx: CallContext): Promise<readonly Row[]> {
  const { entity } = kind
  const isOwn = isOwnEntity(entity)
  const module = isOwn ? moduleOfEntity(entity, ctx) : ctx.model.modules.get(entity)
  const idOf = ({ id }: Row) => String(id)
  const rolled = module === undefined ? new Map() : await rollupValues(module, rows.map(idOf), ctx)
  const drawnRow = (row: Row): Row => {
    const shown = kind.shown(row, ctx.caller)
    const ext = shownExt(kind, row, ctx)
    if (module === undefined) return { ...shown, ext }
    const counted = rolled.get(idOf(row)) ?? {}
    const record = isOwn
      ? { ...ext, ...counted }
      : { ...wireValues(shown, ctx.zone), ...asPagesName({ ...ext, ...counted }) }
    return {
      ...shown,
      ext: { ...ext, ...inCells(counted, module), ...formulaValues(module, record, ctx.caller) },
    }
  }
  const drawn: Row[] = []
  for (let at = 0; at < rows.length; at += BUDGET_ROWS) {
    const part = rows.slice(at, at + BUDGET_ROWS)
    drawn.push(...spending(createBudget(), () => part.map(drawnRow)))
    await setImmediate()
  }
  return drawn
}

/** Rollups as cells: numbers as they are, everything else as its text. */
const inCells = (counted: JsonObject, { fields }: MergedModule): JsonObject =>
  Object.fromEntries(
    fields.flatMap(({ name, rollup }): [string, Json][] => {
      const value = counted[name] ?? null
      return rollup === undefined
        ? []
        : [[name, typeof value === 'number' ? value : (counted[`${name}_name`] ?? null)]]
    }),
  )

function readInput({ work }: WorkJob) {
  const input = isObject(work.input) ? work.input : {}
  const ids = Array.isArray(input.ids) ? input.ids.map(String) : undefined
  return { list: readListRequest(input.list ?? {}), ids }
}

/** Only records with names; of those that a statistic counts, only records that the caller may see. */
function narrowed(
  { list }: ExportKind,
  { stat }: ReadyListRequest,
  ids: readonly string[] | undefined,
  ctx: CallContext,
) {
  const conditions = [
    ...(ids === undefined ? [] : [sql<boolean>`${sql.ref(`${list.row}.id`)} = any(${[...ids]}::text[])`]),
    ...(stat === undefined ? [] : [list.visible(ctx)]),
  ]
  return conditions.length === 0
    ? undefined
    : { where: sql<boolean>`(${sql.join(conditions, sql` and `)})`, key: ids?.join() ?? '' }
}

/** Numbers stay numbers, so that they can be summed; everything else becomes text. */
function cellOf(value: Json, field: Field, words: Words): Cell {
  if (isEmpty(value)) return null
  return typeof value === 'number' ? value : writeSeen(value, field, words) || null
}
