import { type RawBuilder, sql } from 'kysely'
import { columnNamed } from '../db/column.ts'
import type { Position } from './cursor.ts'
import type { Mirror } from './mirror.ts'

/** A column by which a list can be sorted. Nulls sort last in both directions. */
export interface SortColumn {
  /** The column, which is never null unless {@link nullable} is true. */
  readonly column: string
  readonly type: 'timestamptz' | 'text' | 'numeric' | 'date'
  readonly nullable: boolean
  /** A computed value instead of a column, from the row of that alias. */
  readonly value?: (row: string) => RawBuilder<unknown>
  /** The expression that an index contains. */
  readonly mirror?: Mirror
}
/** A column that is never null, as its index spells it. */
export const filled = (column: string, type: SortColumn['type']): SortColumn => ({
  column,
  type,
  nullable: false,
})

export interface SortBy {
  readonly by: SortColumn
  readonly dir: 'asc' | 'desc'
  /** Walks the same order from its end, so that the last row comes first. */
  readonly isBackwards?: boolean
}

/** The value that replaces null, by the direction of the sort. */
export const LAST = {
  asc: { timestamptz: 'infinity', date: 'infinity', numeric: 'Infinity', text: '\u{10ffff}' },
  desc: { timestamptz: '-infinity', date: '-infinity', numeric: '-Infinity', text: '' },
} as const

/**
 * The sort expression, spelled like the index of the table so that the index can be used. A null becomes the last value by `least` or `greatest`,
 * which row-level security treats as leakproof: with `coalesce`, no index could answer what comes after a cursor. Texts sort by their locale, in
 * which the last text need not be the greatest; for them it is `coalesce`.
 */
export function expression(row: string, { by, dir }: SortBy): RawBuilder<unknown> {
  const column = by.value?.(row) ?? columnNamed(`${row}.${by.column}`)
  if (!by.nullable) return sql`${column}`
  const last = sql`${sql.lit(LAST[dir][by.type])}::${sql.raw(by.type)}`
  if (by.type === 'text') return sql`coalesce(${column}, ${last})`
  return dir === 'asc' ? sql`least(${column}, ${last})` : sql`greatest(${column}, ${last})`
}

/** The sort values of a row as text, for its cursor; one column `sort_values`. */
export function sortValues(row: string, sorts: readonly SortBy[]): RawBuilder<string[]> {
  return sql<string[]>`array[${sql.join(sorts.map((sort) => sql`(${expression(row, sort)})::text`))}]::text[]`
}

/** `order by` of a list; equal rows are ordered by id, in the direction of the last sort. */
export function orderBy(row: string, sorts: readonly SortBy[]): RawBuilder<unknown> {
  const keys = sorts.map((sort) => sql`${expression(row, sort)} ${sql.raw(directionOf(sort))}`)
  return sql.join([...keys, sql`${columnNamed(`${row}.id`)} ${sql.raw(lastDirection(sorts))}`])
}

/** True for the rows after `position`. */
export function isAfter(row: string, sorts: readonly SortBy[], position: Position): RawBuilder<boolean> {
  const keys = [
    ...sorts.map((sort, i) => ({
      dir: directionOf(sort),
      left: expression(row, sort),
      right: sql`${position.values[i] ?? null}::${sql.raw(sort.by.type)}`,
    })),
    { dir: lastDirection(sorts), left: sql`${columnNamed(`${row}.id`)}`, right: sql`${position.id}::text` },
  ]
  const isOneWay = keys.every((key) => key.dir === keys[0]?.dir)
  if (isOneWay) {
    const left = sql.join(keys.map((key) => key.left))
    const right = sql.join(keys.map((key) => key.right))
    return sql<boolean>`(${left}) ${beyond(lastDirection(sorts))} (${right})`
  }
  const cases = keys.map((key, i) => {
    const equal = keys.slice(0, i).map((before) => sql`${before.left} = ${before.right}`)
    return sql`(${sql.join([...equal, sql`${key.left} ${beyond(key.dir)} ${key.right}`], sql` and `)})`
  })
  return sql<boolean>`(${sql.join(cases, sql` or `)})`
}

/** The direction in which the rows are walked. */
export function directionOf({ dir, isBackwards }: SortBy): 'asc' | 'desc' {
  if (!isBackwards) return dir
  return dir === 'asc' ? 'desc' : 'asc'
}

function lastDirection(sorts: readonly SortBy[]): 'asc' | 'desc' {
  const last = sorts.at(-1)
  return last === undefined ? 'desc' : directionOf(last)
}

function beyond(dir: 'asc' | 'desc'): RawBuilder<unknown> {
  return sql.raw(dir === 'desc' ? '<' : '>')
}
