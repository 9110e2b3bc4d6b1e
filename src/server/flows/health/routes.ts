import { callerOf } from '../../kernel/auth/caller.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { type HealthCounts, noteHealth } from '../../kernel/pages/health.ts'
import { mayOpen } from '../../kernel/pages/page-version.ts'
import { PATH } from '../pages/route-schemas.ts'
import { rollBackIfWorse, servedVersion } from './watch.ts'

const COUNT = { type: 'integer', minimum: 0, maximum: 1000 } as const
const MAX_PAGES = 30

/** A device's counts for a page since `age` milliseconds ago. */
interface Reported extends HealthCounts {
  readonly path: string
  readonly age: number
}

/** Statistics from open pages: openings, hooks that failed or were disabled, rejected forms. Counts, no values. */
export const healthRoutes: Resource = (app, services) => {
  const { database, pages } = services
  app.post<{ Body: { pages: readonly Reported[] } }>(
    '/engine/web/page/report',
    {
      schema: {
        body: {
          type: 'object',
          required: ['pages'],
          properties: {
            pages: {
              type: 'array',
              maxItems: MAX_PAGES,
              items: {
                type: 'object',
                required: ['path', 'opened', 'failed', 'faults', 'killed', 'submits', 'age'],
                additionalProperties: false,
                properties: {
                  path: PATH,
                  opened: COUNT,
                  failed: COUNT,
                  faults: COUNT,
                  killed: COUNT,
                  submits: COUNT,
                  age: { type: 'integer', minimum: 0, maximum: 86_400_000 },
                },
              },
            },
          },
        },
      },
    },
    async (request) => {
      const caller = callerOf(request)
      const reported = request.body.pages.map((page) => ({ ...page, path: pages.pathOf(page.path) }))
      // Simultaneous reports run one after the other: pages are locked in a fixed order.
      const sorted = [...reported].sort((a, b) => (a.path < b.path ? -1 : 1))
      await database.tenant(caller, async (trx) => {
        const context = { trx, caller, services }
        for (const { age, ...counts } of sorted) {
          const page = await pages.find(trx, caller.tenantId, counts.path, caller)
          if (page === null || !mayOpen(caller.permissions, page)) continue
          const had = await servedVersion(counts.path, context)
          // Counts from before this version was current belong to another one.
          if (had.ageMs !== null && age > had.ageMs) continue
          await noteHealth(
            trx,
            caller,
            { ...counts, version: had.name, since: had.since },
            new Date(services.now()),
          )
          if (counts.failed > 0) await rollBackIfWorse(counts.path, had, context)
        }
      })
      return {}
    },
  )
}
