import type { GlobalJob, Job, TenantJob } from '../../kernel/context/job.ts'
import type { Database } from '../../kernel/db/database.ts'
import { type OnJobRun, runDueJobs, timed } from './run-due.ts'
import { runGlobalJob } from './run-global-job.ts'

/** The environment of the scheduler; time is injected. */
export interface SchedulerParts {
  readonly jobs: readonly Job[]
  readonly database: Database
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Calls back after a delay in milliseconds; returns a function that cancels it. */
  readonly later: (work: () => void, ms: number) => () => void
  readonly onError: (error: unknown, job: string, tenantId: string | null) => void
  /** After each run of a job. */
  readonly onRun?: OnJobRun | undefined
  /** After each check. */
  readonly onLook?: () => void
}

/** Interval of the checks for due jobs: a job starts at most half a minute late. */
const TICK_MS = 30_000

/** Checks for due jobs until stopped; one check ends before the next begins. @returns stops after the running work */
export function startJobs({
  jobs,
  database,
  now,
  later,
  onError,
  onRun,
  onLook,
}: SchedulerParts): () => Promise<void> {
  const perTenant = jobs.filter((job): job is TenantJob => 'run' in job)
  const globalJobs = jobs.filter((job): job is GlobalJob => 'runAll' in job)
  const ranAt = new Map<string, number>()
  let isStopped = false
  let takeBack: () => void = () => undefined
  let underWay: Promise<void> = Promise.resolve()

  const look = async (): Promise<void> => {
    await runDueJobs(perTenant, { database, now: now(), onError, onRun }).catch((error: unknown) =>
      onError(error, 'scheduler', null),
    )
    for (const job of globalJobs) {
      const slot = Math.floor(now() / job.everyMs)
      if (ranAt.get(job.name) === slot || isStopped) continue
      ranAt.set(job.name, slot)
      await timed(job.name, () => runGlobalJob(job, database, now), onRun).catch((error: unknown) =>
        onError(error, job.name, null),
      )
    }
    onLook?.()
  }
  const next = (): void => {
    if (isStopped) return
    takeBack = later(() => {
      underWay = database.patiently(look).then(next)
    }, TICK_MS)
  }
  next()
  return async () => {
    isStopped = true
    takeBack()
    await underWay
  }
}
