import settings from '../../../../schemas/app.json'
import type { PageProblem } from '../../../contract/pages.ts'
import type { Services } from '../../kernel/calls/resource.ts'
import { jobsOf } from '../jobs/index.ts'
import { diskOf, HOST } from './heartbeat.ts'
import { readStatus, type Status } from './status.ts'

export type Installation = Pick<Services, 'config' | 'database' | 'pages' | 'now' | 'pendingMigrations'>

/** The status of this installation, including its pages on disk. */
export async function installationStatus({
  config,
  database,
  pages,
  now,
  pendingMigrations,
}: Installation): Promise<Status> {
  const disk = await diskOf(config.dataDir)
  return readStatus({
    database,
    version: settings.version,
    jobs: jobsOf(config).map((job) => job.name),
    pending: await pendingMigrations(),
    broken: pages
      .broken()
      .flatMap(({ path, problems: [first] }) =>
        first === undefined ? [] : [{ page: path, first: `${placeOf(first)}: ${first.message}` }],
      ),
    keeping: config.keeping,
    backupEveryMs: config.backups?.everyMs ?? null,
    now: now(),
    disk: disk && { host: HOST, ...disk },
  })
}

/** Position of the error as editors open it; its pointer if the line is unknown. */
const placeOf = ({ file, at, line, column }: PageProblem): string =>
  line === undefined ? `${file} ${at}`.trim() : `${file}:${line}:${column}`
