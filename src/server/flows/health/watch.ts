import { sql } from 'kysely'
import { holdsPermission } from '../../../contract/permission.ts'
import type { Caller } from '../../kernel/auth/caller.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import type { Trx } from '../../kernel/db/database.ts'
import { announce } from '../../kernel/notices/announce.ts'
import {
  type HealthCounts,
  healthOf,
  healthSince,
  isToGoBack,
  trialName,
  versionName,
} from '../../kernel/pages/health.ts'
import { findHead, lockPage } from '../../kernel/pages/overrides.ts'
import { findTrial, isAmong } from '../../kernel/pages/trials.ts'
import { auditOf } from '../../kernel/records/write-once.ts'
import { text } from '../../kernel/text/text.ts'
import { endTrial } from '../changesets/plan.ts'
import { changeSet, lockChangeSet } from '../changesets/store.ts'
import { republish } from '../pages/publish.ts'
import { config } from '../pages/route-schemas.ts'

/** The version of a page that somebody has. */
export interface ServedVersion {
  readonly name: string
  /** When it became current; null for the product's page. */
  readonly since: Date | null
  readonly ageMs: number | null
  readonly trial: string | null
  readonly revision: number
  readonly author: string
}

interface Where {
  readonly trx: Trx
  readonly caller: Caller
  readonly services: Services
}

/** How long a new version is monitored. */
const WATCHED_MS = 30 * 60_000

/** The version of a page that was served to the caller. */
export async function servedVersion(path: string, { trx, caller, services }: Where): Promise<ServedVersion> {
  const trial = await findTrial(trx, caller.tenantId, path)
  if (trial !== null && isAmong(trial.audience, caller)) {
    const of = trial.audience.of
    const { rows } = await sql<{
      started_at: Date
      author: string
    }>`select t.started_at, s.created_by as author
      from page_trial t join change_set s on s.tenant_id = t.tenant_id and s.id = t.set_id
      where t.tenant_id = ${caller.tenantId} and t.path = ${path}`.execute(trx)
    const [row] = rows
    const since = row?.started_at ?? null
    const ageMs = since === null ? null : services.now() - since.getTime()
    return { name: trialName(of), since, ageMs, trial: of, revision: 0, author: row?.author ?? '' }
  }
  const { rows } = await sql<{
    revision: number
    author: string
    since: Date
    age: number
  }>`select revision, created_by as author, published_at as since,
      (extract(epoch from clock_timestamp() - published_at) * 1000)::float8 as age from page_override
    where tenant_id = ${caller.tenantId} and path = ${path} and status = 'published'`.execute(trx)
  const [row] = rows
  if (row === undefined)
    return { name: versionName(0), since: null, ageMs: null, trial: null, revision: 0, author: '' }
  return {
    name: versionName(row.revision),
    since: row.since,
    ageMs: row.age,
    trial: null,
    revision: row.revision,
    author: row.author,
  }
}

/** Reverts a version that fails since it was published; its author is notified. */
export async function rollBackIfWorse(path: string, had: ServedVersion, where: Where): Promise<void> {
  if (had.ageMs === null || had.ageMs > WATCHED_MS) return
  const { trx, caller, services } = where
  const before =
    had.trial === null ? await revisionBefore(path, had.revision, where) : await current(path, where)
  // There is nothing to go back to before a page's first version.
  if (before === 0 && (await services.pages.shipped(trx, caller.tenantId, path)) === null) return
  const now = await healthSince(trx, caller, { path, version: had.name, since: had.since })
  const counted = await healthOf(trx, caller.tenantId, path)
  const mayAlone = holdsPermission(caller.permissions, config.permission)
  if (!isToGoBack(now, counted(versionName(before)), mayAlone)) return
  await lockPage(trx, caller.tenantId, path)
  // A report from another device may have reverted it just now.
  if ((await servedVersion(path, where)).name !== had.name) return
  if (had.trial === null) await goBack(path, had, before, now.all, where)
  else await endFailing(had.trial, path, now.all, where)
}

async function goBack(
  path: string,
  had: ServedVersion,
  before: number,
  counts: HealthCounts,
  where: Where,
): Promise<void> {
  const { trx, caller, services } = where
  const { was, etag } = await republish({ path, revision: before }, { trx, caller }, services)
  await auditOf(
    trx,
    { tenantId: caller.tenantId, userId: null },
    null,
    { action: 'page:rollback', entity: 'page_override' },
    { recordId: path, detail: { etag, before: { revision: was }, after: { revision: before }, ...counts } },
  )
  await notifyAuthor(path, had.author, counts, { route: '/pages/admin/page/detail', query: { path } }, where)
}

async function endFailing(set: string, path: string, counts: HealthCounts, where: Where): Promise<void> {
  const { trx, caller, services } = where
  const held = await lockChangeSet(set, where)
  if (held.status !== 'partial') return
  await endTrial(held, where)
  const failure = text('message.page.taken_back.content', {
    title: path,
    opened: counts.opened,
    failed: counts.failed,
  })
  const now = new Date(services.now())
  await changeSet(held, { status: 'open', failure, audience: null }, { trx, caller, now })
  await notifyAuthor(
    path,
    held.created_by,
    counts,
    { route: '/pages/admin/page/set', query: { id: set } },
    where,
  )
}

async function notifyAuthor(
  path: string,
  author: string,
  { opened, failed }: HealthCounts,
  link: { readonly route: string; readonly query: Readonly<Record<string, string>> },
  { trx, caller, services }: Where,
): Promise<void> {
  await announce(trx, {
    event: 'page.taken_back',
    tenantId: caller.tenantId,
    actorId: null,
    now: new Date(services.now()),
    receivers: [author],
    entity: 'notice',
    ids: [],
    params: { title: services.pages.routeOf(path).title || path, opened, failed },
    link,
  })
}

const current = async (path: string, { trx, caller }: Where): Promise<number> =>
  (await findHead(trx, caller.tenantId, path))?.revision ?? 0

/** The version that was current before another one; 0: the product's page. */
async function revisionBefore(path: string, revision: number, { trx, caller }: Where): Promise<number> {
  const { rows } = await sql<{ revision: number }>`select b.revision from page_override b
    join page_override n on n.tenant_id = b.tenant_id and n.path = b.path and n.revision = ${revision}
    where b.tenant_id = ${caller.tenantId} and b.path = ${path} and b.revision <> ${revision} and b.status = 'archived'
      and b.archived_at between n.published_at - interval '10 seconds' and n.published_at + interval '1 second'
    order by b.archived_at desc limit 1`.execute(trx)
  return rows[0]?.revision ?? 0
}
