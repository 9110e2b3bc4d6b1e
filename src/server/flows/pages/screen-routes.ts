import type { FastifyInstance } from 'fastify'
import type { Json } from '../../../../runtime/core/json.ts'
import { callerOf } from '../../kernel/auth/caller.ts'
import type { Resource, Services } from '../../kernel/calls/resource.ts'
import { callContextOf, runRead } from '../../kernel/calls/run-read.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { isOwnPath } from '../../kernel/pages/own-paths.ts'
import { readJsonText } from '../../kernel/pages/read-files.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { checkPosted } from './check-posted.ts'
import { dropDraft, findDraftOf, findDrafts, saveDraft } from './drafts.ts'
import { mergeWithCurrent, upgradeOf } from './merging.ts'
import { listPages, PAGE_TABS, type PageSearch, pageFacts } from './page-list.ts'
import { hostOf } from './publish.ts'
import { body, config, DOCUMENT, PATH, query, REVISION, STAMP } from './route-schemas.ts'
import { pageSource, refuseUnknown } from './versions.ts'
import { leavePage, visitPage } from './visits.ts'

/** The screens of pages: the list, drafts, and merging. */
export const pageScreenRoutes: Resource = (app, services) => {
  addPageReads(app, services)
  addDrafts(app, services)
  addVisits(app, services)
  addMerge(app, services)
}

/** The list of pages, and what is read of one. */
function addPageReads(app: FastifyInstance, services: Services): void {
  const { pages } = services

  app.post<{ Body: PageSearch }>(
    '/engine/web/page/list',
    {
      config,
      schema: {
        body: {
          type: 'object',
          properties: {
            tab: { enum: PAGE_TABS },
            keyword: { type: 'string', maxLength: 100 },
          },
        },
      },
    },
    (request) => runRead(services, callerOf(request), (ctx) => listPages(request.body, ctx, pages)),
  )

  const read = (path: string, answer: (path: string, ctx: CallContext) => Promise<Json>): void => {
    app.get<{ Querystring: { path: string } }>(path, { config, schema: query() }, (request) =>
      runRead(services, callerOf(request), (ctx) => answer(pages.pathOf(request.query.path), ctx)),
    )
  }
  read('/engine/web/page/facts', (path, ctx) => pageFacts(path, ctx, pages))
  read('/engine/web/page/upgrade', (path, ctx) => upgradeOf(path, ctx, services))
  read('/engine/web/page/draft', async (path, ctx) => {
    const { draft, others } = await findDrafts(path, ctx)
    const source = (await pageSource(path, undefined, ctx, pages, isOwnPath(path))) as {
      text: string
      revision: number
    }
    return {
      draft: draft as unknown as Json,
      others: others as unknown as Json,
      others_text: others.map(({ author, at }) => text('page.draft.other', { author, at })).join('\n'),
      text: draft?.text ?? source.text,
      base: draft?.base ?? source.revision,
      revision: source.revision,
      stale: draft !== null && draft.base !== source.revision,
    }
  })
}

/** A person's drafts of pages. */
function addDrafts(app: FastifyInstance, services: Services): void {
  const { database, pages } = services
  app.get<{ Querystring: { path: string; user: string } }>(
    '/engine/web/page/draft/of',
    {
      config,
      schema: {
        querystring: { type: 'object', required: ['path', 'user'], properties: { path: PATH, user: STAMP } },
      },
    },
    (request) =>
      runRead(services, callerOf(request), async (ctx) => {
        const { path, user } = request.query
        return (await findDraftOf(user, pages.pathOf(path), ctx)) ?? refuseUnknown()
      }),
  )

  app.post<{ Body: { path: string; document: Json; base: number; after?: string; preview?: boolean } }>(
    '/engine/web/page/draft/save',
    {
      config,
      schema: body({ document: DOCUMENT, base: REVISION, after: STAMP, preview: { type: 'boolean' } }, [
        'path',
        'document',
        'base',
      ]),
    },
    async (request) => {
      const { document, base, after, preview = true } = request.body
      const path = pages.pathOf(request.body.path)
      const caller = callerOf(request)
      const posted = { path, document }
      const checked = await checkPosted(posted, { caller, host: hostOf(request) }, services)
      const written = typeof document === 'string' ? document : JSON.stringify(document, null, 2)
      const { stamp, others } = await database.tenant(caller, async (trx) => {
        await refuseNowhere(path, trx, caller.tenantId, services)
        const ctx = await callContextOf(services, caller, trx)
        const draft = { path, text: written, base, ...(after === undefined ? {} : { after }) }
        return { stamp: await saveDraft(draft, ctx), others: (await findDrafts(path, ctx)).others }
      })
      const { problems, advice, resolved } = checked
      return {
        stamp,
        others,
        problems,
        advice,
        faults: problems.length,
        preview: problems.length > 0 || !preview ? null : resolved,
      } as unknown as Json
    },
  )

  app.post<{ Body: { path: string } }>(
    '/engine/web/page/draft/delete',
    { config, schema: body({}, ['path']) },
    async (request) => {
      const caller = callerOf(request)
      await database.tenant(caller, (trx) => dropDraft(trx, caller, pages.pathOf(request.body.path)))
      return {}
    },
  )
}

/** Who has a page open. */
function addVisits(app: FastifyInstance, services: Services): void {
  const { pages } = services
  const visit = (path: string, answer: (path: string, ctx: CallContext) => Promise<Json>): void => {
    app.post<{ Body: { path: string } }>(path, { config, schema: body({}, ['path']) }, (request) =>
      runRead(services, callerOf(request), (ctx) => answer(pages.pathOf(request.body.path), ctx)),
    )
  }
  visit('/engine/web/page/visit', async (path, ctx) => {
    await refuseNowhere(path, ctx.trx, ctx.caller.tenantId, services)
    return { here: [...(await visitPage(path, ctx))] }
  })
  visit('/engine/web/page/leave', async (path, ctx) => {
    await leavePage(path, ctx)
    return {}
  })
}

/** Merging a document with the published page. */
function addMerge(app: FastifyInstance, services: Services): void {
  const { pages } = services
  app.post<{ Body: { path: string; document: Json; base: number } }>(
    '/engine/web/page/merge',
    { config, schema: body({ document: DOCUMENT, base: REVISION }, ['path', 'document', 'base']) },
    (request) => {
      const { document: posted, base } = request.body
      const mine =
        typeof posted === 'string' ? { document: readable(posted), text: posted } : { document: posted }
      const path = pages.pathOf(request.body.path)
      return runRead(services, callerOf(request), (ctx) =>
        mergeWithCurrent({ path, base, ...mine }, ctx, pages),
      )
    },
  )
}

/** @throws Refusal 404 unless a page exists or may be created there */
async function refuseNowhere(
  path: string,
  trx: CallContext['trx'],
  tenantId: string,
  { pages }: Services,
): Promise<void> {
  if (!isOwnPath(path) && (await pages.find(trx, tenantId, path)) === null) refuseUnknown()
}

function readable(written: string): Json {
  const { content } = readJsonText(written, '')
  return content ?? refuse(400, 'VALIDATION', text('page.unreadable'))
}
