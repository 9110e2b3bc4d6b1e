import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { FILTER_OPS } from '../../../contract/list.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import type { ApiRoute } from '../../kernel/calls/api-routes.ts'
import { text } from '../../kernel/text/text.ts'
import { titleOf } from './titles.ts'
import { inputSchema, recordSchema } from './value-schema.ts'

/** A call in the document: a route, or one of the calls that a route with `:module` represents. */
export interface ApiCall extends ApiRoute {
  /** The module of its records, if it is one of the standard calls. */
  readonly module: MergedModule | null
  /** Its action: the last part of its path. */
  readonly verb: string
  readonly title: string
}

const VERSION = '3.1.0'
/** Actions that every module implements in the same way. */
const RECORDS: ReadonlySet<string> = new Set([
  'list',
  'detail',
  'create',
  'update',
  'delete',
  'restore',
  'count',
])

/** Every call available to a tenant with these modules, in the order of their paths. */
export function callsOf(
  routes: readonly ApiRoute[],
  modules: ReadonlyMap<string, MergedModule>,
): readonly ApiCall[] {
  const tenantModules = [...modules.values()].filter(({ origin }) => origin === 'tenant')
  const named = (route: ApiRoute, module: MergedModule | null): ApiCall => ({
    ...route,
    module,
    verb: verbOf(route.path),
    title: titleOf(route.path, modules),
  })
  const expanded = routes.flatMap((route): ApiCall[] => {
    if (!route.path.includes('/m/:module/')) return [named(route, vendorOf(route.path, modules))]
    return tenantModules.map((module) =>
      named(
        {
          ...route,
          path: route.path.replace(':module', module.name),
          permission: `m.${module.name}:${RIGHTS[verbOf(route.path)] ?? 'view'}`,
        },
        module,
      ),
    )
  })
  return expanded.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.method < b.method ? -1 : 1))
}

/** The permission that a writing action of an own module requires. */
const RIGHTS: Readonly<Record<string, string>> = {
  create: 'add',
  update: 'edit',
  patch: 'edit',
  delete: 'del',
  restore: 'del',
  deleted: 'del',
  transfer: 'transfer',
  export: 'export',
}

const verbOf = (path: string): string => path.split('/').at(-1) ?? ''

function vendorOf(path: string, modules: ReadonlyMap<string, MergedModule>): MergedModule | null {
  const [, name = '', verb = '', ...more] = path.split('/').slice(1)
  const found = modules.get(name)
  return path.startsWith('/mini/') && more.length === 0 && RECORDS.has(verb) && found?.origin === 'vendor'
    ? found
    : null
}

/** The API of a tenant as OpenAPI: its calls, and the fields of its modules. */
export function openapiOf(
  calls: readonly ApiCall[],
  about: { readonly title: string; readonly version: string },
): JsonObject {
  const modules = new Map(
    calls.flatMap(({ module }) => (module === null ? [] : [[module.name, module] as const])),
  )
  const paths: Record<string, Json> = {}
  for (const call of calls) {
    const path = call.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...(paths[path] as JsonObject | undefined), [call.method]: operation(call) }
  }
  return {
    openapi: VERSION,
    info: { ...about, description: text('api.about') },
    security: [{ session: [] }],
    paths,
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'header', name: 'Authorization' } },
      schemas: {
        Meta: META,
        ListRequest: LIST_REQUEST,
        ...Object.fromEntries(
          [...modules.values()].flatMap((module): [string, JsonObject][] => [
            [`${module.name}.record`, recordSchema(module)],
            [`${module.name}.input`, inputSchema(module)],
          ]),
        ),
      },
    },
  }
}

const META: JsonObject = {
  type: 'object',
  required: ['code', 'success', 'message', 'error'],
  properties: {
    code: { type: 'integer', description: '200 when it went well, otherwise why not' },
    success: { type: 'boolean' },
    message: { type: 'string' },
    error: { type: ['object', 'null'] },
  },
}

const LIST_REQUEST: JsonObject = {
  type: 'object',
  properties: {
    tab: { type: 'string' },
    keyword: { type: 'string', maxLength: 50 },
    filters: {
      type: 'array',
      maxItems: 20,
      items: {
        type: 'object',
        required: ['field', 'op'],
        properties: { field: { type: 'string' }, op: { enum: [...FILTER_OPS] }, value: {} },
      },
    },
    sort: {
      type: 'array',
      maxItems: 3,
      items: {
        type: 'object',
        required: ['field', 'dir'],
        properties: { field: { type: 'string' }, dir: { enum: ['asc', 'desc'] } },
      },
    },
    cursor: { type: ['string', 'null'] },
    limit: { type: 'integer', minimum: 1, maximum: 100 },
  },
}

function operation(call: ApiCall): JsonObject {
  const { module, permission, isPublic, isRaw, query, path } = call
  const body = bodyOf(call)
  const tag =
    module === null ? (path.split('/')[path.startsWith('/engine/') ? 3 : 2] ?? '') : labelText(module.label)
  return {
    operationId: `${call.method}${path.replace(/[^\w]+/g, '_')}`,
    ...(call.title === '' ? {} : { summary: call.title }),
    tags: [tag],
    ...(permission === null ? {} : { 'x-permission': permission }),
    ...(isPublic ? { security: [] } : {}),
    parameters: [...pathParameters(path), ...queryParameters(query)],
    ...(body === null
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: {
      '200': {
        description: text('api.answered'),
        ...(isRaw ? {} : { content: { 'application/json': { schema: envelopeOf(dataOf(call)) } } }),
      },
    },
  }
}

const pathParameters = (path: string): readonly JsonObject[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))

function queryParameters(query: object | null): readonly JsonObject[] {
  const { properties = {}, required = [] } = (query ?? {}) as {
    readonly properties?: Readonly<Record<string, JsonObject>>
    readonly required?: readonly string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: JSON.parse(JSON.stringify(schema)) as Json,
  }))
}

function bodyOf({ method, module, verb, body }: ApiCall): Json {
  if (method === 'get') return null
  if (body !== null) return JSON.parse(JSON.stringify(body)) as Json
  if (module !== null && verb === 'list') return { $ref: '#/components/schemas/ListRequest' }
  if (module !== null && verb === 'create') return { $ref: `#/components/schemas/${module.name}.input` }
  if (module !== null && verb === 'update')
    return {
      allOf: [
        { $ref: `#/components/schemas/${module.name}.input` },
        {
          type: 'object',
          required: ['id', 'version'],
          properties: { id: { type: 'string' }, version: { type: 'integer' } },
        },
      ],
    }
  return { type: 'object' }
}

/** The content of `data`; for calls without a description only that it exists. */
function dataOf({ module, verb, path, method }: ApiCall): Json {
  const record = module === null ? { type: 'object' } : { $ref: `#/components/schemas/${module.name}.record` }
  if (verb === 'list' && method === 'post' && (module !== null || path.startsWith('/engine/web/')))
    return {
      type: 'object',
      required: ['list'],
      properties: {
        list: { type: 'array', items: record },
        nextCursor: { type: ['string', 'null'] },
        hasMore: { type: 'boolean' },
      },
    }
  if (module !== null && verb === 'detail' && method === 'get')
    return { type: 'object', required: ['record'], properties: { record } }
  return {}
}

const envelopeOf = (data: Json): JsonObject => ({
  type: 'object',
  required: ['meta', 'data'],
  properties: { meta: { $ref: '#/components/schemas/Meta' }, data },
})

/** Fields of a module as a table: name, kind, and possible uses. */
export function fieldRows(module: MergedModule): readonly JsonObject[] {
  return module.fields
    .filter(({ retired }) => retired !== true)
    .map((field) => ({
      name: field.origin === 'tenant' && module.origin === 'vendor' ? `ext.${field.name}` : field.name,
      label: labelText(field.label),
      kind: field.kind,
      operators: field.filter === true ? kindOf(field.kind).operators.join(', ') : '',
    }))
}
