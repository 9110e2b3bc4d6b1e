import { type RawBuilder, sql } from 'kysely'
import type { Retention } from '../../kernel/config/retention.ts'
import type { GlobalJob } from '../../kernel/context/job.ts'
import type { Database } from '../../kernel/db/database.ts'
import { RETENTION_HOURS } from '../../kernel/records/write-once.ts'
import { SYNC_DAYS } from '../sync/changes.ts'
import { tenantIds } from './run-global-job.ts'

const DAY_MS = 86_400_000
const EVERY_MS = DAY_MS / 4
/** Maximum per transaction: others do not wait long, and standbys keep up. */
const BATCH = 2_000
/** Maximum per table and tenant in one run; the rest waits for the next. */
const BATCHES = 50
/** Message keys are kept longer than messages, so that nobody is notified twice. */
const SOURCE_DAYS = 400
/** Records opened last year are not recently viewed. */
const RECENT_DAYS = 400
/** Records of files whose content was removed. */
const FILE_DAYS = 30

/** Log entries that are not part of a record's history: sign-ins, views and refusals. */
const LOOKING = sql<boolean>`entity in ('session', 'call', 'search', 'file', 'audit')`

/** Rows that are deleted at a certain age. */
interface Old {
  readonly table: string
  readonly moment: string
  /** 0: they are kept. */
  readonly days: number
  /** A condition on the rows; default: all. */
  readonly which?: RawBuilder<boolean>
}

/** Everything that accumulates, and how long it is kept. Anything else is kept as long as its tenant, or limited where it is written. */
function oldRows({ log, history, messages, work }: Retention): readonly Old[] {
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
    { table: 'idempotency', moment: 'created_at', days: RETENTION_HOURS / 24 },
  ]
}

/** Deletes expired rows in small batches, tenant by tenant, each time a server runs the job. */
export function expiredRowsJob(keeping: Retention): GlobalJob {
  return {
    name: 'old-rows',
    everyMs: EVERY_MS,
    runAll: (database, at) => deleteExpired(database, keeping, at),
  }
}

/** @returns how many rows were deleted */
export async function deleteExpired(database: Database, keeping: Retention, at: number): Promise<number> {
  let deleted = 0
  for (const id of await tenantIds(database))
    for (const old of oldRows(keeping))
      if (old.days > 0) deleted += await deleteRows(database, { id, at, old })
  return deleted
}

interface Part {
  /** The tenant. */
  readonly id: string
  readonly at: number
  readonly old: Old
}

async function deleteRows(database: Database, { id, at, old }: Part): Promise<number> {
  const table = sql.table(old.table)
  const before = new Date(at - old.days * DAY_MS)
  const condition = old.which ?? sql<boolean>`true`
  let deleted = 0
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const { numAffectedRows = 0n } = await database.system((trx) =>
      // Locked rows wait for the next run.
      sql`delete from ${table} where tenant_id = ${id} and ctid = any(array(
        select ctid from ${table} where tenant_id = ${id} and ${sql.ref(old.moment)} < ${before} and ${condition}
        limit ${BATCH} for update skip locked))`.execute(trx),
    )
    deleted += Number(numAffectedRows)
    if (numAffectedRows < BATCH) break
  }
  return deleted
}
