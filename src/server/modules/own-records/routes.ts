import type { FastifyInstance } from 'fastify'
import { isObject, type JsonObject } from '../../../../runtime/core/json.ts'
import { rightsEntity } from '../../../model/field-rights.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { isClear } from '../../kernel/auth/field-rights.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import { ownAttachments } from '../../kernel/calls/attachments.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { defaultView, deleteView, savedViews, saveView } from '../../kernel/calls/saved-views.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { readListRequest, readTabs } from '../../kernel/lists/list-request.ts'
import { openList } from '../../kernel/lists/open-list.ts'
import { refreshConverted } from '../../kernel/pools/refresh-expiry.ts'
import { askRepeats } from '../../kernel/records/ask-repeats.ts'
import { noteConversion, sourceOf } from '../../kernel/records/conversions.ts'
import { setStar } from '../../kernel/records/marks.ts'
import { recordLog } from '../../kernel/records/record-log.ts'
import { readTeam, removeFromTeam, saveTeam } from '../../kernel/records/team.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { isPooled, masksOfOwn } from '../../kernel/visibility/own-module.ts'
import { submitRecord, withdrawRecord } from './approve-record.ts'
import { eachOwn } from './batch.ts'
import { refuseUnable } from './behaviour.ts'
import { ownListSpec } from './list-spec.ts'
import { type OfModule, type OwnCalls, ownCalls, PARAMS } from './own-calls.ts'
import { transferOwn } from './owner.ts'
import { patchOwn } from './patch.ts'
import { findOwnRecord, ownActions, ownDetail, type StoredRecord, wireRecords } from './record.ts'
import { ownRecycleBin, removeOwnRecord, restoreOwnRecord } from './recycle-bin.ts'
import { ownTeams } from './team.ts'
import { withoutDescendants } from './tree.ts'
import { asOfVersion, beginVersion, versionsOf } from './versions.ts'
import { createOwnRecord, updateOwnRecord } from './write-record.ts'

const words = (maxLength: number) => ({ type: 'string', maxLength }) as const
const BY_ID = {
  params: PARAMS,
  querystring: {
    type: 'object',
    required: ['id'],
    properties: {
      id: { ...words(64), minLength: 1 },
      cursor: words(2000),
      from: words(4000),
      no: { type: 'string', pattern: '^[1-9]\\d{0,5}$' },
    },
  },
} as const
const PICKER = {
  params: PARAMS,
  querystring: { type: 'object', properties: { keyword: words(50), ids: words(4000), outside: words(64) } },
} as const
/** Maximum number of rows of a picker, and of ids in one call. */
const MAX_OPTIONS = 50

/** /mini/m/<module>/…: the calls of every record, for the modules of a tenant. */
export const ownRecordRoutes: Resource = (app, services) => {
  const calls = ownCalls(app, services)
  addListRoutes(app, calls)
  addDetailRoutes(app, calls)
  addWriteRoutes(calls)
}

/** Lists of records: pages, counts, the recycle bin, saved views, pickers. */
function addListRoutes(app: FastifyInstance, { answer, answerAside }: OwnCalls): void {
  app.post<OfModule>('/mini/m/:module/list', { schema: { params: PARAMS } }, (request) =>
    answerAside(request, async (module, ctx) => {
      const listRequest = readListRequest(request.body)
      const page = await openList<StoredRecord>(ownListSpec(module, ctx.model), listRequest, ctx).page(
        (row) => row,
      )
      const rows = page.list as readonly StoredRecord[]
      const records = await wireRecords(module, rows, ctx, 'rows')
      const actionsOf = (row: StoredRecord) => ownActions(module, row, ctx.caller)
      return {
        ...page,
        list: records.map((record, i) => ({ ...record, actions: actionsOf(rows[i] as StoredRecord) })),
      }
    }),
  )
  app.post<OfModule>('/mini/m/:module/count', { schema: { params: PARAMS } }, (request) =>
    answerAside(request, async (module, ctx) => {
      const { tabs, ...rest } = isObject(request.body) ? request.body : {}
      const spec = ownListSpec(module, ctx.model)
      return openList(spec, readListRequest(rest), ctx).counts(readTabs(tabs, spec))
    }),
  )
  app.post<OfModule>('/mini/m/:module/deleted', { schema: { params: PARAMS } }, (request) =>
    answer(request, (module, ctx) => ownRecycleBin(module, request.body, ctx), 'del'),
  )
  app.post<OfModule>('/mini/m/:module/view/list', { schema: { params: PARAMS } }, (request) =>
    answer(request, ({ name }, ctx) => savedViews(ownRights(name), ctx)),
  )
  app.get<OfModule & { Querystring: OptionsRequest }>(
    '/mini/m/:module/options',
    { schema: PICKER },
    (request) => answer(request, (module, ctx) => options(module, request.query, ctx)),
  )
}

/** One record: detail, history, attachments, versions and other reads. */
function addDetailRoutes(app: FastifyInstance, { answer }: OwnCalls): void {
  app.get<OfModule & { Querystring: { id: string; from?: string; no?: string } }>(
    '/mini/m/:module/detail',
    { schema: BY_ID },
    (request) =>
      answer(request, async (module, ctx) => {
        const { id, from = '', no } = request.query
        if (no !== undefined)
          return ownDetail(module, id, ctx, (found) => asOfVersion(module, found, Number(no), ctx))
        const detail = await ownDetail(module, id, ctx)
        if (from === '') return detail
        const listRequest = readListRequest(parsed(from))
        return {
          ...detail,
          ...(await openList(ownListSpec(module, ctx.model), listRequest, ctx).neighbours(id)),
        }
      }),
  )
  app.get<OfModule & { Querystring: { id: string; cursor?: string } }>(
    '/mini/m/:module/log',
    { schema: BY_ID },
    (request) =>
      answer(request, async (module, ctx) => {
        const { id, cursor = null } = request.query
        const found = await findOwnRecord(module, id, ctx)
        const mask = masksOfOwn(ctx.caller, module)(found)
        return recordLog(ownRights(module.name), id, cursor, ctx, mask)
      }),
  )
  app.get<OfModule & { Querystring: { id: string } }>(
    '/mini/m/:module/attachment/list',
    { schema: BY_ID },
    (request) =>
      answer(request, async (module, ctx) => {
        const { id } = request.query
        const found = await findOwnRecord(module, id, ctx)
        // Of a record in a pool, follow-ups are not shown.
        if (isPooled(module, found)) return { list: [] }
        const fields = module.fields.filter(
          ({ name, kind }) =>
            (kind === 'files' || kind === 'pictures') && isClear(ctx.caller, rightsEntity(module), name),
        )
        return {
          list: await ownAttachments(
            module.name,
            id,
            fields.map(({ name }) => name),
            ctx,
          ),
        }
      }),
  )
  app.get<OfModule & { Querystring: { id: string } }>(
    '/mini/m/:module/versions',
    { schema: BY_ID },
    (request) => answer(request, (module, ctx) => versionsOf(module, request.query.id, ctx)),
  )
  app.get<OfModule & { Querystring: { id: string } }>('/mini/m/:module/team', { schema: BY_ID }, (request) =>
    answer(request, (module, ctx) => readTeam(ownTeams(module), request.query.id, ctx)),
  )
}

function addWriteRoutes({ write }: OwnCalls): void {
  write('create', 'add', async (module, posted, ctx) => {
    const { body, of } = sourceOf(posted)
    const written = await askRepeats(module, body, ctx, (given) => createOwnRecord(module, given, ctx))
    await noteConversion(of, { module: module.name, id: written.recordId ?? '' }, ctx)
    await refreshConverted(of, ctx)
    return written
  })
  write('update', 'edit', (module, body, ctx) =>
    askRepeats(module, body, ctx, (given) => updateOwnRecord(module, given, ctx)),
  )
  write('submit', 'edit', submitRecord)
  write('withdraw', 'edit', withdrawRecord)
  write('version', 'edit', beginVersion)
  write('patch', 'edit', patchOwn)
  write('view/save', 'view', (module, body, ctx) => saveView(ownListSpec(module, ctx.model), body, ctx))
  write('view/default', 'view', ({ name }, body, ctx) => defaultView(ownRights(name), body, ctx))
  write('view/delete', 'view', ({ name }, body, ctx) => deleteView(ownRights(name), body, ctx))
  write('star', 'view', async (module, body, ctx) => {
    refuseUnable(module, 'star')
    // A star is private: it is not in the record's history.
    const { data } = await eachOwn(starOwn, module, body, ctx)
    return { data }
  })
  write('team/save', 'edit', (module, body, ctx) => saveTeam(ownTeams(module), body, ctx))
  write('team/remove', 'view', (module, body, ctx) => removeFromTeam(ownTeams(module), body, ctx))
  write('transfer', 'transfer', transferOwn)
  write('delete', 'del', (module, body, ctx) => eachOwn(removeOwnRecord, module, body, ctx))
  write('restore', 'del', (module, body, ctx) => eachOwn(restoreOwnRecord, module, body, ctx))
}

async function starOwn(
  module: MergedModule,
  id: string,
  ctx: CallContext,
  { on }: JsonObject,
): Promise<void> {
  await findOwnRecord(module, id, ctx)
  await setStar(ownRights(module.name), id, on !== false, ctx)
}

interface OptionsRequest {
  readonly keyword?: string
  readonly ids?: string
  /** The record that is placed below the chosen one. */
  readonly outside?: string
}

/** Rows of a picker, the newest first. Rows named by id are found regardless of the keyword. */
async function options(
  module: MergedModule,
  { keyword = '', ids, outside: id }: OptionsRequest,
  ctx: CallContext,
) {
  const wanted = ids === undefined ? null : ids.split(',').filter(Boolean).slice(0, MAX_OPTIONS)
  const spec = ownListSpec(module, ctx.model)
  const filters = wanted === null ? [] : [{ field: 'id', op: 'in', value: wanted }]
  const listRequest = readListRequest({
    keyword: wanted === null ? keyword : '',
    filters,
    limit: MAX_OPTIONS,
  })
  const withIds = { ...spec, filters: { ...spec.filters, id: { kind: 'code', column: 'id' } as const } }
  const page = await openList<StoredRecord>(withIds, listRequest, ctx).page((row) => row)
  const list = (page.list as readonly StoredRecord[]).map(({ id: value, title, record_no, owner_name }) => ({
    value,
    label: title,
    desc: record_no ?? owner_name ?? '',
    disabled: false,
  }))
  return { list: await withoutDescendants(module, id, list, ctx) }
}

function parsed(written: string): unknown {
  try {
    return JSON.parse(written)
  } catch {
    return refuse(400, 'BAD_FILTER', text('call.invalid'), { detail: 'from' })
  }
}
