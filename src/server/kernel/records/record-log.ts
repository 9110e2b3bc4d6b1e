import { sql } from 'kysely'
import { isObject, type Json, type JsonObject, ownValue } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../context/call-context.ts'
import { decodeCursor, encodeCursor, fingerprint } from '../lists/cursor.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { maskRow, rightsMask } from '../visibility/masking.ts'
import { logWords } from './log-words.ts'
import { wireRow } from './wire.ts'

const PAGE = 20

interface LogRow {
  readonly id: string
  readonly at: Date
  readonly at_text: string
  readonly action: string
  readonly detail: Json
}

/** Who changed a record and when (DOMAIN 8.3 log), newest first; the caller has checked that it may be seen. @param mask  what is held back of it */
export async function recordLog(
  entity: string,
  id: string,
  cursor: string | null,
  ctx: CallContext,
  mask = rightsMask(ctx.caller, entity),
) {
  const { trx, caller, zone, cursorSecret } = ctx
  const hash = fingerprint([`${entity}-log`, caller.tenantId, id])
  const position = cursor === null ? null : decodeCursor(cursor, hash, cursorSecret)
  if (cursor !== null && position === null)
    refuse(400, 'BAD_FILTER', text('list.bad-cursor'), { detail: 'cursor' })
  const at = position?.values[0] ?? null
  const { rows } = await sql<LogRow>`
    select a.id, a.at, a.at::text as at_text, a.action, a.detail, a.user_id, m.name as user_name
    from audit_log a left join membership m on m.tenant_id = a.tenant_id and m.user_id = a.user_id
    where a.tenant_id = ${caller.tenantId} and a.entity = ${entity} and a.record_id = ${id}
      and (${at}::timestamptz is null or (a.at, a.id) < (${at}::timestamptz, ${position?.id ?? ''}))
    order by a.at desc, a.id desc limit ${PAGE + 1}`.execute(trx)
  const page = rows.slice(0, PAGE)
  const last = page.at(-1)
  const hasMore = rows.length > PAGE
  const open = (values: Json | undefined): JsonObject => (isObject(values) ? maskRow(values, mask) : {})
  const changes = page.map(({ action, detail }) => ({
    action,
    before: open(ownValue(detail, 'before')),
    after: open(ownValue(detail, 'after')),
  }))
  const words = await logWords(entity, changes, ctx)
  return {
    list: page.map(({ at_text: _, detail: __, ...row }, i) => ({ ...wireRow(row, zone), ...words[i] })),
    nextCursor:
      hasMore && last ? encodeCursor({ values: [last.at_text], id: last.id }, hash, cursorSecret) : null,
    hasMore,
  }
}
