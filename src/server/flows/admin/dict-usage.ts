import { type RawBuilder, sql } from 'kysely'
import type { Field } from '../../../model/description.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import type { MergedField, MergedModule } from '../../../model/merge-module.ts'
import { type Naming, namingsOf } from '../../kernel/approvals/value-naming.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { tableOf } from '../../kernel/model/stored.ts'

/** Columns that contain dictionary values besides the fields of modules; a column ending in `[]` is a list. */
const FURTHER_COLUMNS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  industry: [['customer', 'industry_path[]']],
  product_category: [['product', 'category_path[]']],
  pool_reason: [
    ['customer', 'pool_reason'],
    ['lead', 'pool_reason'],
    ['bussiness', 'pool_reason'],
    ['owner_record', 'reason'],
  ],
  gender: [['membership', 'gender']],
}

/** A query that returns one row that contains the value. */
type Held = RawBuilder<unknown>

/** True if a record, even a deleted one, has the value: in a field of the product, of the tenant's own, or of an own module. */
export async function isUsed(
  key: string,
  value: string,
  { trx, caller, model }: CallContext,
): Promise<boolean> {
  const ofModules = [...model.modules.values()].flatMap((module) =>
    module.fields.flatMap((field) => [
      ...(field.dict === key ? [heldBy(module, field, value)] : []),
      ...(field.origin === 'tenant' ? (field.fields ?? []) : [])
        .filter(({ dict }) => dict === key)
        .map((column) => heldInRows(module, field, column, value)),
    ]),
  )
  const furtherUses = (FURTHER_COLUMNS[key] ?? []).map(
    ([table, name]): Held => sql`select 1 from ${sql.table(table)} r where ${hasValue(name, value)}`,
  )
  for (const use of [...furtherUses, ...ofModules]) {
    const { rows } = await sql`${use} and r.tenant_id = ${caller.tenantId} limit 1`.execute(trx)
    if (rows.length > 0) return true
  }
  return false
}

/** Rules of fields and steps of approvals that ask for the value, in any module. */
export async function namingsOfItem(
  key: string,
  value: string,
  ctx: CallContext,
): Promise<readonly Naming[]> {
  const namings: Naming[] = []
  for (const module of ctx.model.modules.values())
    for (const field of module.fields)
      if (field.dict === key) namings.push(...(await namingsOf(module, field, value, ctx)))
  return namings
}

function heldBy(module: MergedModule, { name, kind, origin }: MergedField, value: string): Held {
  const from = sql`select 1 from ${sql.table(tableOf(module))} r`
  const isSeveral = kindOf(kind).several === true
  if (origin === 'vendor') return sql`${from} where ${hasValue(isSeveral ? `${name}[]` : name, value)}`
  const isHere = isSeveral
    ? sql`r.ext -> ${sql.lit(name)} ? ${value}`
    : sql`r.ext ->> ${sql.lit(name)} = ${value}`
  return module.origin === 'tenant'
    ? sql`${from} where r.module = ${module.name} and ${isHere}`
    : sql`${from} where ${isHere}`
}

/** In rows of a tenant's own sub-form. */
function heldInRows(module: MergedModule, { name }: MergedField, column: Field, value: string): Held {
  const isOf = module.origin === 'tenant' ? sql`r.module = ${module.name} and ` : sql``
  return sql`select 1 from ${sql.table(tableOf(module))} r
    where ${isOf}r.ext -> ${sql.lit(name)} @> ${JSON.stringify([{ [column.name]: value }])}::jsonb`
}

function hasValue(name: string, value: string): RawBuilder<boolean> {
  const column = sql.ref(`r.${name.replace('[]', '')}`)
  return name.endsWith('[]')
    ? sql<boolean>`${value} = any(${column})`
    : sql<boolean>`${column}::text = ${value}`
}
