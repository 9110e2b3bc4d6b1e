import type { FastifyInstance } from 'fastify'
import { isObject, type JsonObject } from '../../../../runtime/core/json.ts'
import { rightsEntity } from '../../../model/field-rights.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import { isClear } from '../../kernel/auth/field-rights.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import { ownAttachments } from '../../kernel/calls/attachments.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { defaultView, deleteView, savedViews, saveView } from '../../kernel/calls/saved-views.ts'
import { readListRequest, readTabs } from '../../kernel/lists/list-request.ts'
import { openList } from '../../kernel/lists/open-list.ts'
import { refreshMadeOf } from '../../kernel/pools/refresh-expiry.ts'
import { askRepeats } from '../../kernel/records/ask-repeats.ts'
import { madeOf, noteConversion } from '../../kernel/records/conversions.ts'
import { setStar } from '../../kernel/records/marks.ts'
import { recordLog } from '../../kernel/records/record-log.ts'
import { readTeam, removeFromTeam, saveTeam } from '../../kernel/records/team.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { liesInPool, masksOfOwn } from '../../kernel/visibility/own-module.ts'
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
import { outside } from './tree.ts'
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
const OPTIONS_MOST = 50

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
    answerAside(request, async (module, asking) => {
      const asked = readListRequest(request.body)
      const page = await openList<StoredRecord>(ownListSpec(module, asking.model), asked, asking).page(
        (row) => row,
      )
      const rows = page.list as readonly StoredRecord[]
      const records = await wireRecords(module, rows, asking, 'rows')
      const actionsOf = (row: StoredRecord) => ownActions(module, row, asking.caller)
      return {
        ...page,
        list: records.map((record, i) => ({ ...record, actions: actionsOf(rows[i] as StoredRecord) })),
      }
    }),
  )
  app.post<OfModule>('/mini/m/:module/count', { schema: { params: PARAMS } }, (request) =>
    answerAside(request, async (module, asking) => {
      const { tabs, ...rest } = isObject(request.body) ? request.body : {}
      const spec = ownListSpec(module, asking.model)
      return openList(spec, readListRequest(rest), asking).counts(readTabs(tabs, spec))
    }),
  )
  app.post<OfModule>('/mini/m/:module/deleted', { schema: { params: PARAMS } }, (request) =>
    answer(request, (module, asking) => ownRecycleBin(module, request.body, asking), 'del'),
  )
  app.post<OfModule>('/mini/m/:module/view/list', { schema: { params: PARAMS } }, (request) =>
    answer(request, ({ name }, asking) => savedViews(ownRights(name), asking)),
  )
  app.get<OfModule & { Querystring: Asked }>('/mini/m/:module/options', { schema: PICKER }, (request) =>
    answer(request, (module, asking) => options(module, request.query, asking)),
  )
}

/** One record: detail, history, attachments, versions and other reads. */
function addDetailRoutes(app: FastifyInstance, { answer }: OwnCalls): void {
  app.get<OfModule & { Querystring: { id: string; from?: string; no?: string } }>(
    '/mini/m/:module/detail',
    { schema: BY_ID },
    (request) =>
      answer(request, async (module, asking) => {
        const { id, from = '', no } = request.query
        if (no !== undefined)
          return ownDetail(module, id, asking, (found) => asOfVersion(module, found, Number(no), asking))
        const detail = await ownDetail(module, id, asking)
        if (from === '') return detail
        const asked = readListRequest(parsed(from))
        return {
          ...detail,
          ...(await openList(ownListSpec(module, asking.model), asked, asking).neighbours(id)),
        }
      }),
  )
  app.get<OfModule & { Querystring: { id: string; cursor?: string } }>(
    '/mini/m/:module/log',
    { schema: BY_ID },
    (request) =>
      answer(request, async (module, asking) => {
        const { id, cursor = null } = request.query
        const found = await findOwnRecord(module, id, asking)
        const mask = masksOfOwn(asking.caller, module)(found)
        return recordLog(ownRights(module.name), id, cursor, asking, mask)
      }),
  )
  app.get<OfModule & { Querystring: { id: string } }>(
    '/mini/m/:module/attachment/list',
    { schema: BY_ID },
    (request) =>
      answer(request, async (module, asking) => {
        const { id } = request.query
        const found = await findOwnRecord(module, id, asking)
        // Of a record in a pool, follow-ups are not shown.
        if (liesInPool(module, found)) return { list: [] }
        const fields = module.fields.filter(
          ({ name, kind }) =>
            (kind === 'files' || kind === 'pictures') && isClear(asking.caller, rightsEntity(module), name),
        )
        return {
          list: await ownAttachments(
            module.name,
            id,
            fields.map(({ name }) => name),
            asking,
          ),
        }
      }),
  )
  app.get<OfModule & { Querystring: { id: string } }>(
    '/mini/m/:module/versions',
    { schema: BY_ID },
    (request) => answer(request, (module, asking) => versionsOf(module, request.query.id, asking)),
  )
  app.get<OfModule & { Querystring: { id: string } }>('/mini/m/:module/team', { schema: BY_ID }, (request) =>
    answer(request, (module, asking) => readTeam(ownTeams(module), request.query.id, asking)),
  )
}

function addWriteRoutes({ write }: OwnCalls): void {
  write('create', 'add', async (module, posted, asking) => {
    const { body, of } = madeOf(posted)
    const written = await askRepeats(module, body, asking, (given) => createOwnRecord(module, given, asking))
    await noteConversion(of, { module: module.name, id: written.recordId ?? '' }, asking)
    await refreshMadeOf(of, asking)
    return written
  })
  write('update', 'edit', (module, body, asking) =>
    askRepeats(module, body, asking, (given) => updateOwnRecord(module, given, asking)),
  )
  write('submit', 'edit', submitRecord)
  write('withdraw', 'edit', withdrawRecord)
  write('version', 'edit', beginVersion)
  write('patch', 'edit', patchOwn)
  write('view/save', 'view', (module, body, asking) =>
    saveView(ownListSpec(module, asking.model), body, asking),
  )
  write('view/default', 'view', ({ name }, body, asking) => defaultView(ownRights(name), body, asking))
  write('view/delete', 'view', ({ name }, body, asking) => deleteView(ownRights(name), body, asking))
  write('star', 'view', async (module, body, asking) => {
    refuseUnable(module, 'star')
    // A star is private: it is not in the record's history.
    const { data } = await eachOwn(starOwn, module, body, asking)
    return { data }
  })
  write('team/save', 'edit', (module, body, asking) => saveTeam(ownTeams(module), body, asking))
  write('team/remove', 'view', (module, body, asking) => removeFromTeam(ownTeams(module), body, asking))
  write('transfer', 'transfer', transferOwn)
  write('delete', 'del', (module, body, asking) => eachOwn(removeOwnRecord, module, body, asking))
  write('restore', 'del', (module, body, asking) => eachOwn(restoreOwnRecord, module, body, asking))
}

async function starOwn(module: MergedModule, id: string, asking: Asking, { on }: JsonObject): Promise<void> {
  await findOwnRecord(module, id, asking)
  await setStar(ownRights(module.name), id, on !== false, asking)
}

interface Asked {
  readonly keyword?: string
  readonly ids?: string
  /** The record that is placed below the chosen one. */
  readonly outside?: string
}

/** Rows of a picker, the newest first. Rows named by id are found regardless of the keyword. */
async function options(module: MergedModule, { keyword = '', ids, outside: id }: Asked, asking: Asking) {
  const wanted = ids === undefined ? null : ids.split(',').filter(Boolean).slice(0, OPTIONS_MOST)
  const spec = ownListSpec(module, asking.model)
  const filters = wanted === null ? [] : [{ field: 'id', op: 'in', value: wanted }]
  const asked = readListRequest({ keyword: wanted === null ? keyword : '', filters, limit: OPTIONS_MOST })
  const withIds = { ...spec, filters: { ...spec.filters, id: { kind: 'code', column: 'id' } as const } }
  const page = await openList<StoredRecord>(withIds, asked, asking).page((row) => row)
  const list = (page.list as readonly StoredRecord[]).map(({ id: value, title, record_no, owner_name }) => ({
    value,
    label: title,
    desc: record_no ?? owner_name ?? '',
    disabled: false,
  }))
  return { list: await outside(module, id, list, asking) }
}

function parsed(written: string): unknown {
  try {
    return JSON.parse(written)
  } catch {
    return refuse(400, 'BAD_FILTER', text('call.invalid'), { detail: 'from' })
  }
}
