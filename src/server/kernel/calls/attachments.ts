import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import type { Attachment } from '../../../contract/attachment.ts'
import { isHeldFile } from '../../../model/derived/held-files.ts'
import { extName } from '../../../model/form-fields.ts'
import { callerOf } from '../auth/caller.ts'
import { isClear } from '../auth/field-rights.ts'
import type { CallContext } from '../context/call-context.ts'
import { extFieldsOf } from '../fields/ext-fields.ts'
import { wireRow } from '../records/wire.ts'
import { text } from '../text/text.ts'
import type { Mask } from '../visibility/masking.ts'
import { ONE_ID, type OneId } from './one-id.ts'
import type { Services } from './resource.ts'
import { runRead } from './run-read.ts'

/** Records that have files and follow-ups. */
type Carrier = 'customer' | 'lead' | 'bussiness' | 'contract'

/** Maximum number of files shown per record. */
const MAX_FILES = 200
/** Picture formats that every browser can display: fewer than may be uploaded. */
const DRAWN: ReadonlySet<string> = new Set(['jpg', 'jpeg', 'png', 'gif', 'webp', 'bmp'])

interface Row extends Omit<Attachment, 'is_image' | 'size_text' | 'at'> {
  readonly at: Date
}

/**
 * GET /mini/{entity}/attachment/list: the files of a record and of its follow-ups, newest first (DOMAIN 8.3).
 *
 * @param maskFor  refuses with 404 what the caller does not see; returns what is hidden by their rights or by the record's pool
 */
export function attachmentRoute(
  app: FastifyInstance,
  services: Services,
  entity: Carrier,
  maskFor: (id: string, ctx: CallContext) => Promise<Mask>,
): void {
  const config = { permission: `${entity}:view` } as const
  app.get<OneId>(`/mini/${entity}/attachment/list`, { schema: ONE_ID, config }, (request) =>
    runRead(services, callerOf(request), async (ctx) => {
      const mask = await maskFor(request.query.id, ctx)
      return {
        list: isMasked(mask, 'attachments') ? [] : await attachmentsOf(entity, request.query.id, mask, ctx),
      }
    }),
  )
}

const isMasked = ({ masked, hidden }: Mask, field: string): boolean => masked.has(field) || hidden.has(field)

/** Files of the record, of its own file fields, and of its follow-ups. */
function attachmentsOf(entity: Carrier, id: string, mask: Mask, ctx: CallContext) {
  const { tenantId } = ctx.caller
  const fileFields = extFieldsOf(entity, ctx)
    .filter((field) => field.retired !== true && isHeldFile(field) && !isMasked(mask, extName(field.name)))
    .map(({ name }) => name)
  return filesOn(
    sql`${sql.table(entity)} r,
      lateral (select r.attachments as held union all select r.ext -> field from unnest(${fileFields}::text[]) field) fields,
      jsonb_array_elements(coalesce(fields.held, '[]'::jsonb)) with ordinality as given(file, n)
      where r.tenant_id = ${tenantId} and r.id = ${id}`,
    sql<boolean>`${sql.ref(`f.${entity}_id`)} = ${id}`,
    ctx,
  )
}

/** Files of a record of an own module: those in its fields, and those of its follow-ups. @param fields  names of its file fields */
export function ownAttachments(module: string, id: string, fields: readonly string[], ctx: CallContext) {
  const { tenantId } = ctx.caller
  return filesOn(
    sql`record r, unnest(${[...fields]}::text[]) field, jsonb_array_elements(coalesce(r.ext -> field, '[]'::jsonb))
        with ordinality as given(file, n)
      where r.tenant_id = ${tenantId} and r.module = ${module} and r.id = ${id}`,
    sql<boolean>`(f.record_module, f.record_id) = (${module}, ${id})`,
    ctx,
  )
}

/** @param given  the source of the record's own files, as `file` and `n` */
async function filesOn(
  given: RawBuilder<unknown>,
  isOnRecord: RawBuilder<boolean>,
  { trx, caller, zone }: CallContext,
) {
  const noted = (['images', 'files'] as const).map((field) =>
    isClear(caller, 'follow', field) ? sql.ref(`f.${field}`) : sql`'[]'::jsonb`,
  )
  const { rows } = await sql<Row>`
    with files as (
      select file, n, null as follow_id, coalesce(r.updated_at, r.created_at) as at, coalesce(r.updated_by, r.created_by) as user_id
      from ${given}
      union all
      select file, n, f.id, f.followed_at, f.author_id
      from follow f, jsonb_array_elements(${sql.join(noted, sql` || `)}) with ordinality as given(file, n)
      where f.tenant_id = ${caller.tenantId} and f.deleted_at is null and ${isOnRecord}
    )
    select coalesce(follow_id, 'record') || '-' || row_number() over (partition by follow_id order by n) as id, follow_id, file ->> 'name' as name, file ->> 'url' as url,
      coalesce((file ->> 'size')::bigint, 0) as size, coalesce(file ->> 'ext', '') as ext, at, m.name as user_name
    from files left join membership m on m.tenant_id = ${caller.tenantId} and m.user_id = files.user_id
    order by at desc, follow_id nulls first, n limit ${MAX_FILES}`.execute(trx)
  return rows.map((row) =>
    wireRow(
      { ...row, is_image: DRAWN.has(row.ext.toLowerCase()), size_text: sizeText(Number(row.size)) },
      zone,
    ),
  )
}

const KB = 1024

function sizeText(bytes: number): string {
  if (bytes <= 0) return ''
  if (bytes < KB * KB) return text('file.size-kb', { n: Math.max(1, Math.round(bytes / KB)) })
  return text('file.size-mb', { n: (bytes / KB / KB).toFixed(1) })
}
