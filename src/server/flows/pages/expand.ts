import { type Json, ownValue } from '../../../../runtime/core/json.ts'
import type { Resource, Services } from '../../kernel/calls/resource.ts'

/** A page refers to a few dozen parts at most. */
const MOST = 300

/** What references stand for: the workbench draws a draft by it without asking for each letter that is typed. */
export const expandRoutes: Resource = (app, { pages }) => {
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
    async (request) => ({ list: request.body.items.map((item) => meant(item, pages)) }),
  )
}

/** The items that one reference brings, wherever it stands, and the data sources that come along. */
function meant(item: Json, pages: Services['pages']): { readonly items: Json; readonly sources: Json } {
  const alone = { widgetList: [item], formConfig: { dataSources: [] } }
  const { document } = pages.check('/pages/x/part', alone, () => [])
  return {
    items: ownValue(document, 'widgetList') ?? [],
    sources: ownValue(ownValue(document, 'formConfig'), 'dataSources') ?? [],
  }
}
