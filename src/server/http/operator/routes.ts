import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import settings from '../../../../schemas/app.json'
import { JOBS } from '../../flows/jobs/index.ts'
import { noteHookFault } from '../../flows/operator/faults.ts'
import { runJob } from '../../flows/operator/run-job.ts'
import { readStatus } from '../../flows/operator/status.ts'
import { tokenOf } from '../../kernel/auth/guard.ts'
import type { Config } from '../../kernel/config/config.ts'
import type { Database } from '../../kernel/db/database.ts'
import { pendingMigrations } from '../../kernel/db/migrate.ts'
import type { Verdicts } from '../../kernel/forms/verdicts.ts'
import type { PageLibrary } from '../../kernel/pages/library.ts'
import { isToken } from '../../kernel/security/is-token.ts'

export interface OperatorParts {
  readonly config: Config
  readonly database: Database
  readonly pages: PageLibrary
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** What changes nothing for callers: no session, no envelope, not counted as a health check. */
const CONFIG = { raw: true, byStatus: true } as const

/**
 * `/operator/status` and `/operator/run?job=NAME&tenant=CODE` for who has the token of the installation. The operator is no user: he sees
 * counts and names of tenants, nothing of what they keep.
 */
export function addOperatorRoutes(app: FastifyInstance, token: string, parts: OperatorParts): void {
  const guarded =
    (answer: (request: FastifyRequest) => Promise<unknown>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      if (!isToken(tokenOf(request) ?? '', token)) return reply.code(404).type('text/plain').send('not found')
      const data = await answer(request)
      return reply
        .code(data === null ? 404 : 200)
        .header('cache-control', 'no-store')
        .type('application/json')
        .send(JSON.stringify(data))
    }
  app.get(
    '/operator/status',
    { config: CONFIG },
    guarded(() => statusOf(parts)),
  )
  app.post(
    '/operator/run',
    { config: CONFIG },
    guarded((request) => {
      const { job = '', tenant } = request.query as { job?: string; tenant?: string }
      return parts.database.patiently(() => runJob(job, tenant || null, { ...parts, jobs: JOBS }))
    }),
  )
}

async function statusOf({ config, database, pages, now }: OperatorParts): Promise<unknown> {
  return readStatus({
    database,
    version: settings.version,
    jobs: JOBS.map((job) => job.name),
    pending: await pendingMigrations(database),
    broken: pages.paths().flatMap((page) => {
      const [first] = pages.problemsOf(page)
      return first === undefined ? [] : [{ page, first: `${first.code} at ${first.at}: ${first.message}` }]
    }),
    backupEveryMs: config.backups?.everyMs ?? null,
    now: now(),
  })
}

/** Verdicts whose broken-off checks the operator gets to see. */
export function notedVerdicts(
  verdicts: Verdicts,
  { database, now, onError }: { database: Database; now: () => number; onError: (error: unknown) => void },
): Verdicts {
  return {
    ...verdicts,
    async judge(tenantId, question, send) {
      const judgement = await verdicts.judge(tenantId, question, send)
      if ('over' in judgement) {
        const fault = { tenantId, page: question.path, hook: judgement.over.hook, now: now() }
        await noteHookFault(database, fault).catch(onError)
      }
      return judgement
    },
  }
}
