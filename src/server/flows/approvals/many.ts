import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { actOnApproval, type Subjects } from '../../kernel/approvals/act.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { eachRecord, idsOf } from '../../kernel/records/batch.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

/** Maximum approvals per call: each updates its record, with totals, messages and to-dos. */
const MAX_MANY = 50

/**
 * Approves or rejects several approvals with one opinion, each independently.
 *
 * @param body  `ids`, `action` (approve or reject), `opinion`
 * @returns the ids that were decided, and the others with name and reason
 */
export async function actOnMany(
  body: JsonObject,
  subjects: Subjects,
  ctx: CallContext,
): Promise<WriteResult<Json>> {
  const { action, opinion = null } = body
  if (action !== 'approve' && action !== 'reject')
    refuse(400, 'VALIDATION', text('call.invalid'), { detail: 'action' })
  const ids = idsOf(body, MAX_MANY)
  await lockCustomersOf(ids, ctx)
  const done = await eachRecord(
    ids,
    async (id) => void (await actOnApproval({ id, action, opinion }, subjects, ctx)),
    ctx.trx,
  )
  const titles = await titlesOf(ids, ctx)
  const failed = done.failed.map((it) => ({ ...it, name: titles.get(it.id) ?? '' }))
  return { data: { ok: done.ok, failed } as unknown as Json, detail: { ids: [...ids], action, opinion } }
}

/** Locks everything the totals depend on in the order of customers, so that two such calls cannot deadlock. */
async function lockCustomersOf(ids: readonly string[], { trx, caller }: CallContext): Promise<void> {
  await sql`select 1 from customer where tenant_id = ${caller.tenantId} and id in (
    select k.customer_id from approval a
    left join payment p on a.entity = 'payment' and p.tenant_id = a.tenant_id and p.id = a.record_id
    join contract k on k.tenant_id = a.tenant_id
      and k.id = case a.entity when 'contract' then a.record_id else p.contract_id end
    where a.tenant_id = ${caller.tenantId} and a.id = any(${[...ids]}::text[]) and a.waiting_ids @> array[${caller.userId}]::text[]
  ) order by id for update`.execute(trx)
}

/** Names of the approvals in which the caller takes part: others must not learn them. */
async function titlesOf(
  ids: readonly string[],
  { trx, caller }: CallContext,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; title: string }>`select id, title from approval
    where tenant_id = ${caller.tenantId} and id = any(${[...ids]}::text[]) and ${caller.userId} = any(approver_ids)`.execute(
    trx,
  )
  return new Map(rows.map(({ id, title }) => [id, title]))
}
