import type { FastifyRequest } from 'fastify'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { type Caller, callerOf } from '../../kernel/auth/caller.ts'
import type { Resource, Services } from '../../kernel/calls/resource.ts'
import { callContextOf, runRead } from '../../kernel/calls/run-read.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { Trx } from '../../kernel/db/database.ts'
import { checkingBetween } from '../../kernel/pages/check-apart.ts'
import { writeOnce } from '../../kernel/records/write-once.ts'
import { dateTimeText } from '../../kernel/time/zone.ts'
import { hostOf } from '../pages/publish.ts'
import { config, PATH, REVISION } from '../pages/route-schemas.ts'
import { type ApplyContext, outcomeWords } from './apply.ts'
import type { ChangeSetResult } from './change-set-result.ts'
import { createDueRunner } from './due.ts'
import { listSetsOfPage } from './page-sets.ts'
import { pageSides } from './page-sides.ts'
import { askForSet, cancelPlan, type Plan, rejectSet } from './plan.ts'
import { publishAs, rollBackPage, rollBackSet } from './publish-set.ts'
import { checkSet, mergeItem, tryChange } from './put.ts'
import { body } from './route-schemas.ts'
import { choosablePeople, listSets, SET_TABS, type SetTab, setDetail } from './show.ts'
import {
  beginSet,
  changeSet,
  dropItem,
  findSet,
  lastOpen,
  lockChangeSet,
  openSetOf,
  refuseOutOf,
  storeItem,
} from './store.ts'
import { type ItemKind, KINDS } from './tables.ts'

const ID = { type: 'string', minLength: 1, maxLength: 64 } as const
const NAME = { type: 'string', maxLength: 400 } as const
const IDS = { type: ['array', 'null'], maxItems: 500, items: { type: 'string', maxLength: 64 } } as const
const AUDIENCE = {
  type: ['object', 'null'],
  additionalProperties: false,
  properties: { roles: IDS, users: IDS, percent: { type: ['integer', 'null'], minimum: 0, maximum: 100 } },
} as const
const BASE_PATH = '/engine/web/changeset'

/** Change sets: changes that are viewed, composed, checked, published and reverted together. */
export const changeSetRoutes: Resource = (app, services) => {
  readRoutes(app, services)
  contentRoutes(app, services)
  publishRoutes(app, services)
  const due = createDueRunner(services)
  app.addHook('onReady', async () => due.start())
  app.addHook('onClose', due.stop)
  app.addHook('onResponse', async (request) => {
    if (request.routeOptions.url === `${BASE_PATH}/list`) due.wake()
  })
}

/** The content of sets, obstacles to publishing, and people who may be asked. */
const readRoutes: Resource = (app, services) => {
  app.post<{ Body: { tab?: SetTab } }>(
    `${BASE_PATH}/list`,
    { config, schema: { body: { type: 'object', properties: { tab: { enum: SET_TABS } } } } },
    (request) => runRead(services, callerOf(request), (ctx) => listSets(request.body.tab ?? 'open', ctx)),
  )
  app.get<{ Querystring: { id: string } }>(
    `${BASE_PATH}/detail`,
    { config, schema: { querystring: { type: 'object', required: ['id'], properties: { id: ID } } } },
    (request) =>
      runRead(services, callerOf(request), async (ctx) =>
        setDetail(await findSet(request.query.id, ctx), ctx),
      ),
  )
  app.get<{ Querystring: { id: string; path: string } }>(
    `${BASE_PATH}/page`,
    {
      config,
      schema: {
        querystring: { type: 'object', required: ['id', 'path'], properties: { id: ID, path: PATH } },
      },
    },
    (request) => pageSides(request.query, callerOf(request), services),
  )
  app.get<{ Querystring: { path: string } }>(
    `${BASE_PATH}/of-page`,
    { config, schema: { querystring: { type: 'object', required: ['path'], properties: { path: PATH } } } },
    (request) =>
      runRead(services, callerOf(request), (ctx) =>
        listSetsOfPage(services.pages.pathOf(request.query.path), ctx),
      ),
  )
  app.get(`${BASE_PATH}/people`, { config }, (request) =>
    runRead(services, callerOf(request), choosablePeople),
  )
  app.get(`${BASE_PATH}/drafts`, { config }, (request) =>
    runRead(services, callerOf(request), (ctx) => myDrafts(ctx, services.pages.routeOf)),
  )
  app.post<{ Body: { id: string } }>(
    `${BASE_PATH}/check`,
    { config, schema: body({ id: ID }, ['id']) },
    async (request) => {
      const caller = callerOf(request)
      const set = await runRead(services, caller, (ctx) => findSet(request.body.id, ctx))
      const items = (await checkSet(set, caller, services)).map(outcomeWords)
      return { items, faults: items.filter(({ ok }) => ok !== true).length }
    },
  )
}

/** Adding to a set and removing from it. */
const contentRoutes: Resource = (app, services) => {
  const write = <Body extends object>(
    verb: string,
    schema: object,
    work: (given: Body, ctx: CallContext, host: string) => Promise<ChangeSetResult>,
  ): void => {
    app.post<{ Body: Body }>(`${BASE_PATH}/${verb}`, { config, schema }, (request) =>
      once(services, request, verb, async (trx, caller) =>
        work(
          request.body as Parameters<typeof work>[0],
          await callContextOf(services, caller, trx),
          hostOf(request),
        ),
      ),
    )
  }
  write<{ id?: string; title: string; note?: string | null }>(
    'save',
    body(
      {
        id: ID,
        title: { type: 'string', minLength: 1, maxLength: 60 },
        note: { type: ['string', 'null'], maxLength: 200 },
      },
      ['title', 'clientToken'],
    ),
    async ({ id, title, note }, ctx, host) => {
      const set = await lockChangeSet(id ?? (await beginSet(title, host, ctx)), ctx)
      refuseOutOf(['open'], set)
      await changeSet(set, { title, note: note ?? '' }, ctx)
      return { recordId: set.id, detail: { title, note: note ?? '' }, data: { id: set.id } }
    },
  )
  app.post<{ Body: { id?: string; kind: ItemKind; change: JsonObject } }>(
    `${BASE_PATH}/put`,
    {
      config,
      schema: body(
        { id: { type: 'string', maxLength: 64 }, kind: { enum: KINDS }, change: { type: 'object' } },
        ['kind', 'change', 'clientToken'],
      ),
    },
    async (request) => {
      const { id, kind, change } = request.body
      const caller = callerOf(request)
      const host = hostOf(request)
      const into = await runRead(services, caller, (ctx) => (id ? findSet(id, ctx) : lastOpen(ctx)))
      const tried = await tryChange({ kind, change, set: into }, { caller, host }, services)
      return once(services, request, 'put', async (trx, caller) => {
        const ctx = await callContextOf(services, caller, trx)
        const set = await openSetOf(into?.id, host, ctx)
        await storeItem(set, kind, tried.change, tried.done, ctx)
        await changeSet(set, { failure: '' }, ctx)
        const { title, words } = tried.done
        return {
          recordId: set.id,
          detail: { title: set.title, changes: [title] },
          data: { id: set.id, title: set.title, name: tried.change.name, words: [...words] },
        }
      })
    },
  )
  write<{ id: string; kind: ItemKind; name: string }>(
    'remove',
    body({ id: ID, kind: { enum: KINDS }, name: NAME }, ['id', 'kind', 'name', 'clientToken']),
    async ({ id, kind, name }, ctx) => {
      const set = await lockChangeSet(id, ctx)
      refuseOutOf(['open'], set)
      await dropItem(set, { kind, name }, ctx)
      return { recordId: id, detail: { title: set.title, changes: [name] }, data: { id } }
    },
  )
  write<{ id: string; name: string }>(
    'merge',
    body({ id: ID, name: NAME }, ['id', 'name', 'clientToken']),
    async ({ id, name }, ctx) => {
      const set = await lockChangeSet(id, ctx)
      refuseOutOf(['open'], set)
      const merged = await mergeItem(set, name, { ctx, services })
      return { recordId: id, detail: { title: set.title, changes: [name] }, data: merged as JsonObject }
    },
  )
  write<{ id: string }>('delete', body({ id: ID }, ['id', 'clientToken']), async ({ id }, ctx) => {
    const set = await lockChangeSet(id, ctx)
    refuseOutOf(['open'], set)
    await ctx.trx
      .deleteFrom('change_set')
      .where('tenant_id', '=', ctx.caller.tenantId)
      .where('id', '=', id)
      .execute()
    return { recordId: id, detail: { title: set.title }, data: { id } }
  })
}

/** Publishing a set, now or later, to all or some; requesting approval; reverting. */
const publishRoutes: Resource = (app, services) => {
  const publishing = <Given = PlanRequest>(
    verb: string,
    schema: object,
    work: (given: Given, hand: ApplyContext) => Promise<ChangeSetResult>,
  ): void => {
    app.post<{ Body: object }>(`${BASE_PATH}/${verb}`, { config, schema }, async (request) => {
      let people: readonly string[] = []
      const answer = await once(services, request, verb, async (trx, caller) => {
        const written = await work(request.body as Given, { trx, caller, services })
        people = written.people ?? []
        return written
      })
      // Rights were added or removed with a module: they apply from the next call of everybody concerned.
      for (const id of new Set([callerOf(request).userId, ...people])) await services.sessions.changed(id)
      return answer
    })
  }
  const plan = { at: { type: ['string', 'null'], maxLength: 19 }, audience: AUDIENCE }
  const stamp = { type: ['string', 'null'], maxLength: 64 } as const
  publishing(
    'publish',
    body({ id: ID, ...plan, stamp }, ['id', 'clientToken']),
    async ({ id, ...request }, hand) => publishAs(await lockChangeSet(id, hand), request, hand),
  )
  publishing('ask', body({ id: ID, ...plan }, ['id', 'clientToken']), async ({ id, ...request }, hand) =>
    askForSet(await lockChangeSet(id, hand), request, hand),
  )
  publishing(
    'reject',
    body({ id: ID, reason: { type: 'string', pattern: '\\S', maxLength: 200 } }, [
      'id',
      'reason',
      'clientToken',
    ]),
    async ({ id, reason = '' }, hand) => rejectSet(await lockChangeSet(id, hand), reason.trim(), hand),
  )
  publishing('cancel', body({ id: ID }, ['id', 'clientToken']), async ({ id }, hand) =>
    cancelPlan(await lockChangeSet(id, hand), hand),
  )
  publishing(
    'rollback',
    body({ id: ID, anyway: { type: 'boolean' } }, ['id', 'clientToken']),
    ({ id, anyway = false }, hand) => rollBackSet(id, anyway, hand),
  )
  publishing<{ path: string; revision: number; anyway?: boolean }>(
    'rollback-page',
    body({ path: PATH, revision: REVISION, anyway: { type: 'boolean' } }, [
      'path',
      'revision',
      'clientToken',
    ]),
    ({ path, revision, anyway = false }, hand) =>
      rollBackPage({ path: services.pages.pathOf(path), revision, anyway }, hand),
  )
}

/** One write on a set: once per token, in one transaction, with its audit row. */
const once = (
  { database }: Services,
  request: FastifyRequest,
  verb: string,
  work: (trx: Trx, caller: Caller) => Promise<ChangeSetResult>,
): Promise<JsonObject> =>
  checkingBetween(callerOf(request).tenantId, () =>
    writeOnce(database, request, { action: `changeset:${verb}`, entity: 'change_set' }, work),
  )

interface PlanRequest extends Plan {
  readonly id: string
  readonly anyway?: boolean
  readonly reason?: string
  readonly stamp?: string | null
}

/** Page drafts that the caller could add to a set. */
async function myDrafts(
  { trx, caller, zone }: CallContext,
  routeOf: (path: string) => { readonly title: string },
): Promise<Json> {
  const rows = await trx
    .selectFrom('page_draft')
    .select(['path', 'updated_at'])
    .where('tenant_id', '=', caller.tenantId)
    .where('user_id', '=', caller.userId)
    .orderBy('updated_at', 'desc')
    .execute()
  return {
    list: rows.map(({ path, updated_at }) => ({
      path,
      title: routeOf(path).title || path,
      at: dateTimeText(updated_at, zone),
    })),
  }
}
