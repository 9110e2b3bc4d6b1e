import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { PushKey, PushSubscribed, PushSubscriptionBody } from '../../../contract/push.ts'
import { callerOf } from '../../kernel/auth/caller.ts'
import type { Resource, Services } from '../../kernel/calls/resource.ts'
import { newId } from '../../kernel/db/id.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { isUsable } from './endpoint.ts'
import { readVapid, type Vapid } from './vapid.ts'

const TOKEN = { type: 'string', maxLength: 64 } as const
const SUBSCRIPTION = {
  type: 'object',
  required: ['endpoint', 'p256dh', 'auth'],
  additionalProperties: false,
  properties: {
    endpoint: { type: 'string', maxLength: 1000 },
    p256dh: { type: 'string', maxLength: 120 },
    auth: { type: 'string', maxLength: 40 },
    clientToken: TOKEN,
  },
} as const
const NOTHING = { type: 'object', additionalProperties: false, properties: { clientToken: TOKEN } } as const

/** /mini/push/…: subscribes and unsubscribes this device. Both are idempotent. */
export const pushRoutes: Resource = (app, services) => {
  let vapid: Promise<Vapid> | null = null
  const keys = (): Promise<Vapid> => {
    vapid ??= readVapid(services.database, {
      sealer: services.sealer,
      contact: services.config.push.contact,
      now: services.now(),
    }).catch((error: unknown) => {
      vapid = null
      throw error
    })
    return vapid
  }
  app.get('/mini/push/key', async (): Promise<PushKey> => ({ key: (await keys()).publicKey }))
  app.post<{ Body: PushSubscriptionBody }>(
    '/mini/push/subscribe',
    { schema: { body: SUBSCRIPTION }, config: { limit: 30 } },
    (request) => subscribe(services, request),
  )
  app.post('/mini/push/unsubscribe', { schema: { body: NOTHING } }, async (request) => {
    const caller = callerOf(request)
    await services.database.system(async (trx) => {
      await sql`delete from push_subscription where user_id = ${caller.userId}
        and device_id = (select device_id from session where id = ${caller.sessionId})`.execute(trx)
    })
    return {}
  })
}

/** An endpoint belongs to one person in one tenant: the current user of the device. */
async function subscribe(
  { database, config, now }: Services,
  request: FastifyRequest<{ Body: PushSubscriptionBody }>,
): Promise<PushSubscribed> {
  const { tenantId, userId, sessionId } = callerOf(request)
  const { endpoint, p256dh, auth } = request.body
  if (!isUsable(request.body, config.push.reach))
    refuse(400, 'VALIDATION', text('push.endpoint'), { detail: 'endpoint, p256dh, auth' })
  const { rows } = await database.system(async (trx) => {
    // Two people who sign in on one device one after the other.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`push/${endpoint}`}, 0))`.execute(trx)
    await sql`delete from push_subscription where endpoint = ${endpoint}
      and (tenant_id <> ${tenantId} or user_id <> ${userId})`.execute(trx)
    return sql<PushSubscribed>`insert into push_subscription (tenant_id, id, user_id, device_id, endpoint, p256dh, auth, created_at)
      select ${tenantId}, ${newId(now())}, ${userId}, device_id, ${endpoint}, ${p256dh}, ${auth}, ${new Date(now())}
        from session where id = ${sessionId}
      on conflict (tenant_id, user_id, device_id) do update
        set endpoint = excluded.endpoint, p256dh = excluded.p256dh, auth = excluded.auth returning id`.execute(
      trx,
    )
  })
  const [session] = rows
  if (session === undefined) throw new Error('a call without a session')
  return { id: session.id }
}
