import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { type Judged, validateWithPage, withVerdicts } from '../../kernel/forms/validate-with-page.ts'
import { namesOfFields, writtenFields } from '../../kernel/records/described.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { Refusal, refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { storeResult } from '../work/result-file.ts'
import type { WorkHandler, WorkJob } from '../work/runner.ts'
import { codesOfFile, columnsOfFile, offeredColumns } from './file-columns.ts'
import { forHolder, type HeldEntity, poolOf } from './holder-of-row.ts'
import { findOwnFile, readFileContent } from './import-file.ts'
import { checkMapping, guessMapping, readMapping } from './mapping.ts'
import { isOwnEntity, moduleOfEntity, type OwnEntity, rightsOfEntity, writeOwnRow } from './own-sheets.ts'
import type { ReadCell, ReadRow } from './parse-sheet.ts'
import { readRows } from './read-sheet.ts'
import { createRowReader, type RowReader, textOf } from './row-reader.ts'
import { type RowsAbove, rowsAbove } from './rows-above.ts'
import { createRowsAlike, type RowsAlike } from './rows-alike.ts'
import { mayImport, SHEETS, type SheetEntity, type SheetKind } from './sheet-kinds.ts'
import { createSheetWriter } from './write-sheet.ts'

/** Maximum rows of one file (DOMAIN 8.7). */
export const MAX_IMPORT = 5_000

/** Thrown to roll back a row that was written in a dry run. */
class TakeBack extends Error {}

/**
 * Imports a file: each row is written as by a form, with the same rules and permissions, or reported with a reason. With the mode `update` a row
 * changes its existing record, as far as its cells are filled; otherwise such a row is refused as a duplicate.
 */
export const importHandler: WorkHandler = {
  permission: (work) => {
    if (isOwnEntity(work.entity)) return `${rightsOfEntity(work.entity)}:import`
    return poolOf(work.input) === null
      ? mayImport(work.entity as SheetEntity)
      : `${work.entity as HeldEntity}_pool:import`
  },
  run: (job) => readFile(job, false),
}

/** A dry run: reports what would be refused, without writing anything. */
export const checkHandler: WorkHandler = { ...importHandler, run: (job) => readFile(job, true) }

/** How rows are processed. */
interface ImportOptions {
  /** Null: of an own module. */
  readonly kind: SheetKind | null
  readonly entity: string
  readonly isUpdate: boolean
  readonly poolId: string | null
}

async function readFile(job: WorkJob, isCheck: boolean) {
  const { input } = job.work
  const options: ImportOptions = {
    kind: isOwnEntity(job.work.entity) ? null : SHEETS[job.work.entity as SheetEntity],
    entity: job.work.entity,
    isUpdate: isObject(input) && input.mode === 'update',
    poolId: poolOf(input),
  }
  const rows = await readRows(job.work.tenant_id, await contentOf(job), MAX_IMPORT)
  const [head, ...body] = rows
  const { reader, titleOf, above, alike } = await readerOf(job, head?.cells ?? [], body)
  let { ok, failed } = job.work
  await job.progress({ total: body.length })
  for (const [index, { at, cells }] of body.entries()) {
    if (index < job.work.done) continue
    const done = index + 1
    const row = above.placed(reader(cells))
    let id: string | null = null
    const refused = await importRow(job, async (ctx, judged) => {
      const { recordId = null } = await write(options, row, ctx, judged)
      if (isCheck) throw new TakeBack()
      id = recordId
      // Counted in the transaction that created it: after a crash it is neither lost nor created twice.
      await job.progress({ done, ok: ok + 1 }, ctx.trx)
    })
    // An import finds earlier rows in the database; one that updates changes their records.
    const fault = refused ?? (isCheck && !options.isUpdate ? repeatFault(alike, row, at, titleOf) : null)
    if (fault === null) above.made(row, id)
    if (fault === null) ok += 1
    else failed += 1
    const failures = fault === null ? {} : { failures: [[at, fault.reason, fault.fields.map(titleOf)]] }
    if (fault !== null || isCheck) await job.progress({ done, ok, failed, ...failures })
  }
  const message = text(isCheck ? 'sheet.checked' : 'sheet.imported', { ok, failed })
  if (failed === 0) return { message }
  const fileName = text('sheet.errors-name', { title: job.work.title })
  return { message, fileId: await keepErrors(job, rows, fileName), fileName }
}

async function write(
  { kind, entity, isUpdate, poolId }: ImportOptions,
  row: JsonObject,
  ctx: CallContext,
  judged: Judged,
): Promise<WriteResult<Json>> {
  if (kind === null) return writeOwnRow(entity as OwnEntity, row, isUpdate, ctx)
  const form = validateWithPage(judged, kind.formPage, ctx)
  const [known, ...others] = isUpdate ? await kind.known(row, ctx) : []
  if (known === undefined) {
    const { owner_name = '', ...fields } = row
    if (kind.held === null) return kind.create(row, ctx, form)
    return forHolder(kind.held, poolId, String(owner_name), ctx, (holder) =>
      kind.create(fields, ctx, form, holder),
    )
  }
  if (others.length > 0) refuse(409, 'DUPLICATE', text('sheet.several'))
  const open = namesOfFields(writtenFields(kind.entity, ctx, 'change'))
  const fields = Object.entries(row).filter(([name]) => name === 'ext' || open.includes(name))
  return kind.update({ ...Object.fromEntries(fields), ...known }, ctx, form)
}

/** Why a row was refused, and the fields concerned. */
interface Fault {
  readonly reason: string
  readonly fields: readonly string[]
}

/** Null: the row was not refused. */
async function importRow(
  { services, inTrx }: WorkJob,
  task: (ctx: CallContext, judged: Judged) => Promise<void>,
): Promise<Fault | null> {
  try {
    await withVerdicts(services, null, (judged) => inTrx((ctx) => task(ctx, judged)))
    return null
  } catch (error) {
    if (error instanceof TakeBack) return null
    if (!(error instanceof Refusal)) throw error
    const fields = error.error.fields ?? {}
    const reasons = new Set(Object.values(fields))
    return { reason: [...reasons].join('；') || error.message, fields: Object.keys(fields) }
  }
}

/** A row that repeats an accepted one of the file; any other is accepted. */
function repeatFault(
  alike: RowsAlike,
  row: JsonObject,
  at: number,
  titleOf: (name: string) => string,
): Fault | null {
  const found = alike.find(row)
  if (found !== null)
    return {
      reason: text('sheet.repeats-row', { title: titleOf(found.field), row: found.at }),
      fields: [found.field],
    }
  alike.add(row, at)
  return null
}

async function contentOf({ work, services, inTrx }: WorkJob): Promise<Buffer> {
  const fileId = isObject(work.input) ? String(work.input.fileId ?? '') : ''
  await inTrx((ctx) => findOwnFile(fileId, ctx))
  return readFileContent(services, work.tenant_id, fileId)
}

/** What is needed to read a file's rows. */
interface FileReader {
  readonly reader: RowReader
  /** The column title in the file, otherwise the field's label. */
  readonly titleOf: (name: string) => string
  readonly above: RowsAbove
  readonly alike: RowsAlike
}

/** By the chosen mapping, otherwise by the titles. @throws Refusal 400 if a required field has no column */
async function readerOf(
  job: WorkJob,
  head: readonly ReadCell[],
  rows: readonly ReadRow[],
): Promise<FileReader> {
  const entity = job.work.entity as SheetEntity | OwnEntity
  const { columns, offered, above } = await job.inTrx(async (ctx) => ({
    columns: columnsOfFile(entity, ctx),
    offered: offeredColumns(entity, ctx),
    above: rowsAbove(isOwnEntity(entity) ? moduleOfEntity(entity, ctx) : undefined),
  }))
  const given = isObject(job.work.input) ? job.work.input.mapping : null
  const titles = head.map((cell) => textOf(cell))
  const mapping = given == null ? guessMapping(titles, columns) : readMapping(given, columns)
  // Nobody chose what a guess leaves out: then each row says what its writer may not fill.
  checkMapping(mapping, columns, given == null ? columns : offered)
  const reader = await job.inTrx(async (ctx) =>
    createRowReader(mapping, columns, await codesOfFile(mapping, columns, rows, ctx)),
  )
  const titleOf = (name: string) =>
    titles[mapping.indexOf(name)] ?? columns.find((column) => column.name === name)?.label ?? ''
  return { reader, titleOf, above, alike: createRowsAlike(entity, columns) }
}

/** The refused rows unchanged, with their number and reason: after correction the file can be imported. */
async function keepErrors(
  { inTrx, work, ...job }: WorkJob,
  rows: readonly ReadRow[],
  fileName: string,
): Promise<string> {
  const failures = await inTrx(async ({ trx, caller }) => {
    const found = await trx
      .selectFrom('work')
      .select('failures')
      .where('tenant_id', '=', caller.tenantId)
      .where('id', '=', work.id)
      .executeTakeFirstOrThrow()
    return new Map((found.failures as [number, string][]).map(([at, reason]) => [at, reason]))
  })
  const [head] = rows
  const width = head?.cells.length ?? 0
  const sheet = createSheetWriter([10, 48, ...Array.from({ length: width }, () => 16)])
  const texts = (cells: readonly ReadCell[]) =>
    Array.from({ length: width }, (_, index) => textOf(cells[index] ?? null))
  sheet.row([text('sheet.row'), text('sheet.reason'), ...texts(head?.cells ?? [])])
  for (const { at, cells } of rows) {
    const fault = failures.get(at)
    if (fault !== undefined) sheet.row([at, fault, ...texts(cells)])
  }
  return storeResult({ inTrx, work, ...job }, fileName, sheet.end())
}
