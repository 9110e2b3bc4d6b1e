import { type Json, ownValue } from '../../../../runtime/core/json.ts'
import { callerOf } from '../../kernel/auth/caller.ts'
import { ask } from '../../kernel/calls/ask.ts'
import type { Resource } from '../../kernel/calls/resource.ts'

/** A page refers to a few dozen parts at most. */
const MOST = 300

/** What references stand for: the workbench draws a draft by it without asking for each letter that is typed. */
export const expandRoutes: Resource = (app, services) => {
  app.post<{ Body: { items: readonly Json[] } }>(
    '/engine/web/page/expand',
    {
      config: { permission: 'system:form' },
      schema: {
        body: {
          type: 'object',
          required: ['items'],
          additionalProperties: false,
          properties: { items: { type: 'array', maxItems: MOST, items: { type: 'object' } } },
        },
      },
    },
    (request) =>
      ask(services, callerOf(request), async ({ trx, caller }) => {
        const list: Meant[] = []
        for (const item of request.body.items)
          list.push(meantBy(await services.pages.served(trx, caller.tenantId, alone(item))))
        return { list }
      }),
  )
}

interface Meant {
  readonly items: Json
  /** Data sources that come along. */
  readonly sources: Json
}

/** A page with nothing but one reference: it brings the same items wherever it stands. */
const alone = (item: Json): Json => ({ widgetList: [item], formConfig: { dataSources: [] } })

const meantBy = (page: Json): Meant => ({
  items: ownValue(page, 'widgetList') ?? [],
  sources: ownValue(ownValue(page, 'formConfig'), 'dataSources') ?? [],
})
