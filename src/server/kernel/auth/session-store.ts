import { sql } from 'kysely'
import type { Trx } from '../db/database.ts'
import { newId } from '../db/id.ts'
import { TOKEN_LIFE_MS } from './token.ts'

/** Maximum number of devices per person (DOMAIN 1.13). */
const MAX_DEVICES = 3
/** Grace period in which running calls may still use the token from before a tenant switch. */
const HANDOVER_MS = 60_000

export interface NewSession {
  readonly userId: string
  readonly tenantId: string
  readonly deviceId: string
  /** The name the device reports for itself. */
  readonly deviceName?: string
}

/** Opens a session. The device's earlier session ends, and beyond {@link MAX_DEVICES} devices the oldest session is ended. */
export async function openSession(
  trx: Trx,
  { userId, tenantId, deviceId, deviceName = '' }: NewSession,
  now: number,
): Promise<string> {
  // Two simultaneous sign-ins must see each other's sessions.
  await trx.selectFrom('app_user').select('id').where('id', '=', userId).forUpdate().execute()
  const open = await trx
    .selectFrom('session')
    .select(['id', 'device_id'])
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', new Date(now))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const same = open.filter((session) => session.device_id === deviceId)
  const others = open.filter((session) => session.device_id !== deviceId)
  const devices = [...new Set(others.map((session) => session.device_id))]
  const kicked = new Set(devices.slice(MAX_DEVICES - 1))
  await revokeSessions(
    trx,
    same.map(({ id }) => id),
    'replaced',
    now,
  )
  await revokeSessions(
    trx,
    others.filter((other) => kicked.has(other.device_id)).map(({ id }) => id),
    'kicked',
    now,
  )
  return insertSession(trx, { userId, tenantId, deviceId, deviceName }, now)
}

/** Opens a session in another tenant for the same device. The previous one stays valid for one minute; repeating the call does not extend it. */
export async function moveSession(
  trx: Trx,
  sessionId: string,
  next: NewSession,
  now: number,
): Promise<string> {
  await trx
    .updateTable('session')
    .set({ expires_at: new Date(now + HANDOVER_MS), handed_over: true })
    .where('id', '=', sessionId)
    .where('handed_over', '=', false)
    .execute()
  return insertSession(trx, next, now)
}

/** Extends a session in use by the lifetime of another token. @returns false if it has ended or was replaced */
export async function extendSession(trx: Trx, sessionId: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('session')
    .set({ expires_at: new Date(now + TOKEN_LIFE_MS), seen_at: new Date(now) })
    .where('id', '=', sessionId)
    .where('handed_over', '=', false)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends everything a person has open on the device of a session, including push: for a replaced session, also the session that replaced it. */
export async function revokeDevice(
  trx: Trx,
  sessionId: string,
  reason: 'logout' | 'ended',
  now: number,
): Promise<void> {
  await trx
    .updateTable('session as s')
    .from('session as known')
    .set({ revoked_at: new Date(now), revoked_reason: reason })
    .where('known.id', '=', sessionId)
    .whereRef('s.user_id', '=', 'known.user_id')
    .whereRef('s.device_id', '=', 'known.device_id')
    .where('s.revoked_at', 'is', null)
    .execute()
  // A device that signed out gets no more messages; for other ended sessions, the sender checks.
  await sql`delete from push_subscription p using session known
    where known.id = ${sessionId} and p.user_id = known.user_id and p.device_id = known.device_id`.execute(
    trx,
  )
}

/** Ends sessions; the guard words what a call of one of them is told. */
async function revokeSessions(trx: Trx, ids: readonly string[], reason: string, now: number): Promise<void> {
  if (ids.length === 0) return
  await trx
    .updateTable('session')
    .set({ revoked_at: new Date(now), revoked_reason: reason })
    .where('id', 'in', [...ids])
    .execute()
}

/** Ends every session of a person but one. */
export async function revokeOthers(trx: Trx, userId: string, keep: string, now: number): Promise<void> {
  await trx
    .updateTable('session')
    .set({ revoked_at: new Date(now), revoked_reason: 'password' })
    .where('user_id', '=', userId)
    .where('id', '!=', keep)
    .where('revoked_at', 'is', null)
    .execute()
}

async function insertSession(
  trx: Trx,
  { userId, tenantId, deviceId, deviceName = '' }: NewSession,
  now: number,
): Promise<string> {
  const id = newId()
  await trx
    .insertInto('session')
    .values({
      id,
      user_id: userId,
      tenant_id: tenantId,
      device_id: deviceId,
      device_name: deviceName,
      created_at: new Date(now),
      seen_at: new Date(now),
      expires_at: new Date(now + TOKEN_LIFE_MS),
    })
    .execute()
  return id
}
