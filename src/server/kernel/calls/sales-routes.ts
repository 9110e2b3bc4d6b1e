import type { FastifyInstance } from 'fastify'
import { ENTITY_TEXT, type PoolEntity, type SalesEntity } from '../asking/entities.ts'
import { callerOf } from '../auth/caller.ts'
import { extFieldsOf } from '../fields/ext-fields.ts'
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
import { ask } from './ask.ts'
import { attachmentRoute } from './attachments.ts'
import { ONE_ID, type OneId } from './one-id.ts'
import type { Services } from './resource.ts'
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
    (id, asking) => findToChange(entity, id, asking),
    async (found, fields, asking) =>
      applyChange(kind.change, found, await checkedChange(kind.change, found, fields, asking), asking),
  )
  write(`${path}/patch`, `${entity}:edit`, batchOf(patched))
  write(`${path}/star`, `${entity}:view`, async (body, asking) => ({
    data: await eachRecord(
      idsOf(body),
      async (id) => {
        await findRecord(entity, id, asking)
        await setStar(entity, id, body.on !== false, asking)
      },
      asking.trx,
    ),
  }))
  write(`${path}/reveal`, 'customer:reveal', (body, asking) => reveal(entity, body, asking))
  app.post(`${path}/deleted`, { config: { permission: `${entity}:del` } }, (request) =>
    ask(services, callerOf(request), (asking) => recycleBin(entity, request.body, asking)),
  )
  app.post(`${path}/view/list`, { config: { permission: `${entity}:view` } }, (request) =>
    ask(services, callerOf(request), (asking) => savedViews(entity, asking)),
  )
  write(`${path}/view/save`, `${entity}:view`, (body, asking) =>
    saveView(describedList(kind.list, asking), body, asking),
  )
  write(`${path}/view/default`, `${entity}:view`, (body, asking) => defaultView(entity, body, asking))
  write(`${path}/view/delete`, `${entity}:view`, (body, asking) => deleteView(entity, body, asking))
}

/** Timeline, files, history of owners and collaborators of a record with an owner (DOMAIN 8.3, 8.4). */
export function ownedRoutes(app: FastifyInstance, services: Services, entity: PoolEntity): void {
  const path = `/mini/${entity}`
  const config = { permission: `${entity}:view` } as const
  app.get<OneId>(`${path}/timeline`, { schema: ONE_ID, config }, (request) => {
    const { id, types = '', cursor = null } = request.query
    return ask(services, callerOf(request), (asking) =>
      timelineOf(entity, id, types.split(',').filter(Boolean), cursor, asking),
    )
  })
  attachmentRoute(app, services, entity, async (id, asking) =>
    maskOf(asking.caller, entity, await findRecord(entity, id, asking), extFieldsOf(entity, asking)),
  )
  app.get<OneId>(`${path}/owner-record`, { schema: ONE_ID, config }, (request) =>
    ask(services, callerOf(request), async (asking) => {
      const { id } = await findRecord(entity, request.query.id, asking)
      return ownerRecords(entity, text(ENTITY_TEXT[entity]), id, asking)
    }),
  )
  const teams = teamsOf(entity)
  app.get<OneId>(`${path}/team`, { schema: ONE_ID, config }, (request) =>
    ask(services, callerOf(request), (asking) => readTeam(teams, request.query.id, asking)),
  )
  const write = writer(app, services, entity)
  write(`${path}/team/save`, `${entity}:edit`, (body, asking) => saveTeam(teams, body, asking))
  write(`${path}/team/remove`, `${entity}:view`, (body, asking) => removeFromTeam(teams, body, asking))
}
