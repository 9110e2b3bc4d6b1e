import { type RawBuilder, sql } from 'kysely'
import type { Json } from '../../../runtime/core/json.ts'
import type { TimelineRow } from '../../contract/customer.ts'
import { bad } from '../lists/list-request.ts'
import { dateTimeText } from '../lists/zone.ts'
import type { Asking } from '../records/asking.ts'
import { wireRow } from '../records/wire.ts'
import { type TextCode, text } from '../text.ts'
import { findCustomer } from './find-customer.ts'
import { pageOf } from './history.ts'

const KINDS = ['follow', 'owner', 'bussiness', 'contract', 'payment'] as const
type Kind = (typeof KINDS)[number]
const PAGE = 20

interface Row {
  id: string
  kind: Kind
  at: Date
  at_text: string
  user_id: string | null
  content: string
  detail: Record<string, unknown> | null
  user_name: string | null
  avatar: string | null
}

/**
 * The life of a customer, newest first: follow-ups on it and its children, and the system's grey lines (CRM 1.10).
 * @param types which kinds; none means all
 */
export async function customerTimeline(
  id: string,
  types: readonly string[],
  cursor: string | null,
  asking: Asking,
) {
  const { trx, caller, zone } = asking
  const found = await findCustomer(id, asking)
  const kinds =
    types.length === 0
      ? KINDS
      : types.map((it) => KINDS.find((kind) => kind === it) ?? bad(`unknown type ${it}`))
  const events = sql.join(
    kinds.map((kind) => SOURCES[kind](caller.tenantId, found.id)),
    sql` union all `,
  )
  return pageOf(
    asking,
    ['timeline', caller.tenantId, id, [...kinds]],
    cursor,
    async (after) => {
      const { rows } = await sql<Row>`
        select e.*, e.at::text as at_text, m.name as user_name, m.avatar
        from (${events}) e left join membership m on m.tenant_id = ${caller.tenantId} and m.user_id = e.user_id
        where ${after.at}::timestamptz is null or (e.at, e.id) < (${after.at}::timestamptz, ${after.id})
        order by e.at desc, e.id desc limit ${PAGE + 1}`.execute(trx)
      return rows.map((row) => ({ at: row.at_text, id: row.id, row: drawRow(row, zone) as unknown as Json }))
    },
    PAGE,
  )
}

const SOURCES: Readonly<Record<Kind, (tenantId: string, customerId: string) => RawBuilder<unknown>>> = {
  follow: (
    tenantId,
    customerId,
  ) => sql`select f.id, 'follow' as kind, f.followed_at as at, f.author_id as user_id, f.content,
      jsonb_build_object('method', f.method, 'result', f.result, 'images', f.images, 'files', f.files, 'location', f.location,
        'comment_count', f.comment_count, 'next_plan', f.next_plan, 'target_type', f.target_type, 'source', f.source,
        'late', f.created_at - f.followed_at > interval '1 hour', 'next_follow_at', f.next_follow_at) as detail
    from follow f where f.tenant_id = ${tenantId} and f.customer_id = ${customerId} and f.deleted_at is null`,
  owner: (
    tenantId,
    customerId,
  ) => sql`select r.id, 'owner' as kind, r.at, r.operator_id as user_id, r.kind as content,
      jsonb_build_object('reason', r.reason) as detail
    from owner_record r where r.tenant_id = ${tenantId} and r.entity = 'customer' and r.record_id = ${customerId}`,
  bussiness: (
    tenantId,
    customerId,
  ) => sql`select b.id, 'bussiness' as kind, b.created_at as at, b.created_by as user_id,
      b.name as content, jsonb_build_object('amount', b.amount, 'stage_id', b.stage_id) as detail
    from bussiness b where b.tenant_id = ${tenantId} and b.customer_id = ${customerId} and b.deleted_at is null`,
  contract: (
    tenantId,
    customerId,
  ) => sql`select k.id, 'contract' as kind, k.created_at as at, k.created_by as user_id,
      k.name as content, jsonb_build_object('amount', k.amount, 'approval_status', k.approval_status) as detail
    from contract k where k.tenant_id = ${tenantId} and k.customer_id = ${customerId} and k.deleted_at is null`,
  payment: (
    tenantId,
    customerId,
  ) => sql`select p.id, 'payment' as kind, p.created_at as at, p.created_by as user_id,
      p.amount::text as content, jsonb_build_object('amount', p.amount, 'approval_status', p.approval_status) as detail
    from payment p join contract k on k.tenant_id = p.tenant_id and k.id = p.contract_id
    where p.tenant_id = ${tenantId} and k.customer_id = ${customerId} and p.deleted_at is null`,
}

function drawRow(row: Row, zone: string): TimelineRow {
  const { id, kind, at, user_id, user_name, avatar, content } = row
  const detail = row.detail ?? {}
  const next = detail.next_follow_at
  const isFollow = kind === 'follow'
  return {
    ...NO_FOLLOW,
    ...(isFollow ? (detail as Partial<TimelineRow>) : {}),
    ...(wireRow({ id, kind, at, user_id, user_name, avatar }, zone) as unknown as TimelineRow),
    system: !isFollow,
    title: titleOf(row),
    content: isFollow ? content : String(detail.reason ?? ''),
    follow_id: isFollow ? id : null,
    next_follow_at: typeof next === 'string' ? dateTimeText(new Date(next), zone) : null,
  }
}

const NO_FOLLOW = { method: null, result: null, images: [], files: [], comment_count: 0, late: false }

function titleOf({ kind, content }: Row): string {
  if (kind === 'follow') return ''
  if (kind === 'owner') return text(`timeline.${content}` as TextCode)
  if (kind === 'payment') return text('timeline.payment', { amount: content })
  return text(`timeline.${kind}`, { name: content })
}
