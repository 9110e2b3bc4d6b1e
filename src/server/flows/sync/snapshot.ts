import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '../../kernel/db/database.ts'

/** The transactions that had ended at a moment, in PostgreSQL's format: `xmin:xmax:running,running`. */
export type Snapshot = string

/**
 * Transactions are numbered from 1 in each life of the data: in a restored database an older snapshot has no meaning. A new life also begins if
 * PostgreSQL itself was reset to an earlier state or a standby was promoted: its timeline changes then.
 */
export interface Present {
  readonly snapshot: Snapshot
  readonly life: string
}

/** The snapshot of the next statement; later reads are never older than it. */
export async function present(trx: Trx): Promise<Present> {
  const { rows } = await sql<Present>`select pg_current_snapshot()::text as snapshot,
      concat(crm_life(), nullif(left(pg_walfile_name(pg_current_wal_lsn()), 8), '00000001')) as life`.execute(
    trx,
  )
  return rows[0] ?? { snapshot: '', life: '' }
}

/**
 * True for rows whose transaction (`xid`) had not ended at `from` and had ended at `until`. Only comparisons of numbers, which are leakproof, so that
 * an index can be used under row-level security.
 */
export function endedBetween(xid: RawBuilder<unknown>, from: Snapshot, until: Snapshot): RawBuilder<boolean> {
  const old = readSnapshot(from)
  const now = readSnapshot(until)
  return sql<boolean>`(${xid} >= ${old.xmin}::bigint and (${xid} >= ${old.xmax}::bigint or ${xid} = any(${old.running}::bigint[]))
    and ${xid} < ${now.xmax}::bigint and ${xid} <> all(${now.running}::bigint[]))`
}

/** True if `from` contains transactions of the future: it was taken in another database, or before a backup was restored. */
export function isOfAnother(from: Snapshot, now: Snapshot): boolean {
  return readSnapshot(from).xmax > readSnapshot(now).xmax
}

function readSnapshot(snapshot: Snapshot): { xmin: number; xmax: number; running: number[] } {
  const [xmin = '', xmax = '', running = ''] = snapshot.split(':')
  return { xmin: Number(xmin), xmax: Number(xmax), running: running.split(',').filter(Boolean).map(Number) }
}
