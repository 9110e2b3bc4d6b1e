import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isObject, type Json, type JsonObject, ownValue } from '../../../../runtime/core/json.ts'
import { callerOf } from '../auth/caller.ts'
import type { Module, Permission } from '../auth/permissions.ts'
import type { CallContext } from '../context/call-context.ts'
import { ownCards } from '../fields/ext-cards.ts'
import { withDetailWords } from '../fields/ext-fields.ts'
import { bodyOf } from '../fields/input.ts'
import { inverseCounts } from '../fields/inverse-counts.ts'
import {
  type Foreseen,
  type FormCheck,
  findAhead,
  formStateOf,
  type Judged,
  validateWithPage,
  withVerdicts,
} from '../forms/validate-with-page.ts'
import { bad, type ReadyListRequest, readListRequest, readTabs } from '../lists/list-request.ts'
import type { ListSpec } from '../lists/list-spec.ts'
import { openList } from '../lists/open-list.ts'
import { refreshConverted } from '../pools/refresh-expiry.ts'
import { askRepeats } from '../records/ask-repeats.ts'
import { eachRecord, idsOf } from '../records/batch.ts'
import { conversionsOf, noteConversion, sourceOf } from '../records/conversions.ts'
import { nameFailed } from '../records/name-failed.ts'
import { recordLog } from '../records/record-log.ts'
import { type WriteResult, writeOnce } from '../records/write-once.ts'
import type { MaskedEntity } from '../visibility/masking.ts'
import type { Services } from './resource.ts'
import { modelLock, runRead, runStandbyRead, writeContext } from './run-read.ts'

/** The request of a picker. */
export interface OptionsQuery {
  readonly keyword: string
  readonly ids: readonly string[] | null
  readonly filter: string | null
  readonly contractId: string | null
  /** The record for which another is picked: it is not offered itself, if the kind has such a picker. */
  readonly without: string | null
  /** `nextCursor` of the previous page, if a picker has pages. */
  readonly cursor: string | null
}

/** A kind of record and how its standard calls are answered (DOMAIN 8.3). */
export interface RecordKind<Row extends object> {
  readonly name: MaskedEntity | 'product' | 'activity' | 'contract' | 'payment' | 'plan'
  /** The entity whose permissions protect it. */
  readonly module: Extract<Module, MaskedEntity | 'product' | 'activity' | 'contract' | 'payment'>
  readonly list: (request: ReadyListRequest, ctx: CallContext) => ListSpec | Promise<ListSpec>
  readonly card: (row: Row, ctx: CallContext) => object
  /** Refuses with 404 what the caller does not see. */
  readonly detail: (id: string, ctx: CallContext) => Promise<JsonObject>
  readonly create: (body: JsonObject, ctx: CallContext, form: FormCheck) => Promise<WriteResult<Json>>
  readonly update: (body: JsonObject, ctx: CallContext, form: FormCheck) => Promise<WriteResult<Json>>
  readonly remove: (id: string, ctx: CallContext) => Promise<void>
  readonly restore: (id: string, ctx: CallContext) => Promise<void>
  readonly options: (query: OptionsQuery, ctx: CallContext) => Promise<{ readonly list: readonly object[] }>
  /** The history of changes, if fields are masked per record. */
  readonly log?: (id: string, cursor: string | null, ctx: CallContext) => Promise<object>
  /** Takes the locks of a batch in a fixed order, so that two batches cannot deadlock. */
  readonly prepare?: (ids: readonly string[], ctx: CallContext) => Promise<void>
  /** Route of the form page that judges writes, with its parameters; without one only the server's own rules apply. */
  readonly formPage?: string
  /** The page judges a new record by the body as posted, so it can do so before the write begins. */
  readonly isJudgedAsPosted?: boolean
}

const words = (maxLength: number) => ({ type: 'string', maxLength }) as const
const BY_ID = {
  querystring: {
    type: 'object',
    required: ['id'],
    properties: { id: { ...words(64), minLength: 1 }, cursor: words(2000), from: words(4000) },
  },
} as const
const PICKER = {
  querystring: {
    type: 'object',
    properties: {
      keyword: words(50),
      ids: words(4000),
      filter: words(40),
      contractId: words(64),
      without: words(64),
      cursor: words(64),
    },
  },
} as const
/** Maximum number of rows a picker requests by id. */
const MAX_IDS = 50

/** Registers list, count, detail, log, options, create, update, delete and restore of a kind. */
export function standardRoutes<Row extends object>(
  app: FastifyInstance,
  services: Services,
  kind: RecordKind<Row>,
): void {
  const path = `/mini/${kind.name}`
  const may = (action: 'view' | 'add' | 'edit' | 'del'): Permission => `${kind.module}:${action}`
  const config = { permission: may('view') }
  const answer = <T>(request: FastifyRequest, work: (ctx: CallContext) => Promise<T>) =>
    runRead(services, callerOf(request), work)

  app.post(`${path}/list`, { config }, (request) =>
    runStandbyRead(services, callerOf(request), async (ctx) => {
      const listRequest = readListRequest(request.body)
      const spec = await kind.list(listRequest, ctx)
      const cards = ownCards(kind.name, ctx)
      const page = await openList<Row>(spec, listRequest, ctx).page((row) => kind.card(row, ctx), {
        isLast: cards === null,
      })
      return cards === null ? page : { ...page, list: await cards(spec, listRequest, page.list) }
    }),
  )
  app.post(`${path}/count`, { config }, (request) =>
    runStandbyRead(services, callerOf(request), async (ctx) => {
      const { tabs, ...rest } = isObject(request.body) ? request.body : {}
      const listRequest = readListRequest(rest)
      const spec = await kind.list(listRequest, ctx)
      return openList(spec, listRequest, ctx).counts(readTabs(tabs, spec))
    }),
  )
  app.get<{ Querystring: { id: string; from?: string } }>(
    `${path}/detail`,
    { schema: BY_ID, config },
    (request) =>
      answer(request, async (ctx) => {
        const { id, from } = request.query
        const [found, hanging] = await Promise.all([kind.detail(id, ctx), hangingOn(kind.name, id, ctx)])
        const withWords = await withDetailWords(kind.name, found, ctx)
        const detail = await withHanging(kind.name, withWords, { id, hanging }, ctx)
        if (from === undefined || from === '') return detail
        const listRequest = readListRequest(jsonOf(from))
        return {
          ...detail,
          ...(await openList(await kind.list(listRequest, ctx), listRequest, ctx).neighbours(id)),
        }
      }),
  )
  app.get<{ Querystring: { id: string; cursor?: string } }>(
    `${path}/log`,
    { schema: BY_ID, config },
    (request) =>
      answer(request, async (ctx) => {
        const { id, cursor = null } = request.query
        if (kind.log !== undefined) return kind.log(id, cursor, ctx)
        await kind.detail(id, ctx)
        return recordLog(kind.name, id, cursor, ctx)
      }),
  )
  app.get<{
    Querystring: Readonly<
      Partial<Record<'keyword' | 'ids' | 'filter' | 'contractId' | 'without' | 'cursor', string>>
    >
  }>(`${path}/options`, { schema: PICKER, config }, (request) =>
    answer(request, (ctx) => {
      const { keyword = '', ids, filter = null, contractId = null, without, cursor } = request.query
      const wanted = ids === undefined ? null : ids.split(',').filter(Boolean).slice(0, MAX_IDS)
      const page = { without: without || null, cursor: cursor || null }
      return kind.options({ keyword, ids: wanted, filter, contractId, ...page }, ctx)
    }),
  )
  const formOf = (ctx: CallContext, judged: Judged): FormCheck =>
    kind.formPage === undefined ? () => Promise.resolve({}) : validateWithPage(judged, kind.formPage, ctx)
  const write = writer(app, services, kind.name)
  const moduleOf = ({ model }: CallContext) => model.modules.get(kind.name)
  write(
    `${path}/create`,
    may('add'),
    async (posted, ctx, judged) => {
      const { body, of } = sourceOf(posted)
      const written = await askRepeats(moduleOf(ctx), body, ctx, (given) =>
        kind.create(given, ctx, formOf(ctx, judged)),
      )
      await noteConversion(of, { module: kind.name, id: written.recordId ?? '' }, ctx)
      await refreshConverted(of, ctx)
      return written
    },
    kind.isJudgedAsPosted === true ? kind.formPage : undefined,
  )
  write(`${path}/update`, may('edit'), (body, ctx, judged) =>
    askRepeats(moduleOf(ctx), body, ctx, (given) => kind.update(given, ctx, formOf(ctx, judged))),
  )
  write(`${path}/delete`, may('del'), batchOf(kind.remove, kind.prepare))
  write(`${path}/restore`, may('del'), batchOf(kind.restore, kind.prepare))
}

/** The number of records in the tenant's own modules that refer to a record, and the records it was made from and into. */
interface Hanging {
  readonly counts: JsonObject
  readonly linked: JsonObject
}

async function hangingOn(name: string, id: string, ctx: CallContext): Promise<Hanging> {
  const [counts, linked] = await Promise.all([inverseCounts(name, id, ctx), conversionsOf(name, id, ctx)])
  return { counts, linked }
}

/** A detail with its related data; if the requested record was merged into another, of that one. */
async function withHanging(
  name: string,
  detail: JsonObject,
  known: { readonly id: string; readonly hanging: Hanging },
  ctx: CallContext,
): Promise<JsonObject> {
  const id = ownValue(detail.record, 'id')
  if (typeof id !== 'string') return detail
  const { counts, linked } = id === known.id ? known.hanging : await hangingOn(name, id, ctx)
  return { ...detail, ...linked, related: { ...(isObject(detail.related) ? detail.related : {}), ...counts } }
}

/**
 * Registers the writing calls of an entity: one transaction, one audit row, executed once per token. Form pages judge outside the transaction; with
 * `judgedBy`, before it, by the body as posted.
 */
export function writer(app: FastifyInstance, services: Services, entity: string) {
  return (
    path: string,
    permission: Permission | null,
    work: (body: JsonObject, ctx: CallContext, judged: Judged) => Promise<WriteResult<Json>>,
    judgedBy?: string,
  ): void => {
    const config = { once: true, ...(permission === null ? {} : { permission }) }
    const action = permission ?? path.replace(/^\/mini\//, '').replace('/', ':')
    app.post(path, { config }, (request) =>
      withVerdicts(
        services,
        formStateOf(request),
        (judged) =>
          writeOnce(
            services.database,
            request,
            { action, entity },
            async (trx, caller, isHeld) => {
              const ctx = await writeContext(services, caller, trx, { isHeld, request })
              const written = await work(bodyOf(request.body), ctx, judged)
              return { ...written, data: await nameFailed(entity, written.data, ctx) }
            },
            {
              along: modelLock(services),
              ahead: judgedBy === undefined ? undefined : findAhead(judged, judgedBy),
              // The model it considers current is the one that is locked.
              isAtOnce: services.modules.known(callerOf(request).tenantId) !== undefined,
            },
          ),
        judgedBy === undefined ? undefined : foreseen(judgedBy, request, services),
      ),
    )
  }
}

/** The request to the page of a new record. */
export const foreseen = (formPage: string, request: FastifyRequest, { now }: Services): Foreseen => ({
  formPage,
  values: bodyOf(request.body),
  caller: callerOf(request),
  now: now(),
})

/** A call on several records, each handled separately; a single record is named in the audit row. */
export function batchOf(
  work: (id: string, ctx: CallContext, body: JsonObject) => Promise<void>,
  prepare?: (ids: readonly string[], ctx: CallContext) => Promise<void>,
) {
  return async (body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> => {
    const ids = idsOf(body)
    await prepare?.(ids, ctx)
    const data = await eachRecord(ids, (id) => work(id, ctx, body), ctx.trx)
    const [only] = ids
    return { data, detail: body, ...(ids.length === 1 && only !== undefined ? { recordId: only } : {}) }
  }
}

function jsonOf(written: string): unknown {
  try {
    return JSON.parse(written)
  } catch {
    return bad('from is a list request as JSON')
  }
}
