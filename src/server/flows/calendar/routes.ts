import { callerOf } from '../../kernel/auth/caller.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { runRead } from '../../kernel/calls/run-read.ts'
import { calendarOf } from './calendar.ts'

const day = { type: 'string', minLength: 10, maxLength: 10 } as const
const SPAN = {
  querystring: { type: 'object', required: ['from', 'until'], properties: { from: day, until: day } },
} as const

/** GET /mini/calendar/list (DOMAIN 8.5). It contains only the caller's own entries, so it needs no permission; each kind checks its own. */
export const calendarRoutes: Resource = (app, services) => {
  app.get<{ Querystring: { from: string; until: string } }>(
    '/mini/calendar/list',
    { schema: SPAN },
    (request) => runRead(services, callerOf(request), (ctx) => calendarOf(request.query, ctx)),
  )
}
