import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { sql } from 'kysely'
import type { Database } from '../../kernel/db/database.ts'

const BEAT_MS = 60_000
/** Who was killed stays in the list a day. */
const FORGET_MS = 86_400_000

/** Says once a minute that this server is there. @returns stops, and takes it out of the list */
export async function startBeating(
  database: Database,
  version: string,
  onError: (error: unknown) => void,
): Promise<() => Promise<void>> {
  const id = randomUUID()
  const started = new Date()
  const beat = (): Promise<unknown> =>
    database.system(async (trx) => {
      const now = new Date()
      await sql`insert into server_seen (id, host, version, started_at, seen_at)
        values (${id}, ${`${hostname()}/${process.pid}`}, ${version}, ${started}, ${now})
        on conflict (id) do update set seen_at = excluded.seen_at`.execute(trx)
      await sql`delete from server_seen where seen_at < ${new Date(now.getTime() - FORGET_MS)}`.execute(trx)
    })
  await beat()
  const timer = setInterval(() => void beat().catch(onError), BEAT_MS)
  return async () => {
    clearInterval(timer)
    await database.system((trx) => sql`delete from server_seen where id = ${id}`.execute(trx)).catch(onError)
  }
}
