import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { Caller } from '../../kernel/auth/caller.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import { runRead } from '../../kernel/calls/run-read.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { text } from '../../kernel/text/text.ts'
import { storeGenerated, XLSX } from '../work/result-file.ts'
import { offeredColumns } from './file-columns.ts'
import type { OwnEntity } from './own-sheets.ts'
import { isRequired } from './sheet-column.ts'
import type { SheetEntity } from './sheet-kinds.ts'
import { createSheetWriter } from './write-sheet.ts'

/** The columns of an import template, if the caller may import; `label` is the name of its records. */
type TemplateTarget = (ctx: CallContext) => {
  readonly entity: SheetEntity | OwnEntity
  readonly label: string
}

/**
 * A sheet with only the titles of an import file. It is stored like a result of background work, with an entry
 * in the caller's jobs, and expires with it.
 *
 * @returns the address to fetch it from
 */
export async function makeTemplate(
  services: Services,
  caller: Caller,
  wanted: TemplateTarget,
): Promise<JsonObject> {
  const { title, entity, content } = await runRead(services, caller, async (ctx) => {
    const { entity, label } = wanted(ctx)
    // New records have no numbers yet.
    const columns = offeredColumns(entity, ctx).filter(({ name }) => name !== 'record_no')
    const sheet = createSheetWriter(columns.map(() => 18))
    sheet.row(columns.map((column) => (isRequired(column) ? `${column.label}*` : column.label)))
    return { title: text('sheet.template-title', { name: label }), entity, content: sheet.end() }
  })
  const file = { title, entity, name: `${title}.xlsx`, ext: 'xlsx', mime: XLSX, content }
  return { url: await storeGenerated(services, caller, file) }
}
