import { isTextCode, text } from '../../kernel/text/text.ts'
import { dateTimeText } from '../../kernel/time/zone.ts'
import { sizeText } from './size-text.ts'
import type { Status } from './status.ts'
import { SILENT_MS, type Trouble } from './troubles.ts'

/** One line of the operator's page. */
interface Line {
  readonly id: string
  readonly title: string
  readonly note: string
  /** What is wrong; '' for nothing. */
  readonly fault: string
}

const RETENTION_SETTINGS = ['log', 'history', 'messages', 'work', 'uploads'] as const

/** A status as drawn on the operator's page: times in local time, everything as texts. */
export function screenOf(status: Status, zone: string): Readonly<Record<string, unknown>> {
  const at = (moment: string | null): string =>
    moment === null || moment === '' ? text('operator.never') : dateTimeText(new Date(moment), zone)
  const { storage, queues, schema } = status
  return {
    troubles: status.troubles.map((trouble, n) => ({ id: String(n), title: troubleText(trouble, at) })),
    facts: {
      version: status.version,
      at: at(status.at),
      schema: schema.newest.replace(/\.sql$/, ''),
      pending: schema.pending.join('、') || text('operator.none'),
      database: sizeText(storage.database),
      files: text('operator.files', {
        ...storage.files,
        size: sizeText(storage.files.bytes),
      }),
    },
    servers: status.servers.map((server) => {
      const isSilent = Date.parse(status.at) - Date.parse(server.seenAt) > SILENT_MS
      const disk = server.diskFree === null ? '' : text('operator.disk', { free: sizeText(server.diskFree) })
      return line(
        server.host,
        text('operator.server', { version: server.version, at: at(server.startedAt) }) + disk,
        {
          fault: isSilent ? text('operator.silent', { at: at(server.seenAt) }) : '',
        },
      )
    }),
    jobs: status.jobs.map((job) => jobLine(job, at)),
    queues: [
      ...queues.work.map((one) =>
        line(
          text(one.status === 'waiting' ? 'operator.work.waiting' : 'operator.work.running'),
          text('operator.work', { count: one.count, at: at(one.oldest) }),
        ),
      ),
      line(text('operator.work.failed'), text('operator.count', { count: queues.failedWorkOfADay })),
      line(
        text('operator.push'),
        text('operator.pushes', { count: queues.push.count, devices: queues.push.devices }),
      ),
    ],
    backups: status.backups.map((backup) => {
      const isBad =
        backup.lastFailed !== null && (backup.lastGood === null || backup.lastFailed > backup.lastGood)
      return line(
        text(backup.kind === 'test' ? 'operator.trial' : 'operator.backup'),
        text('operator.good', { at: at(backup.lastGood) }),
        {
          fault: isBad ? text('operator.failed', { at: at(backup.lastFailed), message: backup.message }) : '',
        },
      )
    }),
    keeps: RETENTION_SETTINGS.map((setting) => {
      const days = status.keeping[setting]
      const duration = days === 0 ? text('operator.keeps.ever') : text('operator.keeps', { days })
      return line(text(`operator.keeps.${setting}`), duration)
    }),
    largest: storage.largest.map((one) =>
      line(one.table, text('operator.table', { size: sizeText(one.bytes), rows: one.rows })),
    ),
    pages: status.brokenPages.map(({ page, first }) => line(page, '', { fault: first })),
    hooks: status.killedHooks.map((hook) =>
      line(
        `${hook.page} · ${hook.hook}`,
        text('operator.killed', { tenant: hook.tenant, count: hook.week }),
        {
          id: `${hook.tenant}/${hook.page}/${hook.hook}`,
        },
      ),
    ),
    tenants: status.tenants.map((tenant) =>
      line(
        tenant.name,
        text('operator.tenant', { code: tenant.code, people: tenant.people, sessions: tenant.sessions }),
        {
          id: tenant.code,
          fault: tenant.status === 'normal' ? '' : text('operator.closed'),
        },
      ),
    ),
  }
}

/** The purpose of a job as text. */
export function jobText(job: string): string {
  const code = `operator.job.${job}`
  return isTextCode(code) ? text(code) : job
}

function jobLine(
  { job, lastRun, made, faults }: Status['jobs'][number],
  at: (moment: string | null) => string,
) {
  const [last] = faults
  return line(
    jobText(job),
    lastRun === null ? text('operator.not-yet') : text('operator.ran', { at: at(lastRun), made }),
    {
      id: job,
      fault:
        last === undefined
          ? ''
          : text(last.isOver ? 'operator.fault.over' : 'operator.fault', {
              at: at(last.at),
              of: last.tenant,
              count: last.count,
              message: last.message,
            }),
    },
  )
}

const line = (title: string, note: string, more: { id?: string; fault?: string } = {}): Line => ({
  id: title,
  title,
  note,
  fault: '',
  ...more,
})

function troubleText({ code, params }: Trouble, at: (moment: string | null) => string): string {
  const { job } = params
  return text(`operator.trouble.${code}`, {
    ...params,
    ...(params.at === undefined ? {} : { at: at(String(params.at)) }),
    ...(job === undefined ? {} : { job: jobText(String(job)) }),
  })
}
