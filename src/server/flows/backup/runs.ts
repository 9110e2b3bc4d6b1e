import { type Insertable, type Selectable, sql } from 'kysely'
import type { Backups } from '../../kernel/config/config.ts'
import type { Database, Trx } from '../../kernel/db/database.ts'
import { newId } from '../../kernel/db/id.ts'

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    backup_run: BackupRunTable
  }
}

interface BackupRunTable {
  readonly id: string
  readonly kind: 'backup' | 'test'
  readonly file: string
  readonly started_at: Date
  readonly ended_at: Date | null
  readonly ok: boolean | null
  readonly message: string
}

export type BackupRun = Selectable<BackupRunTable>

/** A run that is due. */
export interface DueRun {
  readonly id: string
  readonly kind: BackupRun['kind']
  readonly file: string
}

/** Delay before a failed or interrupted run is tried again. */
const RETRY_DELAY_MS = 3_600_000
const RETAINED_RUNS = 200

/** True when a kind of run is due: the last success is too old, and none has started recently. */
function isDue(runs: readonly BackupRun[], everyMs: number, now: number): boolean {
  const good = runs.filter(({ ok }) => ok === true).map((run) => run.started_at.getTime())
  const begun = runs.map((run) => run.started_at.getTime())
  return (
    now - Math.max(0, ...good) >= everyMs && now - Math.max(0, ...begun) >= Math.min(RETRY_DELAY_MS, everyMs)
  )
}

/** The name of a backup made now: the alphabetical order is the order of time. */
const nameOf = (now: number): string =>
  `crm-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '')}Z.backup`
export const isBackupName = (name: string): boolean => /^crm-\d{4}-\d{2}-\d{2}T\d{6}Z\.backup$/.test(name)

/** Claims a due run, so that no other server performs it; null if nothing is due. */
export async function claimDueRun(
  database: Database,
  settings: Backups,
  now: number,
): Promise<DueRun | null> {
  return database.system(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('backup_run', 0))`.execute(trx)
    const runs = await newestRuns(trx)
    const backups = runs.filter(({ kind }) => kind === 'backup')
    if (isDue(backups, settings.everyMs, now)) return begin(trx, 'backup', nameOf(now), now)
    const last = backups.find(({ ok }) => ok === true)
    const tests = runs.filter(({ kind }) => kind === 'test')
    if (last === undefined || settings.testEveryMs === 0 || !isDue(tests, settings.testEveryMs, now))
      return null
    return begin(trx, 'test', last.file, now)
  })
}

/** Runs, the newest first. */
export function newestRuns(trx: Trx): Promise<readonly BackupRun[]> {
  return trx.selectFrom('backup_run').selectAll().orderBy('started_at', 'desc').limit(RETAINED_RUNS).execute()
}

async function begin(trx: Trx, kind: DueRun['kind'], file: string, now: number): Promise<DueRun> {
  const due: DueRun = { id: newId(), kind, file }
  const row: Insertable<BackupRunTable> = {
    ...due,
    started_at: new Date(now),
    ended_at: null,
    ok: null,
    message: '',
  }
  await trx.insertInto('backup_run').values(row).execute()
  await sql`delete from backup_run where id in (
    select id from backup_run order by started_at desc offset ${RETAINED_RUNS})`.execute(trx)
  return due
}

const MAX_MESSAGE = 2_000

/** Records how a run ended. */
export async function endRun(
  database: Database,
  id: string,
  { ok, message, now }: { readonly ok: boolean; readonly message: string; readonly now: number },
): Promise<void> {
  await database.system((trx) =>
    trx
      .updateTable('backup_run')
      .set({ ok, message: message.slice(-MAX_MESSAGE), ended_at: new Date(now) })
      .where('id', '=', id)
      .execute(),
  )
}
