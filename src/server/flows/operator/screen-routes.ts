import { callerOf } from '../../kernel/auth/caller.ts'
import { OPERATE } from '../../kernel/auth/permissions.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { audit } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { jobsOf } from '../jobs/index.ts'
import { installationStatus } from './installation.ts'
import { NotRun, runJob } from './run-job.ts'
import { jobText, screenOf } from './screen.ts'

const config = { permission: OPERATE } as const

/** The operator's page: the state of the installation, and running a job now. Only counts and names of tenants, none of their data. */
export const operatorScreenRoutes: Resource = (app, services) => {
  const { database, now } = services

  app.get('/engine/web/operator/status', { config }, async (request) =>
    screenOf(await installationStatus(services), callerOf(request).tenant.timezone),
  )

  app.post<{ Body: { job: string } }>(
    '/engine/web/operator/run',
    {
      config: { ...config, limit: 20 },
      schema: {
        body: {
          type: 'object',
          required: ['job'],
          additionalProperties: false,
          properties: {
            job: { type: 'string', minLength: 1, maxLength: 40 },
            clientToken: { type: 'string', minLength: 8, maxLength: 64 },
          },
        },
      },
    },
    async (request) => {
      const { job } = request.body
      const ends = await database.patiently(() =>
        runJob(job, null, { jobs: jobsOf(services.config), database, now }).catch((error: unknown) => {
          if (error instanceof NotRun) return refuse(404, 'NOT_FOUND', text('operator.no-job'))
          throw error
        }),
      )
      await database.tenant(callerOf(request), (trx) =>
        audit(trx, request, { action: 'operator:run', entity: 'operator' }, { detail: { job } }),
      )
      const failed = ends.filter((one) => one.made === null)
      const total = ends.reduce((sum, end) => sum + (end.made ?? 0), 0)
      const params = {
        job: jobText(job),
        made: total,
        failed: failed.length,
        message: failed[0]?.message ?? '',
      }
      return {
        isOk: failed.length === 0,
        said: text(failed.length === 0 ? 'operator.run.done' : 'operator.run.failed', params),
      }
    },
  )
}
