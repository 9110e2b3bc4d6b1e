import { sql } from 'kysely'
import { callerOf } from '../auth/caller.ts'
import { ask } from '../records/ask.ts'
import type { Resource } from '../resource.ts'
import { isVisible } from '../visibility/predicate.ts'
import { globalSearch } from './global-search.ts'

const KEYWORD = {
  type: 'object',
  required: ['keyword'],
  properties: {
    keyword: { type: 'string', minLength: 1, maxLength: 50 },
    limit: { type: 'string', pattern: '^[1-9]$|^1\\d$|^20$' },
  },
} as const
const LIMIT_DEFAULT = 5
const RECENT_MOST = 20

/** GET /mini/search/global and /mini/search/recent (CRM 8.4), 120 searches per minute and caller. */
export const searchRoutes: Resource = (app, services) => {
  app.get<{ Querystring: { keyword: string; limit?: string } }>(
    '/mini/search/global',
    {
      schema: { querystring: KEYWORD },
      config: { permission: 'customer:view', limit: { max: 120, by: 'user' } },
    },
    (request) =>
      ask(services, callerOf(request), async (asking) => {
        const { keyword, limit = LIMIT_DEFAULT } = request.query
        return { groups: await globalSearch(keyword, Number(limit), asking) }
      }),
  )
  app.get('/mini/search/recent', { config: { permission: 'customer:view' } }, (request) =>
    ask(services, callerOf(request), async ({ trx, caller }) => {
      const { rows } =
        await sql<object>`select c.id, c.name as title, c.customer_no as sub, 'customer' as type,
          '/pages/customer/my/detail?id=' || c.id as route
        from recent_view v join customer c on c.tenant_id = v.tenant_id and c.id = v.record_id
        where v.tenant_id = ${caller.tenantId} and v.user_id = ${caller.userId} and v.entity = 'customer'
          and ${isVisible(caller, 'customer', 'c')}
        order by v.viewed_at desc limit ${RECENT_MOST}`.execute(trx)
      return { list: rows }
    }),
  )
}
