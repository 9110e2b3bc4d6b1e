import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { readListRequest } from '../../kernel/lists/list-request.ts'
import type { ListSpec } from '../../kernel/lists/list-spec.ts'
import { openList } from '../../kernel/lists/open-list.ts'
import { actionWords, entityWords } from '../../kernel/records/action-words.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { givenId } from './input.ts'
import { logChanges } from './log-changes.ts'

interface Row {
  readonly id: string
  readonly action: string
  readonly entity: string
  readonly at: Date
}

const AT = { column: 'at', type: 'timestamptz', nullable: false } as const
const FROM = sql`audit_log l left join membership m on m.tenant_id = l.tenant_id and m.user_id = l.user_id`

/** The audit log, newest first; entries are never changed or deleted here. */
const LOG_LIST: ListSpec = {
  entity: 'audit',
  row: 'l',
  from: () => FROM,
  columns: () => sql`l.id, l.at, l.user_id, m.name as user_name, l.action, l.entity, l.record_id, l.address`,
  visible: ({ caller }) => sql<boolean>`l.tenant_id = ${caller.tenantId}`,
  filters: {
    user_id: { kind: 'code', column: 'user_id' },
    action: { kind: 'text', column: 'action' },
    entity: { kind: 'code', column: 'entity' },
    record_id: { kind: 'code', column: 'record_id' },
    at: { kind: 'moment', column: 'at' },
  },
  sorts: { at: AT },
  defaultSort: [{ by: AT, dir: 'desc' }],
  tabs: {
    all: { where: () => sql<boolean>`true` },
    sign_in: { where: () => sql<boolean>`l.entity = 'session'` },
    admin: {
      where: () =>
        sql<boolean>`l.entity in ('user', 'role', 'dept', 'dict', 'menu', 'pool', 'flow', 'notice', 'tenant', 'stage', 'connection', 'page_override', 'module_override')`,
    },
    export: { where: () => sql<boolean>`(l.action like '%:export' or l.action like '%:reveal')` },
  },
  defaultTab: 'all',
  keyword: (keyword) =>
    sql<boolean>`(position(${keyword} in coalesce(m.name, '')) > 0 or l.record_id = ${keyword})`,
}

export function listLogs(body: JsonObject, ctx: CallContext) {
  return openList<Row>(LOG_LIST, readListRequest(body), ctx).page((row) => drawRow(row, ctx))
}

/** One entry with its content, limited to what the reader may see. */
export async function logDetail(body: JsonObject, ctx: CallContext) {
  const { trx, caller } = ctx
  const { rows } = await sql<
    Row & { detail: Json }
  >`select l.id, l.at, l.user_id, m.name as user_name, l.action, l.entity, l.record_id, l.address,
      l.request_id, l.detail
    from ${FROM} where l.tenant_id = ${caller.tenantId} and l.id = ${givenId(body)}`.execute(trx)
  const [row] = rows
  if (row === undefined) return refuse(404, 'NOT_FOUND', text('call.not-found'))
  const { detail, ...entry } = row
  return { record: drawRow(entry, ctx), changes: logChanges(row.entity, detail, ctx) }
}

function drawRow(row: Row, { zone, model }: CallContext): object {
  return {
    ...wireRow(row, zone),
    title: actionWords(row.action, model),
    entity_name: entityWords(row.entity, model),
  }
}
