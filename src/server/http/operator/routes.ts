import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { jobsOf } from '../../flows/jobs/index.ts'
import { noteHookFault } from '../../flows/operator/faults.ts'
import { type Installation, installationStatus } from '../../flows/operator/installation.ts'
import { NotRun, runJob } from '../../flows/operator/run-job.ts'
import { tokenOf } from '../../kernel/auth/guard.ts'
import type { Database } from '../../kernel/db/database.ts'
import type { Verdicts } from '../../kernel/forms/verdicts.ts'
import { isToken } from '../../kernel/security/is-token.ts'

/** Without session and envelope; unlike health checks, these calls are logged. */
const CONFIG = { raw: true, byStatus: true } as const

/** Why a caller with the token got nothing (404). */
export interface Refusal {
  readonly message: string
}

/**
 * `/operator/status` and `/operator/run?job=NAME&tenant=CODE`, for callers with the token of the installation. The operator is not a user: they see
 * counts and names of tenants, but no data.
 */
export function addOperatorRoutes(app: FastifyInstance, token: string, parts: Installation): void {
  const guarded =
    (answer: (request: FastifyRequest) => Promise<unknown>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      if (!isToken(tokenOf(request) ?? '', token)) return reply.code(404).type('text/plain').send('not found')
      const data = await answer(request).catch((error: unknown) => {
        if (!(error instanceof NotRun)) throw error
        reply.code(404)
        return { message: error.message } satisfies Refusal
      })
      return reply.header('cache-control', 'no-store').type('application/json').send(JSON.stringify(data))
    }
  app.get(
    '/operator/status',
    { config: CONFIG },
    guarded(() => installationStatus(parts)),
  )
  app.post(
    '/operator/run',
    { config: CONFIG },
    guarded((request) => {
      const { job = '', tenant } = request.query as { job?: string; tenant?: string }
      return parts.database.patiently(() =>
        runJob(job, tenant || null, { ...parts, jobs: jobsOf(parts.config) }),
      )
    }),
  )
}

/** Wraps verdicts so that failed checks appear in the operator's status. */
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
