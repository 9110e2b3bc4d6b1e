import { sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { AdminNotice } from '../../../contract/admin.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { newId } from '../../kernel/db/id.ts'
import { readListRequest } from '../../kernel/lists/list-request.ts'
import type { ListSpec } from '../../kernel/lists/list-spec.ts'
import { openList } from '../../kernel/lists/open-list.ts'
import { announce } from '../../kernel/notices/announce.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { parseDateTime } from '../../kernel/time/zone.ts'
import { checkVersion, givenId, idList, invalid, shortText } from './input.ts'
import type { AdminResult } from './kind.ts'

type Row = Omit<AdminNotice, 'pinned_until' | 'published_at' | 'created_at'> & { readonly created_at: Date }

const COLUMNS = sql`n.id, n.title, n.content, n.dept_ids, n.status, n.pinned_until, n.published_at, n.created_at,
  m.name as author_name, n.version`
const FROM = sql`notice n left join membership m on m.tenant_id = n.tenant_id and m.user_id = n.created_by`
const CREATED = { column: 'created_at', type: 'timestamptz', nullable: false } as const

const NOTICE_LIST: ListSpec = {
  entity: 'notice',
  row: 'n',
  from: () => FROM,
  columns: () => COLUMNS,
  visible: ({ caller }) => sql<boolean>`(n.tenant_id = ${caller.tenantId} and n.deleted_at is null)`,
  filters: { status: { kind: 'code', column: 'status' }, title: { kind: 'text', column: 'title' } },
  sorts: { created_at: CREATED },
  defaultSort: [{ by: CREATED, dir: 'desc' }],
  tabs: { all: { where: () => sql<boolean>`true` } },
  defaultTab: 'all',
  keyword: (keyword) => sql<boolean>`position(${keyword} in n.title || n.content) > 0`,
}

export function listNotices(body: JsonObject, ctx: CallContext) {
  return openList<Row>(NOTICE_LIST, readListRequest(body), ctx).page((row) => wireRow(row, ctx.zone))
}

export async function noticeDetail(body: JsonObject, ctx: CallContext) {
  return { record: wireRow(await readNotice(givenId(body), ctx), ctx.zone) }
}

/**
 * Writes an announcement, and with `publish` sends it to everybody in its departments.
 *
 * @param body  `title`, `content`, `dept_ids`, `pinned_until`, `publish`; for a change also `id`, `version`
 */
export async function saveNotice(body: JsonObject, ctx: CallContext): Promise<AdminResult> {
  const { trx, caller, now } = ctx
  const id = givenId(body)
  const before = id === '' ? null : await readNotice(id, ctx)
  if (before !== null) {
    checkVersion(body.version, before.version)
    if (before.status === 'published') refuse(409, 'STATE_CONFLICT', text('admin.notice.published'))
  }
  const title = shortText(body.title, 'title', 60, 1)
  const content = shortText(body.content, 'content', 2000)
  const deptIds = idList(body.dept_ids, 'dept_ids', 200)
  const pinned =
    typeof body.pinned_until === 'string' && body.pinned_until !== ''
      ? parseDateTime(body.pinned_until, ctx.zone)
      : null
  if (body.publish !== undefined && typeof body.publish !== 'boolean') invalid('publish')
  const isPublished = body.publish === true
  const noticeId = before?.id ?? newId(now.getTime())
  await sql`insert into notice (tenant_id, id, title, content, dept_ids, status, pinned_until, published_at, created_by, created_at,
      updated_by, updated_at)
    values (${caller.tenantId}, ${noticeId}, ${title}, ${content}, ${[...deptIds]}::text[],
      ${isPublished ? 'published' : 'draft'}, ${pinned}, ${isPublished ? now : null}, ${caller.userId}, ${now}, ${caller.userId}, ${now})
    on conflict (tenant_id, id) do update set title = excluded.title, content = excluded.content, dept_ids = excluded.dept_ids,
      status = excluded.status, pinned_until = excluded.pinned_until, published_at = excluded.published_at,
      updated_by = excluded.updated_by, updated_at = excluded.updated_at, version = notice.version + 1`.execute(
    trx,
  )
  if (isPublished)
    await announce(trx, {
      event: 'tenant.notice',
      tenantId: caller.tenantId,
      actorId: caller.userId,
      now,
      receivers: await audienceOf(deptIds, ctx),
      entity: 'notice',
      ids: [noticeId],
      params: { title, content: content.slice(0, 300) },
      sourceKey: `tenant.notice/${noticeId}`,
    })
  const record = wireRow(await readNotice(noticeId, ctx), ctx.zone)
  return { data: { id: noticeId, record }, recordId: noticeId, detail: { title, publish: isPublished } }
}

/** Withdraws an announcement, which is then no longer shown; a draft is deleted. @param body `id` */
export async function removeNotice(body: JsonObject, ctx: CallContext): Promise<AdminResult> {
  const { trx, caller, now } = ctx
  const found = await readNotice(givenId(body), ctx)
  const isDraft = found.status === 'draft'
  await sql`update notice set status = ${isDraft ? 'draft' : 'withdrawn'}, deleted_at = ${isDraft ? now : null},
      updated_by = ${caller.userId}, updated_at = ${now}, version = version + 1
    where tenant_id = ${caller.tenantId} and id = ${found.id}`.execute(trx)
  return { data: { id: found.id }, recordId: found.id, detail: { title: found.title } }
}

async function readNotice(id: string, { trx, caller }: CallContext): Promise<Row> {
  const { rows } =
    await sql<Row>`select ${COLUMNS} from ${FROM} where n.tenant_id = ${caller.tenantId} and n.id = ${id}
    and n.deleted_at is null`.execute(trx)
  return rows[0] ?? refuse(404, 'NOT_FOUND', text('call.not-found'))
}

/** Everybody, or the people of the departments and of those below them. */
async function audienceOf(
  deptIds: readonly string[],
  { trx, caller }: CallContext,
): Promise<readonly string[]> {
  const { rows } = await sql<{ user_id: string }>`select m.user_id from membership m
    left join department d on d.tenant_id = m.tenant_id and d.id = m.dept_id
    where m.tenant_id = ${caller.tenantId} and m.status = 'enabled' and m.deleted_at is null
      and (${deptIds.length === 0} or exists (select 1 from department top where top.tenant_id = m.tenant_id
        and top.id = any(${[...deptIds]}::text[]) and starts_with(d.path, top.path)))`.execute(trx)
  return rows.map((row) => row.user_id)
}
