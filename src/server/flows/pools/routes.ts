import { callerOf } from '../../kernel/auth/caller.ts'
import type { Permission } from '../../kernel/auth/permissions.ts'
import { ONE_ID, type OneId } from '../../kernel/calls/one-id.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { runRead } from '../../kernel/calls/run-read.ts'
import { writer } from '../../kernel/calls/standard-routes.ts'
import { POOL_ENTITIES } from '../../kernel/context/entities.ts'
import { assign } from './assign.ts'
import { claim } from './claim.ts'
import { moveBetweenPools } from './move.ts'
import { ownPoolRoutes } from './own-routes.ts'
import { poolCounts, poolEntries, poolPage, removeFrom } from './pool-calls.ts'
import { poolDetail } from './pool-detail.ts'
import { salesPool } from './pool-kind.ts'
import { readPoolSetting, savePoolSetting } from './settings-calls.ts'
import { unclaim } from './unclaim.ts'

/** /mini/pool/… (DOMAIN 8.4): the pools of customers, leads and opportunities. */
export const poolRoutes: Resource = (app, services) => {
  app.get<{ Querystring: { entity?: string; poolId?: string } }>('/mini/pool/list', (request) =>
    runRead(services, callerOf(request), (ctx) => poolEntries(request.query, ctx)),
  )
  app.get<OneId>('/mini/pool/setting', { schema: ONE_ID }, (request) =>
    runRead(services, callerOf(request), (ctx) => readPoolSetting(request.query.id, ctx)),
  )
  writer(app, services, 'pool')('/mini/pool/setting', null, savePoolSetting)
  for (const entity of POOL_ENTITIES) {
    const kind = salesPool(entity)
    const path = `/mini/pool/${entity}`
    const may = (action: 'view' | 'claim' | 'assign' | 'del'): Permission => `${entity}_pool:${action}`
    const config = { permission: may('view') }
    app.post(`${path}/list`, { config }, (request) =>
      runRead(services, callerOf(request), (ctx) => poolPage(kind, request.body, ctx)),
    )
    app.post(`${path}/count`, { config }, (request) =>
      runRead(services, callerOf(request), (ctx) => poolCounts(kind, request.body, ctx)),
    )
    app.get<OneId>(`${path}/detail`, { schema: ONE_ID, config }, (request) =>
      runRead(services, callerOf(request), (ctx) => poolDetail(entity, request.query.id, ctx)),
    )
    const write = writer(app, services, entity)
    write(`${path}/claim`, may('claim'), (body, ctx) => claim(entity, body, ctx))
    write(`${path}/unclaim`, may('claim'), (body, ctx) => unclaim(entity, body, ctx))
    write(`${path}/assign`, may('assign'), (body, ctx) => assign(entity, body, ctx))
    write(`${path}/move`, may('assign'), (body, ctx) => moveBetweenPools(kind, body, ctx))
    write(`${path}/delete`, may('del'), (body, ctx) => removeFrom(kind, body, ctx))
  }
  ownPoolRoutes(app, services)
}
