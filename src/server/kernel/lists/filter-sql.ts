import { type RawBuilder, sql } from 'kysely'
import {
  FILTER_OPS,
  type Filter,
  type FilterOp,
  RELATIVE_SPANS,
  type RelativeSpan,
} from '../../../contract/list.ts'
import type { Caller } from '../auth/caller.ts'
import { RELATIVE_SPAN_OF } from '../time/relative-span.ts'
import { dayText, instantOf, isBeyondDays, parseWallTime, startOfDay, wallTimeOf } from '../time/zone.ts'
import { idsWith, isSameMirror, type Mirror, mirrorValue, type RecordOf, someValue } from './mirror.ts'

type Condition = RawBuilder<boolean>

/** How a field of a list can be filtered. */
export interface FilterField {
  readonly kind: 'text' | 'code' | 'codes' | 'number' | 'flag' | 'day' | 'moment'
  readonly column: string
  /** The alias of another table than the list's own. */
  readonly row?: string
  /** A computed value instead of a column, from the row of that alias. */
  readonly value?: (row: string, context: FilterContext) => RawBuilder<unknown>
  /** The expression that an index contains. */
  readonly mirror?: Mirror
  /** A time that may be null: the value its indexes store instead of null. */
  readonly none?: 'infinity' | '-infinity'
  /** Masked in pools: only rows with an owner can be found by it. */
  readonly maskedInPool?: true
}
export type FilterFields = Readonly<Record<string, FilterField>>

/** What the meaning of a filter depends on: the row's alias, the current time, the tenant's time zone, and who filters. */
export interface FilterContext {
  readonly row: string
  readonly now: Date
  readonly zone: string
  readonly caller: Caller
  /** Whether the list contains only rows with an owner, or only rows without; absent: both. */
  readonly isHeld?: boolean | undefined
}

/** A filter that the list does not have; the message is for the developer of the client. */
export class BadFilter extends Error {}

const COMMON: readonly FilterOp[] = ['empty', 'notEmpty']
const OPS: Readonly<Record<FilterField['kind'], readonly FilterOp[]>> = {
  text: [...COMMON, 'eq', 'ne', 'in', 'nin', 'contains', 'startsWith'],
  code: [...COMMON, 'eq', 'ne', 'in', 'nin'],
  codes: [...COMMON, 'eq', 'ne', 'in', 'nin', 'contains'],
  number: [...COMMON, 'eq', 'ne', 'in', 'nin', 'gt', 'gte', 'lt', 'lte', 'between'],
  flag: ['eq', 'ne'],
  day: [...COMMON, 'eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'between', 'rel'],
  moment: [...COMMON, 'eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'between', 'rel'],
}

/** Maximum values in `in` and `nin` (DOMAIN 8.7). */
const IN_LIMIT = 200
const TEXT_LIMIT = 200

/**
 * The SQL condition of a filter.
 *
 * @throws BadFilter for an unknown field, an operator that the field does not have, or a value of another kind
 */
export function filterCondition(filter: Filter, fields: FilterFields, context: FilterContext): Condition {
  const field = Object.hasOwn(fields, filter.field) ? fields[filter.field] : undefined
  if (field === undefined) throw new BadFilter(`unknown field ${filter.field}`)
  if (!FILTER_OPS.includes(filter.op) || !OPS[field.kind].includes(filter.op))
    throw new BadFilter(`${filter.field} has no operator ${filter.op}`)
  const condition = conditionOf(filter, field, context)
  if (!field.maskedInPool) return condition
  return sql<boolean>`(${sql.ref(`${context.row}.owner_id`)} is not null and ${condition})`
}

/** A query of the ids that a filter may match, from the mirror of its field; null if no mirror can answer it. */
export function mirroredIds(
  filter: Filter,
  fields: FilterFields,
  context: FilterContext,
  tenantId: string,
): RawBuilder<unknown> | null {
  const field = mirroredField(filter, fields)
  if (field === null) return null
  return idsWith(
    { ...field.mirror, isHeld: context.isHeld },
    tenantId,
    mirroredCondition(filter, field, context),
  )
}

/** A filter as a condition on the mirror of its field, without the record; null if no mirror can answer it or a mask excludes records. */
export function mirroredTest(
  filter: Filter,
  fields: FilterFields,
  context: FilterContext,
  record: RecordOf,
): Condition | null {
  const field = mirroredField(filter, fields)
  if (field === null || (field.maskedInPool && context.isHeld !== true)) return null
  return someValue(field.mirror, record, mirroredCondition(filter, field, context))
}

/** A filter on the value by which a mirror is walked, which limits the walk. Null for any other filter. */
export function walkedTest(
  filter: Filter,
  fields: FilterFields,
  context: FilterContext,
  walked: Mirror,
): Condition | null {
  const field = mirroredField(filter, fields)
  if (field === null || field.kind === 'codes' || !isSameMirror(field.mirror, walked)) return null
  return mirroredCondition(filter, field, context)
}

/** The field of a filter that its mirror can answer. */
function mirroredField(
  filter: Filter,
  fields: FilterFields,
): (FilterField & { readonly mirror: Mirror }) | null {
  const field = Object.hasOwn(fields, filter.field) ? fields[filter.field] : undefined
  const mirror = field?.mirror
  return field === undefined || mirror === undefined || !isMirrored(filter, field)
    ? null
    : { ...field, mirror }
}

const MIRRORED: ReadonlySet<FilterOp> = new Set(['eq', 'in', 'gt', 'gte', 'lt', 'lte', 'between', 'rel'])

/** True if a single value of the mirror decides. */
function isMirrored({ op, value }: Filter, { kind }: FilterField): boolean {
  return MIRRORED.has(op) || (kind === 'codes' && op === 'contains' && typeof value === 'string')
}

/** A filter applied to a value of the mirror. */
function mirroredCondition(filter: Filter, field: FilterField, context: FilterContext): Condition {
  const { field: name, op, value } = filter
  if (field.kind === 'flag') return sql<boolean>`${mirrorValue} = ${String(scalar(name, 'flag', value))}`
  if (field.kind === 'codes') {
    const codes = (op === 'in' ? many(name, value) : [value]).map((it) => text(name, it))
    return sql<boolean>`${mirrorValue} = any(${codes}::text[])`
  }
  if (field.kind === 'day' || field.kind === 'moment')
    return timeCondition(filter, field, mirrorValue, context, (wall) =>
      new Date(wall).toISOString().slice(0, 19),
    )
  return plainCondition(filter, field.kind, mirrorValue)
}

function conditionOf(filter: Filter, field: FilterField, context: FilterContext): Condition {
  if (field.mirror !== undefined && isMirrored(filter, field)) {
    const at = (column: string) => sql.ref(`${context.row}.${column}`)
    const record = { tenantId: at('tenant_id'), id: at('id') }
    return someValue(field.mirror, record, mirroredCondition(filter, field, context))
  }
  const row = field.row ?? context.row
  const column = field.value?.(row, context) ?? sql.ref(`${row}.${field.column}`)
  if (filter.op === 'empty') return isEmpty(field, column)
  if (filter.op === 'notEmpty') return sql<boolean>`not (${isEmpty(field, column)})`
  if (field.kind === 'moment' || field.kind === 'day') return timeCondition(filter, field, column, context)
  if (field.kind === 'codes') return codesCondition(filter, column)
  return plainCondition(filter, field.kind, column)
}

function isEmpty(field: FilterField, column: RawBuilder<unknown>): Condition {
  if (field.kind === 'codes') return sql<boolean>`cardinality(${column}) = 0`
  return field.kind === 'text' ? sql<boolean>`coalesce(${column}, '') = ''` : sql<boolean>`${column} is null`
}

const COMPARE = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

function plainCondition(
  { field, op, value }: Filter,
  kind: 'text' | 'code' | 'number' | 'flag',
  column: RawBuilder<unknown>,
): Condition {
  const toScalar = (it: unknown) => scalar(field, kind, it)
  if (op === 'eq') return sql<boolean>`${column} = ${toScalar(value)}`
  if (op === 'ne') return sql<boolean>`${column} is distinct from ${toScalar(value)}`
  if (op === 'in' || op === 'nin') {
    const found = sql<boolean>`${column} = any(${many(field, value).map(toScalar)})`
    return op === 'in' ? found : sql<boolean>`(${found}) is not true`
  }
  if (op === 'contains' || op === 'startsWith') {
    const pattern = `${op === 'contains' ? '%' : ''}${escapeLike(text(field, value))}%`
    return sql<boolean>`${column} ilike ${pattern}`
  }
  if (op === 'between') {
    const [low, high] = pair(field, value).map(toScalar)
    return sql<boolean>`${column} between ${low} and ${high}`
  }
  return sql<boolean>`${column} ${sql.raw(COMPARE[op as keyof typeof COMPARE])} ${toScalar(value)}`
}

function codesCondition({ field, op, value }: Filter, column: RawBuilder<unknown>): Condition {
  const isMany = op === 'in' || op === 'nin' || (op === 'contains' && Array.isArray(value))
  const codes = (isMany ? many(field, value) : [value]).map((it) => text(field, it))
  if (op === 'contains') return sql<boolean>`${column} @> ${codes}::text[]`
  const shares = sql<boolean>`${column} && ${codes}::text[]`
  return op === 'ne' || op === 'nin' ? sql<boolean>`not (${shares})` : shares
}

interface Bounds {
  readonly from?: Date | string
  readonly to?: Date | string
}

const HELD_BY = { infinity: 'least', '-infinity': 'greatest' } as const

/** A time stands for an interval (a day, or one moment); operators compare with its ends. */
function timeCondition(
  filter: Filter,
  { kind, none }: FilterField,
  column: RawBuilder<unknown>,
  context: FilterContext,
  written: (wall: number) => Date | string = (wall) =>
    kind === 'day' ? dayText(wall) : instantOf(wall, context.zone),
): Condition {
  const { field, op, value } = filter
  const spanOf = (it: unknown) => wallSpan(field, it)
  const bound = (wall: number) => (isBeyondDays(wall) ? 'infinity' : written(wall))
  const stored =
    none === undefined ? column : sql`${sql.raw(HELD_BY[none])}(${column}, ${sql.lit(none)}::timestamptz)`
  const within = ({ from, to }: Bounds): Condition => {
    const isNoneBeyond = none === undefined || (none === 'infinity' ? to !== undefined : from !== undefined)
    const parts = [
      ...(from === undefined ? [] : [sql`${stored} >= ${from}`]),
      ...(to === undefined ? [] : [sql`${stored} < ${to}`]),
      ...(isNoneBeyond ? [] : [sql`${column} is not null`]),
    ]
    return sql<boolean>`(${sql.join(parts, sql` and `)})`
  }
  if (op === 'rel') {
    if (!RELATIVE_SPANS.includes(value as RelativeSpan)) throw new BadFilter(`${field}: unknown span`)
    const { start, end } = RELATIVE_SPAN_OF[value as RelativeSpan](wallTimeOf(context.now, context.zone))
    return within({
      ...(start === undefined ? {} : { from: bound(start) }),
      ...(end === undefined ? {} : { to: bound(end) }),
    })
  }
  if (op === 'between') {
    const [first, last] = pair(field, value).map(spanOf)
    return within({ from: bound(first?.start ?? 0), to: bound(last?.end ?? 0) })
  }
  const span = spanOf(value)
  if (op === 'gt') return within({ from: bound(span.end) })
  if (op === 'gte') return within({ from: bound(span.start) })
  if (op === 'lt') return within({ to: bound(span.start) })
  if (op === 'lte') return within({ to: bound(span.end) })
  const equal = within({ from: bound(span.start), to: bound(span.end) })
  return op === 'eq' ? equal : sql<boolean>`(${equal}) is not true`
}

/** A day is a whole day, `HH:mm` a minute, `HH:mm:ss` a second. */
function wallSpan(field: string, value: unknown): { start: number; end: number } {
  const written = text(field, value)
  const start = parseWallTime(written)
  if (start === null) throw new BadFilter(`${field}: "${written}" is no date`)
  if (written.length <= 10) return { start, end: startOfDay(start, 1) }
  return { start, end: start + (written.length <= 16 ? 60_000 : 1000) }
}

function scalar(
  field: string,
  kind: 'text' | 'code' | 'number' | 'flag',
  value: unknown,
): string | number | boolean {
  if (kind === 'flag') {
    if (typeof value !== 'boolean') throw new BadFilter(`${field} is true or false`)
    return value
  }
  if (kind === 'number') {
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    if (typeof number !== 'number' || !Number.isFinite(number)) throw new BadFilter(`${field} is a number`)
    return number
  }
  return text(field, value)
}

function text(field: string, value: unknown): string {
  const written = typeof value === 'number' ? String(value) : value
  if (typeof written !== 'string' || written.length > TEXT_LIMIT) throw new BadFilter(`${field} is a text`)
  return written
}

function many(field: string, value: unknown): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > IN_LIMIT)
    throw new BadFilter(`${field}: 1 to ${IN_LIMIT} values`)
  return value
}

function pair(field: string, value: unknown): readonly unknown[] {
  if (!Array.isArray(value) || value.length !== 2) throw new BadFilter(`${field}: two values`)
  return value
}

/** Escapes a text for `like`. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, (char) => `\\${char}`)
}
