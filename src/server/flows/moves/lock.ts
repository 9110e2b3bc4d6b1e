import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { scopeOf } from '../../kernel/auth/caller.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { lockPeople } from '../../kernel/pools/person-cap.ts'
import { homePool } from '../../kernel/pools/pool.ts'
import { eachRecord, idsOf } from '../../kernel/records/batch.ts'
import { findInScope } from '../../kernel/records/find-record.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { updateRow } from '../../kernel/records/write-row.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { parseDateTime } from '../../kernel/time/zone.ts'
import { refreshExpiry } from '../../modules/customers/holding.ts'

const MAX_LOCK_DAYS = 180

/**
 * 锁定 / 解锁 (DOMAIN 1.1.1): a locked customer is not recycled; each owner may lock a limited number.
 *
 * @param body  `ids` ≤ 200, `lock`, `until` (at most 180 days)
 * @throws Refusal 422 LOCK_CAP
 */
export async function lockCustomers(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { trx, caller } = ctx
  const ids = idsOf(body)
  const isLock = body.lock !== false
  const until = readUntil(body.until, ctx)
  const owners = await ownersOf(ids, ctx)
  await lockPeople(trx, caller.tenantId, owners)
  const data = await eachRecord(
    ids,
    async (id) => {
      const found = await findInScope('customer', id, ctx, 'lock')
      if (isLock) {
        if (found.deal_status === 1) refuse(409, 'STATE_CONFLICT', text('customer.lock-deal'))
        if (found.lock_status !== true) await checkLockCap(found.owner_id ?? '', ctx)
      }
      await updateRow('customer', id, { lock_status: isLock, lock_until: isLock ? until : null }, ctx)
      await refreshExpiry(ctx, id)
    },
    trx,
  )
  const [first] = ids
  return { data, detail: body, ...(ids.length === 1 && first !== undefined ? { recordId: first } : {}) }
}

async function ownersOf(ids: readonly string[], { trx, caller }: CallContext): Promise<readonly string[]> {
  const { rows } = await sql<{ owner_id: string }>`select distinct owner_id from customer
    where tenant_id = ${caller.tenantId} and id = any(${[...ids]}::text[]) and owner_id is not null`.execute(
    trx,
  )
  return rows.map((row) => row.owner_id)
}

async function checkLockCap(owner: string, { trx, caller }: CallContext): Promise<void> {
  const cap = (await homePool('customer', { trx, tenantId: caller.tenantId }))?.settings.lock_cap ?? 0
  if (cap === 0) return
  const { rows } = await sql<{
    n: number
  }>`select count(*) as n from customer where tenant_id = ${caller.tenantId}
    and owner_id = ${owner} and lock_status and deleted_at is null`.execute(trx)
  if ((rows[0]?.n ?? 0) >= cap) refuse(422, 'LOCK_CAP', text('customer.lock-cap', { cap }), { data: { cap } })
}

function readUntil(given: Json | undefined, { zone, now }: CallContext): Date | null {
  if (given === undefined || given === null || given === '') return null
  const until = typeof given === 'string' ? parseDateTime(given, zone) : null
  const last = now.getTime() + MAX_LOCK_DAYS * 86_400_000
  if (until === null || until <= now || until.getTime() > last)
    refuse(400, 'VALIDATION', text('customer.lock-until', { days: MAX_LOCK_DAYS }), {
      fields: { until: text('customer.lock-until', { days: MAX_LOCK_DAYS }) },
    })
  return until
}

/**
 * 成交状态 set manually (DOMAIN 1.1.1): to 已成交 with the permission; undone only by a superior and without an effective contract.
 *
 * @param body  `ids` ≤ 200, `dealStatus` 0 or 1, `dealAt`
 */
export async function setDeal(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { trx, caller, now, zone } = ctx
  const ids = idsOf(body)
  const isDeal = body.dealStatus === 1
  const at = typeof body.dealAt === 'string' && body.dealAt !== '' ? parseDateTime(body.dealAt, zone) : now
  if ((!isDeal && body.dealStatus !== 0) || at === null || at > now)
    refuse(400, 'VALIDATION', text('customer.deal-input'), { detail: 'dealStatus, dealAt' })
  const data = await eachRecord(
    ids,
    async (id) => {
      const found = await findInScope('customer', id, ctx, 'deal')
      if (!isDeal) {
        if (found.owner_id === caller.userId && scopeOf(caller, 'customer') === 'self')
          refuse(405, 'NO_PERMISSION', text('customer.deal-back'), { detail: 'customer:deal' })
        const { rows } =
          await sql`select 1 from contract where tenant_id = ${caller.tenantId} and customer_id = ${id}
          and approval_status = 2 and deleted_at is null limit 1`.execute(trx)
        if (rows.length > 0) refuse(409, 'STATE_CONFLICT', text('customer.deal-contract'))
      }
      await updateRow(
        'customer',
        id,
        { deal_status: isDeal ? 1 : 0, deal_at: isDeal ? (found.deal_at ?? at) : null },
        ctx,
      )
      await refreshExpiry(ctx, id)
    },
    trx,
  )
  const [first] = ids
  return { data, detail: body, ...(ids.length === 1 && first !== undefined ? { recordId: first } : {}) }
}
