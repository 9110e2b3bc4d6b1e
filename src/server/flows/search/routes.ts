import { callerOf } from '../../kernel/auth/caller.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { runRead } from '../../kernel/calls/run-read.ts'
import { globalSearch } from './global-search.ts'
import { recentRecords } from './recent.ts'

const KEYWORD = {
  type: 'object',
  required: ['keyword'],
  properties: {
    keyword: { type: 'string', minLength: 1, maxLength: 50 },
    types: { type: 'string', maxLength: 1000 },
    limit: { type: 'string', pattern: '^[1-9]$|^1\\d$|^20$' },
  },
} as const
/** Hits per kind; a single kind fills the screen. */
const LIMIT_OF_MANY = 5
const LIMIT_OF_ONE = 20

/** GET /mini/search/global and /mini/search/recent (DOMAIN 8.4), 120 searches per minute and caller. */
export const searchRoutes: Resource = (app, services) => {
  app.get<{ Querystring: { keyword: string; types?: string; limit?: string } }>(
    '/mini/search/global',
    { schema: { querystring: KEYWORD }, config: { limit: 120 } },
    (request) =>
      runRead(services, callerOf(request), async (ctx) => {
        const { keyword, types = '', limit } = request.query
        const wanted = types.split(',').filter(Boolean)
        const perGroup = Number(limit ?? (wanted.length === 1 ? LIMIT_OF_ONE : LIMIT_OF_MANY))
        const groups = await globalSearch(keyword, wanted, perGroup, ctx)
        // All hits again as a flat list, for lists on pages.
        return { groups, list: groups.flatMap(({ list }) => list) }
      }),
  )
  app.get('/mini/search/recent', (request) => runRead(services, callerOf(request), recentRecords))
}
