import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { reasonOf } from '../../kernel/fields/check-record.ts'
import { announce } from '../../kernel/records/announce.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { dayText, wallTimeOf } from '../../kernel/time/zone.ts'

/** 申请协作 (DOMAIN 1.1.3): tells the owner of a customer or lead who would like to collaborate, and why. Once a day. */
export async function requestCollaboration(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { trx, caller, now } = ctx
  const id = String(body.targetId ?? '')
  const reason = reasonOf(body)
  const { rows } = await sql<{ entity: 'customer' | 'lead'; name: string; owner_id: string }>`
    select 'customer' as entity, name, owner_id from customer where tenant_id = ${caller.tenantId} and id = ${id}
      and deleted_at is null and owner_id is not null
    union all select 'lead', name, owner_id from lead where tenant_id = ${caller.tenantId} and id = ${id}
      and deleted_at is null and owner_id is not null`.execute(trx)
  const [found] = rows
  if (found === undefined) refuse(404, 'NOT_FOUND', text('call.not-found'))
  await announce(
    {
      event: 'duplicate.requested',
      to: found.owner_id,
      entity: found.entity,
      ids: [id],
      params: { name: found.name, by: caller.name, userId: caller.userId, reason },
      once: `duplicate.requested/${id}/${caller.userId}/${dayText(wallTimeOf(now, ctx.zone))}`,
    },
    ctx,
  )
  return { data: { requested: true }, recordId: id, detail: { reason } }
}
