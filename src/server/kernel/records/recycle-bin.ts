import { type RawBuilder, sql } from 'kysely'
import { isObject, type Json } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../context/call-context.ts'
import type { PoolEntity, SalesEntity } from '../context/entities.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { dateTimeText } from '../time/zone.ts'
import { isInScope, isWritable, poolsOf } from '../visibility/predicate.ts'

/** For how long deleted records can be restored (DOMAIN 0). */
const RESTORE_DAYS = 30
const DAY_MS = 86_400_000
const PAGE = 20

/** The oldest deletion time that can still be restored. */
export const oldestMark = ({ now }: Pick<CallContext, 'now'>): Date =>
  new Date(now.getTime() - RESTORE_DAYS * DAY_MS)

/** True if the caller may restore a deleted record: in scope, or from a pool they may delete from. */
export function isRestorable(entity: PoolEntity, row: string, { caller }: Pick<CallContext, 'caller'>) {
  const pool = caller.permissions.has(`${entity}_pool:del`)
    ? sql<boolean>`${sql.ref(`${row}.pool_id`)} = any(array(${poolsOf(caller, entity)}))`
    : sql<boolean>`false`
  return sql<boolean>`(${isInScope(caller, entity, row)} or ${pool}) and not exists (select 1 from record_redirect d
    where d.tenant_id = ${sql.ref(`${row}.tenant_id`)} and d.entity = ${entity} and d.old_id = ${sql.ref(`${row}.id`)})`
}

interface Row {
  readonly id: string
  readonly name: string
  readonly deleted_at: Date
  readonly deleted_by_name: string | null
  /** The owner; for a contact, the customer's. */
  readonly of_name: string | null
}

/** Deleted records of one kind: their table (`r`), their names, their owners, and which of them the caller may restore. */
export interface Bin {
  readonly table: RawBuilder<unknown>
  readonly name: RawBuilder<string>
  readonly of: RawBuilder<string | null>
  readonly isTheirs: RawBuilder<boolean>
}

/** 回收站: records deleted in the last 30 days that the caller may restore, newest first, page by page. */
export const recycleBin = (entity: SalesEntity, body: unknown, ctx: CallContext) =>
  pageOfBin(
    {
      table: sql.table(entity),
      name: sql`r.name`,
      of: ownerOrCustomer(entity),
      isTheirs: isTheirs(entity, ctx),
    },
    body,
    ctx,
  )

/** @param body  `keyword`, `cursor` */
export async function pageOfBin({ table, name, of, isTheirs }: Bin, body: unknown, ctx: CallContext) {
  const { trx, caller, now, zone } = ctx
  const { keyword, cursor } = isObject(body) ? body : {}
  const [before, beforeId] = positionOf(cursor)
  const wanted = typeof keyword === 'string' ? keyword.trim() : ''
  const { rows } =
    await sql<Row>`select r.id, ${name} as name, r.deleted_at, m.name as deleted_by_name, ${of} as of_name
    from ${table} r
    left join membership m on m.tenant_id = r.tenant_id and m.user_id = r.updated_by
    where r.tenant_id = ${caller.tenantId} and r.deleted_at >= ${oldestMark(ctx)}
      and ${isTheirs} and (${wanted} = '' or position(${wanted} in ${name}) > 0)
      and (${before}::timestamptz is null or (r.deleted_at, r.id) < (${before}::timestamptz, ${beforeId}))
    order by r.deleted_at desc, r.id desc limit ${PAGE + 1}`.execute(trx)
  const page = rows.slice(0, PAGE)
  const last = page.at(-1)
  const hasMore = rows.length > PAGE
  return {
    list: page.map((row) => ({
      ...row,
      deleted_at: dateTimeText(row.deleted_at, zone),
      left_days: Math.max(0, RESTORE_DAYS - Math.floor((now.getTime() - row.deleted_at.getTime()) / DAY_MS)),
    })),
    nextCursor: hasMore && last !== undefined ? `${last.deleted_at.toISOString()} ${last.id}` : null,
    hasMore,
  }
}

function positionOf(cursor: Json | undefined): readonly [Date | null, string] {
  if (cursor === undefined || cursor === null || cursor === '') return [null, '']
  const [at = '', id = ''] = typeof cursor === 'string' ? cursor.split(' ') : []
  const time = /^\d{4}-\d\d-\d\dT/.test(at) && id !== '' ? Date.parse(at) : Number.NaN
  if (Number.isNaN(time)) refuse(400, 'BAD_FILTER', text('list.bad-cursor'), { detail: 'cursor' })
  return [new Date(time), id]
}

/** A contact can be restored if its customer exists and may be written. */
function isTheirs(entity: SalesEntity, ctx: CallContext): RawBuilder<boolean> {
  if (entity !== 'contact') return isRestorable(entity, 'r', ctx)
  return sql<boolean>`exists (select 1 from customer c where c.tenant_id = r.tenant_id and c.id = r.customer_id
    and c.deleted_at is null and ${isWritable(ctx.caller, 'customer', 'c', 'contact:del')})`
}

/** The name of the owner of `r`. */
export const OWNER_NAME = sql<
  string | null
>`(select o.name from membership o where o.tenant_id = r.tenant_id and o.user_id = r.owner_id)`

function ownerOrCustomer(entity: SalesEntity): RawBuilder<string | null> {
  if (entity === 'contact')
    return sql`(select c.name from customer c where c.tenant_id = r.tenant_id and c.id = r.customer_id)`
  return OWNER_NAME
}
