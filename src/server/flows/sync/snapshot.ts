import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '../../kernel/db/database.ts'

/** Which transactions had ended at a moment, as PostgreSQL writes it: `xmin:xmax:running,running`. */
export type Snapshot = string

/**
 * Transactions are counted from 1 in each life of the data: in a restored database a snapshot of before says nothing. Another life begins,
 * too, where PostgreSQL itself went back to a moment or another machine took over: its timeline is another one then.
 */
export interface Present {
  readonly snapshot: Snapshot
  readonly life: string
}

/** The snapshot of the next statement; what is read afterwards is never older than it. */
export async function present(trx: Trx): Promise<Present> {
  const { rows } = await sql<Present>`select pg_current_snapshot()::text as snapshot,
      concat(crm_life(), nullif(left(pg_walfile_name(pg_current_wal_lsn()), 8), '00000001')) as life`.execute(
    trx,
  )
  return rows[0] ?? { snapshot: '', life: '' }
}

/**
 * True for rows whose transaction (`xid`) had not ended at `from` and had at `until`. Numbers only: those are leakproof, so that an
 * index is entered at them under row-level security.
 */
export function endedBetween(xid: RawBuilder<unknown>, from: Snapshot, until: Snapshot): RawBuilder<boolean> {
  const old = readSnapshot(from)
  const now = readSnapshot(until)
  return sql<boolean>`(${xid} >= ${old.xmin}::bigint and (${xid} >= ${old.xmax}::bigint or ${xid} = any(${old.running}::bigint[]))
    and ${xid} < ${now.xmax}::bigint and ${xid} <> all(${now.running}::bigint[]))`
}

/** True when `from` knows of transactions that are yet to come: it was taken in another database, or before a backup was put back. */
export function isOfAnother(from: Snapshot, now: Snapshot): boolean {
  return readSnapshot(from).xmax > readSnapshot(now).xmax
}

function readSnapshot(snapshot: Snapshot): { xmin: number; xmax: number; running: number[] } {
  const [xmin = '', xmax = '', running = ''] = snapshot.split(':')
  return { xmin: Number(xmin), xmax: Number(xmax), running: running.split(',').filter(Boolean).map(Number) }
}
