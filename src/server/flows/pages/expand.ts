import { setImmediate } from 'node:timers/promises'
import { type Json, ownValue } from '../../../../runtime/core/json.ts'
import { callerOf } from '../../kernel/auth/caller.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { runRead } from '../../kernel/calls/run-read.ts'
import { MAX_REFERENCES } from '../../kernel/pages/references.ts'

/** The replacements of references: the workbench uses them to draw a draft without a request per keystroke. */
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
          properties: { items: { type: 'array', maxItems: MAX_REFERENCES, items: { type: 'object' } } },
        },
      },
    },
    (request) =>
      runRead(services, callerOf(request), async ({ trx, caller }) => {
        const served = (page: Json): Promise<Json> => services.pages.served(trx, caller.tenantId, page)
        const { items } = request.body
        const expandedItems = partsOf(await served(together(items)))
        const list: Meant[] = []
        for (const [i, item] of items.entries()) {
          list.push({ items: expandedItems[i] ?? [], sources: sourcesOf(await served(alone(item))) })
          // Each takes up to 4 ms: others are answered in between.
          await setImmediate()
        }
        return { list }
      }),
  )
}

interface Meant {
  readonly items: Json
  /** Data sources that are added. */
  readonly sources: Json
}

/** A page with only one reference: the added sources are its own. */
const alone = (item: Json): Json => ({ widgetList: [item], formConfig: { dataSources: [] } })

/** All of them on one page, because lists use the filters of sheets on the same page. */
const together = (items: readonly Json[]): Json => ({
  widgetList: items.map((item) => ({ type: 'line', options: {}, widgetList: [item] })),
})

const partsOf = (page: Json): readonly Json[] => {
  const parts = ownValue(page, 'widgetList')
  return Array.isArray(parts) ? parts.map((part) => ownValue(part, 'widgetList') ?? []) : []
}

const sourcesOf = (page: Json): Json => ownValue(ownValue(page, 'formConfig'), 'dataSources') ?? []
