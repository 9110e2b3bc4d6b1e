import { type RawBuilder, sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { holdsPermission } from '../../../contract/permission.ts'
import { rightName, rightsEntity } from '../../../model/field-rights.ts'
import type { Words } from '../../../model/kind.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import type { MergedField, MergedModule } from '../../../model/merge-module.ts'
import { namesRead } from '../../../model/own-rule.ts'
import { type Rolled, rolledOf } from '../../../model/rollups.ts'
import type { Caller } from '../auth/caller.ts'
import { isClear } from '../auth/field-rights.ts'
import { ownRights } from '../auth/permissions.ts'
import type { CallContext } from '../context/call-context.ts'
import { extValue, mirrorsOf } from '../lists/ext-sql.ts'
import { tableOf } from '../model/stored.ts'
import { text } from '../text/text.ts'
import { dateTimeText } from '../time/zone.ts'
import { isMaskedEntity, maskOf, rightsMask } from '../visibility/masking.ts'
import { isOwnVisible } from '../visibility/own-module.ts'
import { withReach } from '../visibility/reach.ts'
import { isShippedListed } from '../visibility/shipped.ts'
import { wordsFor } from './value-words.ts'

/** Maximum number of records that a rollup reads; if there are more, the result only says that there are many. */
const MAX_RECORDS = 999
const CHILD = 'c'

/** Whether a single record is displayed, or rows of a list. */
export type ShownAs = 'record' | 'rows'

/**
 * The rollups of a module for the displayed records: by record, the values by field with their texts as `<field>_name`. One
 * statement computes all of them. Only records that the caller finds in the lists of the other module count; a caller who may not see that module, or
 * the field that is aggregated, gets no value.
 *
 * @param looked  rows of a list carry the rollups shown on their cards, and those that a formula reads
 */
export async function rollupValues(
  module: MergedModule,
  ids: readonly string[],
  given: CallContext,
  looked: ShownAs = 'record',
): Promise<ReadonlyMap<string, JsonObject>> {
  const wanted = ids.length === 0 ? [] : wantedOf(module, given, looked)
  const open = wanted.filter((rolled) => isOpen(rolled, given))
  if (open.length === 0) return new Map()
  const ctx = await withReach(given)
  const found = await askedOf(open, ids, ctx)
  const words = await wordsFor(
    open.flatMap(({ value }) => (value === null ? [] : [value])),
    [],
    ctx,
  )
  const wire = (id: string): JsonObject =>
    Object.assign({}, ...open.map((rollup, i) => wired(rollup, found.get(id)?.[i], words, ctx.zone)))
  return new Map(ids.map((id) => [id, wire(id)]))
}

/** The rollups in an answer, without those that the caller may not see. */
function wantedOf(module: MergedModule, { model, caller }: CallContext, looked: ShownAs): readonly Rolled[] {
  const rolled = rolledOf(module, model.modules).filter(({ field }) => isSeen(module, field, caller))
  if (looked === 'record' || rolled.length === 0) return rolled
  const read = new Set(
    module.fields.flatMap(({ formula }) => (formula === undefined ? [] : namesRead(formula).map(bareName))),
  )
  return rolled.filter(({ field }) => field.card === true || read.has(field.name))
}

/** A field by the name its module uses, whatever a rule calls it. */
const bareName = (name: string): string => name.replace(/^(?:form\.)?(?:ext[._])?/, '')

const isSeen = (module: MergedModule, field: MergedField, caller: Caller): boolean =>
  isClear(caller, rightsEntity(module), rightName(module, field))

/** The caller may see the other module and the aggregated field. */
function isOpen({ child, value }: Rolled, { caller }: CallContext): boolean {
  const isOwn = child.origin === 'tenant'
  const rights = isOwn ? ownRights(child.name) : (child.permission ?? child.name)
  if (!holdsPermission(caller.permissions, `${rights}:view`)) return false
  if (value === null) return true
  const { masked, hidden } = isMaskedEntity(child.name)
    ? maskOf(caller, child.name, OWNED)
    : rightsMask(caller, rightsEntity(child))
  const name = rightName(child, value)
  return !masked.has(name) && !hidden.has(name)
}

/** Records in pools are not in the lists that are counted. */
const OWNED = { owner_id: '' }

/** The number of records, and their aggregated value. */
interface Found {
  readonly n: number
  readonly v: unknown
}

async function askedOf(
  rolled: readonly Rolled[],
  ids: readonly string[],
  ctx: CallContext,
): Promise<ReadonlyMap<string, readonly Found[]>> {
  const at = (i: number) => sql.ref(`r${i}`)
  const joins = rolled.map((rollup, i) => sql`cross join lateral (${workedOut(rollup, ctx)}) ${at(i)}`)
  const columns = rolled.map(
    (_, i) => sql`${at(i)}.n as ${sql.ref(`n${i}`)}, ${at(i)}.v as ${sql.ref(`v${i}`)}`,
  )
  const { rows } = await sql<Record<string, unknown> & { id: string }>`select p.id, ${sql.join(columns)}
    from unnest(${[...ids]}::text[]) p (id) ${sql.join(joins, sql` `)}`.execute(ctx.trx)
  return new Map(
    rows.map((row) => [row.id, rolled.map((_, i) => ({ n: Number(row[`n${i}`]), v: row[`v${i}`] ?? null }))]),
  )
}

/** Over the records that refer to `p.id`, at most one more than the maximum. */
function workedOut({ of, child, by, value }: Rolled, ctx: CallContext): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`${CHILD}.${name}`)
  const valueText =
    value === null
      ? column('created_at')
      : value.origin === 'tenant'
        ? extValue(CHILD, value, ctx.zone)
        : column(value.name)
  const isSeen =
    child.origin === 'tenant'
      ? isOwnVisible(ctx.caller, child, CHILD)
      : isShippedListed(ctx.caller, child.name, CHILD)
  const worked = {
    count: sql`null`,
    sum: sql`sum(v)`,
    min: sql`min(v)`,
    max: sql`max(v)`,
    latest: sql`(array_agg(v order by made desc, id desc) filter (where v is not null))[1]`,
  }[of]
  return sql`select count(*) as n, ${worked} as v from (select ${valueText} as v, ${column('created_at')} as made, ${column('id')} as id
    from ${naming(child, by, ctx)} and ${isSeen} limit ${MAX_RECORDS + 1}) s`
}

/** The records that refer to `p.id`: by the index of their column, or by the mirror of their field; none while that is being filled. */
function naming(child: MergedModule, by: MergedField, { model }: CallContext): RawBuilder<unknown> {
  const table = sql`${sql.table(tableOf(child))} ${sql.ref(CHILD)}`
  if (by.origin === 'vendor') return sql`${table} where ${sql.ref(`${CHILD}.${by.name}`)} = p.id`
  const { mirror } = mirrorsOf(child.name, model)(by)
  if (mirror === undefined) return sql`${table} where false`
  return sql`own_ref x join ${table} on c.tenant_id = x.tenant_id and c.id = x.record_id
    where x.tenant_id = c.tenant_id and x.module = ${sql.lit(child.name)} and x.field = ${sql.lit(by.name)} and x.value = p.id`
}

/** A value and its text as sent to the client. */
function wired(rolled: Rolled, found: Found | undefined, words: Words, zone: string): JsonObject {
  const [value, valueText] = found === undefined ? EMPTY : rollupValue(rolled, found, words, zone)
  return { [rolled.field.name]: value, [`${rolled.field.name}_name`]: valueText }
}

const EMPTY: readonly [Json, string] = [null, '']

function rollupValue(
  { field, of, value }: Rolled,
  { n, v }: Found,
  words: Words,
  zone: string,
): readonly [Json, string] {
  if (of === 'count') return n > MAX_RECORDS ? [MANY, MANY] : [n, String(n)]
  if (n > MAX_RECORDS) return [null, text('record.rolled-many', { most: MAX_RECORDS })]
  const wire: Json = v instanceof Date ? dateTimeText(v, zone) : (v as Json)
  if (wire === null) return EMPTY
  if (value === null) return [wire, kindOf('moment').write(wire, field, words)]
  const decimals = field.decimals ?? value.decimals
  const shown = decimals === undefined ? value : { ...value, decimals }
  return [wire, kindOf(value.kind).write(wire, shown, words)]
}

const MANY = `${MAX_RECORDS}+`
