import type { FastifyInstance } from 'fastify'
import { callerOf } from '../auth/caller.ts'
import { ENTITY_TEXT, type PoolEntity, type SalesEntity } from '../context/entities.ts'
import { describedList } from '../lists/described-list.ts'
import type { ListSpec } from '../lists/list-spec.ts'
import { eachRecord, idsOf } from '../records/batch.ts'
import { applyChange, type Changeable, checkedChange } from '../records/change-record.ts'
import { patching } from '../records/checked-write.ts'
import { findRecord, findToChange } from '../records/find-record.ts'
import { ownerRecords } from '../records/history.ts'
import { setStar } from '../records/marks.ts'
import { recycleBin } from '../records/recycle-bin.ts'
import { reveal } from '../records/reveal.ts'
import { readTeam, removeFromTeam, saveTeam, teamsOf } from '../records/team.ts'
import { timelineOf } from '../records/timeline.ts'
import { text } from '../text/text.ts'
import { maskOf } from '../visibility/masking.ts'
import { attachmentRoute } from './attachments.ts'
import { ONE_ID, type OneId } from './one-id.ts'
import type { Services } from './resource.ts'
import { runRead } from './run-read.ts'
import { defaultView, deleteView, savedViews, saveView } from './saved-views.ts'
import { batchOf, writer } from './standard-routes.ts'

/** The properties of an entity that the additional calls of DOMAIN 8.3 need. */
export interface SalesKind<Entity extends SalesEntity = SalesEntity> {
  readonly entity: Entity
  readonly list: ListSpec
  readonly change: Changeable
}

/** patch, star, reveal, recycle bin and saved views of an entity (DOMAIN 8.3). */
export function salesRoutes(app: FastifyInstance, services: Services, kind: SalesKind): void {
  const { entity } = kind
  const path = `/mini/${entity}`
  const write = writer(app, services, entity)
  const patched = patching(
    entity,
    (id, ctx) => findToChange(entity, id, ctx),
    async (found, fields, ctx) =>
      applyChange(kind.change, found, await checkedChange(kind.change, found, fields, ctx), ctx),
  )
  write(`${path}/patch`, `${entity}:edit`, batchOf(patched))
  write(`${path}/star`, `${entity}:view`, async (body, ctx) => ({
    data: await eachRecord(
      idsOf(body),
      async (id) => {
        await findRecord(entity, id, ctx)
        await setStar(entity, id, body.on !== false, ctx)
      },
      ctx.trx,
    ),
  }))
  write(`${path}/reveal`, 'customer:reveal', (body, ctx) => reveal(entity, body, ctx))
  app.post(`${path}/deleted`, { config: { permission: `${entity}:del` } }, (request) =>
    runRead(services, callerOf(request), (ctx) => recycleBin(entity, request.body, ctx)),
  )
  app.post(`${path}/view/list`, { config: { permission: `${entity}:view` } }, (request) =>
    runRead(services, callerOf(request), (ctx) => savedViews(entity, ctx)),
  )
  write(`${path}/view/save`, `${entity}:view`, (body, ctx) =>
    saveView(describedList(kind.list, ctx), body, ctx),
  )
  write(`${path}/view/default`, `${entity}:view`, (body, ctx) => defaultView(entity, body, ctx))
  write(`${path}/view/delete`, `${entity}:view`, (body, ctx) => deleteView(entity, body, ctx))
}

/** Timeline, files, history of owners and collaborators of a record with an owner (DOMAIN 8.3, 8.4). */
export function ownedRoutes(app: FastifyInstance, services: Services, entity: PoolEntity): void {
  const path = `/mini/${entity}`
  const config = { permission: `${entity}:view` } as const
  app.get<OneId>(`${path}/timeline`, { schema: ONE_ID, config }, (request) => {
    const { id, types = '', cursor = null } = request.query
    return runRead(services, callerOf(request), (ctx) =>
      timelineOf(entity, id, types.split(',').filter(Boolean), cursor, ctx),
    )
  })
  attachmentRoute(app, services, entity, async (id, ctx) =>
    maskOf(ctx.caller, entity, await findRecord(entity, id, ctx), ctx.model.modules.get(entity)),
  )
  app.get<OneId>(`${path}/owner-record`, { schema: ONE_ID, config }, (request) =>
    runRead(services, callerOf(request), async (ctx) => {
      const { id } = await findRecord(entity, request.query.id, ctx)
      return ownerRecords(entity, text(ENTITY_TEXT[entity]), id, ctx)
    }),
  )
  const teams = teamsOf(entity)
  app.get<OneId>(`${path}/team`, { schema: ONE_ID, config }, (request) =>
    runRead(services, callerOf(request), (ctx) => readTeam(teams, request.query.id, ctx)),
  )
  const write = writer(app, services, entity)
  write(`${path}/team/save`, `${entity}:edit`, (body, ctx) => saveTeam(teams, body, ctx))
  write(`${path}/team/remove`, `${entity}:view`, (body, ctx) => removeFromTeam(teams, body, ctx))
}
