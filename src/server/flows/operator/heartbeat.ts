import { randomUUID } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { sql } from 'kysely'
import type { Database } from '../../kernel/db/database.ts'

const BEAT_MS = 60_000
/** A server that was killed stays in the list for a day. */
const FORGET_MS = 86_400_000
/** A session that broke and was back at once is not an outage. */
const OUTAGE_MS = 2_000
/** Nobody sends on this channel: listening only serves to notice that the database was unavailable. */
const CHANNEL = 'crm_beat'

export interface HeartbeatParts {
  readonly version: string
  /** The folder whose disk is checked. */
  readonly dataDir: string
  /** Milliseconds since the epoch, by the clock that all servers share. */
  readonly now: () => number
  readonly onError: (error: unknown) => void
}

/**
 * Reports once a minute that this server is running, how full its disk is, and when the database was last unavailable. @returns stops, and removes it
 * from the list
 */
export async function startHeartbeat(
  database: Database,
  { version, dataDir, now, onError }: HeartbeatParts,
): Promise<() => Promise<void>> {
  const id = randomUUID()
  const started = new Date(now())
  let away: { readonly from: Date; readonly until: Date } | null = null
  const beat = async (): Promise<void> => {
    const disk = await diskOf(dataDir)
    await database.system(async (trx) => {
      const at = new Date(now())
      await sql`insert into server_seen (id, host, version, started_at, seen_at, disk_free, disk_size, away_from, away_until)
        values (${id}, ${HOST}, ${version}, ${started}, ${at}, ${disk?.free ?? null}, ${disk?.size ?? null},
          ${away?.from ?? null}, ${away?.until ?? null})
        on conflict (id) do update set seen_at = excluded.seen_at, disk_free = excluded.disk_free,
          disk_size = excluded.disk_size, away_from = excluded.away_from, away_until = excluded.away_until`.execute(
        trx,
      )
      await sql`delete from server_seen where seen_at < ${new Date(at.getTime() - FORGET_MS)}`.execute(trx)
    })
  }
  const stopListening = await database.listen(
    CHANNEL,
    () => undefined,
    (ms) => {
      if (ms < OUTAGE_MS) return
      const until = now()
      away = { from: new Date(until - ms), until: new Date(until) }
      beat().catch(onError)
    },
  )
  await beat()
  const timer = setInterval(() => void beat().catch(onError), BEAT_MS)
  return async () => {
    clearInterval(timer)
    await stopListening()
    await database.system((trx) => sql`delete from server_seen where id = ${id}`.execute(trx)).catch(onError)
  }
}

/** The name of this server in the list. */
export const HOST = `${hostname()}/${process.pid}`

/** The disk that contains a folder; null if unknown. */
export async function diskOf(
  folder: string,
): Promise<{ readonly free: number; readonly size: number } | null> {
  const stats = await statfs(folder).catch(() => null)
  return stats === null ? null : { free: stats.bavail * stats.bsize, size: stats.blocks * stats.bsize }
}
