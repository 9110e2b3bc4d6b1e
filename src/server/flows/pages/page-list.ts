import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { derivedAt } from '../../../model/derived/parts.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { checkPage } from '../../kernel/pages/check.ts'
import { findWritten } from '../../kernel/pages/overrides.ts'
import { isOwnPath } from '../../kernel/pages/own-paths.ts'
import type { PageVersion } from '../../kernel/pages/page-version.ts'
import { text } from '../../kernel/text/text.ts'
import { dateTimeText } from '../../kernel/time/zone.ts'
import { isOutgrown } from './merging.ts'
import { pageName } from './page-name.ts'
import { refuseUnknown } from './versions.ts'
import { findVisitors } from './visits.ts'

/** The origin of a page: the product, the product with changes by the tenant, or the tenant. */
type Source = 'vendor' | 'changed' | 'own'

export const PAGE_TABS = ['all', 'vendor', 'changed', 'own'] as const

/** A page that was never published here. */
const NEVER = { revision: 0, at: '', author: '', note: '' }

/** The criteria of a search. */
export interface PageSearch {
  readonly tab?: (typeof PAGE_TABS)[number]
  readonly keyword?: string
}

/** Every matching page of the tenant: its title, origin, last change, and problems. */
export async function listPages(
  search: PageSearch,
  ctx: CallContext,
  pages: Services['pages'],
): Promise<Json> {
  const { trx, caller } = ctx
  const { tab = 'all', keyword = '' } = search
  const wanted = keyword.trim().toLowerCase()
  const all = await pages.all(trx, caller.tenantId)
  const heads = await lastChanges(ctx)
  const writers = await countDrafts(ctx)
  const visitors = await findVisitors(ctx)
  const rows: JsonObject[] = []
  for (const page of [...all].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const source = sourceOf(page.path, heads)
    if (tab !== 'all' && tab !== source) continue
    const title = pageName(page, ctx.model, pages)
    if (wanted !== '' && !isFound(page, title, wanted)) continue
    const isOld = source === 'changed' && (await needsUpgrade(page.path, ctx, pages))
    rows.push({
      path: page.path,
      title,
      source,
      source_name: sourceName(source, page.path),
      ...(heads.get(page.path) ?? NEVER),
      problems: problemsOf(page, source, pages),
      outgrown: isOld,
      outgrown_name: isOld
        ? text(derivedAt(page.path) === null ? 'page.list.outgrown' : 'page.list.module-outgrown')
        : '',
      drafts: writers.get(page.path) ?? 0,
      open_by: (visitors.get(page.path) ?? []).join('、'),
      published: true,
    })
  }
  rows.push(...begunRows(search, writers, visitors, new Set(all.map(({ path }) => path))))
  return { list: rows.map((row) => ({ ...row, ...wordsOf(row) })), total: rows.length }
}

/** The cells of a table for a page. */
function wordsOf({ revision, outgrown_name, problems, drafts, open_by: names }: JsonObject): JsonObject {
  const n = (count: Json | undefined): number => Number(count ?? 0)
  const state = [
    String(outgrown_name ?? ''),
    n(problems) > 0 ? text('page.list.problems', { n: n(problems) }) : '',
    n(drafts) > 0 ? text('page.list.drafts', { n: n(drafts) }) : '',
    typeof names === 'string' && names !== '' ? text('page.list.open', { names }) : '',
  ]
  return {
    version_name: n(revision) > 0 ? text('page.list.version', { n: n(revision) }) : '',
    state: state.filter((one) => one !== '').join('，'),
  }
}

/** Pages with drafts that were never published. */
function begunRows(
  { tab = 'all', keyword = '' }: PageSearch,
  writers: ReadonlyMap<string, number>,
  visitors: ReadonlyMap<string, readonly string[]>,
  existing: ReadonlySet<string>,
): JsonObject[] {
  const includesDrafts = tab === 'all' || tab === 'own'
  return [...writers]
    .filter(
      ([path]) => includesDrafts && !existing.has(path) && isOwnPath(path) && path.includes(keyword.trim()),
    )
    .map(([path, drafts]) => ({
      path,
      title: path,
      source: 'own',
      source_name: text('page.source.own'),
      ...NEVER,
      problems: 0,
      outgrown: false,
      outgrown_name: '',
      drafts,
      open_by: (visitors.get(path) ?? []).join('、'),
      published: false,
    }))
}

/** One page, for its own screen; a deleted page still has its versions. */
export async function pageFacts(path: string, ctx: CallContext, pages: Services['pages']): Promise<Json> {
  const { trx, caller } = ctx
  const page = await pages.find(trx, caller.tenantId, path)
  const shipped = await pages.shipped(trx, caller.tenantId, path)
  const heads = await lastChanges(ctx)
  if (page === null && !(await wasPublished(path, ctx))) refuseUnknown()
  const source = sourceOf(path, heads)
  const { addresses } = pages.routeOf(path)
  return {
    record: {
      path,
      title: page === null ? path : pageName(page, ctx.model, pages),
      addresses: addresses.filter((address) => address !== path).join('、'),
      source,
      source_name: page === null ? text('page.source.gone') : sourceName(source, path),
      ...(heads.get(path) ?? NEVER),
      problems: page === null ? 0 : problemsOf(page, source, pages),
      outgrown: source === 'changed' && (await needsUpgrade(path, ctx, pages)),
      shipped: shipped !== null,
      open: page !== null && !Array.isArray(paramsOf(page)),
    },
  }
}

const sourceOf = (path: string, heads: ReadonlyMap<string, unknown>): Source =>
  isOwnPath(path) ? 'own' : heads.has(path) ? 'changed' : 'vendor'

/** The origin in words; what is made from a module follows the module, not the product. */
const sourceName = (source: Source, path: string): string =>
  source === 'vendor' && derivedAt(path) !== null ? text('page.source.made') : text(`page.source.${source}`)

/** Parameters without which it cannot be opened. */
function paramsOf({ document }: PageVersion): Json | undefined {
  const config = isObject(document) && isObject(document.formConfig) ? document.formConfig : {}
  const params = isObject(config.page) ? config.page.params : undefined
  const isNeeded = Array.isArray(params) && params.some((param) => isObject(param) && param.required === true)
  return isNeeded ? params : undefined
}

const isFound = ({ path, document }: PageVersion, title: string, wanted: string): boolean =>
  `${path} ${title}`.toLowerCase().includes(wanted) || JSON.stringify(document).toLowerCase().includes(wanted)

const counted = new WeakMap<PageVersion, number>()

/** The number of errors that prevent the page from opening; for a file, those that prevent its last edit from being used. */
function problemsOf(page: PageVersion, source: Source, pages: Services['pages']): number {
  if (source === 'vendor') return pages.problemsOf(page.path).length
  const known =
    counted.get(page) ?? checkPage(page.document).filter(({ severity }) => severity === 'error').length
  counted.set(page, known)
  return known
}

async function needsUpgrade(
  path: string,
  { trx, caller }: CallContext,
  pages: Services['pages'],
): Promise<boolean> {
  const written = await findWritten(trx, caller.tenantId, path)
  return written !== null && isOutgrown(written, await pages.shipped(trx, caller.tenantId, path))
}

/** The published version of each page, by path. */
async function lastChanges({ trx, caller, zone }: CallContext): Promise<ReadonlyMap<string, JsonObject>> {
  const rows = await trx
    .selectFrom('page_override as o')
    .leftJoin('membership as m', (join) =>
      join.onRef('m.tenant_id', '=', 'o.tenant_id').onRef('m.user_id', '=', 'o.created_by'),
    )
    .select(['o.path', 'o.revision', 'o.note', 'o.created_at', 'm.name as author'])
    .where('o.tenant_id', '=', caller.tenantId)
    .where('o.status', '=', 'published')
    .execute()
  return new Map(
    rows.map(({ path, revision, note, created_at, author }) => [
      path,
      {
        revision,
        note,
        at: dateTimeText(created_at, zone),
        author: author ?? '',
      },
    ]),
  )
}

/** The number of people editing each page. */
async function countDrafts({ trx, caller }: CallContext): Promise<ReadonlyMap<string, number>> {
  const rows = await trx
    .selectFrom('page_draft')
    .select(['path', (select) => select.fn.countAll<string>().as('n')])
    .where('tenant_id', '=', caller.tenantId)
    .groupBy('path')
    .execute()
  return new Map(rows.map(({ path, n }) => [path, Number(n)]))
}

async function wasPublished(path: string, { trx, caller }: CallContext): Promise<boolean> {
  const row = await trx
    .selectFrom('page_override')
    .select('revision')
    .where('tenant_id', '=', caller.tenantId)
    .where('path', '=', path)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
