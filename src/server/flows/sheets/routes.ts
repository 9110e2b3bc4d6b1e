import type { FastifyInstance } from 'fastify'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { callerOf, requires } from '../../kernel/auth/caller.ts'
import type { Permission } from '../../kernel/auth/permissions.ts'
import type { Resource, Services } from '../../kernel/calls/resource.ts'
import { writer } from '../../kernel/calls/standard-routes.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { PoolEntity } from '../../kernel/context/entities.ts'
import { bodyOf } from '../../kernel/fields/input.ts'
import { describedList } from '../../kernel/lists/described-list.ts'
import { readListRequest } from '../../kernel/lists/list-request.ts'
import type { ListSpec } from '../../kernel/lists/list-spec.ts'
import { openList } from '../../kernel/lists/open-list.ts'
import { memberPool, type Pool } from '../../kernel/pools/pool.ts'
import { idsOf } from '../../kernel/records/batch.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { isInScope } from '../../kernel/visibility/predicate.ts'
import { BUSSINESS_LIST } from '../../modules/bussiness/list-spec.ts'
import { CUSTOMER_LIST } from '../../modules/customers/list-spec.ts'
import { LEAD_LIST } from '../../modules/leads/list-spec.ts'
import { XLSX } from '../work/result-file.ts'
import { createWorkRunner } from '../work/runner.ts'
import { addWork } from '../work/work.ts'
import { exportHandler } from './export-sheet.ts'
import { EXPORT_ENTITIES, EXPORTS, listOf, mayExport } from './exports.ts'
import { offeredColumns } from './file-columns.ts'
import { checkHandler, importHandler } from './import-sheet.ts'
import { checkMapping, readMapping } from './mapping.ts'
import { ownSheetRoutes } from './own-sheet-routes.ts'
import { previewSheet } from './preview-sheet.ts'
import { modeOf } from './read-mode.ts'
import { isRequired } from './sheet-column.ts'
import { filledColumns, mayImport, SHEET_ENTITIES, SHEETS, type SheetKind } from './sheet-kinds.ts'
import { makeTemplate } from './template.ts'
import { MAX_TRANSFER, transferHandler } from './transfer-many.ts'
import { createSheetWriter } from './write-sheet.ts'

const LISTS: Readonly<Record<PoolEntity, ListSpec>> = {
  customer: CUSTOMER_LIST,
  lead: LEAD_LIST,
  bussiness: BUSSINESS_LIST,
}

/** Export, import and large transfers as background work (DOMAIN 8.3, 8.4). */
export const sheetRoutes: Resource = (app, services) => {
  const runner = createWorkRunner(services, {
    export: exportHandler,
    import: importHandler,
    check: checkHandler,
    transfer: transferHandler,
  })
  app.addHook('onReady', async () => runner.start())
  app.addHook('onClose', runner.stop)
  app.addHook('onResponse', async (request) => {
    if (/\/(?:export|import\/(?:check|start)|transfer\/many)$/.test(request.routeOptions.url ?? ''))
      runner.wake()
  })

  ownSheetRoutes(app, services)
  for (const entity of EXPORT_ENTITIES) {
    const kind = EXPORTS[entity]
    const title = text('sheet.export-title', { name: text(`sheet.${entity}`) })
    writer(app, services, entity)(`/mini/${entity}/export`, mayExport(entity), async (body, ctx) => {
      const { ids, ...list } = body
      const named = ids === undefined ? undefined : idsOf({ ids }, MAX_TRANSFER)
      openList(listOf(kind, ctx), readListRequest(list), ctx).check()
      const input = { list, ...(named === undefined ? {} : { ids: [...named] }) }
      const jobId = await addWork({ kind: 'export', entity, title, input }, ctx)
      return { data: { jobId }, detail: input, recordId: jobId }
    })
  }

  for (const entity of SHEET_ENTITIES) {
    const kind = SHEETS[entity]
    const name = text(`sheet.${entity}`)

    // Only the titles of the product's own columns, nothing of a tenant: anybody may fetch it. Pages request the tenant's, below.
    app.get(`/mini/${entity}/import/template`, { config: { public: true, raw: true } }, async (_, reply) => {
      const columns = filledColumns(kind, { model: services.modules.shipped() })
      const sheet = createSheetWriter(columns.map(() => 18))
      sheet.row(columns.map((column) => (isRequired(column) ? `${column.label}*` : column.label)))
      return reply
        .header('content-type', XLSX)
        .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(`${name}.xlsx`)}`)
        .send(sheet.end())
    })
    const { held } = kind
    app.post(`/mini/${entity}/import/template`, (request) =>
      makeTemplate(services, callerOf(request), ({ caller }) => {
        const intoPool = `${held}_pool:import`
        requires(caller, caller.permissions.has(intoPool) ? intoPool : mayImport(entity))
        return { entity, label: name }
      }),
    )
    importRoutes(app, services, { kind, base: `/mini/${entity}`, permission: mayImport(entity) })
    if (held !== null)
      importRoutes(app, services, {
        kind,
        base: `/mini/pool/${held}`,
        permission: `${held}_pool:import`,
        pool: (body, ctx) => memberPool(held, body.poolId, ctx),
      })
  }

  for (const entity of ['customer', 'lead', 'bussiness'] as const) {
    writer(app, services, entity)(
      `/mini/${entity}/transfer/many`,
      `${entity}:transfer`,
      async (body, ctx) => {
        const { list, ...options } = body
        const ids = list === undefined ? idsOf(body, MAX_TRANSFER) : await idsFound(entity, list, ctx)
        const title = text('sheet.transfer-title', { name: text(`sheet.${entity}`), n: ids.length })
        const input = { ...options, ids: [...ids] }
        const jobId = await addWork({ kind: 'transfer', entity, title, input, total: ids.length }, ctx)
        return {
          data: { jobId, total: ids.length },
          detail: { n: ids.length, toUserId: body.toUserId ?? null },
          recordId: jobId,
        }
      },
    )
  }
}

/** An import of one kind, for people or into the pool given in the call. */
interface Importing {
  readonly kind: SheetKind
  readonly base: string
  readonly permission: Permission
  readonly pool?: (body: JsonObject, ctx: CallContext) => Promise<Pool>
}

function importRoutes(app: FastifyInstance, services: Services, { kind, base, permission, pool }: Importing) {
  const { entity } = kind
  const name = text(`sheet.${entity}`)
  app.post<{ Body: unknown }>(`${base}/import/preview`, { config: { permission, limit: 60 } }, (request) =>
    previewSheet(entity, bodyOf(request.body), callerOf(request), services, pool !== undefined),
  )
  for (const step of ['check', 'start'] as const)
    writer(app, services, entity)(`${base}/import/${step}`, permission, async (body, ctx) => {
      const { fileId, mapping = null } = body
      if (typeof fileId !== 'string' || fileId === '') refuse(400, 'VALIDATION', text('sheet.no-file'))
      const columns = filledColumns(kind, ctx)
      if (mapping !== null) checkMapping(readMapping(mapping, columns), columns, offeredColumns(entity, ctx))
      const into = await pool?.(body, ctx)
      const input = {
        fileId,
        mode: modeOf(body),
        mapping,
        ...(into === undefined ? {} : { poolId: into.id }),
      }
      const title =
        step === 'check'
          ? text('sheet.check-title', { name })
          : into === undefined
            ? text('sheet.import-title', { name })
            : text('sheet.import-pool-title', { name, pool: into.name })
      const jobId = await addWork({ kind: step === 'check' ? 'check' : 'import', entity, title, input }, ctx)
      return { data: { jobId }, detail: input, recordId: jobId }
    })
}

/** All records that a list request finds now and that the caller may transfer: the background work does not search again. */
async function idsFound(entity: PoolEntity, list: Json, ctx: CallContext): Promise<readonly string[]> {
  const spec = describedList(LISTS[entity], ctx)
  const isTheirs = isInScope(ctx.caller, entity, spec.row)
  const ids = await openList(spec, readListRequest(list), ctx, { where: isTheirs, key: 'theirs' }).ids(
    MAX_TRANSFER,
  )
  return ids.length > 0 ? ids : refuse(400, 'VALIDATION', text('sheet.transfer-none'))
}
