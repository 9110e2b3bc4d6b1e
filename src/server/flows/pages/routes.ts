import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Json } from '../../../../runtime/core/json.ts'
import { holdsPermission } from '../../../contract/permission.ts'
import { type Caller, callerOf, requires } from '../../kernel/auth/caller.ts'
import type { Resource, Services } from '../../kernel/calls/resource.ts'
import { checkStrictly } from '../../kernel/pages/check.ts'
import { announcePublished } from '../../kernel/pages/library.ts'
import { namesOfTenant } from '../../kernel/pages/names.ts'
import { findAllPublished, publishPage } from '../../kernel/pages/overrides.ts'
import { allowedOrigins, refusedOrigins } from '../../kernel/pages/page-origins.ts'
import type { PageVersion } from '../../kernel/pages/page-version.ts'
import { writeOnce } from '../../kernel/records/write-once.ts'
import { toldProblem } from '../../kernel/text/author.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { unknownConnections } from '../connections/find-connection.ts'
import { createPageStreams } from './page-streams.ts'

const PATH = { type: 'string', minLength: 1, maxLength: 200 } as const

/** Pages as data: the document, its changes, and publishing a tenant's own version. */
export const pageRoutes: Resource = (app, services) => {
  app.get<{ Querystring: { path: string } }>(
    '/engine/web/page/detail',
    {
      config: { public: true, raw: true, beforePassword: true },
      schema: { querystring: { type: 'object', required: ['path'], properties: { path: PATH } } },
    },
    (request, reply) => pageDetail(services, request, reply),
  )

  app.get('/engine/web/page/bundle', { config: { raw: true, beforePassword: true } }, (request, reply) =>
    pageBundle(services, request, reply),
  )

  const streams = createPageStreams(services)
  app.addHook('preClose', async () => streams.close())
  app.get(
    '/engine/web/page/stream',
    { config: { public: true, raw: true, byStatus: true, beforePassword: true } },
    (request, reply) => streams.open(request, reply),
  )

  app.post<{ Body: { path: string; document: Json; note?: string } }>(
    '/engine/web/page/publish',
    {
      config: { permission: 'system:form' },
      schema: {
        body: {
          type: 'object',
          required: ['path', 'document', 'clientToken'],
          additionalProperties: false,
          properties: {
            path: PATH,
            document: { type: 'object' },
            note: { type: 'string', maxLength: 200 },
            clientToken: { type: 'string' },
          },
        },
      },
    },
    (request) => publish(services, request),
  )
}

async function pageDetail(
  { database, pages }: Services,
  request: FastifyRequest<{ Querystring: { path: string } }>,
  reply: FastifyReply,
): Promise<Json> {
  const { path } = request.query
  const { caller } = request
  const page =
    caller === null
      ? pages.fromFile(path)
      : await database.tenant(caller, (trx) => pages.find(trx, caller.tenantId, path))
  if (page === null) {
    const problems = pages.problemsOf(path)
    refuse(404, 'NOT_FOUND', text('page.unknown'), {
      data: problems.length > 0 ? asJson({ path, problems }) : null,
    })
  }
  allowPage(request, page)
  reply.header('etag', page.etag).header('cache-control', 'private, no-cache')
  if (request.headers['if-none-match']?.includes(page.etag)) {
    reply.code(304)
    return ''
  }
  return page.document
}

/** Every page the caller may open, by its path: what a phone keeps for when it has no network (DOMAIN 8.6). */
async function pageBundle(
  { database, pages }: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Json> {
  const caller = callerOf(request)
  const found = await database.tenant(caller, async (trx) => {
    const published = await findAllPublished(trx, caller.tenantId)
    const derived = await pages.derived(trx, caller.tenantId)
    const written = pages.paths().flatMap((path) => published.get(path) ?? pages.fromFile(path) ?? [])
    const filled = await Promise.all(written.map((page) => pages.filled(trx, caller.tenantId, page)))
    return [...filled, ...derived]
      .filter((page) => holdsOne(caller, page))
      .map((page) => ({ path: page.path, page }))
  })
  const etag = `"${createHash('sha256')
    .update(found.map(({ path, page }) => `${path} ${page.etag}`).join('\n'))
    .digest('base64url')}"`
  reply.header('cache-control', 'private, no-cache').header('etag', etag)
  if (request.headers['if-none-match']?.includes(etag)) {
    reply.code(304)
    return ''
  }
  return { pages: Object.fromEntries(found.map(({ path, page }) => [path, page.document])) }
}

/** A page that needs a session answers 401 without one, 405 to those who may not open it. */
function allowPage(request: FastifyRequest, page: PageVersion): void {
  if (!page.needLogin && page.permissions === null) return
  const caller = callerOf(request)
  if (!holdsOne(caller, page)) requires(caller, page.permissions?.[0] ?? '')
}

function holdsOne({ permissions }: Caller, page: PageVersion): boolean {
  return page.permissions === null || page.permissions.some((one) => holdsPermission(permissions, one))
}

async function publish(
  { config, database, pages }: Services,
  request: FastifyRequest<{ Body: { path: string; document: Json; note?: string } }>,
): Promise<Json> {
  const { document, note = '' } = request.body
  const path = pages.pathOf(request.body.path)
  const caller = callerOf(request)
  const known = await database.tenant(caller, (trx) => namesOfTenant(trx, caller.tenantId, pages.addresses()))
  const problems = checkStrictly(document, known).filter((found) => found.severity === 'error')
  if (problems.length > 0)
    refuse(400, 'VALIDATION', text('call.invalid'), {
      data: asJson({ path, problems: problems.map(toldProblem) }),
    })
  const allowed = allowedOrigins(config, caller.tenant.settings)
  const [foreign] = refusedOrigins(document, `${request.protocol}://${request.host}`, allowed)
  if (foreign !== undefined) {
    const sentence = text('page.origin', { origin: foreign.origin })
    refuse(400, 'VALIDATION', sentence, { detail: foreign.at, data: asJson({ path, ...foreign }) })
  }
  await refuseUnknownConnection(database, callerOf(request), path, document)
  return writeOnce(
    database,
    request,
    { action: 'page:publish', entity: 'page_override' },
    async (trx, caller) => {
      if ((await pages.find(trx, caller.tenantId, path)) === null)
        refuse(404, 'NOT_FOUND', text('page.unknown'))
      const page = await publishPage(trx, caller, { path, document, note })
      await announcePublished(database, trx, caller, page)
      return { recordId: path, detail: { etag: page.etag, note }, data: { path, etag: page.etag } }
    },
  )
}

/** A page that asks a connection which is not there would find out in front of its users. */
async function refuseUnknownConnection(
  database: Services['database'],
  caller: Caller,
  path: string,
  document: Json,
): Promise<void> {
  const scope = { tenantId: caller.tenantId, userId: caller.userId, isReading: true }
  const [unknown] = await database.tenant(scope, (trx) => unknownConnections(trx, caller.tenantId, document))
  if (unknown === undefined) return
  const { at, name, nearest } = unknown
  const sentence =
    nearest === null ? text('page.connection', { name }) : text('page.connection-near', { name, nearest })
  refuse(400, 'VALIDATION', sentence, { detail: at, data: asJson({ path, ...unknown }) })
}

function asJson(value: object): Json {
  return JSON.parse(JSON.stringify(value)) as Json
}
