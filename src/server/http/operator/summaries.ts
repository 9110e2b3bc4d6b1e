import type { RunEnd } from '../../flows/operator/run-job.ts'
import { sizeText } from '../../flows/operator/size-text.ts'
import type { Status } from '../../flows/operator/status.ts'

/** A status as text for the operator, problems first. */
export function statusSummary(status: Status): string {
  const { storage, queues } = status
  const list = (head: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : ['', head, ...lines.map((line) => `  ${line}`)]
  return [
    status.troubles.length === 0 ? 'all is well' : `${status.troubles.length} to look at:`,
    ...status.troubles.map((trouble) => `  ! ${trouble.sentence}`),
    '',
    `version ${status.version}, schema ${status.schema.newest.replace(/\.sql$/, '')}, at ${status.at}`,
    `database ${sizeText(storage.database)}, ${storage.files.count} files of ${sizeText(storage.files.bytes)}, ${storage.files.going} deleted and still there, ${storage.files.unnamed} named by nobody`,
    `work: ${queues.work.map((one) => `${one.count} ${one.status}`).join(', ') || 'nothing in line'}, ${queues.failedWorkOfADay} failed in a day`,
    `pushes: ${queues.push.count} in line for ${queues.push.devices} devices`,
    ...list(
      'servers',
      status.servers.map(
        (server) => `${server.host}  ${server.version}  since ${server.startedAt}, heard ${server.seenAt}`,
      ),
    ),
    ...list(
      'jobs (last run of the tenant that is longest behind)',
      status.jobs.map(({ job, lastRun, faults }) => {
        const last =
          faults[0] === undefined
            ? ''
            : `, last failure ${faults[0].at} ${faults[0].tenant}: ${faults[0].message}`
        return `${job.padEnd(14)} ${lastRun ?? '–'}${last}`
      }),
    ),
    ...list(
      'backups',
      status.backups.map(
        (backup) =>
          `${backup.kind}: last good ${backup.lastGood ?? 'never'}, last failed ${backup.lastFailed ?? 'never'}`,
      ),
    ),
    ...list(
      'largest tables',
      storage.largest.map(
        (one) => `${one.table.padEnd(22)} ${sizeText(one.bytes).padStart(9)}  about ${one.rows} rows`,
      ),
    ),
    ...list(
      'tenants',
      status.tenants.map(
        (tenant) =>
          `${tenant.code.padEnd(16)} ${tenant.name}  ${tenant.status}, ${tenant.people} people, ${tenant.sessions} signed in`,
      ),
    ),
  ].join('\n')
}

/** The results of a job that was run by hand, as text. */
export const runsSummary = (job: string, ends: readonly RunEnd[]): string =>
  ends
    .map(
      ({ tenant, made, message }) =>
        `${job}${tenant && ` of ${tenant}`}: ${made === null ? `failed: ${message}` : `made ${made}`}`,
    )
    .join('\n')
