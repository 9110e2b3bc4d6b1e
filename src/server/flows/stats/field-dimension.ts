import { type RawBuilder, sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { StatisticKey } from '../../../contract/home.ts'
import { holdsPermission } from '../../../contract/permission.ts'
import type { StatAnalysis, StatDimension } from '../../../contract/stats.ts'
import type { KindName } from '../../../model/description.ts'
import { addressOf, rightName, rightsEntity } from '../../../model/field-rights.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedField, MergedModule } from '../../../model/merge-module.ts'
import { isClear } from '../../kernel/auth/field-rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { columnNamed } from '../../kernel/db/column.ts'
import { wordsFor } from '../../kernel/fields/value-words.ts'
import { rowsOf, type StatQuestion } from '../../kernel/lists/stat-rows.ts'
import { ownModules } from '../../kernel/model/own-rights.ts'
import { tableOf } from '../../kernel/model/stored.ts'
import { text } from '../../kernel/text/text.ts'
import { ownRowsOf } from './own-numbers.ts'

/** A field by which the new records of a module are counted. */
export interface FieldDimension {
  /** `customer.level`, `customer.ext.wechat_kind`, `m.ticket.status`: the name used by rights. */
  readonly id: string
  readonly module: MergedModule
  readonly field: MergedField
}

/** Kinds whose values are shared by many records. */
const GROUPING: ReadonlySet<string> = new Set<KindName>([
  'choice',
  'choices',
  'flag',
  'user',
  'users',
  'dept',
  'region',
])

/** Product modules whose new records are counted on the home page, and the amount of each record. */
const COUNTED: Readonly<Record<string, { readonly key: StatisticKey; readonly amount?: string }>> = {
  customer: { key: 'new_customer' },
  bussiness: { key: 'new_bussiness', amount: 'amount' },
  contract: { key: 'new_contract_total', amount: 'amount' },
}
export type CountedModule = 'customer' | 'bussiness' | 'contract'

const MAX_GROUPS = 50

/** The fields by which the caller may count: of modules they see, those whose values they see in full. */
function fieldDimensions(ctx: CallContext): readonly FieldDimension[] {
  const { model, caller } = ctx
  const counted = [
    ...Object.keys(COUNTED).flatMap((name) => model.modules.get(name) ?? []),
    ...ownModules(model),
  ]
  return counted
    .filter((module) => holdsPermission(caller.permissions, `${rightsEntity(module)}:view`))
    .flatMap((module) =>
      module.fields
        .filter((field) => field.retired !== true && GROUPING.has(field.kind))
        .filter((field) => isClear(caller, rightsEntity(module), rightName(module, field)))
        .map((field) => ({ id: addressOf(module, field), module, field })),
    )
}

/** POST /mini/stats/dimension/list: those fields with their modules, as options. */
export async function dimensionList(
  _: JsonObject,
  ctx: CallContext,
): Promise<{ list: readonly StatDimension[] }> {
  return {
    list: fieldDimensions(ctx).map(({ id, module, field }) => ({
      value: id,
      label: `${labelText(module.label)} · ${labelText(field.label)}`,
    })),
  }
}

/** The field of that name that the caller may count by. */
export const fieldDimension = (id: unknown, ctx: CallContext): FieldDimension | undefined =>
  typeof id === 'string' && id.includes('.')
    ? fieldDimensions(ctx).find((dimension) => dimension.id === id)
    : undefined

/** New records of a module in the requested period and scope, by their values in the field; the largest 50 groups. */
export async function countByField(dimension: FieldDimension, question: StatQuestion): Promise<StatAnalysis> {
  const { id, module, field } = dimension
  const { ctx } = question
  const { rows } = await sql<{ value: string | null; count: number; amount: number }>`
    select v.value, count(*)::int as count, coalesce(sum(${worthOf(module, ctx)}), 0) as amount
    from ${sql.table(tableOf(module))} x left join lateral (${valuesOf(dimension)}) v on true
    where ${newRows(dimension, question)} group by 1 order by amount desc, count desc, v.value
    limit ${MAX_GROUPS}`.execute(ctx.trx)
  const words = await wordsOfGroups(
    field,
    rows.flatMap(({ value }) => value ?? []),
    ctx,
  )
  return {
    dimension: id,
    groups: rows.map((row) => ({ ...row, value: row.value ?? '', label: words(row.value ?? '') })),
  }
}

/** The rows of `x` that one group counts. */
export function rowsByField(
  dimension: FieldDimension,
  value: string,
  question: StatQuestion,
): RawBuilder<boolean> {
  const holds =
    value === ''
      ? sql<boolean>`not exists (select 1 from (${valuesOf(dimension)}) v where v.value is not null)`
      : sql<boolean>`exists (select 1 from (${valuesOf(dimension)}) v where v.value = ${value})`
  return sql<boolean>`(${newRows(dimension, question)} and ${holds})`
}

/** The name of a group. */
export async function fieldGroupLabel(
  { field }: FieldDimension,
  value: string,
  ctx: CallContext,
): Promise<string> {
  return (await wordsOfGroups(field, value === '' ? [] : [value], ctx))(value)
}

function newRows({ module }: FieldDimension, question: StatQuestion): RawBuilder<boolean> {
  const counted = COUNTED[module.name]
  if (module.origin === 'tenant' || counted === undefined) return ownRowsOf(module, question, 'x')
  const rows = rowsOf(counted.key, question, 'x')
  return module.name === 'contract' ? sql<boolean>`(${rows} and x.replaced_by is null)` : rows
}

/** The amount of a record, if the caller may see it. */
function worthOf(module: MergedModule, { caller }: CallContext): RawBuilder<number> {
  const name = module.origin === 'tenant' ? module.amount : COUNTED[module.name]?.amount
  const field = module.fields.find((one) => one.name === name)
  if (field === undefined || !isClear(caller, rightsEntity(module), rightName(module, field)))
    return sql<number>`0`
  return module.origin === 'tenant'
    ? sql<number>`(x.ext ->> ${sql.lit(field.name)})::numeric`
    : sql<number>`${columnNamed(`x.${field.name}`)}`
}

/** A record's values in the field, as rows `value`: none for an empty field. For a region, its province. */
function valuesOf({ field }: FieldDimension): RawBuilder<unknown> {
  const { name, origin, kind } = field
  const isList = kindOf(kind).several === true
  if (origin === 'vendor') {
    const column = columnNamed(`x.${name}`)
    if (kind === 'region') return sql`select (${column})[1] as value`
    return isList ? sql`select unnest(${column}) as value` : sql`select ${column}::text as value`
  }
  const column = sql`x.ext -> ${sql.lit(name)}`
  if (kind === 'region') return sql`select ${column} ->> 0 as value`
  return isList
    ? sql`select jsonb_array_elements_text(case jsonb_typeof(${column}) when 'array' then ${column} else '[]' end) as value`
    : sql`select nullif(x.ext ->> ${sql.lit(name)}, '') as value`
}

/** The texts of the values of a field. */
async function wordsOfGroups(
  field: MergedField,
  values: readonly string[],
  ctx: CallContext,
): Promise<(value: string) => string> {
  const { several, write } = kindOf(field.kind)
  const matches = (value: string) =>
    field.kind === 'flag' ? value === 'true' : several === true ? [value] : value
  const words = await wordsFor(
    [field],
    values.map((value) => ({ [field.name]: matches(value) })),
    ctx,
  )
  return (value) => (value === '' ? text('stats.nothing') : write(matches(value), field, words) || value)
}
