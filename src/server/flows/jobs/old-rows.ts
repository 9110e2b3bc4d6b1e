import { type RawBuilder, sql } from 'kysely'
import type { WholeJob } from '../../kernel/asking/job.ts'
import type { Keeping } from '../../kernel/config/keeping.ts'
import type { Database } from '../../kernel/db/database.ts'
import { KEPT_HOURS } from '../../kernel/records/write-once.ts'
import { SYNC_DAYS } from '../sync/changes.ts'
import { tenantIds } from './run-whole.ts'

const DAY_MS = 86_400_000
const EVERY_MS = DAY_MS / 4
/** One transaction takes no more: nobody waits for it, and copies of the database keep up. */
const BATCH = 2_000
/** Of one table and tenant in one run; what is left waits for the next. */
const BATCHES = 50
/** What was told is remembered longer than the messages, so that nothing is told again. */
const SOURCE_DAYS = 400
/** What was opened last year is not among what was opened lately. */
const RECENT_DAYS = 400
/** Records of files whose bytes are gone. */
const FILE_DAYS = 30

/** Entries of the log that are no history of a record: who came, looked and was refused. */
const LOOKING = sql<boolean>`entity in ('session', 'call', 'search', 'file', 'audit')`

/** Rows that go when they are old enough. */
interface Old {
  readonly table: string
  readonly moment: string
  /** 0: they stay. */
  readonly days: number
  /** Which of them; default: all. */
  readonly which?: RawBuilder<boolean>
}

/** All that piles up, and how long it stays. What is not here stays as long as its tenant, or is thrown away where it is written. */
function oldRows({ log, history, messages, work }: Keeping): readonly Old[] {
  return [
    { table: 'audit_log', moment: 'at', days: log, which: LOOKING },
    { table: 'audit_log', moment: 'at', days: history, which: sql<boolean>`not (${LOOKING})` },
    { table: 'owner_record', moment: 'at', days: history },
    { table: 'message', moment: 'created_at', days: messages },
    {
      table: 'message_source',
      moment: 'created_at',
      days: messages === 0 ? 0 : Math.max(SOURCE_DAYS, messages),
    },
    {
      table: 'work',
      moment: 'finished_at',
      days: work,
      which: sql<boolean>`status in ('done', 'failed', 'cancelled') and file_id is null`,
    },
    { table: 'file', moment: 'gone_at', days: FILE_DAYS },
    { table: 'recent_view', moment: 'viewed_at', days: RECENT_DAYS },
    { table: 'sync_change', moment: 'at', days: SYNC_DAYS },
    { table: 'idempotency', moment: 'created_at', days: KEPT_HOURS / 24 },
  ]
}

/** Throws away rows whose time is over, a few at a time, tenant by tenant, as often as one server comes by. */
export function oldRowsJob(keeping: Keeping): WholeJob {
  return {
    name: 'old-rows',
    everyMs: EVERY_MS,
    runAll: (database, at) => throwAwayOld(database, keeping, at),
  }
}

/** @returns how many rows went */
export async function throwAwayOld(database: Database, keeping: Keeping, at: number): Promise<number> {
  let gone = 0
  for (const id of await tenantIds(database))
    for (const old of oldRows(keeping)) if (old.days > 0) gone += await throwAway(database, { id, at, old })
  return gone
}

interface Part {
  /** The tenant. */
  readonly id: string
  readonly at: number
  readonly old: Old
}

async function throwAway(database: Database, { id, at, old }: Part): Promise<number> {
  const table = sql.table(old.table)
  const before = new Date(at - old.days * DAY_MS)
  const which = old.which ?? sql<boolean>`true`
  let gone = 0
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const { numAffectedRows = 0n } = await database.system((trx) =>
      // Rows that somebody holds wait for the next run.
      sql`delete from ${table} where tenant_id = ${id} and ctid = any(array(
        select ctid from ${table} where tenant_id = ${id} and ${sql.ref(old.moment)} < ${before} and ${which}
        limit ${BATCH} for update skip locked))`.execute(trx),
    )
    gone += Number(numAffectedRows)
    if (numAffectedRows < BATCH) break
  }
  return gone
}
