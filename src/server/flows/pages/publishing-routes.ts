import type { Json } from '../../../../runtime/core/json.ts'
import { callerOf } from '../../kernel/auth/caller.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { runRead } from '../../kernel/calls/run-read.ts'
import { checkPosted } from './check-posted.ts'
import { hostOf, type PublishBody, publishPage, rollBack } from './publish.ts'
import { body, config, DOCUMENT, query, REVISION } from './route-schemas.ts'
import { listVersions, pageSource } from './versions.ts'

/** A tenant's versions of pages: viewing, checking, publishing and restoring them. */
export const publishingRoutes: Resource = (app, services) => {
  const { pages } = services

  app.post<{ Body: PublishBody }>(
    '/engine/web/page/publish',
    {
      config,
      schema: body(
        {
          document: DOCUMENT,
          base: REVISION,
          note: { type: ['string', 'null'], maxLength: 200 },
          vendorEtag: { type: ['string', 'null'], maxLength: 100 },
        },
        ['path', 'document', 'base', 'clientToken'],
      ),
    },
    (request) => publishPage(services, request, request.body),
  )

  app.post<{ Body: { path: string; revision: number } }>(
    '/engine/web/page/rollback',
    { config, schema: body({ revision: REVISION }, ['path', 'revision', 'clientToken']) },
    (request) => rollBack(services, request),
  )

  app.post<{ Body: { path: string; document: Json } }>(
    '/engine/web/page/check',
    { config, schema: body({ document: DOCUMENT }, ['path', 'document']) },
    async (request) => {
      const { document } = request.body
      const posted = { path: pages.pathOf(request.body.path), document }
      const from = { caller: callerOf(request), host: hostOf(request) }
      const { problems, advice } = await checkPosted(posted, from, services)
      return { problems, advice }
    },
  )

  app.get<{ Querystring: { path: string } }>(
    '/engine/web/page/versions',
    { config, schema: query() },
    (request) =>
      runRead(services, callerOf(request), (ctx) =>
        listVersions(pages.pathOf(request.query.path), ctx, pages),
      ),
  )

  app.get<{ Querystring: { path: string; revision?: string } }>(
    '/engine/web/page/source',
    { config, schema: query({ revision: { type: 'string', pattern: '^\\d{1,9}$' } }) },
    (request) => {
      const { path, revision } = request.query
      const number = revision === undefined ? undefined : Number(revision)
      return runRead(services, callerOf(request), (ctx) => pageSource(pages.pathOf(path), number, ctx, pages))
    },
  )
}
