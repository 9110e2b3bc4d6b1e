import type { FastifyRequest } from 'fastify'
import { callerOf } from '../../kernel/auth/caller.ts'
import type { Resource, Services } from '../../kernel/calls/resource.ts'
import { callContextOf, runRead } from '../../kernel/calls/run-read.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { isOwnPath } from '../../kernel/pages/own-paths.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { saveDraft } from '../pages/drafts.ts'
import { hostOf, publishPage } from '../pages/publish.ts'
import { body, config } from '../pages/route-schemas.ts'
import { pageStarts, textToBegin } from './begin-page.ts'
import { fileText } from './file-text.ts'
import { notAPage, pageToImport, withTitle } from './import-page.ts'

const MAX_LENGTH = 2_000_000

/** A foreign document: pasted, or an uploaded file of the caller. */
interface Imported {
  readonly path: string
  readonly text?: string | null
  readonly fileId?: string | null
  /** The title of the page; empty: the document's. */
  readonly title?: string | null
}

const START = { type: ['string', 'null'], maxLength: 200 } as const
const schema = body(
  {
    text: { type: ['string', 'null'], maxLength: MAX_LENGTH },
    fileId: { type: ['string', 'null'], maxLength: 64 },
    title: { type: ['string', 'null'], maxLength: 60 },
  },
  ['path'],
)

/** The screen that creates a page: from a template, another page, or a foreign document. */
export const newPageRoutes: Resource = (app, services) => {
  app.get('/engine/web/page/start', { config }, (request) =>
    runRead(services, callerOf(request), (ctx) => pageStarts(ctx, services)),
  )

  app.post<{ Body: { path: string; template?: string | null; page?: string | null } }>(
    '/engine/web/page/begin',
    { config, schema: body({ template: START, page: START }, ['path']) },
    async (request) => {
      const { path } = request.body
      const caller = callerOf(request)
      return services.database.tenant(caller, async (trx) => {
        const ctx = await callContextOf(services, caller, trx)
        await refusePath(path, ctx, services)
        const written = await textToBegin(request.body, ctx, services)
        await saveDraft({ path, text: written, base: 0 }, ctx)
        return { path }
      })
    },
  )

  app.post<{ Body: Imported }>('/engine/web/page/import/check', { config, schema }, async (request) => {
    const { path } = request.body
    const caller = callerOf(request)
    // Reported together with the document's problems: the screen checks automatically, and a refusal would not be visible.
    const wrong = await runRead(services, caller, (ctx) => pathFault(path, ctx, services))
    if (wrong !== null) return notAPage(wrong)
    const from = { caller, host: hostOf(request) }
    return pageToImport(await writtenOf(services, request), path, from, services)
  })

  app.post<{ Body: Imported }>('/engine/web/page/import', { config, schema }, async (request) => {
    refuseElsewhere(request.body.path)
    const document = withTitle(await writtenOf(services, request), request.body.title?.trim() ?? '')
    const given = { path: request.body.path, document, base: 0, note: text('page.import.note') }
    return publishPage(services, request, given, true)
  })
}

function writtenOf(services: Services, request: FastifyRequest<{ Body: Imported }>): Promise<string> {
  const { text: pasted, fileId } = request.body
  return fileId ? fileText(services, callerOf(request), fileId) : Promise.resolve(pasted ?? '')
}

async function pathFault(
  path: string,
  { trx, caller }: CallContext,
  { pages }: Services,
): Promise<string | null> {
  if (!isOwnPath(path)) return text('page.own-path')
  return (await pages.find(trx, caller.tenantId, path)) === null ? null : text('page.path-taken', { path })
}

function refuseElsewhere(path: string): void {
  if (!isOwnPath(path)) refuse(400, 'VALIDATION', text('page.own-path'), { detail: 'path' })
}

async function refusePath(path: string, ctx: CallContext, services: Services): Promise<void> {
  const wrong = await pathFault(path, ctx, services)
  if (wrong !== null) refuse(400, 'VALIDATION', wrong, { detail: 'path' })
}
