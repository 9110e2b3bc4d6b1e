import { sql } from 'kysely'
import { isObject, type JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { PoolEntity } from '../../kernel/context/entities.ts'
import { withDetailWords } from '../../kernel/fields/ext-fields.ts'
import { inverseCounts } from '../../kernel/fields/inverse-counts.ts'
import { dayStart } from '../../kernel/lists/owned-list.ts'
import { memberPool, type Pool } from '../../kernel/pools/pool.ts'
import { pooledLabel } from '../../kernel/pools/pooled.ts'
import { findRecord } from '../../kernel/records/find-record.ts'
import { ownerRecords } from '../../kernel/records/history.ts'
import { rememberView } from '../../kernel/records/marks.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { dateTimeText } from '../../kernel/time/zone.ts'
import { bussinessDetail } from '../../modules/bussiness/detail.ts'
import { customerDetail } from '../../modules/customers/detail.ts'
import { leadDetail } from '../../modules/leads/detail.ts'
import { claimableAt, claimQuota } from './claim.ts'

const DETAILS = { customer: customerDetail, lead: leadDetail, bussiness: bussinessDetail } as const

/**
 * GET /mini/pool/{e}/detail: the record without its contact data, its former owners, and the time from which the caller may claim it (DOMAIN 1.2.5).
 * 404 once somebody owns it.
 */
export async function poolDetail(entity: PoolEntity, id: string, ctx: CallContext): Promise<JsonObject> {
  const found = await findRecord(entity, id, ctx)
  if (found.owner_id !== null) refuse(404, 'NOT_FOUND', text('pool.not-in-pool'))
  const pool = await memberPool(entity, found.pool_id, ctx)
  await countView(entity, id, pool, ctx)
  const at = (await claimableAt(entity, [id], pool, ctx)).get(id)?.at
  const isLater = at !== undefined && at > ctx.now
  const detail = await withDetailWords(entity, await DETAILS[entity](id, ctx), ctx)
  return {
    ...detail,
    related: {
      ...(isObject(detail.related) ? detail.related : {}),
      ...(await inverseCounts(entity, id, ctx)),
    },
    claimableAt: isLater ? dateTimeText(at, ctx.zone) : null,
    history: [...(await ownerRecords(entity, pooledLabel(entity, ctx), id, ctx))],
    ...(await claimQuota(entity, pool, ctx)),
  }
}

/** The pool's daily view limit (DOMAIN 1.2.1 daily_view_limit); opening the same record again counts once. */
async function countView(entity: PoolEntity, id: string, pool: Pool, ctx: CallContext): Promise<void> {
  const { trx, caller } = ctx
  const dailyLimit = pool.settings.daily_view_limit
  const kind = `pool:${entity}` as const
  if (dailyLimit > 0) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from recent_view
      where tenant_id = ${caller.tenantId} and user_id = ${caller.userId} and entity = ${kind}
        and viewed_at >= ${dayStart(ctx, 0)} and record_id <> ${id}`.execute(trx)
    const remainingMs = dayStart(ctx, 1).getTime() - ctx.now.getTime()
    if ((rows[0]?.n ?? 0) >= dailyLimit)
      refuse(429, 'RATE_LIMIT', text('pool.view-limit', { most: dailyLimit }), {
        data: { retryAfter: Math.ceil(remainingMs / 1000) },
      })
  }
  await rememberView(kind, id, ctx)
}
