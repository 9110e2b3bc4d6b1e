import type { HomeOverview } from '../../../contract/home.ts'
import { callerOf } from '../../kernel/auth/caller.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { runRead } from '../../kernel/calls/run-read.ts'
import { createHomeCache } from '../stats/home-cache.ts'
import { homeOverview } from '../stats/overview.ts'

const words = { type: 'string', maxLength: 80 } as const
const QUERY = {
  type: 'object',
  properties: { period: words, scope: words, from: words, to: words },
} as const

/** GET /mini/home/overview (DOMAIN 8.6); without a period, the caller's numbers of this month. */
export const homeRoutes: Resource = (app, services) => {
  const cache = createHomeCache(services.config.homeCacheMs, services.looked)
  app.get<{ Querystring: { period?: string; scope?: string; from?: string; to?: string } }>(
    '/mini/home/overview',
    { schema: { querystring: QUERY } },
    (request): Promise<HomeOverview> =>
      runRead(services, callerOf(request), (ctx) => {
        const { period = 'this_month', ...rest } = request.query
        return homeOverview({ period: period || 'this_month', ...rest }, ctx, cache)
      }),
  )
}
