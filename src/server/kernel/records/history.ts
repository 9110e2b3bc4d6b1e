import { sql } from 'kysely'
import { isObject, type Json, ownValue } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../context/call-context.ts'
import type { PoolName, SalesEntity } from '../context/entities.ts'
import { decodeCursor, encodeCursor, fingerprint } from '../lists/cursor.ts'
import { refuse } from '../text/envelope.ts'
import { type TextCode, text } from '../text/text.ts'
import { maskOf, maskRow } from '../visibility/masking.ts'
import { isVisible } from '../visibility/predicate.ts'
import { maskName } from '../words/mask.ts'
import { contactsInWords } from './contacts-in-words.ts'
import { findRecord } from './find-record.ts'
import { logWords } from './log-words.ts'
import { mergesInWords } from './merged-text.ts'
import { wireRow } from './wire.ts'

const PAGE = 20

interface Page {
  readonly list: readonly Json[]
  readonly nextCursor: string | null
  readonly hasMore: boolean
}

/** Who changed what and when (DOMAIN 8.3 log), newest first; masked fields are masked here too. */
export async function salesLog(
  entity: SalesEntity,
  id: string,
  cursor: string | null,
  ctx: CallContext,
): Promise<Page> {
  const { trx, caller, zone } = ctx
  const found = await findRecord(entity, id, ctx)
  const mask = maskOf(caller, entity, found, ctx.model.modules.get(entity))
  const shown = (values: Json | undefined) => (isObject(values) ? maskRow(values, mask) : {})
  return pageOf(ctx, [`${entity}-log`, caller.tenantId, id], cursor, async (after) => {
    const { rows } = await sql<LogRow>`
      select a.id, a.at, a.at::text as at_text, a.action, a.detail, a.user_id, m.name as user_name
      from audit_log a left join membership m on m.tenant_id = a.tenant_id and m.user_id = a.user_id
      where a.tenant_id = ${caller.tenantId} and a.entity = ${entity} and a.record_id = ${id}
        and (${after.at}::timestamptz is null or (a.at, a.id) < (${after.at}::timestamptz, ${after.id}))
      order by a.at desc, a.id desc limit ${PAGE + 1}`.execute(trx)
    const names = await namesOfParents(rows, ctx)
    const changes = rows.map(({ action, detail }) => ({
      action,
      before: shown(ownValue(detail, 'before')),
      after: shown(ownValue(detail, 'after')),
    }))
    const values = changes.flatMap(({ before, after }) => [before, after])
    const people = await contactsInWords(entity, values, found.owner_id === null, ctx)
    const words = await logWords(entity, changes, ctx, (name, value) =>
      typeof value === 'string' ? (names.get(value) ?? value) : people(name, value),
    )
    const merges = await mergesInWords(rows, found.name, ctx)
    return rows.map(({ at_text, detail: _, ...row }, i) => ({
      at: at_text,
      id: row.id,
      row: { ...wireRow(row, zone), ...words[i], ...withText(merges.get(row.id)) },
    }))
  })
}

const withText = (words: string | undefined) => (words === undefined ? {} : { text: words })

/** Customers that are named as parents by their id: the names that the caller may see. */
async function namesOfParents(
  rows: readonly LogRow[],
  { trx, caller }: CallContext,
): Promise<ReadonlyMap<string, string>> {
  const ids = rows
    .flatMap(({ detail }) => [ownValue(detail, 'before'), ownValue(detail, 'after')])
    .map((values) => ownValue(values, 'parent_id'))
    .filter((id) => typeof id === 'string')
  if (ids.length === 0) return new Map()
  const found = await sql<{ id: string; name: string; visible: boolean }>`
    select c.id, c.name, ${isVisible(caller, 'customer', 'c')} as visible from customer c
    where c.tenant_id = ${caller.tenantId} and c.id = any(${ids}::text[])`.execute(trx)
  return new Map(found.rows.map(({ id, name, visible }) => [id, visible ? name : maskName(name)]))
}

interface LogRow {
  id: string
  at: Date
  at_text: string
  action: string
  detail: Json
}

/** Who owned it before: 负责人记录 (DOMAIN 1.0), newest first; the caller has checked that it may be seen. @param target  what a person calls it */
export async function ownerRecords(
  entity: PoolName,
  target: string,
  id: string,
  { trx, caller, zone }: CallContext,
): Promise<readonly Json[]> {
  const { rows } = await sql<OwnerRow>`
    select r.id, r.kind, coalesce(d.label, r.reason) as reason, r.remark, r.at, f.name as from_user_name,
      t.name as to_user_name, fp.name as from_pool_name, tp.name as to_pool_name, o.name as operator_name
    from owner_record r
    left join membership f on f.tenant_id = r.tenant_id and f.user_id = r.from_user
    left join membership t on t.tenant_id = r.tenant_id and t.user_id = r.to_user
    left join membership o on o.tenant_id = r.tenant_id and o.user_id = r.operator_id
    left join pool fp on fp.tenant_id = r.tenant_id and fp.id = r.from_pool
    left join pool tp on tp.tenant_id = r.tenant_id and tp.id = r.to_pool
    left join dict_item d on d.tenant_id = r.tenant_id and d.type_key = 'pool_reason' and d.value = r.reason
    where r.tenant_id = ${caller.tenantId} and r.entity = ${entity} and r.record_id = ${id}
    order by r.at desc, r.id desc limit 200`.execute(trx)
  return rows.map((row) => ({
    ...wireRow(row, zone),
    title: text(`timeline.${row.kind}` as TextCode, { what: target }),
    text: [
      [row.from_user_name ?? row.from_pool_name, row.to_user_name ?? row.to_pool_name]
        .filter(Boolean)
        .join(' → '),
      row.reason,
      row.remark,
    ]
      .filter(Boolean)
      .join(' · '),
    user_name: row.operator_name,
  }))
}

interface OwnerRow {
  kind: string
  reason: string | null
  remark: string | null
  from_user_name: string | null
  to_user_name: string | null
  from_pool_name: string | null
  to_pool_name: string | null
  operator_name: string | null
}

/** Entries of a page with the time text for their cursor. */
export interface Entry {
  readonly at: string
  readonly id: string
  readonly row: Json
}

/** Pages of a history by time and id; `read` returns one entry more than a page contains if there is more. */
export async function pageOf(
  { cursorSecret }: CallContext,
  question: unknown,
  cursor: string | null,
  read: (after: { readonly at: string | null; readonly id: string }) => Promise<readonly Entry[]>,
  size = PAGE,
): Promise<Page> {
  const hash = fingerprint(question)
  const position = cursor === null ? null : decodeCursor(cursor, hash, cursorSecret)
  if (cursor !== null && position === null)
    refuse(400, 'BAD_FILTER', text('list.bad-cursor'), { detail: 'cursor' })
  const entries = await read({ at: position?.values[0] ?? null, id: position?.id ?? '' })
  const page = entries.slice(0, size)
  const last = page.at(-1)
  const hasMore = entries.length > size
  return {
    list: page.map((entry) => entry.row),
    nextCursor: hasMore && last ? encodeCursor({ values: [last.at], id: last.id }, hash, cursorSecret) : null,
    hasMore,
  }
}
