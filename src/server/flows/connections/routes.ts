import type { FastifyRequest } from 'fastify'
import type { Json } from '../../../../runtime/core/json.ts'
import {
  CONNECTION_METHODS,
  CONNECTION_READ,
  CONNECTION_SEND,
  type ConnectionMethod,
} from '../../../contract/connection.ts'
import type { Envelope } from '../../../contract/envelope.ts'
import { type Caller, callerOf } from '../../kernel/auth/caller.ts'
import type { Resource, Services } from '../../kernel/calls/resource.ts'
import { audit } from '../../kernel/records/write-once.ts'
import { answered, refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { adminRoutes } from '../admin/kind.ts'
import { connectionKind } from './admin-connections.ts'
import { type CalledOutside, type ConnectionCall, callConnection, dataOf } from './call-connection.ts'
import { createCallLimiter } from './call-limiter.ts'
import { findConnection, type StoredConnection } from './find-connection.ts'
import { OutgoingError, outgoingErrorText, refuseOutgoing } from './outgoing-error.ts'

const NAME = { type: 'string', minLength: 1, maxLength: 40 } as const
const PATH = { type: 'string', pattern: '^/', maxLength: 2000 } as const
const ANY = {} as const
const CHANGING = CONNECTION_METHODS.filter((method) => method !== 'GET')
/** Maximum characters of an answer that are shown when testing a connection. */
const SHOWN = 4000

/** Calls of pages to external systems through the tenant's connections, and the connections' screens. */
export const connectionRoutes: Resource = (app, services) => {
  const { config, database, now, sealer } = services
  const tools = { sealer, reach: config.connectionReach }
  const limiter = createCallLimiter(now)

  // The transaction ends before the outgoing call, so that a slow external system occupies no database session.
  const find = async (caller: Caller, by: { name: string } | { id: string }): Promise<StoredConnection> =>
    (await database.tenant({ ...caller, isReading: true }, (trx) =>
      findConnection(trx, caller.tenantId, by),
    )) ?? refuse(404, 'NOT_FOUND', text('conn.unknown', { name: 'name' in by ? by.name : '' }))
  const call = (
    { tenantId }: Caller,
    connection: StoredConnection,
    given: ConnectionCall,
  ): Promise<CalledOutside> =>
    limiter.run({ tenantId, id: connection.id, perMinute: connection.setting.perMinute }, () =>
      callConnection(tenantId, connection, given, tools),
    )
  const answer = async (
    caller: Caller,
    connection: StoredConnection,
    given: ConnectionCall,
  ): Promise<Envelope<Json>> => {
    try {
      // Put into the envelope here, because the other side's answer may look like one.
      return answered(dataOf(await call(caller, connection, given)))
    } catch (error) {
      if (error instanceof OutgoingError) refuseOutgoing(error, connection.label)
      throw error
    }
  }

  adminRoutes(app, services, connectionKind(services))

  app.get<{ Querystring: { name: string; path: string } }>(
    CONNECTION_READ,
    {
      schema: {
        querystring: { type: 'object', required: ['name', 'path'], properties: { name: NAME, path: PATH } },
      },
    },
    async (request) => {
      const caller = callerOf(request)
      const { name, path } = request.query
      return answer(caller, await find(caller, { name }), { path, method: 'GET' })
    },
  )

  app.post<{ Body: { name: string; path: string; method: ConnectionMethod; body?: Json } }>(
    CONNECTION_SEND,
    {
      schema: {
        body: {
          type: 'object',
          required: ['name', 'path', 'method'],
          additionalProperties: false,
          properties: {
            name: NAME,
            path: PATH,
            method: { enum: CHANGING },
            body: ANY,
            clientToken: { type: 'string' },
          },
        },
      },
    },
    async (request) => {
      const caller = callerOf(request)
      const { name, path, method, body } = request.body
      const connection = await find(caller, { name })
      try {
        return await answer(caller, connection, { path, method, ...(body === undefined ? {} : { body }) })
      } finally {
        await note(services, request, 'connection:send', connection, { path, method })
      }
    },
  )

  app.post<{ Body: { id: string; path: string; method: ConnectionMethod; body?: string | null } }>(
    '/engine/web/connection/try',
    {
      config: { permission: 'system:form' },
      schema: {
        body: {
          type: 'object',
          required: ['id', 'path', 'method'],
          additionalProperties: false,
          properties: {
            id: { type: 'string', minLength: 1, maxLength: 64 },
            path: PATH,
            method: { enum: CONNECTION_METHODS },
            body: { type: 'string', nullable: true, maxLength: 20_000 },
            clientToken: { type: 'string' },
          },
        },
      },
    },
    async (request) => {
      const caller = callerOf(request)
      const { id, path, method, body } = request.body
      const connection = await find(caller, { id })
      const began = now()
      try {
        const called = await call(caller, connection, { path, method, ...triedBody(body ?? '') })
        return {
          ok: called.status >= 200 && called.status < 300,
          said: text('conn.tried', { status: called.status, ms: now() - began, bytes: called.bytes }),
          type: called.type,
          answer: called.text.slice(0, SHOWN),
        }
      } catch (error) {
        if (!(error instanceof OutgoingError)) throw error
        return { ok: false, said: outgoingErrorText(error, connection.label), type: '', answer: '' }
      } finally {
        await note(services, request, 'connection:try', connection, { path, method })
      }
    },
  )
}

/** The input for testing a connection: JSON, or nothing. */
function triedBody(typed: string): { readonly body?: Json } {
  if (typed.trim() === '') return {}
  try {
    return { body: JSON.parse(typed) as Json }
  } catch {
    const message = text('conn.body')
    return refuse(400, 'VALIDATION', message, { fields: { body: message } })
  }
}

/** Records that somebody changed something in an external system through us: without the sent data and the query, which may contain anything. */
async function note(
  { database }: Services,
  request: FastifyRequest,
  action: string,
  { id, name }: StoredConnection,
  { path, method }: Pick<ConnectionCall, 'path' | 'method'>,
): Promise<void> {
  const detail = { name, method, path: path.split('?')[0] ?? '' }
  await database.tenant(callerOf(request), (trx) =>
    audit(trx, request, { action, entity: 'connection' }, { recordId: id, detail }),
  )
}
