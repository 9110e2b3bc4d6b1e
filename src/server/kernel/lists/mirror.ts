import { type RawBuilder, sql } from 'kysely'
import type { IndexClass } from '../../../model/kind.ts'
import { columnNamed } from '../db/column.ts'
import type { Position } from './cursor.ts'
import { LAST, type SortBy } from './keyset.ts'

/** Where the values of a field in `ext` are mirrored, so that an index finds and orders them (migration 0497). */
export interface Mirror {
  readonly class: IndexClass
  readonly module: string
  readonly field: string
  /** A moment is a day: it is written without a time. */
  readonly isDay: boolean
}

/** The alias of its rows. */
const ROW = 'x'
export const mirrorValue = columnNamed(`${ROW}.value`)

export const isSameMirror = (one: Mirror, other: Mirror): boolean =>
  one.module === other.module && one.field === other.field

const tableOf = ({ class: of }: Mirror) => sql`${sql.table(`own_${of}`)} ${columnNamed(ROW)}`
const isOf = ({ module, field }: Mirror) => sql`x.module = ${sql.lit(module)} and x.field = ${sql.lit(field)}`

/** A mirror as a list asks it: of what somebody holds, of what nobody does, or of both. */
export interface AskedMirror extends Mirror {
  readonly isHeld?: boolean | undefined
}

/** Said as its index has it: a list that shows only what somebody holds, or nobody, reads no entry of the others. */
const holding = (isHeld: boolean | undefined) =>
  isHeld === undefined ? sql`` : isHeld ? sql`and x.is_held` : sql`and not x.is_held`

/** A record as its values are looked up by. */
export interface RecordOf {
  readonly tenantId: RawBuilder<unknown>
  readonly id: RawBuilder<unknown>
}

/**
 * True where a value of a record passes. Its values are looked up by themselves (`offset 0`): joined, the planner reads all values that
 * pass once for each row. Whoever holds it is not asked for: that is the record's to say, and its index answers without.
 */
export function someValue(
  mirror: Mirror,
  { tenantId, id }: RecordOf,
  passes: RawBuilder<boolean>,
): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from (select x.value from ${tableOf(mirror)} where x.tenant_id = ${tenantId}
    and ${isOf(mirror)} and x.record_id = ${id} offset 0) x where ${passes})`
}

/** A query of the ids of records with a value that passes. */
export function idsWith(
  mirror: AskedMirror,
  tenantId: string,
  passes: RawBuilder<boolean>,
): RawBuilder<unknown> {
  return sql`select x.record_id from ${tableOf(mirror)}
    where x.tenant_id = ${tenantId} and ${isOf(mirror)} ${holding(mirror.isHeld)} and ${passes}`
}

/** Rows of the mirror in the order of their values, and what they need to be merged with others. */
export interface MirrorOrder {
  readonly mirror: Mirror
  /** The rows without a value, which stand last. */
  readonly isNone: boolean
}

/** Whose rows of the mirror: everybody's, an owner's or a department's. */
export interface Holder {
  readonly owner?: string
  readonly dept?: string
  /** Without those of these people. */
  readonly without?: readonly string[]
}

/** Said as an index of the mirror has it. */
function heldBy({ owner, dept, without = [] }: Holder): RawBuilder<unknown> {
  if (owner !== undefined) return sql`and x.is_sorted and x.owner_id = ${owner}`
  if (dept === undefined) return sql`and x.is_held`
  return sql`and x.is_sorted and x.owner_dept_id = ${dept} and x.owner_id <> all(${[...without]}::text[])`
}

/** The rows of a mirror, each with its record: the fence (`offset 0`) has it looked up row by row, in their order. */
export function mirrorRows(
  { mirror, isNone }: MirrorOrder,
  holder: Holder,
  tenantId: string,
  row: string,
  table: RawBuilder<unknown>,
): { readonly from: RawBuilder<unknown>; readonly where: RawBuilder<boolean> } {
  const name = columnNamed(row)
  return {
    from: sql`${tableOf(mirror)} cross join lateral (select ${name}.* from ${table}
      where ${columnNamed(`${row}.tenant_id`)} = x.tenant_id and ${columnNamed(`${row}.id`)} = x.record_id offset 0) ${name}`,
    where: sql<boolean>`(x.tenant_id = ${tenantId} and ${isOf(mirror)} ${heldBy(holder)}
      and x.value is ${isNone ? sql`null` : sql`not null`})`,
  }
}

/** The rows of a mirror by themselves: a walk that tests each of them looks up no more records than it has to. */
export const mirrorEntries = (
  { mirror, isNone }: MirrorOrder,
  tenantId: string,
  holder: Holder | 'nobody',
) => ({
  from: tableOf(mirror),
  where: sql<boolean>`(x.tenant_id = ${tenantId} and ${isOf(mirror)}
    ${holder === 'nobody' ? holding(false) : heldBy(holder)} and x.value is ${isNone ? sql`null` : sql`not null`})`,
})

const TYPES = { number: 'double precision', moment: 'timestamp', text: 'text', ref: 'text' } as const
const READINGS = { number: 'crm_own_number', moment: 'crm_own_moment', text: '', ref: '' } as const

/** What stands in the place of no value, as the mirror compares it. */
const noneOf = ({ class: of }: Mirror, { by, dir }: SortBy) =>
  sql`${sql.lit(LAST[dir][of === 'moment' ? 'timestamptz' : by.type])}::${sql.raw(TYPES[of])}`

/** What a row of the mirror is merged by: its value as its index has it, so that nothing is sorted for it. */
export const mirrorKey = ({ mirror, isNone }: MirrorOrder, sort: SortBy): RawBuilder<unknown> =>
  isNone ? noneOf(mirror, sort) : mirrorValue

/** A value that is read from the record, as its mirror has it. */
export const valueBeside = ({ class: of, field }: Mirror, row: string): RawBuilder<unknown> =>
  sql`${sql.raw(READINGS[of])}(${columnNamed(`${row}.ext`)} ->> ${sql.lit(field)})`

/** {@link mirrorKey} of a record that is met without its mirror. */
export const keyBeside = (mirror: Mirror, row: string, sort: SortBy): RawBuilder<unknown> =>
  sql`coalesce(${valueBeside(mirror, row)}, ${noneOf(mirror, sort)})`

/** The order of its index. */
export function mirrorSequence(way: 'asc' | 'desc'): RawBuilder<unknown> {
  return sql`x.value ${sql.raw(way)}, x.record_id ${sql.raw(way)}`
}

/** Its rows behind a position; null where that is all of them. */
export function behindInMirror(
  { mirror, isNone }: MirrorOrder,
  { by, dir, isBackwards = false }: SortBy,
  way: 'asc' | 'desc',
  { values, id }: Position,
): RawBuilder<boolean> | null {
  const beyond = sql.raw(way === 'desc' ? '<' : '>')
  const isAtNone = values[0] === LAST[dir][by.type]
  // Whoever stands among those without a value has passed all others, or comes to them when they walk backwards.
  if (isAtNone !== isNone) return isAtNone === isBackwards ? null : sql<boolean>`false`
  if (isNone) return sql<boolean>`x.record_id ${beyond} ${id}::text`
  return sql<boolean>`(x.value, x.record_id) ${beyond} (${values[0] ?? null}::${sql.raw(TYPES[mirror.class])}, ${id}::text)`
}
