import settings from '../../../../schemas/app.json'
import type { Services } from '../../kernel/calls/resource.ts'
import { JOBS } from '../jobs/index.ts'
import { readStatus, type Status } from './status.ts'

export type Installation = Pick<Services, 'config' | 'database' | 'pages' | 'now' | 'pendingMigrations'>

/** The status of this installation, its pages on disk included. */
export async function installationStatus({
  config,
  database,
  pages,
  now,
  pendingMigrations,
}: Installation): Promise<Status> {
  return readStatus({
    database,
    version: settings.version,
    jobs: JOBS.map((job) => job.name),
    pending: await pendingMigrations(),
    broken: pages.paths().flatMap((page) => {
      const [first] = pages.problemsOf(page)
      return first === undefined ? [] : [{ page, first: `${first.code} at ${first.at}: ${first.message}` }]
    }),
    backupEveryMs: config.backups?.everyMs ?? null,
    now: now(),
  })
}
