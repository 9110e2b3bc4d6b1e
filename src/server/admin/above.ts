import { sql } from 'kysely'
import { expandPermissions } from '../auth/permissions.ts'
import { refuse } from '../envelope.ts'
import type { Asking } from '../records/asking.ts'
import { text } from '../text.ts'

/** Refuses for a colleague who may do what the caller may not: otherwise his account would be a way to more rights. */
export async function refuseAbove(userId: string, asking: Asking): Promise<void> {
  if (await isAbove(userId, asking))
    refuse(405, 'NO_PERMISSION', text('admin.user.above'), { detail: 'user' })
}

/** True for a colleague who may do something the caller may not. */
export async function isAbove(userId: string, { trx, caller }: Asking): Promise<boolean> {
  const { rows } = await sql<{ permissions: readonly string[] }>`select r.permissions from role_assignment a
    join role r on r.tenant_id = a.tenant_id and r.id = a.role_id and r.deleted_at is null
    where a.tenant_id = ${caller.tenantId} and a.user_id = ${userId}`.execute(trx)
  const theirs = expandPermissions(rows.flatMap((row) => row.permissions))
  return !theirs.every((permission) => caller.permissions.has(permission))
}
