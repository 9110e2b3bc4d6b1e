import { sql } from 'kysely'
import type { GlobalJob } from '../../kernel/context/job.ts'
import type { Database } from '../../kernel/db/database.ts'

/** Runs a job that iterates over the tenants by itself, and records the run. @returns the number of items created */
export async function runGlobalJob(job: GlobalJob, database: Database, now: () => number): Promise<number> {
  const count = await job.runAll(database, now())
  await database.system((trx) =>
    sql`insert into job_run (job, ran_at, made) values (${job.name}, ${new Date(now())}, ${count})
      on conflict (job) do update set ran_at = excluded.ran_at, made = excluded.made`.execute(trx),
  )
  return count
}

/** Every tenant, in a fixed order. */
export async function tenantIds(database: Database): Promise<readonly string[]> {
  const { rows } = await database.system((trx) =>
    sql<{ id: string }>`select id from tenant order by id`.execute(trx),
  )
  return rows.map(({ id }) => id)
}
