import type { FastifyRequest } from 'fastify'
import { callerOf } from '../../kernel/auth/caller.ts'
import { ask } from '../../kernel/calls/ask.ts'
import type { Resource, Services } from '../../kernel/calls/resource.ts'
import { isOwnPath } from '../../kernel/pages/own-paths.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { hostOf, publishPage } from '../pages/publish.ts'
import { body, config } from '../pages/route-schemas.ts'
import { fileText } from './file-text.ts'
import { pageToImport } from './import-page.ts'

const MOST = 2_000_000

/** A document of elsewhere: pasted, or a file of the caller's. */
interface Imported {
  readonly path: string
  readonly text?: string | null
  readonly fileId?: string | null
}

const schema = body(
  {
    text: { type: ['string', 'null'], maxLength: MOST },
    fileId: { type: ['string', 'null'], maxLength: 64 },
  },
  ['path'],
)

/** The screen that makes a page from a document of elsewhere. */
export const newPageRoutes: Resource = (app, services) => {
  app.post<{ Body: Imported }>('/engine/web/page/import/check', { config, schema }, async (request) => {
    const { path } = request.body
    const caller = callerOf(request)
    refuseElsewhere(path)
    const found = await ask(services, caller, ({ trx }) => services.pages.find(trx, caller.tenantId, path))
    if (found !== null) refuse(400, 'VALIDATION', text('page.path-taken', { path }), { detail: 'path' })
    const from = { caller, host: hostOf(request) }
    return pageToImport(await writtenOf(services, request), path, from, services)
  })

  app.post<{ Body: Imported }>('/engine/web/page/import', { config, schema }, async (request) => {
    refuseElsewhere(request.body.path)
    const document = await writtenOf(services, request)
    const given = { path: request.body.path, document, base: 0, note: text('page.import.note') }
    return publishPage(services, request, given, true)
  })
}

function writtenOf(services: Services, request: FastifyRequest<{ Body: Imported }>): Promise<string> {
  const { text: pasted, fileId } = request.body
  return fileId ? fileText(services, callerOf(request), fileId) : Promise.resolve(pasted ?? '')
}

function refuseElsewhere(path: string): void {
  if (!isOwnPath(path)) refuse(400, 'VALIDATION', text('page.own-path'), { detail: 'path' })
}
