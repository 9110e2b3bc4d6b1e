import { type RawBuilder, sql } from 'kysely'
import { moneyText } from '../../../../runtime/core/decimal.ts'
import type { Json } from '../../../../runtime/core/json.ts'
import type { TimelineRow } from '../../../contract/customer.ts'
import type { Caller } from '../auth/caller.ts'
import { isClear } from '../auth/field-rights.ts'
import type { CallContext } from '../context/call-context.ts'
import { ENTITY_TEXT, type PoolEntity } from '../context/entities.ts'
import { bad } from '../lists/list-request.ts'
import { type TextCode, text } from '../text/text.ts'
import { dateTimeText } from '../time/zone.ts'
import { combineMasks, type Mask, maskOf, maskRow, rightsMask } from '../visibility/masking.ts'
import { findRecord } from './find-record.ts'
import { pageOf } from './history.ts'
import { likesOf, NO_LIKES } from './likes.ts'
import { wireRow } from './wire.ts'

type Kind = TimelineRow['kind']
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
 * The timeline of a record, newest first: follow-ups on it and its children, and the system's grey entries (DOMAIN 1.10).
 *
 * @param types which kinds; none means all
 */
export async function timelineOf(
  entity: PoolEntity,
  id: string,
  types: readonly string[],
  cursor: string | null,
  ctx: CallContext,
) {
  const { trx, caller } = ctx
  const found = await findRecord(entity, id, ctx)
  const sources = SOURCES[entity]
  const all = Object.keys(sources) as Kind[]
  const kinds =
    types.length === 0 ? all : types.map((it) => all.find((kind) => kind === it) ?? bad(`unknown type ${it}`))
  const events = sql.join(
    kinds.map((kind) => sources[kind]?.(caller.tenantId, found.id)),
    sql` union all `,
  )
  const mask = maskOf(caller, entity, found)
  return pageOf(
    ctx,
    ['timeline', entity, caller.tenantId, id, [...kinds]],
    cursor,
    async (after) => {
      const { rows } = await sql<Row>`
        select e.*, e.at::text as at_text, m.name as user_name, m.avatar
        from (${events}) e left join membership m on m.tenant_id = ${caller.tenantId} and m.user_id = e.user_id
        where ${after.at}::timestamptz is null or (e.at, e.id) < (${after.at}::timestamptz, ${after.id})
        order by e.at desc, e.id desc limit ${PAGE + 1}`.execute(trx)
      const follows = rows.filter(({ kind }) => kind === 'follow').map(({ id }) => id)
      const likes = await likesOf(follows, ctx)
      return rows.map((row) => ({
        at: row.at_text,
        id: row.id,
        row: { ...drawRow(entity, row, mask, ctx), ...likes.get(row.id) } as unknown as Json,
      }))
    },
    PAGE,
  )
}

type Source = (tenantId: string, id: string) => RawBuilder<unknown>

const follows =
  (column: 'customer_id' | 'lead_id' | 'bussiness_id'): Source =>
  (tenantId, id) =>
    sql`select f.id, 'follow' as kind, f.followed_at as at, f.author_id as user_id, f.content,
      jsonb_build_object('method', f.method, 'result', f.result, 'images', f.images, 'files', f.files, 'location', f.location,
        'comment_count', f.comment_count, 'next_plan', f.next_plan, 'target_type', f.target_type, 'source', f.source,
        'late', f.created_at - f.followed_at > interval '1 hour', 'next_follow_at', f.next_follow_at) as detail
    from follow f where f.tenant_id = ${tenantId} and ${sql.ref(`f.${column}`)} = ${id} and f.deleted_at is null`

const owners =
  (entity: PoolEntity): Source =>
  (tenantId, id) =>
    sql`select r.id, 'owner' as kind, r.at, r.operator_id as user_id, r.kind as content,
      jsonb_build_object('reason', concat_ws(' · ', d.label, r.remark)) as detail
    from owner_record r left join dict_item d on d.tenant_id = r.tenant_id and d.type_key = 'pool_reason'
      and d.value = r.reason
    where r.tenant_id = ${tenantId} and r.entity = ${entity} and r.record_id = ${id}`

const contracts =
  (column: 'customer_id' | 'bussiness_id'): Source =>
  (tenantId, id) =>
    sql`select k.id, 'contract' as kind, k.created_at as at, k.created_by as user_id,
      k.name as content, jsonb_build_object('amount', k.amount, 'approval_status', k.approval_status) as detail
    from contract k where k.tenant_id = ${tenantId} and ${sql.ref(`k.${column}`)} = ${id} and k.deleted_at is null`

const deals = () => sql`select e.id, 'deal' as kind, e.at, e.user_id, e.kind as content,
      jsonb_build_object('amount', e.amount, 'reason', e.reason) as detail
    from deal_event e`

/** The events of a customer, including customers that were merged into it. */
const ofCustomer: Source = (tenantId, id) =>
  sql`e.tenant_id = ${tenantId} and (e.customer_id = ${id}
      or e.customer_id in (select d.old_id from record_redirect d where d.tenant_id = ${tenantId} and d.entity = 'customer'
        and d.new_id = ${id}))`

const DEALS: Source = (tenantId, id) => sql`${deals()} where ${ofCustomer(tenantId, id)}`

const SOURCES: Readonly<Record<PoolEntity, Partial<Readonly<Record<Kind, Source>>>>> = {
  customer: {
    follow: follows('customer_id'),
    owner: owners('customer'),
    bussiness: (
      tenantId,
      id,
    ) => sql`select b.id, 'bussiness' as kind, b.created_at as at, b.created_by as user_id,
        b.name as content, jsonb_build_object('amount', b.amount, 'stage_id', b.stage_id) as detail
      from bussiness b where b.tenant_id = ${tenantId} and b.customer_id = ${id} and b.deleted_at is null`,
    contract: contracts('customer_id'),
    deal: DEALS,
    // What waits for its approval, and what was approved before there were events.
    payment: (
      tenantId,
      id,
    ) => sql`select p.id, 'payment' as kind, p.created_at as at, p.created_by as user_id,
        p.amount::text as content, jsonb_build_object('amount', p.amount, 'approval_status', p.approval_status) as detail
      from payment p join contract k on k.tenant_id = p.tenant_id and k.id = p.contract_id
      where p.tenant_id = ${tenantId} and k.customer_id = ${id} and p.deleted_at is null
        and (p.approval_status = 1 or p.approval_status = 2 and not exists (
          select from deal_event e where ${ofCustomer(tenantId, id)} and e.payment_id = p.id))`,
  },
  lead: { follow: follows('lead_id'), owner: owners('lead') },
  bussiness: {
    follow: follows('bussiness_id'),
    owner: owners('bussiness'),
    stage: (
      tenantId,
      id,
    ) => sql`select b.id || '-' || h.n as id, 'stage' as kind, (h.step ->> 'at')::timestamptz as at,
        h.step ->> 'by' as user_id, coalesce(d.label, h.step ->> 'to') as content,
        jsonb_build_object('reason', h.step ->> 'remark') as detail
      from bussiness b cross join lateral jsonb_array_elements(b.stage_history) with ordinality as h(step, n)
      left join dict_item d on d.tenant_id = b.tenant_id and d.type_key = 'bussiness_stage' and d.value = h.step ->> 'to'
      where b.tenant_id = ${tenantId} and b.id = ${id} and h.step ->> 'from' is not null`,
    contract: contracts('bussiness_id'),
    deal: (
      tenantId,
      id,
    ) => sql`${deals()} join contract k on k.tenant_id = e.tenant_id and k.id = e.contract_id
      where e.tenant_id = ${tenantId} and k.bussiness_id = ${id}`,
  },
}

function drawRow(entity: PoolEntity, row: Row, mask: Mask, { caller, zone }: CallContext): TimelineRow {
  const { id, kind, at, user_id, user_name, avatar } = row
  const detail = row.detail ?? {}
  const isFollow = kind === 'follow'
  const next = isClear(caller, 'follow', 'next_follow_at') ? detail.next_follow_at : null
  const shown = isFollow ? maskRow(detail, combineMasks(mask, rightsMask(caller, 'follow'))) : {}
  const content = isFollow ? row.content : String(detail.reason ?? '')
  return {
    ...NO_FOLLOW,
    ...(shown as Partial<TimelineRow>),
    ...(wireRow({ id, kind, at, user_id, user_name, avatar }, zone) as unknown as TimelineRow),
    system: !isFollow,
    title: titleOf(entity, row, caller),
    content: maskRow({ content }, mask).content,
    follow_id: isFollow ? id : null,
    next_follow_at: typeof next === 'string' ? dateTimeText(new Date(next), zone) : null,
  }
}

const NO_FOLLOW = {
  method: null,
  result: null,
  images: [],
  files: [],
  comment_count: 0,
  ...NO_LIKES,
  late: false,
}

function titleOf(entity: PoolEntity, { kind, content, detail }: Row, caller: Caller): string {
  const sum = (of: string, amount: number) =>
    isClear(caller, of, 'amount') ? moneyText(amount) : text('record.withheld')
  if (kind === 'follow') return ''
  if (kind === 'owner') return text(`timeline.${content}` as TextCode, { what: text(ENTITY_TEXT[entity]) })
  if (kind === 'deal')
    return text(`timeline.deal.${content}` as TextCode, {
      amount: sum(content.startsWith('payment') ? 'payment' : 'contract', Number(detail?.amount ?? 0)),
    })
  if (kind === 'stage' && !isClear(caller, entity, 'stage_id'))
    return text('timeline.stage', { name: text('record.withheld') })
  if (kind === 'payment')
    return text(detail?.approval_status === 1 ? 'timeline.payment-waiting' : 'timeline.payment', {
      amount: sum('payment', Number(content)),
    })
  return text(`timeline.${kind}`, { name: content })
}
