import { type RawBuilder, sql } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'
import { convertValue, isConvertible, type Meanings, previewText } from '../../../model/convert-value.ts'
import type { Field } from '../../../model/description.ts'
import { INVALID } from '../../../model/kind.ts'
import { isEmpty, readField } from '../../../model/read-record.ts'
import { type Conversion, lockConversion } from '../model/conversions.ts'
import type { OfTenant } from './dict-label.ts'
import { isExtEntity } from './ext-fields.ts'
import { plainMeanings } from './value-words.ts'

/** Records per part: as many as one short transaction can convert while others write. */
export const CONVERT_PART = 1000

/** Where the values of a field are stored: `record` holds those of all modules defined by a description. */
export interface Held {
  readonly table: string
  readonly module: string
  readonly name: string
}

/** Where values of a tenant's own fields of a module are stored. */
export const heldIn = (module: string): Omit<Held, 'name'> => ({
  module,
  table: isExtEntity(module) ? module : 'record',
})

/** True when records hold values of a field. */
export async function holdsValues(held: Held, tenant: OfTenant): Promise<boolean> {
  const { rows } = await sql`select 1 from ${recordsOf(held, tenant)}
    and coalesce(ext -> ${held.name}, 'null') not in ('null', '""', '[]') limit 1`.execute(tenant.trx)
  return rows.length > 0
}

/**
 * How many records hold that choice, including those in the recycle bin, which may be restored.
 *
 * @param column  of a field with rows: the column that holds it
 */
export async function countChosen(
  held: Held,
  choice: string,
  column: string | undefined,
  tenant: OfTenant,
): Promise<number> {
  const value = JSON.stringify(column === undefined ? choice : [{ [column]: choice }])
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${recordsOf(held, tenant)}
    and ext -> ${held.name} @> ${value}::jsonb`.execute(tenant.trx)
  return rows[0]?.n ?? 0
}

/** Records in whose rows a column holds a value, including those in the recycle bin. */
export async function countColumn(held: Held, column: string, tenant: OfTenant): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${recordsOf(held, tenant)}
    and jsonb_path_exists(ext -> ${held.name}, '$[*].keyvalue() ? (@.key == $column && @.value != null)',
      jsonb_build_object('column', ${column}::text), true)`.execute(tenant.trx)
  return rows[0]?.n ?? 0
}

/** Values that a field takes and, described otherwise, would not, and how many records hold them, including those in the recycle bin; an example among the `seen` records. */
export async function countUnfit(
  held: Held,
  was: Field,
  made: Field,
  tenant: OfTenant,
  seen: RawBuilder<boolean>,
): Promise<{ readonly n: number; readonly example: string | null }> {
  const unfit = (await valuesOf(held, tenant, seen)).filter(
    ({ value }) => readField(value, was) !== INVALID && readField(value, made) === INVALID,
  )
  const n = unfit.reduce((sum, one) => sum + one.n, 0)
  const first = unfit.find(isSeen)
  if (first === undefined) return { n, example: null }
  const { words } = await plainMeanings([was], tenant)
  return { n, example: previewText(first.value, was, words) }
}

/** Equal values, and how many records hold them. */
interface Alike {
  readonly value: Json
  readonly n: number
  /** Those not in the recycle bin. */
  readonly live: number
  /** The caller may be told the value of one of them. */
  readonly seen: boolean
  /** One of these that is not in the recycle bin. */
  readonly at: string | null
}

const isSeen = ({ seen }: Pick<Alike, 'seen'>): boolean => seen

type Lost = Alike & { readonly preview: string }

/** The result of converting the existing values to another kind: all are counted, and those are listed that the caller may be told. */
export interface Judgement {
  /** Records that hold a value, including those in the recycle bin. */
  readonly records: number
  /** How many of them hold one that cannot be converted. */
  readonly refused: number
  /** Values that cannot be converted, the most frequent first. */
  readonly lost: readonly Lost[]
  /** Values that are written differently afterwards. */
  readonly changed: readonly { readonly was: string; readonly is: string; readonly n: number }[]
  /** A value of a unique field that would occur several times; without its text for who may not be told. */
  readonly repeated: { readonly preview: string | null } | null
  /** The text that users see now. */
  readonly words: readonly string[]
}

/** Examines every existing value. @param seen  records `r` of which the caller may be told the value */
export async function judgeConversion(
  held: Held,
  was: Field,
  made: Field,
  tenant: OfTenant,
  seen: RawBuilder<boolean>,
): Promise<Judgement> {
  const found = await valuesOf(held, tenant, seen)
  const meanings = await plainMeanings([was, made], tenant)
  const isOpen = isConvertible(was, made)
  const lost: Lost[] = []
  const read: (Lost & { readonly is: Json })[] = []
  for (const row of found) {
    const is = isOpen ? convertValue(row.value, was, made, meanings) : INVALID
    const alike = { ...row, preview: previewText(row.value, was, meanings.words) }
    if (is === INVALID) lost.push(alike)
    else read.push({ ...alike, is })
  }
  return {
    records: found.reduce((sum, { n }) => sum + n, 0),
    refused: lost.reduce((sum, { n }) => sum + n, 0),
    lost: lost.filter(isSeen),
    changed: read
      .filter(isSeen)
      .map((one) => ({ was: one.preview, is: previewText(one.is, made, meanings.words), n: one.n }))
      .filter((one) => one.was !== one.is),
    repeated: made.unique === 'refuse' ? repeatedOf(read) : null,
    words: [...lost, ...read].filter(isSeen).map((one) => one.preview),
  }
}

function repeatedOf(read: readonly (Lost & { readonly is: Json })[]): Judgement['repeated'] {
  const seen = new Map<string, number>()
  for (const one of read) {
    const key = JSON.stringify(one.is)
    const n = (seen.get(key) ?? 0) + one.live
    if (n > 1) return { preview: isSeen(one) ? one.preview : null }
    seen.set(key, n)
  }
  return null
}

const recordsOf = ({ table, module }: Omit<Held, 'name'>, { caller }: OfTenant) =>
  sql`${sql.table(table)} r where r.tenant_id = ${caller.tenantId} ${table === 'record' ? sql`and r.module = ${module}` : sql``}`

async function valuesOf(held: Held, tenant: OfTenant, seen: RawBuilder<boolean>): Promise<readonly Alike[]> {
  const { rows } =
    await sql<Alike>`select value, count(*)::int as n, count(*) filter (where lives)::int as live,
      bool_or(seen) as seen, min(id) filter (where seen and lives) as at
    from (select r.id, r.ext -> ${held.name} as value, r.deleted_at is null as lives, ${seen} as seen from ${recordsOf(held, tenant)}) held
    where value is not null and value not in ('null', '""', '[]')
    group by value order by n desc, value`.execute(tenant.trx)
  return rows
}

/**
 * Converts the values of the next part of the records, in the order of their ids. A value that was written after the examination and
 * cannot be converted stays as it is.
 *
 * @returns true while there is more
 */
export async function convertPart(
  held: Omit<Held, 'name'>,
  field: string,
  tenant: OfTenant,
): Promise<boolean> {
  const { trx, caller } = tenant
  const open = await lockConversion(trx, caller.tenantId, held.module, field)
  if (open === undefined) return false
  const { rows } = await sql<Row>`select id, ext -> ${field} as value from ${recordsOf(held, tenant)}
    and ext -> ${field} is not null and id > ${open.lastId} order by id limit ${CONVERT_PART}
    for update`.execute(trx)
  const meanings = await plainMeanings([open.was, open.made], tenant)
  const texts = rows.map(({ value }) => textOf(value, open, meanings))
  await sql`update ${sql.table(held.table)} r set ext = case when v.made = 'null' then r.ext - ${field}::text
      else jsonb_set(r.ext, array[${field}::text], v.made::jsonb) end
    from unnest(${rows.map(({ id }) => id)}::text[], ${texts}::text[]) v (id, made)
    where r.tenant_id = ${caller.tenantId} and r.id = v.id and v.made is not null`.execute(trx)
  const last = rows.at(-1)?.id
  if (rows.length === CONVERT_PART && last !== undefined) {
    await sql`update field_conversion set last_id = ${last}, done = done + ${rows.length}
      where tenant_id = ${caller.tenantId} and module = ${held.module} and field = ${field}`.execute(trx)
    return true
  }
  if (held.table === 'record') await convertVersions(open, meanings, tenant)
  await sql`delete from field_conversion where tenant_id = ${caller.tenantId} and module = ${held.module}
    and field = ${field}`.execute(trx)
  return false
}

interface Row {
  readonly id: string
  readonly value: Json
}

/** The value of the other kind as JSON text; null if the existing value stays. */
function textOf(value: Json, { was, made }: Conversion, meanings: Meanings): string | null {
  const is = convertValue(value, was, made, meanings)
  if (is === INVALID) return null
  return JSON.stringify(isEmpty(is) ? null : is)
}

/** Values in earlier versions of records. */
async function convertVersions(
  open: Conversion,
  meanings: Meanings,
  { trx, caller }: OfTenant,
): Promise<void> {
  const { module, field } = open
  const { rows } = await sql<Row & { no: number }>`select record_id as id, no, ext -> ${field} as value
    from record_version where tenant_id = ${caller.tenantId} and module = ${module} and ext -> ${field} is not null
    order by record_id, no`.execute(trx)
  if (rows.length === 0) return
  const texts = rows.map(({ value }) => textOf(value, open, meanings))
  await sql`update record_version r set ext = case when v.made = 'null' then r.ext - ${field}::text
      else jsonb_set(r.ext, array[${field}::text], v.made::jsonb) end
    from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ no }) => no)}::int[], ${texts}::text[]) v (id, no, made)
    where r.tenant_id = ${caller.tenantId} and r.module = ${module} and r.record_id = v.id and r.no = v.no
      and v.made is not null`.execute(trx)
}
