import { sql } from 'kysely'
import { type Json, type JsonObject, ownValue } from '../../../../runtime/core/json.ts'
import type { ApprovalEntity } from '../../../contract/approval.ts'
import { filterWidgets } from '../../../model/derived/filters.ts'
import type { Field } from '../../../model/description.ts'
import { ownName } from '../../../model/form-fields.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedField, MergedModule } from '../../../model/merge-module.ts'
import { convertedInto, type NamedAs, namedFields, rulesReading } from '../../../model/named-fields.ts'
import { approvedEntities, describedIn, entityName } from '../../kernel/approvals/entity.ts'
import { flowOf } from '../../kernel/approvals/flow.ts'
import type { UseKind } from '../../kernel/approvals/value-naming.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { tableOf } from '../../kernel/model/stored.ts'
import { derivedWords } from '../../kernel/model/tenant-pages.ts'
import { pageTitle } from '../../kernel/pages/page-title.ts'
import { text } from '../../kernel/text/text.ts'

/** One place that uses a field. `path` is where it can be viewed, '' if there is no page for it. */
export interface Use {
  readonly kind: UseKind
  readonly label: string
  readonly path: string
}

export interface FieldUsage {
  readonly uses: readonly Use[]
  /** Records with a value, up to {@link MAX_RECORDS}. */
  readonly records: number
  /** Records without a value outside the recycle bin, up to {@link MAX_RECORDS}. */
  readonly lacking: number
}

/** Maximum that is counted. */
export const MAX_RECORDS = 1000

/** A number of at most {@link MAX_RECORDS}, as people read it. */
export const counted = (n: number): string => (n >= MAX_RECORDS ? `${MAX_RECORDS}+` : String(n))

/** Where a field is used: written pages, rules of other fields, saved views, and records with a value. */
export async function fieldUsage(
  module: MergedModule,
  field: MergedField,
  ctx: CallContext,
  { pages }: Pick<Services, 'pages'>,
): Promise<FieldUsage> {
  const uses = [
    ...ownUses(module, field, ctx),
    ...(await pageUses(module, field, ctx, pages)),
    ...(await viewUses(module, field, ctx)),
    ...(await flowUses(module, field, ctx)),
  ]
  const [records, lacking] = await countValues(module, field, ctx)
  return { uses: uses.filter(isFirst), records, lacking }
}

/** A place that says the same of a field twice is listed once. */
export const isFirst = ({ kind, label, path }: Use, at: number, uses: readonly Use[]): boolean =>
  uses.findIndex((one) => one.kind === kind && one.label === label && one.path === path) === at

/** Uses in the descriptions themselves. */
function ownUses(module: MergedModule, field: MergedField, { model }: CallContext): readonly Use[] {
  const { name } = field
  const own = labelText(module.label)
  const flow = flowSheet(ownRights(module.name))
  const named = namedFields(module as unknown as JsonObject).flatMap(({ as, name: one }): Use[] =>
    // A group lets go of a field that is deleted.
    one === name && as !== 'group'
      ? [{ kind: PLACES[as], label: own, path: as === 'approval' ? flow : '' }]
      : [],
  )
  const rules = rulesReading(module, field).map(
    ({ by }): Use =>
      by === ''
        ? { kind: 'flow', label: own, path: flow }
        : { kind: 'rule', label: labelOf(module, by), path: sheetOf(module.name, by) },
  )
  const elsewhere = [...model.modules.values()].flatMap((other): Use[] => [
    ...other.fields
      .filter(({ rollup }) => rollup?.module === module.name && (rollup.by === name || rollup.field === name))
      .map(
        ({ name: by, label }): Use => ({
          kind: 'rule',
          label: `${labelText(other.label)} · ${labelText(label)}`,
          path: sheetOf(other.name, by),
        }),
      ),
    ...(convertedInto(other, module.name).includes(name)
      ? [{ kind: 'convert' as const, label: labelText(other.label), path: '' }]
      : []),
  ])
  return [...named, ...rules, ...elsewhere]
}

/** The kind of use for each place of a description. */
const PLACES = {
  title: 'title',
  status: 'status',
  amount: 'amount',
  until: 'until',
  sort: 'sort',
  approval: 'flow',
  convert: 'convert',
} as const satisfies Readonly<Partial<Record<NamedAs, Use['kind']>>>

/** The label of a field of the module. */
const labelOf = ({ fields }: MergedModule, name: string): string =>
  labelText(fields.find((field) => field.name === name)?.label ?? name)

/** The screen of an approval flow. */
export const flowSheet = (entity: ApprovalEntity): string => `/pages/admin/flow/edit?id=${entity}`

/** The screen of a field. */
export const sheetOf = (module: string, name: string): string =>
  `/pages/admin/module/field?module=${module}&name=${name}`

/** Pages that name it explicitly, without derived ones, which follow the description. */
async function pageUses(
  module: MergedModule,
  field: Field,
  where: Pick<CallContext, 'trx' | 'caller'>,
  pages: Services['pages'],
): Promise<readonly Use[]> {
  const pattern = nameInPages(module, field)
  return (await pagesNear(module, where, pages))
    .filter(({ json }) => pattern.test(json))
    .map(({ title, path }) => ({ kind: 'page', label: title, path }))
}

/** How pages name a tenant's own field. */
export const nameInPages = ({ origin }: MergedModule, { name }: Field): RegExp =>
  new RegExp(origin === 'tenant' ? `\\b${name}\\b` : `\\b(?:${ownName(name)}|ext\\.${name})\\b`)

/** A written page that may name fields of a module. */
interface NearPage {
  readonly path: string
  readonly title: string
  readonly document: Json
  readonly json: string
}

/** Written pages that may name fields of the module: of an own one those that call it. */
export async function pagesNear(
  module: MergedModule,
  { trx, caller }: Pick<CallContext, 'trx' | 'caller'>,
  pages: Services['pages'],
): Promise<readonly NearPage[]> {
  const published = await pages.published(trx, caller.tenantId)
  const written = pages.paths().flatMap((path) => published.get(path) ?? pages.fromFile(path) ?? [])
  const extra = [...published.values()].filter(({ path }) => !pages.paths().includes(path))
  return [...written, ...extra].flatMap(({ path, document }): NearPage[] => {
    const json = JSON.stringify(document)
    const isNear =
      module.origin !== 'tenant' ||
      path.startsWith(`/pages/m/${module.name}/`) ||
      json.includes(`/mini/m/${module.name}/`)
    return isNear ? [{ path, title: pageTitle(document) || path, document, json }] : []
  })
}

/** Views that use a field: in their request, or in the screen's fields at the time of saving, which is all that screens send. */
async function viewUses(
  module: MergedModule,
  field: Field,
  { trx, caller }: CallContext,
): Promise<readonly Use[]> {
  const { name } = field
  const called = module.origin === 'tenant' ? name : `ext.${name}`
  const state = module.origin === 'tenant' ? name : ownName(name)
  const filterKeys = filterWidgets({ ...field, name: state }, derivedWords()).map(({ options }) =>
    String(ownValue(options, 'name')),
  )
  const sorts = [name, state, called].flatMap((by) => [by, `${by} asc`, `${by} desc`])
  const entities = [module.name, `m/${module.name}`, `m.${module.name}`]
  const { rows } = await sql<{ name: string; who: string }>`select v.name, m.name as who from saved_view v
    join membership m on m.tenant_id = v.tenant_id and m.user_id = v.user_id
    where v.tenant_id = ${caller.tenantId} and v.entity = any(${entities})
      and (jsonb_path_exists(v.request, '$.**.field ? (@ == $name)', ${JSON.stringify({ name: called })}::jsonb)
        or v.state ->> 'sort' = any(${sorts})
        or exists (select 1 from jsonb_each(v.state) held
          where held.key = any(${filterKeys}) and held.value::text not in ('null', '[]', '""', 'false')))
    order by v.created_at limit 50`.execute(trx)
  return rows.map(
    (view): Use => ({
      kind: 'view',
      label: text('model.use.view-of', { name: view.name, who: view.who }),
      path: '',
    }),
  )
}

/** The approval flow with a step that depends on the field. */
async function flowUses(module: MergedModule, { name }: Field, ctx: CallContext): Promise<readonly Use[]> {
  const entity = approvedEntities(ctx).find((one) => (describedIn(one) ?? one) === module.name)
  if (entity === undefined) return []
  const named = [name, `ext.${name}`]
  const { steps } = await flowOf(entity, ctx)
  return steps.some(({ when = [] }) => when.some(({ field }) => named.includes(field)))
    ? [{ kind: 'flow', label: entityName(entity, ctx), path: flowSheet(entity) }]
    : []
}

/** How many records have a value, including the recycle bin, and how many have none. A product field is stored in a column and is not counted. */
async function countValues(
  { name, origin }: MergedModule,
  field: Field & { readonly origin?: string },
  { trx, caller }: CallContext,
): Promise<readonly [number, number]> {
  if (origin !== 'tenant' && field.origin !== 'tenant') return [0, 0]
  const isOwn = origin === 'tenant' ? sql`and module = ${name}` : sql``
  const records = sql`select 1 from ${sql.table(tableOf({ name, origin }))} where tenant_id = ${caller.tenantId} ${isOwn}`
  const isEmpty = sql`coalesce(ext -> ${sql.lit(field.name)}, 'null') in ('null', '""', '[]')`
  const { rows } = await sql<{ full: number; lacking: number }>`select
    (select count(*)::int from (${records} and not ${isEmpty} limit ${MAX_RECORDS}) one) as full,
    (select count(*)::int from (${records} and ${isEmpty} and deleted_at is null limit ${MAX_RECORDS}) one) as lacking`.execute(
    trx,
  )
  return [rows[0]?.full ?? 0, rows[0]?.lacking ?? 0]
}

/** Uses for a sheet, each with what it is. */
export const usesInWords = (uses: readonly Use[]): readonly Json[] =>
  uses.map((use): Json => ({ ...use, what: text(`model.use.${use.kind}`) }))

/** The usage as texts for its sheet. */
export function usageWords({ uses, records, lacking }: FieldUsage): Json {
  return {
    list: usesInWords(uses),
    records,
    records_text: records === 0 ? '' : text('model.use.records', { n: counted(records) }),
    lacking,
    lacking_text: lacking === 0 ? '' : text('model.use.lacking', { n: counted(lacking) }),
    used: uses.length > 0,
  }
}
