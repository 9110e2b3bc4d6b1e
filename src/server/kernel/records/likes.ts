import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../auth/caller.ts'
import type { CallContext } from '../context/call-context.ts'

/** The number of likes of a follow-up, and whether the caller likes it. */
export interface Likes {
  readonly like_count: number
  readonly liked: boolean
}

export const NO_LIKES: Likes = { like_count: 0, liked: false }

/** {@link Likes} as columns. @param row alias of `follow` in the query */
export function likeColumns({ userId }: Caller, row: string): RawBuilder<unknown> {
  const of = sql`follow_like k where k.tenant_id = ${sql.ref(`${row}.tenant_id`)} and k.follow_id = ${sql.ref(`${row}.id`)}`
  return sql`(select count(*) from ${of}) as like_count, exists (select 1 from ${of} and k.user_id = ${userId}) as liked`
}

/** {@link Likes} of the follow-ups of a page. */
export async function likesOf(
  ids: readonly string[],
  { trx, caller }: CallContext,
): Promise<ReadonlyMap<string, Likes>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Likes & { follow_id: string }>`select k.follow_id, count(*) as like_count,
      bool_or(k.user_id = ${caller.userId}) as liked
    from follow_like k where k.tenant_id = ${caller.tenantId} and k.follow_id = any(${[...ids]}::text[])
    group by k.follow_id`.execute(trx)
  return new Map(rows.map(({ follow_id, ...likes }) => [follow_id, likes]))
}
