import { type RawBuilder, sql } from 'kysely'
import type { CustomersNearby } from '../../../contract/customer.ts'
import { isClear } from '../../kernel/auth/field-rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { noPermission } from '../../kernel/records/find-record.ts'
import { text } from '../../kernel/text/text.ts'
import { ownedParts } from '../../kernel/visibility/owned-parts.ts'
import { isVisibleOwned } from '../../kernel/visibility/predicate.ts'
import { withReach } from '../../kernel/visibility/reach.ts'
import { type CardRow, customerCard } from './card.ts'
import { CUSTOMER_LIST } from './list-spec.ts'

/** Maximum number of customers shown, the nearest first. */
const MAX_CUSTOMERS = 50
/** Radii in km, tried in this order until there are enough customers, so that in a dense city only the nearest are read. */
const GROWING = [1, 3, 10, 30] as const
const KM_PER_DEGREE = 111.2
const EARTH_METRES = 6_371_000

/** The caller's place (WGS-84) and the radius of the search. */
export interface SearchArea {
  readonly lng: number
  readonly lat: number
  /** Kilometres, at most 50. */
  readonly radius: number
}

/** The validation of {@link SearchArea}. */
export const SEARCH_AREA = {
  type: 'object',
  required: ['lng', 'lat', 'radius'],
  properties: {
    lng: { type: 'number', minimum: -180, maximum: 180 },
    lat: { type: 'number', minimum: -90, maximum: 90 },
    radius: { type: 'number', exclusiveMinimum: 0, maximum: 50 },
  },
} as const

/** POST /mini/customer/nearby: customers of the caller's lists around a place, the nearest first (DOMAIN 8.4). */
export async function customersNearby(around: SearchArea, given: CallContext): Promise<CustomersNearby> {
  const ctx = await withReach(given)
  const { caller, trx } = ctx
  if (!isClear(caller, 'customer', 'lng') || !isClear(caller, 'customer', 'lat')) noPermission('customer.lng')
  const found = await nearest(around, ctx)
  const metres = new Map(found.map(({ id, metres }) => [id, Math.round(metres)]))
  const { rows } = await sql<CardRow & { address: string | null; lng: number; lat: number }>`
    select ${CUSTOMER_LIST.columns(ctx, false)}, c.address, c.lng, c.lat from ${CUSTOMER_LIST.from(ctx)}
    where c.tenant_id = ${caller.tenantId} and c.id = any(${[...metres.keys()].slice(0, MAX_CUSTOMERS)}::text[])`.execute(
    trx,
  )
  const at = ({ id }: { readonly id: string }) => metres.get(id) ?? 0
  const list = rows
    .toSorted((a, b) => at(a) - at(b) || (a.id < b.id ? -1 : 1))
    .map((row) => ({ ...customerCard(row, ctx), distance: at(row), distance_text: distanceText(at(row)) }))
  return {
    list: list as unknown as CustomersNearby['list'],
    ...(found.length > MAX_CUSTOMERS ? { most: MAX_CUSTOMERS } : {}),
  }
}

/** A distance in metres as a text for people. */
export function distanceText(metres: number): string {
  if (metres < 1000) return text('customer.metres', { n: metres })
  return text('customer.kilometres', { n: Math.round(metres / 100) / 10 })
}

type Found = readonly { readonly id: string; readonly metres: number }[]

async function nearest(around: SearchArea, ctx: CallContext): Promise<Found> {
  const parts = ownedParts(ctx.caller, 'customer', 'c')
  const growing = GROWING.filter((km) => km < around.radius)
  const wheres = parts?.map(({ where }) => where) ?? [isVisibleOwned(ctx.caller, 'customer', 'c')]
  for (const radius of growing) {
    const found = await within({ ...around, radius }, wheres, ctx)
    if (found.length > MAX_CUSTOMERS) return found
  }
  return within(around, wheres, ctx)
}

/** The nearest customers within a circle; one more than are shown if there are more. */
async function within(
  { lng, lat, radius }: SearchArea,
  wheres: readonly RawBuilder<boolean>[],
  { trx }: CallContext,
): Promise<Found> {
  const up = radius / KM_PER_DEGREE
  const aside = up / Math.max(0.01, Math.cos((lat * Math.PI) / 180))
  const box = sql`c.lat >= ${lat - up} and c.lat <= ${lat + up} and c.lng >= ${lng - aside} and c.lng <= ${lng + aside}`
  const parts = wheres.map(
    (where) => sql`select c.id, ${metresTo(lng, lat)} as metres from customer c where ${where} and ${box}`,
  )
  const { rows } = await sql<
    Found[number]
  >`select id, metres from (${sql.join(parts, sql` union all `)}) around
    where metres <= ${radius * 1000} order by metres, id limit ${MAX_CUSTOMERS + 1}`.execute(trx)
  return rows
}

/** Distance along the surface of the earth. */
function metresTo(lng: number, lat: number): RawBuilder<number> {
  const half = (from: RawBuilder<unknown>, to: number) =>
    sql`power(sin(radians(${from} - ${to}::float8) / 2), 2)`
  return sql`${2 * EARTH_METRES}::float8 * asin(least(1, sqrt(${half(sql`c.lat`, lat)}
    + cos(radians(${lat}::float8)) * cos(radians(c.lat)) * ${half(sql`c.lng`, lng)})))`
}
