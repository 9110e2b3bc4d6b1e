import { wideJson } from '../../../../runtime/core/edit/wide-json.ts'
import { type Json, type JsonObject, ownValue } from '../../../../runtime/core/json.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { Trx } from '../../kernel/db/database.ts'
import { type HealthCounts, healthOf, versionName } from '../../kernel/pages/health.ts'
import { findRevision, findWritten } from '../../kernel/pages/overrides.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { dateTimeText } from '../../kernel/time/zone.ts'

type Pages = Services['pages']

/** Every version of a page that the tenant has published, newest first. */
export async function listVersions(path: string, ctx: CallContext, pages: Pages): Promise<Json> {
  const { trx, caller, zone } = ctx
  const rows = await trx
    .selectFrom('page_override as o')
    .leftJoin('membership as m', (join) =>
      join.onRef('m.tenant_id', '=', 'o.tenant_id').onRef('m.user_id', '=', 'o.created_by'),
    )
    .select(['o.revision', 'o.created_at', 'o.note', 'o.status', 'o.changes', 'm.name as author'])
    .where('o.tenant_id', '=', caller.tenantId)
    .where('o.path', '=', path)
    .where('o.status', '!=', 'draft')
    .orderBy('o.revision', 'desc')
    .execute()
  if (rows.length === 0 && (await pages.shipped(trx, caller.tenantId, path)) === null) refuseUnknown()
  const counted = await healthOf(trx, caller.tenantId, path)
  return {
    list: rows.map(({ revision, author, created_at, note, status, changes }) => ({
      revision,
      author: author ?? '',
      at: dateTimeText(created_at, zone),
      note,
      current: status === 'published',
      changes,
      words: describedChanges(changes),
      health: healthWords(counted(versionName(revision))),
    })),
  }
}

/** The statistics of a version as text; '' while nobody has opened it. */
function healthWords({ opened, failed }: HealthCounts): string {
  return opened === 0
    ? ''
    : text(failed === 0 ? 'page.health.fine' : 'page.health.failed', { opened, failed })
}

/** The changes of a version, a line each. */
const describedChanges = (changes: Json): string =>
  Array.isArray(changes) ? changes.map((change) => String(ownValue(change, 'text') ?? '')).join('\n') : ''

/** A new, empty page. */
const BLANK: Json = {
  formConfig: { layoutType: 'H5', jsonVersion: -3, page: { title: text('page.blank') }, dataSources: [] },
  widgetList: [],
}

/** The page as written: the current version, or another one by its number (0: the product's). */
export async function pageSource(
  path: string,
  revision: number | undefined,
  { trx, caller }: CallContext,
  pages: Pages,
  /** A missing page starts empty. */
  isNew = false,
): Promise<Json> {
  const { tenantId } = caller
  const shipped = await pages.shipped(trx, tenantId, path)
  const written =
    revision === undefined
      ? await findWritten(trx, tenantId, path)
      : await findRevision(trx, tenantId, path, revision)
  const isShipped = written === null && (revision ?? 0) === 0
  if (written === null && (!isShipped || (shipped === null && !isNew))) refuseUnknown()
  const document = written?.document ?? shipped?.document ?? BLANK
  return {
    document,
    text: (written === null ? shipped?.text : written.text) ?? wideJson(document),
    revision: written?.revision ?? 0,
    vendorEtag: shipped?.etag ?? null,
  }
}

/** Both sides of a conflict: the current version, and the one on which the author's is based. */
export async function bothSides(
  path: string,
  base: number,
  trx: Trx,
  tenantId: string,
  pages: Pages,
): Promise<JsonObject> {
  const shipped = (await pages.shipped(trx, tenantId, path))?.document ?? null
  const current = await findWritten(trx, tenantId, path)
  const from = base === 0 ? null : await findRevision(trx, tenantId, path, base)
  return {
    revision: current?.revision ?? 0,
    document: current?.document ?? shipped,
    baseDocument: base === 0 ? shipped : (from?.document ?? null),
  }
}

export function refuseUnknown(): never {
  return refuse(404, 'NOT_FOUND', text('page.unknown'))
}
