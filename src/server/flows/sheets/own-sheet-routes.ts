import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { callerOf, requires } from '../../kernel/auth/caller.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import { callContextOf, runRead } from '../../kernel/calls/run-read.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { bodyOf } from '../../kernel/fields/input.ts'
import { readListRequest } from '../../kernel/lists/list-request.ts'
import { openList } from '../../kernel/lists/open-list.ts'
import { idsOf } from '../../kernel/records/batch.ts'
import { type WriteResult, writeOnce } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { ownListSpec } from '../../modules/own-records/list-spec.ts'
import { addWork } from '../work/work.ts'
import { columnsOfFile, offeredColumns } from './file-columns.ts'
import { checkMapping, readMapping } from './mapping.ts'
import { moduleOfEntity, ownEntity, ownExport } from './own-sheets.ts'
import { previewSheet } from './preview-sheet.ts'
import { modeOf } from './read-mode.ts'
import { makeTemplate } from './template.ts'
import { MAX_TRANSFER } from './transfer-many.ts'

const PARAMS = {
  type: 'object',
  properties: { module: { type: 'string', pattern: '^[a-z]\\w{0,39}$' } },
} as const
type Action = 'export' | 'import' | 'transfer'
type OfModule = { readonly Params: { readonly module: string } }

/** Export, import and large transfers of own modules: the same background work and steps. */
export function ownSheetRoutes(app: FastifyInstance, services: Services): void {
  const allowed = (request: FastifyRequest<OfModule>, ctx: CallContext, action: Action): MergedModule => {
    const module = moduleOfEntity(ownEntity(request.params.module), ctx)
    requires(ctx.caller, `${ownRights(module.name)}:${action}`)
    return module
  }
  const write = (
    verb: string,
    action: Action,
    work: (module: MergedModule, body: JsonObject, ctx: CallContext) => Promise<WriteResult<Json>>,
  ): void => {
    app.post<OfModule>(
      `/mini/m/:module/${verb}`,
      { schema: { params: PARAMS }, config: { once: true } },
      (request) => {
        const entity = ownRights(request.params.module)
        const subject = { action: `${entity}:${action}`, entity }
        return writeOnce(services.database, request, subject, async (trx, caller) => {
          const ctx = await callContextOf(services, caller, trx)
          return work(allowed(request, ctx, action), bodyOf(request.body), ctx)
        })
      },
    )
  }

  write('export', 'export', async (module, body, ctx) => {
    const { ids, ...list } = body
    const named = ids === undefined ? undefined : idsOf({ ids }, MAX_TRANSFER)
    openList(ownExport(module, ctx).list, readListRequest(list), ctx).check()
    const input = { list, ...(named === undefined ? {} : { ids: [...named] }) }
    const title = text('sheet.export-title', { name: labelText(module.label) })
    const jobId = await addWork({ kind: 'export', entity: ownEntity(module.name), title, input }, ctx)
    return { data: { jobId }, detail: input, recordId: jobId }
  })
  write('transfer/many', 'transfer', async (module, body, ctx) => {
    if (!module.behaviours.includes('owned')) refuse(404, 'NOT_FOUND', text('own.no-owners'))
    const { list, ...options } = body
    const ids =
      list === undefined
        ? idsOf(body, MAX_TRANSFER)
        : await openList(ownListSpec(module, ctx.model), readListRequest(list), ctx).ids(MAX_TRANSFER)
    if (ids.length === 0) refuse(400, 'VALIDATION', text('sheet.transfer-none'))
    const title = text('sheet.transfer-title', { name: labelText(module.label), n: ids.length })
    const entity = ownEntity(module.name)
    const input = { ...options, ids: [...ids] }
    const jobId = await addWork({ kind: 'transfer', entity, title, input, total: ids.length }, ctx)
    return {
      data: { jobId, total: ids.length },
      detail: { n: ids.length, toUserId: body.toUserId ?? null },
      recordId: jobId,
    }
  })
  app.post<OfModule>(
    '/mini/m/:module/import/preview',
    { schema: { params: PARAMS }, config: { limit: 60 } },
    async (request) => {
      const caller = callerOf(request)
      const module = await runRead(services, caller, async (ctx) => allowed(request, ctx, 'import'))
      return previewSheet(ownEntity(module.name), bodyOf(request.body), caller, services)
    },
  )
  app.post<OfModule>('/mini/m/:module/import/template', { schema: { params: PARAMS } }, (request) =>
    makeTemplate(services, callerOf(request), (ctx) => {
      const { name, label } = allowed(request, ctx, 'import')
      return { entity: ownEntity(name), label: labelText(label) }
    }),
  )
  for (const step of ['check', 'start'] as const)
    write(`import/${step}`, 'import', async (module, body, ctx) => {
      const { fileId, mapping = null } = body
      if (typeof fileId !== 'string' || fileId === '') refuse(400, 'VALIDATION', text('sheet.no-file'))
      const entity = ownEntity(module.name)
      const columns = columnsOfFile(entity, ctx)
      if (mapping !== null) checkMapping(readMapping(mapping, columns), columns, offeredColumns(entity, ctx))
      const input = { fileId, mode: modeOf(body), mapping }
      const isCheck = step === 'check'
      const title = text(isCheck ? 'sheet.check-title' : 'sheet.import-title', {
        name: labelText(module.label),
      })
      const jobId = await addWork({ kind: isCheck ? 'check' : 'import', entity, title, input }, ctx)
      return { data: { jobId }, detail: input, recordId: jobId }
    })
}
