import type { FastifyInstance } from 'fastify'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { AdminKind } from '../../../contract/admin.ts'
import { callerOf } from '../../kernel/auth/caller.ts'
import type { Permission } from '../../kernel/auth/permissions.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import { callContextOf, runRead } from '../../kernel/calls/run-read.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { bodyOf } from '../../kernel/fields/input.ts'
import { type WriteResult, writeOnce } from '../../kernel/records/write-once.ts'

/** The result of an administrator's write. */
export interface AdminResult extends WriteResult<Json> {
  /** People whose rights or status changed: their cached sessions are dropped on every server. */
  readonly people?: readonly string[]
}

type AdminRead = (body: JsonObject, ctx: CallContext) => Promise<object>
type AdminWrite = (body: JsonObject, ctx: CallContext) => Promise<AdminResult>

/** One kind of item that administrators manage. Operations that are absent are not possible. */
export interface AdminResource {
  readonly name: AdminKind
  readonly permission: Permission
  readonly list: AdminRead
  readonly detail?: AdminRead
  /** Further reads, by the last part of their path. */
  readonly reads?: Readonly<Record<string, AdminRead>>
  readonly save?: AdminWrite
  readonly remove?: AdminWrite
  /** Further writes, by the last part of their path. */
  readonly actions?: Readonly<Record<string, AdminWrite>>
}

const QUERY = { type: 'object', properties: { id: { type: 'string', maxLength: 64 } } } as const

/** Registers `/engine/web/{name}/{list,detail,save,delete}`, protected by its permission and recorded in the audit log. */
export function adminRoutes(app: FastifyInstance, services: Services, resource: AdminResource): void {
  const { name, permission, list, detail, reads = {}, save, remove, actions = {} } = resource
  const config = { permission }
  app.post(`/engine/web/${name}/list`, { config }, (request) =>
    runRead(services, callerOf(request), (ctx) =>
      list(isObject(request.body) ? bodyOf(request.body) : {}, ctx),
    ),
  )
  if (detail !== undefined)
    app.get<{ Querystring: { id?: string } }>(
      `/engine/web/${name}/detail`,
      { config, schema: { querystring: QUERY } },
      (request) => runRead(services, callerOf(request), (ctx) => detail({ id: request.query.id ?? '' }, ctx)),
    )
  for (const [verb, read] of Object.entries(reads))
    app.get(`/engine/web/${name}/${verb}`, { config }, (request) =>
      runRead(services, callerOf(request), (ctx) => read({}, ctx)),
    )
  const writes: readonly (readonly [string, AdminWrite | undefined])[] = [
    ['save', save],
    ['delete', remove],
    ...Object.entries(actions),
  ]
  for (const [verb, work] of writes) {
    if (work === undefined) continue
    app.post(`/engine/web/${name}/${verb}`, { config }, async (request) => {
      let people: readonly string[] = []
      const data = await writeOnce(
        services.database,
        request,
        { action: `${name}:${verb}`, entity: name },
        async (trx, caller) => {
          const written = await work(bodyOf(request.body), await callContextOf(services, caller, trx))
          people = written.people ?? []
          return written
        },
      )
      for (const person of people) await services.sessions.changed(person)
      return data
    })
  }
}
