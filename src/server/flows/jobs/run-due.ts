import { performance } from 'node:perf_hooks'
import { sql } from 'kysely'
import type { JobRun, TenantJob } from '../../kernel/context/job.ts'
import type { Database, Trx } from '../../kernel/db/database.ts'
import { wallTimeOf } from '../../kernel/time/zone.ts'

/** The environment of jobs. */
export interface JobEnvironment {
  readonly database: Database
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly onError: (error: unknown, job: string, tenantId: string) => void
  /** After each run. */
  readonly onRun?: OnJobRun | undefined
}

export type OnJobRun = (job: string, seconds: number, isOk: boolean) => void

/** Runs a job and reports its duration. */
export async function timed<T>(job: string, run: () => Promise<T>, report?: OnJobRun): Promise<T> {
  const begun = performance.now()
  let isOk = false
  try {
    const count = await run()
    isOk = true
    return count
  } finally {
    report?.(job, (performance.now() - begun) / 1000, isOk)
  }
}

/** Jobs have no user; row-level security still limits each run to its tenant. */
const NOBODY = 'system'

/**
 * Runs due jobs, tenant by tenant. A slot runs once: its row is claimed and the work is done in one transaction, so after a
 * crash another server can run it. A failing job does not prevent others from running.
 *
 * @returns the number of items each job created
 */
export async function runDueJobs(
  jobs: readonly TenantJob[],
  { database, now, onError, onRun }: JobEnvironment,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {}
  for (const { id, timezone, done } of await tenantsOf(database)) {
    const wall = wallTimeOf(new Date(now), timezone)
    for (const job of jobs) {
      const slot = job.schedule(wall)
      if (slot === null || (done[job.name] ?? '') >= slot) continue
      try {
        const slots = { slot, after: job.after?.schedule(wall) ?? null }
        const work = () =>
          database.tenant({ tenantId: id, userId: NOBODY }, (trx) =>
            runSlot(job, slots, { trx, tenantId: id, now: new Date(now), zone: timezone }),
          )
        const count = await timed(job.name, work, onRun)
        counts[job.name] = (counts[job.name] ?? 0) + count
      } catch (error) {
        onError(error, job.name, id)
      }
    }
  }
  return counts
}

/** Active tenants, with the last slot of each job. */
async function tenantsOf(database: Database) {
  const { rows } = await database.system((trx) =>
    sql<{ id: string; timezone: string; done: Record<string, string> }>`select t.id, t.timezone,
        coalesce((select json_object_agg(s.job, s.slot) from job_slot s where s.tenant_id = t.id), '{}') as done
      from tenant t where t.status = 'normal' order by t.id`.execute(trx),
  )
  return rows
}

/** The work of a slot, or nothing if another server is doing or has done it, or a required job is not done. */
async function runSlot(
  job: TenantJob,
  slots: { slot: string; after: string | null },
  jobRun: JobRun,
): Promise<number> {
  const { trx, tenantId, now } = jobRun
  const { slot, after } = slots
  if (!(await isMine(trx, `job/${job.name}/${tenantId}`))) return 0
  if (after !== null) {
    const before =
      await sql`select 1 from job_slot where tenant_id = ${tenantId} and job = ${job.after?.name ?? ''}
      and slot >= ${after}`.execute(trx)
    if (before.rows.length === 0) return 0
  }
  const { rows } = await sql`insert into job_slot (tenant_id, job, slot, ran_at)
    values (${tenantId}, ${job.name}, ${slot}, ${now})
    on conflict (tenant_id, job) do update set slot = excluded.slot, ran_at = excluded.ran_at
      where job_slot.slot < excluded.slot returning 1`.execute(trx)
  if (rows.length === 0) return 0
  const count = await job.run(jobRun)
  await sql`update job_slot set made = ${count} where tenant_id = ${tenantId} and job = ${job.name}`.execute(
    trx,
  )
  return count
}

/** Takes a lock until the transaction ends; false if somebody else has it. */
async function isMine(trx: Trx, key: string): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${key}, 0)) as mine`.execute(trx)
  return rows[0]?.mine === true
}
