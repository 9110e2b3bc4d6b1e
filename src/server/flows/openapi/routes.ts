import type { JsonObject } from '../../../../runtime/core/json.ts'
import { holdsPermission } from '../../../contract/permission.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { type Caller, callerOf } from '../../kernel/auth/caller.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { runRead } from '../../kernel/calls/run-read.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { callPage } from './call-page.ts'
import { type ApiCall, callsOf, openapiOf } from './document.ts'
import { rightOf } from './right-name.ts'

const MAX_KEYWORD = 50

/** The API for developers: `/openapi.json` for programs, and the data of its page. */
export const openapiRoutes: Resource = (app, services) => {
  const { routes } = services
  const config = { permission: 'system:form' } as const

  app.get('/openapi.json', { config: { raw: true } }, (request) =>
    runRead(services, callerOf(request), async ({ caller, model }) =>
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
            keyword: { type: 'string', nullable: true, maxLength: MAX_KEYWORD },
            clientToken: { type: 'string' },
          },
        },
      },
    },
    (request) =>
      runRead(services, callerOf(request), async ({ caller, model }) => {
        const wanted = (request.body.keyword ?? '').toLowerCase().split(/[\s·]+/)
        const modules = visible(model.modules, caller)
        const rows = callsOf(routes, modules).map((call) => rowOf(call, modules))
        const isWanted = (row: JsonObject): boolean => {
          const searchText = Object.values(row).join(' ').toLowerCase()
          return wanted.every((word) => searchText.includes(word))
        }
        return { list: rows.filter(isWanted) }
      }),
  )

  app.get<{ Querystring: { id: string } }>(
    '/engine/web/api/detail',
    {
      config,
      schema: {
        querystring: {
          type: 'object',
          required: ['id'],
          properties: { id: { type: 'string', minLength: 1, maxLength: 200 } },
        },
      },
    },
    (request) =>
      runRead(services, callerOf(request), async ({ caller, model }) => {
        const modules = visible(model.modules, caller)
        const calls = callsOf(routes, modules)
        const call = calls.find((one) => idOf(one) === request.query.id)
        return call === undefined
          ? refuse(404, 'NOT_FOUND', text('api.unknown'))
          : {
              call: { ...callPage(call), ...rightsOf(call, modules) },
            }
      }),
  )
}

/** The modules a person may know about: those of the product, and the tenant's own that they may see. */
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

/** The identity of a call: `post /mini/customer/create`. */
const idOf = ({ method, path }: ApiCall): string => `${method} ${path}`

const rowOf = (call: ApiCall, modules: ReadonlyMap<string, MergedModule>): JsonObject => ({
  id: idOf(call),
  method: call.method.toUpperCase(),
  path: call.path,
  title: call.title,
  ...rightsOf(call, modules),
})

/** The permission of a call, as text and as programs use it. */
const rightsOf = (call: ApiCall, modules: ReadonlyMap<string, MergedModule>): JsonObject => ({
  right: rightOf(call, modules),
  permission: call.permission ?? '',
})
