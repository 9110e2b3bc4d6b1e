import { type RawBuilder, sql } from 'kysely'
import type { IndexClass } from '../../../model/kind.ts'
import { columnNamed } from '../db/column.ts'
import type { Position } from './cursor.ts'
import { LAST, type SortBy } from './keyset.ts'

/** Where the values of a field in `ext` are mirrored so that an index can find and order them (migration 0497). */
export interface Mirror {
  readonly class: IndexClass
  readonly module: string
  readonly field: string
  /** The field holds days: it is written without a time. */
  readonly isDay: boolean
}

/** The alias of its rows. */
const ROW = 'x'
export const mirrorValue = columnNamed(`${ROW}.value`)

export const isSameMirror = (one: Mirror, other: Mirror): boolean =>
  one.module === other.module && one.field === other.field

const tableOf = ({ class: of }: Mirror) => sql`${sql.table(`own_${of}`)} ${columnNamed(ROW)}`
const isOf = ({ module, field }: Mirror) => sql`x.module = ${sql.lit(module)} and x.field = ${sql.lit(field)}`

/** A mirror as used by a list: of rows with an owner, without one, or both. */
export interface UsedMirror extends Mirror {
  readonly isHeld?: boolean | undefined
}

/** Spelled like its index: a list that shows only rows with an owner, or only rows without, does not read entries of the others. */
const holding = (isHeld: boolean | undefined) =>
  isHeld === undefined ? sql`` : isHeld ? sql`and x.is_held` : sql`and not x.is_held`

/** A record, for looking up its values. */
export interface RecordOf {
  readonly tenantId: RawBuilder<unknown>
  readonly id: RawBuilder<unknown>
}

/**
 * True if a value of a record matches. The values are looked up in a separate query (`offset 0`): in a join, the planner would read all matching
 * values once per row. The owner is not part of the condition: the record checks it, and the index answers without it.
 */
export function someValue(
  mirror: Mirror,
  { tenantId, id }: RecordOf,
  passes: RawBuilder<boolean>,
): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from (select x.value from ${tableOf(mirror)} where x.tenant_id = ${tenantId}
    and ${isOf(mirror)} and x.record_id = ${id} offset 0) x where ${passes})`
}

/** A query of the ids of records with a matching value. */
export function idsWith(
  mirror: UsedMirror,
  tenantId: string,
  passes: RawBuilder<boolean>,
): RawBuilder<unknown> {
  return sql`select x.record_id from ${tableOf(mirror)}
    where x.tenant_id = ${tenantId} and ${isOf(mirror)} ${holding(mirror.isHeld)} and ${passes}`
}

/** Rows of the mirror in the order of their values, with what is needed to merge them with others. */
export interface MirrorOrder {
  readonly mirror: Mirror
  /** The rows without a value, which come last. */
  readonly isNone: boolean
}

/** The rows of the mirror to read: everybody's, an owner's or a department's. */
export interface Holder {
  readonly owner?: string
  readonly dept?: string
  /** Excludes rows of these people. */
  readonly without?: readonly string[]
}

/** Spelled like an index of the mirror. */
function heldBy({ owner, dept, without = [] }: Holder): RawBuilder<unknown> {
  if (owner !== undefined) return sql`and x.is_sorted and x.owner_id = ${owner}`
  if (dept === undefined) return sql`and x.is_held`
  return sql`and x.is_sorted and x.owner_dept_id = ${dept} and x.owner_id <> all(${[...without]}::text[])`
}

/** The rows of a mirror, each with its record: `offset 0` makes PostgreSQL look it up row by row, in order. */
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

/** The rows of a mirror alone: a walk that tests them looks up only the records it needs. */
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

/** The value that replaces null, as the mirror compares it. */
const noneOf = ({ class: of }: Mirror, { by, dir }: SortBy) =>
  sql`${sql.lit(LAST[dir][of === 'moment' ? 'timestamptz' : by.type])}::${sql.raw(TYPES[of])}`

/** The merge key of a row: its value as stored in its index, so that no sorting is needed. */
export const mirrorKey = ({ mirror, isNone }: MirrorOrder, sort: SortBy): RawBuilder<unknown> =>
  isNone ? noneOf(mirror, sort) : mirrorValue

/** A value read from the record, in the form of its mirror. */
export const mirroredValue = ({ class: of, field }: Mirror, row: string): RawBuilder<unknown> =>
  sql`${sql.raw(READINGS[of])}(${columnNamed(`${row}.ext`)} ->> ${sql.lit(field)})`

/** {@link mirrorKey} of a record that is read without its mirror. */
export const mirroredKey = (mirror: Mirror, row: string, sort: SortBy): RawBuilder<unknown> =>
  sql`coalesce(${mirroredValue(mirror, row)}, ${noneOf(mirror, sort)})`

/** The order of its index. */
export function mirrorSequence(direction: 'asc' | 'desc'): RawBuilder<unknown> {
  return sql`x.value ${sql.raw(direction)}, x.record_id ${sql.raw(direction)}`
}

/** Its rows after a position; null if those are all of its rows. */
export function behindInMirror(
  { mirror, isNone }: MirrorOrder,
  { by, dir, isBackwards = false }: SortBy,
  direction: 'asc' | 'desc',
  { values, id }: Position,
): RawBuilder<boolean> | null {
  const beyond = sql.raw(direction === 'desc' ? '<' : '>')
  const isAtNone = values[0] === LAST[dir][by.type]
  // A position among the rows without a value is after all others; walking backwards, it is before them.
  if (isAtNone !== isNone) return isAtNone === isBackwards ? null : sql<boolean>`false`
  if (isNone) return sql<boolean>`x.record_id ${beyond} ${id}::text`
  return sql<boolean>`(x.value, x.record_id) ${beyond} (${values[0] ?? null}::${sql.raw(TYPES[mirror.class])}, ${id}::text)`
}
