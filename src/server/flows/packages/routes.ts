import { callerOf } from '../../kernel/auth/caller.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { callContextOf, runRead } from '../../kernel/calls/run-read.ts'
import { writeOnce } from '../../kernel/records/write-once.ts'
import { text } from '../../kernel/text/text.ts'
import { outcomeWords } from '../changesets/apply.ts'
import { body } from '../changesets/route-schemas.ts'
import { fileText } from '../making/file-text.ts'
import { hostOf } from '../pages/publish.ts'
import { config } from '../pages/route-schemas.ts'
import { storeGenerated } from '../work/result-file.ts'
import { flowsMissing, packageIn, setOf, tryPackage } from './apply-package.ts'
import { flowsLeft, makePackage, packable } from './make-package.ts'
import { MAX_PACKAGE_BYTES, printPackage } from './package-file.ts'

const BASE_PATH = '/engine/web/package'
const FILE = body({ fileId: { type: 'string', maxLength: 64 } }, ['fileId'])

/** Exports and imports pages, modules, dictionaries and menus as one file. */
export const packageRoutes: Resource = (app, services) => {
  app.post(`${BASE_PATH}/list`, { config }, (request) =>
    runRead(services, callerOf(request), async (ctx) => {
      const list = await packable(ctx, services)
      return { list: list.map((one) => ({ ...one })), total: list.length, note: await flowsLeft(ctx) }
    }),
  )

  app.post<{ Body: { title?: string | null; chosen?: readonly string[] | null } }>(
    `${BASE_PATH}/export`,
    {
      config,
      schema: body(
        {
          title: { type: ['string', 'null'], maxLength: 60 },
          chosen: { type: ['array', 'null'], maxItems: 300, items: { type: 'string', maxLength: 220 } },
        },
        [],
      ),
    },
    async (request) => {
      const caller = callerOf(request)
      const title = request.body.title || text('package.title')
      const packageFile = await runRead(services, caller, (ctx) =>
        makePackage({ title, chosen: request.body.chosen ?? [] }, ctx, services),
      )
      const content = Buffer.from(printPackage(packageFile))
      const name = `${title.replace(/[\\/:*?"<>|\s]+/g, '-')}.json`
      const file = { title, entity: 'package', name, ext: 'json', mime: 'application/json', content }
      return { url: await storeGenerated(services, caller, file), items: packageFile.items.length }
    },
  )

  app.post<{ Body: { fileId: string } }>(`${BASE_PATH}/check`, { config, schema: FILE }, async (request) => {
    const caller = callerOf(request)
    const given = packageIn(await fileText(services, caller, request.body.fileId, MAX_PACKAGE_BYTES))
    const outcomes = await tryPackage(given, { caller, host: hostOf(request) }, services)
    const list = outcomes.map(outcomeWords)
    const faults = list.filter(({ ok }) => ok !== true).length
    return { title: given.title, list, faults, note: flowsMissing(given, outcomes) }
  })

  app.post<{ Body: { fileId: string } }>(`${BASE_PATH}/import`, { config, schema: FILE }, async (request) => {
    const caller = callerOf(request)
    const host = hostOf(request)
    const given = packageIn(await fileText(services, caller, request.body.fileId, MAX_PACKAGE_BYTES))
    const outcomes = await tryPackage(given, { caller, host }, services)
    return writeOnce(
      services.database,
      request,
      { action: 'package:import', entity: 'change_set' },
      async (trx, by) => {
        const ctx = await callContextOf(services, by, trx)
        const { id, title } = await setOf(given, host, ctx, services, outcomes)
        return { recordId: id, detail: { title, changes: given.items.length }, data: { id, title } }
      },
    )
  })
}
