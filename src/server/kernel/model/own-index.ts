import { sql } from 'kysely'
import type { Field } from '../../../model/description.ts'
import { chosenFields, type IndexedField, indexedFields } from '../../../model/indexed-fields.ts'
import { labelText } from '../../../model/labels.ts'
import { MAX_INDEXED_FIELDS, type MergedModule } from '../../../model/merge-module.ts'
import type { Database, Scope, Trx } from '../db/database.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import type { TenantModel } from './library.ts'
import { lockModules } from './overrides.ts'
import { tableOf } from './stored.ts'

/**
 * State of a field's mirror: `ready` for use; `asked` from `ext` while it is being filled, as before, and permanently if a unique field has repeated
 * values; being `filled` for the first time, so that it is not offered yet.
 */
export type Mirrored = 'ready' | 'asked' | 'filling'

/** The key of a field in {@link readMirrored}. */
export const mirrorKey = (module: string, field: string): string => `${module}/${field}`

/** A module as offered by its lists: a field that is not usable yet can be neither filtered nor sorted by. */
export function asOffered(module: MergedModule, { mirrored }: Pick<TenantModel, 'mirrored'>): MergedModule {
  const isFilling = ({ name }: Field) => mirrored.get(mirrorKey(module.name, name)) === 'filling'
  if (!module.fields.some(isFilling)) return module
  return {
    ...module,
    fields: module.fields.map((field) =>
      isFilling(field) ? { ...field, filter: false, sort: false } : field,
    ),
  }
}

/** How many records have been processed, for the fields of a module that are being filled. */
export async function fillProgress(
  trx: Trx,
  tenantId: string,
  module: string,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ field: string; done: number }>`select field, done from own_index
    where tenant_id = ${tenantId} and module = ${module} and state = 'filling'`.execute(trx)
  return new Map(rows.map(({ field, done }) => [field, done]))
}

/** The mirrored fields of a tenant. */
export async function readMirrored(trx: Trx, tenantId: string): Promise<ReadonlyMap<string, Mirrored>> {
  const { rows } = await sql<{ module: string; field: string; is: Mirrored }>`select module, field,
      case when state = 'ready' and not has_repeats then 'ready'
        when state = 'ready' or is_asked then 'asked' else 'filling' end as is
    from own_index where tenant_id = ${tenantId} and state <> 'leaving'`.execute(trx)
  return new Map(rows.map(({ module, field, is }) => [mirrorKey(module, field), is]))
}

/** Records per part of the filling: it blocks writers of the module for about a tenth of a second. */
export const FILL_PART = 1000

interface Known extends IndexedField {
  readonly state: 'filling' | 'ready' | 'leaving'
  readonly isAsked: boolean
  /** The field is unavailable until its values have been converted to its new kind. */
  readonly isConverting: boolean
}

/**
 * Updates the mirrors to the current fields of a module: new ones are filled, completely for small modules; mirrors that
 * are no longer used are left to the job that deletes their rows. The caller holds the lock on the tenant's modules.
 *
 * @param converted  fields whose values are being converted: their mirrors start over, and are filled afterwards
 * @param isAsked  filters on new fields are answered from `ext` until they are filled, because they could be used before. For an older database
 * everything is
 * accepted; what exceeds the limits is permanently answered from `ext`
 *
 * @returns true if something changed
 * @throws Refusal 422 above 20 fields, and if a unique field has repeated values
 */
export async function mirrorFields(
  trx: Trx,
  { tenantId }: Pick<Scope, 'tenantId'>,
  module: Pick<MergedModule, 'name' | 'origin' | 'fields' | 'statuses'>,
  converted: ReadonlySet<string> = new Set(),
  isAsked = false,
): Promise<boolean> {
  const known = await knownFields(trx, tenantId, module.name)
  const all = indexedFields(module)
  const wanted = isAsked ? all.slice(0, MAX_INDEXED_FIELDS) : all
  const changed = wanted.filter((one) => converted.has(one.field) || !isSame(one, known.get(one.field)))
  const removed = [...known.values()].filter(
    ({ field, state, isConverting }) =>
      state !== 'leaving' && !isConverting && !wanted.some((one) => one.field === field),
  )
  if (changed.length === 0 && removed.length === 0) return false
  if (wanted.length > MAX_INDEXED_FIELDS && changed.some(({ field }) => !known.has(field)))
    refuse(422, 'BATCH_TOO_LARGE', tooMany(module, known))
  await sql`select pg_advisory_xact_lock(crm_own_lock(${tenantId}, ${module.name}))`.execute(trx)
  await leave(
    trx,
    tenantId,
    module.name,
    removed.map(({ field }) => field),
  )
  for (const mirror of changed) {
    if (mirror.isUnique && !isAsked && !converted.has(mirror.field))
      await refuseRepeats(trx, tenantId, module, mirror.field)
    const before = known.get(mirror.field)
    if (
      before !== undefined &&
      (before.state === 'leaving' || before.class !== mirror.class || converted.has(mirror.field))
    )
      await sql`delete from ${sql.table(`own_${before.class}`)} where tenant_id = ${tenantId}
        and module = ${module.name} and field = ${mirror.field}`.execute(trx)
    const wasAsked =
      before === undefined
        ? isAsked
        : before.state === 'ready' || (before.state === 'filling' && before.isAsked)
    await begin(trx, tenantId, module.name, mirror, wasAsked)
    if (converted.has(mirror.field)) continue
    await sql`select crm_own_fill(${tenantId}, ${module.name}, ${mirror.field}, ${tableOf(module)}, ${FILL_PART})`.execute(
      trx,
    )
  }
  return true
}

/** What to say above the limit, with the fields of before that could do without their mirror. */
function tooMany(
  module: Pick<MergedModule, 'fields' | 'statuses'>,
  known: ReadonlyMap<string, Known>,
): string {
  const labels = chosenFields(module)
    .filter(({ name }) => known.has(name))
    .map(({ label }) => labelText(label))
  const sentence = text('model.too-many-indexed', { most: MAX_INDEXED_FIELDS })
  if (labels.length === 0) return sentence
  return sentence + text('model.could-be-unindexed', { fields: labels.join('、') })
}

/** The mirror of a field is dropped, because its values are being converted. */
export const leaveMirror = (trx: Trx, { tenantId }: Scope, module: string, field: string): Promise<void> =>
  leave(trx, tenantId, module, [field])

async function leave(trx: Trx, tenantId: string, module: string, fields: readonly string[]): Promise<void> {
  await sql`update own_index set state = 'leaving' where tenant_id = ${tenantId} and module = ${module}
    and field = any(${[...fields]})`.execute(trx)
}

/** A field that becomes unique must not have repeated values already. */
async function refuseRepeats(
  trx: Trx,
  tenantId: string,
  module: Pick<MergedModule, 'name' | 'origin' | 'fields'>,
  name: string,
): Promise<void> {
  const table = tableOf(module)
  const value = sql`r.ext ->> ${name}`
  const isOwn = table === 'record' ? sql`and r.module = ${module.name}` : sql``
  const { rows } = await sql<{ value: string; n: number }>`select ${value} as value, count(*)::int as n
    from ${sql.table(table)} r where r.tenant_id = ${tenantId} ${isOwn} and r.deleted_at is null and ${value} is not null
    group by 1 having count(*) > 1 limit 1`.execute(trx)
  const [repeat] = rows
  if (repeat === undefined) return
  const label = labelText(module.fields.find((field) => field.name === name)?.label ?? name)
  const sentence = text('model.repeats', { label, value: repeat.value, n: repeat.n })
  refuse(422, 'REFERENCED', sentence, { fields: { unique: sentence } })
}

async function begin(
  trx: Trx,
  tenantId: string,
  module: string,
  { field, class: of, several, isSorted, isUnique }: IndexedField,
  isAsked: boolean,
): Promise<void> {
  await sql`insert into own_index (tenant_id, module, field, class, several, is_sorted, is_unique, state, is_asked)
    values (${tenantId}, ${module}, ${field}, ${of}, ${several}, ${isSorted}, ${isUnique}, 'filling', ${isAsked})
    on conflict (tenant_id, module, field) do update set class = excluded.class, several = excluded.several,
      is_sorted = excluded.is_sorted, is_unique = excluded.is_unique, state = 'filling', is_asked = excluded.is_asked,
      has_repeats = false, last_id = '', done = 0`.execute(trx)
}

async function knownFields(trx: Trx, tenantId: string, module: string): Promise<ReadonlyMap<string, Known>> {
  const { rows } =
    await sql<Known>`select field, class, several, is_sorted as "isSorted", is_unique as "isUnique",
      state, is_asked as "isAsked", exists (select 1 from field_conversion c where c.tenant_id = i.tenant_id
        and c.module = i.module and c.field = i.field) as "isConverting"
    from own_index i where tenant_id = ${tenantId} and module = ${module}`.execute(trx)
  return new Map(rows.map((row) => [row.field, row]))
}

const isSame = (wanted: IndexedField, known: Known | undefined): boolean =>
  known !== undefined &&
  known.state !== 'leaving' &&
  known.class === wanted.class &&
  known.several === wanted.several &&
  known.isSorted === wanted.isSorted &&
  known.isUnique === wanted.isUnique

/** Mirrors the fields that tenants of an older database could use for filters; meanwhile these are answered from `ext`, as before. */
export async function mirrorOldFields(
  database: Database,
  modelOf: (trx: Trx, tenantId: string) => Promise<TenantModel>,
): Promise<void> {
  const { rows } = await database.system((trx) =>
    sql<{ tenant: string }>`select distinct tenant_id as tenant from module_override o
      where not exists (select 1 from own_index i where i.tenant_id = o.tenant_id)`.execute(trx),
  )
  for (const { tenant: tenantId } of rows)
    await database.tenant({ tenantId, userId: 'system' }, async (trx) => {
      await lockModules(trx, tenantId)
      const { modules } = await modelOf(trx, tenantId)
      for (const module of modules.values()) await mirrorFields(trx, { tenantId }, module, new Set(), true)
    })
}
