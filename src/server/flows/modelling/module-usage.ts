import { sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { namedUses } from '../../kernel/approvals/value-naming.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { pageTitle } from '../../kernel/pages/page-title.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { counted, isFirst, MAX_RECORDS, sheetOf, type Use, usesInWords } from './field-usage.ts'
import { deleteModule, type Saving } from './save-module.ts'

type Where = Pick<CallContext, 'trx' | 'caller' | 'model'>

export interface ModuleUsage {
  /** What of others names the module, and would name nothing without it. */
  readonly uses: readonly Use[]
  /** Its records outside the recycle bin, and its approvals that wait, each up to {@link MAX_RECORDS}. */
  readonly records: number
  readonly waiting: number
}

/** What uses a module of the tenant's own. Its own pages, its entry in the menu and its records go and come back with it. */
export async function moduleUsage(
  name: string,
  where: Where,
  { pages }: Pick<Services, 'pages'>,
): Promise<ModuleUsage> {
  const uses = [
    ...[...where.model.modules.values()].flatMap((other) => usesIn(other, name)),
    ...(await pageUses(name, where, pages)),
    ...(await menuUses(name, where)),
  ]
  return { uses: uses.filter(isFirst), ...(await countRecords(name, where)) }
}

/** Fields of another module that refer to it or count its records, and what becomes one of its records. */
function usesIn(other: MergedModule, name: string): readonly Use[] {
  if (other.name === name) return []
  const label = labelText(other.label)
  const fields = other.fields.flatMap((field): Use[] => {
    const kind = kindOfUse(field, name)
    if (kind === undefined) return []
    return [{ kind, label: `${label} · ${labelText(field.label)}`, path: sheetOf(other.name, field.name) }]
  })
  return Object.hasOwn(other.convert ?? {}, name) ? [...fields, { kind: 'convert', label, path: '' }] : fields
}

/** Nothing for a retired field: nobody fills it in any more. */
function kindOfUse({ module, rollup, retired }: Field, name: string): Use['kind'] | undefined {
  if (retired === true) return undefined
  if (rollup?.module === name) return 'rollup'
  return module === name ? 'reference' : undefined
}

/** Pages that a tenant published elsewhere and that call its records or lead to its pages. */
async function pageUses(
  name: string,
  { trx, caller }: Where,
  pages: Services['pages'],
): Promise<readonly Use[]> {
  const published = await pages.published(trx, caller.tenantId)
  return [...published.values()]
    .filter(({ path }) => !path.startsWith(`/pages/m/${name}/`))
    .filter(({ document }) => JSON.stringify(document).includes(`/m/${name}/`))
    .map(({ path, document }): Use => ({ kind: 'page', label: pageTitle(document) || path, path }))
}

/** Entries of the menu besides its own, which is hidden with it. */
async function menuUses(name: string, { trx, caller }: Where): Promise<readonly Use[]> {
  const { rows } = await sql<{ title: string }>`select title from menu where tenant_id = ${caller.tenantId}
    and hide = 0 and path like ${`/pages/m/${name.replaceAll('_', '\\_')}/%`} and path <> ${`/pages/m/${name}/index`}
    order by sort, id`.execute(trx)
  return rows.map(({ title }): Use => ({ kind: 'menu', label: title, path: '/pages/admin/menu/index' }))
}

async function countRecords(
  name: string,
  { trx, caller }: Where,
): Promise<Pick<ModuleUsage, 'records' | 'waiting'>> {
  const { rows } = await sql<{ records: number; waiting: number }>`select
    (select count(*)::int from (select 1 from record where tenant_id = ${caller.tenantId} and module = ${name}
      and deleted_at is null limit ${MAX_RECORDS}) one) as records,
    (select count(*)::int from (select 1 from approval where tenant_id = ${caller.tenantId}
      and entity = ${ownRights(name)} and status = 'running' limit ${MAX_RECORDS}) one) as waiting`.execute(
    trx,
  )
  return { records: rows[0]?.records ?? 0, waiting: rows[0]?.waiting ?? 0 }
}

/** The usage as texts for the sheet of the module. */
export function moduleUsageWords({ uses, records, waiting }: ModuleUsage): JsonObject {
  const parts = [
    ...(records > 0 ? [text('model.module-records', { n: counted(records) })] : []),
    ...(waiting > 0 ? [text('model.module-waiting', { n: counted(waiting) })] : []),
  ]
  return {
    list: usesInWords(uses),
    used: uses.length > 0,
    records,
    waiting,
    kept: parts.join('，'),
  }
}

/**
 * Deletes a module of the tenant's own that nothing else uses; its records stay.
 *
 * @throws Refusal 422 REFERENCED with what uses it
 */
export async function deleteUnusedModule(
  name: string,
  base: number | undefined,
  saving: Saving,
  services: Pick<Services, 'pages'>,
): Promise<number> {
  const { trx, caller, library } = saving
  const model = await library.within(trx, caller.tenantId)
  if (model.modules.get(name)?.origin === 'tenant' && library.vendor(name) === undefined)
    await refuseUsed(name, { trx, caller, model }, services)
  return deleteModule(name, base, saving)
}

/** Refuses if a module that is gone is still named: by what was not taken back with it. */
export async function refuseNamingLost(
  name: string,
  { trx, caller, library }: Saving,
  services: Pick<Services, 'pages'>,
): Promise<void> {
  const model = await library.within(trx, caller.tenantId)
  if (!model.modules.has(name)) await refuseUsed(name, { trx, caller, model }, services)
}

async function refuseUsed(name: string, where: Where, services: Pick<Services, 'pages'>): Promise<void> {
  const usage = await moduleUsage(name, where, services)
  if (usage.uses.length > 0)
    refuse(422, 'REFERENCED', text('model.module-used', { uses: namedUses(usage.uses) }), {
      data: moduleUsageWords(usage),
    })
}
