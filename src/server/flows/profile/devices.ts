import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { DeviceSession } from '../../../contract/profile.ts'
import { callerOf } from '../../kernel/auth/caller.ts'
import { revokeDevice } from '../../kernel/auth/session-store.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import { audit } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { dateTimeText } from '../../kernel/time/zone.ts'

interface Row {
  readonly id: string
  readonly device_name: string
  readonly tenant_name: string
  readonly created_at: Date
  readonly seen_at: Date
}

/** The devices on which the caller is signed in, this one first, in all tenants. */
export async function listDevices(
  { database, now }: Services,
  request: FastifyRequest,
): Promise<{ readonly list: readonly DeviceSession[] }> {
  const caller = callerOf(request)
  const { rows } = await database.system((trx) =>
    sql<Row>`select s.id, s.device_name, t.name as tenant_name, s.created_at, s.seen_at
      from session s join tenant t on t.id = s.tenant_id
      where s.user_id = ${caller.userId} and s.revoked_at is null and not s.handed_over and s.expires_at > ${new Date(now())}
      order by (s.id = ${caller.sessionId}) desc, s.seen_at desc, s.id`.execute(trx),
  )
  const zone = caller.tenant.timezone
  return {
    list: rows.map((row) => ({
      id: row.id,
      deviceName: row.device_name === '' ? text('profile.device') : row.device_name,
      tenantName: row.tenant_name,
      createdAt: dateTimeText(row.created_at, zone),
      seenAt: dateTimeText(row.seen_at, zone),
      current: row.id === caller.sessionId,
    })),
  }
}

/** Ends one of the caller's own sessions; its next call reports it. 404 for anybody else's. */
export async function kickDevice(
  services: Services,
  request: FastifyRequest<{ Body: { id: string } }>,
): Promise<{ readonly list: readonly DeviceSession[] }> {
  const { database, now, sessions } = services
  const caller = callerOf(request)
  const { id } = request.body
  if (id === caller.sessionId) refuse(400, 'VALIDATION', text('profile.this-device'), { detail: 'id' })
  await database.system(async (trx) => {
    const found = await trx
      .selectFrom('session')
      .select('id')
      .where('id', '=', id)
      .where('user_id', '=', caller.userId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    if (found === undefined) refuse(404, 'NOT_FOUND', text('call.not-found'))
    await revokeDevice(trx, id, 'ended', now())
  })
  await database.tenant(caller, (trx) =>
    audit(trx, request, { action: 'session:kick', entity: 'session' }, { recordId: id }),
  )
  await sessions.changed(caller.userId)
  return listDevices(services, request)
}
