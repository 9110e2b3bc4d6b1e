import { sql } from 'kysely'
import type { Job } from '../../kernel/context/job.ts'
import type { Database } from '../../kernel/db/database.ts'
import { runGlobalJob } from '../jobs/run-global-job.ts'
import { noteJobFault } from './faults.ts'

interface RunParts {
  readonly jobs: readonly Job[]
  readonly database: Database
  readonly now: () => number
}

/** The result of a job that was run manually; `tenant` is a code, '' for a job that iterates over all by itself. */
export interface RunEnd {
  readonly tenant: string
  /** The number of items created; null if it failed. */
  readonly made: number | null
  readonly message: string
}

/** Why no job was run, in a sentence for the operator. */
export class NotRun extends Error {}

/**
 * Runs a job now, whether or not its slot is taken: for one tenant or all active ones, each in a separate transaction. Items that a job
 * creates have unique keys, so repeating it creates nothing twice.
 *
 * @throws NotRun if there is no such job or tenant, or the job is not one of single tenants
 */
export async function runJob(
  name: string,
  code: string | null,
  { jobs, database, now }: RunParts,
): Promise<readonly RunEnd[]> {
  const job = jobs.find((one) => one.name === name)
  if (job === undefined)
    throw new NotRun(`there is no job ${name}: the jobs are ${jobs.map((one) => one.name).join(', ')}`)
  const attempt = async (
    tenantId: string | null,
    tenant: string,
    run: () => Promise<number>,
  ): Promise<RunEnd> => {
    try {
      return { tenant, made: await run(), message: '' }
    } catch (error) {
      await noteJobFault(database, { job: name, tenantId, error, now: now() })
      return { tenant, made: null, message: error instanceof Error ? error.message : String(error) }
    }
  }
  if ('runAll' in job && code !== null)
    throw new NotRun(`${name} goes over all tenants by itself: run it without a tenant`)
  if ('runAll' in job) return [await attempt(null, '', () => runGlobalJob(job, database, now))]
  const { rows } = await database.system((trx) =>
    sql<{ id: string; code: string; timezone: string }>`select id, code, timezone from tenant
      where status = 'normal' and (${code}::text is null or code = ${code}) order by code`.execute(trx),
  )
  if (rows.length === 0) throw new NotRun(`there is no active tenant${code === null ? '' : ` ${code}`}`)
  const ends: RunEnd[] = []
  for (const { id, code: tenant, timezone } of rows)
    ends.push(
      await attempt(id, tenant, () =>
        database.tenant({ tenantId: id, userId: 'system' }, async (trx) => {
          // Not at the same time as a server that runs the slot.
          await sql`select pg_advisory_xact_lock(hashtextextended(${`job/${name}/${id}`}, 0))`.execute(trx)
          const count = await job.run({ trx, tenantId: id, now: new Date(now()), zone: timezone })
          await sql`update job_slot set ran_at = ${new Date(now())}, made = ${count}
            where tenant_id = ${id} and job = ${name}`.execute(trx)
          return count
        }),
      ),
    )
  return ends
}
