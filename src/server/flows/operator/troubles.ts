import { fillPlaces } from '../../../../runtime/core/errors.ts'
import { sizeText } from './size-text.ts'
import type { Status } from './status.ts'

/** The texts of problems for the command; the page uses the texts under `operator.trouble.`. */
const SENTENCES = {
  migration: 'migration {name} has not run',
  versions: 'servers of several versions serve this database: {versions}',
  server: 'server {host} has not been heard of since {at}',
  disk: '{free} of {size} are left on the disk of {host}',
  away: '{host} had no database from {at} for {seconds} s',
  job: 'job {job}{of} failed at {at}: {message}',
  work: '{count} imports, exports and transfers wait, the oldest since {at}',
  push: '{count} pushes wait, the oldest since {at}',
  backup: 'no backup went well since {at}{why}',
  trial: 'the last trial of a backup failed: {message}',
  page: 'page {page} has faults: {message}',
  hook: 'hook {hook} of {page} ({tenant}) was ended {count} times in a week',
} as const

type TroubleCode = keyof typeof SENTENCES

/** A problem that needs attention. */
export interface Trouble {
  readonly code: TroubleCode
  /** Values of its placeholders; `at` is a time in ISO 8601, or '' for never. */
  readonly params: Readonly<Record<string, string | number>>
  readonly sentence: string
}

const MINUTE_MS = 60_000
/** Silence after which a server counts as killed or hanging, in milliseconds. */
export const SILENT_MS = 3 * MINUTE_MS
/** Work that waits longer is stuck. */
const STUCK_AFTER_MS = 15 * MINUTE_MS
/** For how long an outage is reported. */
const OUTAGE_MS = 24 * 60 * MINUTE_MS
/** A disk is nearly full if less than this share of it, and fewer than this number of bytes, are free. */
const DISK_PART = 0.1
const DISK_BYTES = 10 * 1024 ** 3

/** The problems in a status, the most serious first. @param backupEveryMs  null if the server makes no backups */
export function troublesIn(
  status: Omit<Status, 'troubles'>,
  { now, backupEveryMs }: { readonly now: number; readonly backupEveryMs: number | null },
): readonly Trouble[] {
  const age = (moment: string | null) =>
    moment === null ? Number.POSITIVE_INFINITY : now - Date.parse(moment)
  const { work, push } = status.queues
  return [
    ...status.schema.pending.map((name) => trouble('migration', { name })),
    ...serverTroubles(status, age),
    ...status.jobs.flatMap(({ job, faults }) =>
      faults
        .filter((fault) => !fault.isOver)
        .map(({ tenant, at, message }) =>
          trouble('job', { job, of: tenant && ` of ${tenant}`, tenant, at, message }),
        ),
    ),
    ...work
      .filter((one) => one.status === 'waiting' && age(one.oldest) > STUCK_AFTER_MS)
      .map(({ count, oldest }) => trouble('work', { count, at: oldest ?? '' })),
    ...(push.count > 0 && age(push.oldest) > STUCK_AFTER_MS
      ? [trouble('push', { count: push.count, at: push.oldest ?? '' })]
      : []),
    ...backupTroubles(status, age, backupEveryMs),
    ...status.brokenPages.map(({ page, first }) => trouble('page', { page, message: first })),
    ...status.killedHooks.map(({ tenant, page, hook, week }) =>
      trouble('hook', { hook, page, tenant, count: week }),
    ),
  ]
}

type Age = (moment: string | null) => number

function serverTroubles({ servers }: Pick<Status, 'servers'>, age: Age): readonly Trouble[] {
  const versions = new Set(servers.map((server) => server.version))
  return [
    ...(versions.size > 1 ? [trouble('versions', { versions: [...versions].join(', ') })] : []),
    ...servers
      .filter((server) => age(server.seenAt) > SILENT_MS)
      .map(({ host, seenAt }) => trouble('server', { host, at: seenAt })),
    ...servers.flatMap(({ host, diskFree: free, diskSize: size }) =>
      free !== null && size !== null && free < DISK_BYTES && free < size * DISK_PART
        ? [trouble('disk', { host, free: sizeText(free), size: sizeText(size) })]
        : [],
    ),
    ...servers.flatMap(({ host, awayFrom, awayUntil }) =>
      awayFrom !== null && awayUntil !== null && age(awayUntil) < OUTAGE_MS
        ? [
            trouble('away', {
              host,
              at: awayFrom,
              seconds: (Date.parse(awayUntil) - Date.parse(awayFrom)) / 1000,
            }),
          ]
        : [],
    ),
  ]
}

function backupTroubles(
  { backups }: Pick<Status, 'backups'>,
  age: Age,
  everyMs: number | null,
): readonly Trouble[] {
  const backup = backups.find((one) => one.kind === 'backup')
  const last = backup?.lastGood ?? null
  const message = backup?.message ?? ''
  return [
    ...(everyMs !== null && age(last) > 2 * everyMs
      ? [trouble('backup', { at: last ?? '', why: message && `: ${message}`, message })]
      : []),
    ...backups
      .filter((one) => one.kind === 'test' && age(one.lastFailed) < age(one.lastGood))
      .map((one) => trouble('trial', { message: one.message })),
  ]
}

const trouble = (code: TroubleCode, params: Trouble['params']): Trouble => ({
  code,
  params,
  sentence: fillPlaces(SENTENCES[code], { ...params, ...(params.at === '' ? { at: 'the beginning' } : {}) }),
})
