import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Json } from '../../../../runtime/core/json.ts'
import { holdsPermission } from '../../../contract/permission.ts'
import { callerOf, requires } from '../../kernel/auth/caller.ts'
import type { Resource, Services } from '../../kernel/calls/resource.ts'
import { mayOpen, type PageVersion } from '../../kernel/pages/page-version.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { AUTHORS, createPageStreams } from './page-streams.ts'

const PATH = { type: 'string', minLength: 1, maxLength: 200 } as const
/** Which pages of the bundle: at most `limit` of those after the path `after`, in the order of paths; default all. */
interface BundlePart {
  readonly limit?: string
  readonly after?: string
}
const BUNDLE_PART = {
  limit: { type: 'string', pattern: '^[1-9][0-9]{0,3}$' },
  after: { ...PATH, minLength: 0 },
} as const

/** Pages as data: the document and its changes. */
export const pageRoutes: Resource = (app, services) => {
  app.get<{ Querystring: { path: string } }>(
    '/engine/web/page/detail',
    {
      config: { public: true, raw: true, beforePassword: true },
      schema: { querystring: { type: 'object', required: ['path'], properties: { path: PATH } } },
    },
    (request, reply) => pageDetail(services, request, reply),
  )

  app.get<{ Querystring: BundlePart }>(
    '/engine/web/page/bundle',
    {
      config: { raw: true, beforePassword: true },
      schema: { querystring: { type: 'object', properties: BUNDLE_PART } },
    },
    (request, reply) => pageBundle(services, request, reply),
  )

  const streams = createPageStreams(services)
  app.addHook('preClose', async () => streams.close())
  app.get(
    '/engine/web/page/stream',
    { config: { public: true, raw: true, byStatus: true, beforePassword: true } },
    (request, reply) => streams.open(request, reply),
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
      : await database.tenant(caller, (trx) => pages.find(trx, caller.tenantId, path, caller))
  if (page === null) {
    const isAuthor = caller !== null && holdsPermission(caller.permissions, AUTHORS)
    const problems = isAuthor ? pages.problemsOf(path) : []
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

/** Every page the caller may open, by its path: cached on the device for offline use (DOMAIN 8.6). The etag is that of all, also if only some are asked for. */
async function pageBundle(
  { database, pages }: Services,
  request: FastifyRequest<{ Querystring: BundlePart }>,
  reply: FastifyReply,
): Promise<Json> {
  const caller = callerOf(request)
  const all = await database.tenant(caller, (trx) => pages.all(trx, caller.tenantId, caller))
  const allowed = all.filter((page) => mayOpen(caller.permissions, page)).sort(byPath)
  const etag = `"${createHash('sha256')
    .update(allowed.map((page) => `${page.path} ${page.etag}`).join('\n'))
    .digest('base64url')}"`
  reply.header('cache-control', 'private, no-cache').header('etag', etag)
  if (request.headers['if-none-match']?.includes(etag)) {
    reply.code(304)
    return ''
  }
  const { after = '', limit } = request.query
  const rest = allowed.filter((page) => page.path > after)
  const part = limit === undefined ? rest : rest.slice(0, Number(limit))
  return {
    pages: Object.fromEntries(part.map((page) => [page.path, page.document])),
    next: part.length < rest.length ? (part.at(-1)?.path ?? null) : null,
  }
}

const byPath = (one: PageVersion, other: PageVersion): number => (one.path < other.path ? -1 : 1)

/** A page that needs a session answers 401 without one, 405 to those who may not open it. */
function allowPage(request: FastifyRequest, page: PageVersion): void {
  if (!page.needLogin && page.permissions === null) return
  const caller = callerOf(request)
  if (!mayOpen(caller.permissions, page)) requires(caller, page.permissions?.[0] ?? '')
}

function asJson(value: object): Json {
  return JSON.parse(JSON.stringify(value)) as Json
}
