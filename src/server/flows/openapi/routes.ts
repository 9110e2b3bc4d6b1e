import type { JsonObject } from '../../../../runtime/core/json.ts'
import { holdsPermission } from '../../../contract/permission.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { type Caller, callerOf } from '../../kernel/auth/caller.ts'
import { ask } from '../../kernel/calls/ask.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { type ApiCall, callsOf, fieldRows, openapiOf } from './document.ts'

const KEYWORD_MOST = 50

/** The interface, told to whoever works with it: `/openapi.json` for programs, and what its page shows. */
export const openapiRoutes: Resource = (app, services) => {
  const { routes } = services
  const config = { permission: 'system:form' } as const

  app.get('/openapi.json', { config: { raw: true } }, (request) =>
    ask(services, callerOf(request), async ({ caller, model }) =>
      openapiOf(callsOf(routes, visible(model.modules, caller)), { title: caller.tenant.name, version: '1' }),
    ),
  )

  app.post<{ Body: { keyword?: string } }>(
    '/engine/web/api/list',
    {
      config,
      schema: {
        body: {
          type: 'object',
          additionalProperties: false,
          properties: {
            keyword: { type: 'string', nullable: true, maxLength: KEYWORD_MOST },
            clientToken: { type: 'string' },
          },
        },
      },
    },
    (request) =>
      ask(services, callerOf(request), async ({ caller, model }) => {
        const wanted = (request.body.keyword ?? '').trim().toLowerCase()
        const rows = callsOf(routes, visible(model.modules, caller)).map(rowOf)
        return { list: rows.filter((row) => Object.values(row).join(' ').toLowerCase().includes(wanted)) }
      }),
  )

  app.get<{ Querystring: { name: string } }>(
    '/engine/web/api/detail',
    {
      config,
      schema: {
        querystring: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string', minLength: 1, maxLength: 40 } },
        },
      },
    },
    (request) =>
      ask(services, callerOf(request), async ({ caller, model }) => {
        const module = visible(model.modules, caller).get(request.query.name)
        if (module === undefined) return refuse(404, 'NOT_FOUND', text('model.unknown'))
        return { list: fieldRows(module) }
      }),
  )
}

/** The modules a person may know of: those of the product, and the tenant's own that he may see. */
function visible(
  modules: ReadonlyMap<string, MergedModule>,
  { permissions }: Caller,
): ReadonlyMap<string, MergedModule> {
  return new Map(
    [...modules].filter(
      ([name, { origin }]) => origin === 'vendor' || holdsPermission(permissions, `m.${name}:view`),
    ),
  )
}

const rowOf = ({ method, path, title, permission, module }: ApiCall): JsonObject => ({
  id: `${method} ${path}`,
  method: method.toUpperCase(),
  path,
  title,
  permission: permission ?? '',
  module: module?.name ?? '',
})
