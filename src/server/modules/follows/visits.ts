import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { VisitsOfDay } from '../../../contract/follow.ts'
import { metresBetween, type Point, pointOf } from '../../../contract/metres-between.ts'
import { isClear } from '../../kernel/auth/field-rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { bad } from '../../kernel/lists/list-request.ts'
import { text } from '../../kernel/text/text.ts'
import { dayText, instantOf, parseWallTime, startOfDay, wallTimeOf } from '../../kernel/time/zone.ts'
import { distanceText } from '../customers/nearby.ts'
import { drawFollow, type StoredFollow } from './follow-row.ts'
import { FOLLOW_FROM, followColumns, isFollowSeen } from './list-spec.ts'

/** Maximum number of visits shown of one person and day. */
const MAX_VISITS = 100

/**
 * A check-in with its distance from the customer's place, computed by the server because a client could send any distance.
 * @param location  as sent, checked
 */
export async function withDistance(
  location: Json,
  customerId: string | null,
  { trx, caller }: CallContext,
): Promise<Json> {
  const visited = pointOf(location)
  if (visited === null || customerId === null) return location
  const { rows } = await sql<Point>`select lng, lat from customer where tenant_id = ${caller.tenantId}
    and id = ${customerId}`.execute(trx)
  const point = pointOf(rows[0])
  return point === null ? location : { ...(location as JsonObject), distance: metresBetween(visited, point) }
}

/**
 * GET /mini/follow/visits: the visits of a person on a day in order, each with the distance from the previous one. Only visits whose records the
 * caller sees. Distances count visits with a position only: where a customer is does not say that somebody was there. Nothing tells positions to
 * callers who do not see those of follow-ups.
 * @param filter  `day`, default today; `userId`, default the caller
 */
export async function visitsOfDay(
  filter: { readonly day?: string; readonly userId?: string },
  ctx: CallContext,
): Promise<VisitsOfDay> {
  const { trx, caller, now, zone } = ctx
  const author = filter.userId || caller.userId
  const wall = filter.day ? parseWallTime(filter.day) : wallTimeOf(now, zone)
  if (wall === null) bad('day')
  const [from, until] = [startOfDay(wall), startOfDay(wall, 1)]
  const { rows } =
    await sql<VisitRow>`select ${followColumns(caller)}, c.address as customer_address, c.lng, c.lat
    from ${FOLLOW_FROM} where ${isFollowSeen(ctx, 'f')} and f.author_id = ${author}
      and (f.method = 'visit' or f.source = 'visit')
      and f.followed_at >= ${instantOf(from, zone)} and f.followed_at < ${instantOf(until, zone)}
    order by f.followed_at, f.id limit ${MAX_VISITS}`.execute(trx)
  const mayLocate = isClear(caller, 'follow', 'location')
  const mayPlace = isClear(caller, 'customer', 'lng') && isClear(caller, 'customer', 'lat')
  let before: { readonly point: Point; readonly at: number } | null = null
  let metres = 0
  const list = rows.map((row, at) => {
    const { customer_address, lng, lat, ...follow } = row
    const located = mayLocate ? pointOf(row.location) : null
    const place = located ?? (mayPlace && !row.in_pool ? pointOf({ lng, lat }) : null)
    const leg: number | null =
      before === null || located === null ? null : metresBetween(before.point, located)
    const isNext = before?.at === at - 1
    metres += leg ?? 0
    if (located !== null) before = { point: located, at }
    return {
      ...drawFollow(follow, ctx),
      no: at + 1,
      customer_address: row.in_pool ? null : customer_address,
      lng: place?.lng ?? null,
      lat: place?.lat ?? null,
      leg_text: located === null && mayLocate ? text('follow.unlocated') : legText(leg, isNext),
    }
  })
  return { day: dayText(from), list, count: list.length, way_text: metres === 0 ? '' : distanceText(metres) }
}

/** @param isNext  the stop just before has a position; otherwise the distance is from an earlier one */
function legText(metres: number | null, isNext: boolean): string {
  if (metres === null) return ''
  return text(isNext ? 'follow.leg' : 'follow.leg-over', { far: distanceText(metres) })
}

interface VisitRow extends StoredFollow {
  readonly location: unknown
  readonly customer_address: string | null
  readonly lng: number | null
  readonly lat: number | null
}
