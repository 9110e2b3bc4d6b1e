import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { json } from '../../kernel/db/json.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

/** Limits for a client's stored preferences. */
const MAX_KEYS = 100
const MAX_SIZE = 32_768
const KEY = /^[\w.:-]{1,64}$/

/** The caller's preferences in this tenant. */
export async function readPreferences({ trx, caller }: CallContext): Promise<JsonObject> {
  const row = await trx
    .selectFrom('membership')
    .select('preferences')
    .where('tenant_id', '=', caller.tenantId)
    .where('user_id', '=', caller.userId)
    .executeTakeFirst()
  return isObject(row?.preferences) ? row.preferences : {}
}

/**
 * Sets the given keys, keeps the others; `null` deletes one.
 *
 * @throws Refusal 400 for an invalid key, more than 100 keys, or more than 32 KB
 */
export async function savePreferences(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { trx, caller } = ctx
  // Two devices may change different keys at the same time: the second reads what the first wrote.
  await trx
    .selectFrom('membership')
    .select('user_id')
    .where('tenant_id', '=', caller.tenantId)
    .where('user_id', '=', caller.userId)
    .forUpdate()
    .execute()
  const merged = { ...(await readPreferences(ctx)), ...body }
  const stored = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
  const names = Object.keys(stored)
  if (
    !Object.keys(body).every((name) => KEY.test(name)) ||
    names.length > MAX_KEYS ||
    JSON.stringify(stored).length > MAX_SIZE
  )
    refuse(400, 'VALIDATION', text('call.invalid'), { detail: 'preferences' })
  await trx
    .updateTable('membership')
    .set({ preferences: json(stored) })
    .where('tenant_id', '=', caller.tenantId)
    .where('user_id', '=', caller.userId)
    .execute()
  return { data: stored, recordId: caller.userId, detail: { keys: Object.keys(body) } }
}
