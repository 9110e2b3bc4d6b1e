import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { type CountCall, refuseTooMany } from './limits.ts'
import { MINUTE_MS } from './minute-counts.ts'

/** What is counted across all servers, and for whom. */
export interface SharedLimit {
  /** Distinguishes limits with the same key. */
  readonly name: string
  /** Calls per minute. */
  readonly max: number
  readonly keyOf: (request: FastifyRequest) => string
}

/**
 * A limit across all servers, for whatever can be guessed: with separate counts, each server would give the guesser as many
 * further tries. It costs a statement per call; limits that only protect a server's load are counted per server.
 *
 * @param now  milliseconds since the epoch
 */
export function createSharedLimit(database: Database, now: () => number, limit: SharedLimit): CountCall {
  return async (request) => {
    const key = createHash('sha256')
      .update(`${limit.name} ${limit.keyOf(request)}`)
      .digest('base64url')
    const at = now()
    // A start later than one minute from now was stored by a clock that was set back since.
    const underWay = sql`l.began_at > ${new Date(at - MINUTE_MS)} and l.began_at < ${new Date(at + MINUTE_MS)}`
    const { rows } = await database.system((trx) =>
      sql<{ count: number; began_at: Date }>`insert into shared_limit as l (key, began_at, count)
        values (${key}, ${new Date(at)}, 1)
        on conflict (key) do update set
          began_at = case when ${underWay} then l.began_at else excluded.began_at end,
          count = case when ${underWay} then l.count + 1 else 1 end
        returning count, began_at`.execute(trx),
    )
    const [found] = rows
    if (found === undefined || found.count <= limit.max) return
    refuseTooMany(Math.max(1, Math.ceil((found.began_at.getTime() + MINUTE_MS - at) / 1000)))
  }
}

/** Deletes counts whose minute is over. */
export async function forgetCounts(database: Database, at: number): Promise<void> {
  await database.system((trx) =>
    sql`delete from shared_limit where began_at < ${new Date(at - MINUTE_MS)}`.execute(trx),
  )
}
