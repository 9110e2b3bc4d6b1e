import type { JsonObject } from '../../../../runtime/core/json.ts'
import { callerOf } from '../../kernel/auth/caller.ts'
import { ONE_ID, type OneId } from '../../kernel/calls/one-id.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { callContextOf, runRead, runStandbyRead } from '../../kernel/calls/run-read.ts'
import { writer } from '../../kernel/calls/standard-routes.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { bodyOf } from '../../kernel/fields/input.ts'
import { readListRequest } from '../../kernel/lists/list-request.ts'
import { openList } from '../../kernel/lists/open-list.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import { writeOnce } from '../../kernel/records/write-once.ts'
import { statAnalysis } from './analysis.ts'
import { statDetail } from './detail.ts'
import { dimensionList } from './field-dimension.ts'
import { statFunnel } from './funnel.ts'
import { statRank } from './rank.ts'
import { statReport } from './report.ts'
import { REPORT_LIST, reportDetail, sendReport } from './sent-report.ts'
import { readTarget, saveTarget } from './target.ts'
import { targetTree } from './target-tree.ts'
import { paymentForecast, remindPerson, statTeam } from './team.ts'
import { statTrend } from './trend.ts'

const words = { type: 'string', maxLength: 80 } as const

/** /mini/stats/… (DOMAIN 8.6): the details behind the numbers of the home page. */
export const statsRoutes: Resource = (app, services) => {
  const read = (name: string, work: (body: JsonObject, ctx: CallContext) => Promise<object>) =>
    app.post(`/mini/stats/${name}`, (request) =>
      runStandbyRead(services, callerOf(request), (ctx) => work(bodyOf(request.body ?? {}), ctx)),
    )
  read('detail', statDetail)
  read('trend', statTrend)
  read('funnel', statFunnel)
  read('rank', statRank)
  read('analysis', statAnalysis)
  read('dimension/list', dimensionList)
  read('team', statTeam)
  read('forecast', paymentForecast)
  writer(app, services, 'membership')('/mini/stats/remind', 'stats:team', remindPerson)
  app.get<{ Querystring: JsonObject }>(
    '/mini/stats/target',
    {
      schema: {
        querystring: {
          type: 'object',
          properties: { year: words, objectType: words, objectId: words, copy: words },
        },
      },
    },
    (request) => runRead(services, callerOf(request), (ctx) => readTarget(request.query, ctx)),
  )
  app.get<{ Querystring: JsonObject }>(
    '/mini/stats/target/tree',
    { schema: { querystring: { type: 'object', properties: { year: words } } } },
    (request) => runRead(services, callerOf(request), (ctx) => targetTree(request.query, ctx)),
  )
  writer(app, services, 'work_report')('/mini/report/send', null, sendReport)
  app.post('/mini/report/list', (request) =>
    runRead(services, callerOf(request), (ctx) =>
      openList<object>(REPORT_LIST, readListRequest(request.body), ctx).page((row) => wireRow(row, ctx.zone)),
    ),
  )
  app.get<OneId>('/mini/report/detail', { schema: ONE_ID }, (request) =>
    runRead(services, callerOf(request), (ctx) => reportDetail(request.query.id, ctx)),
  )
  app.post('/mini/stats/target', { config: { once: true } }, (request) =>
    writeOnce(
      services.database,
      request,
      { action: 'stats:target', entity: 'sales_target' },
      async (trx, caller) => saveTarget(bodyOf(request.body), await callContextOf(services, caller, trx)),
    ),
  )
  app.get<{ Querystring: JsonObject }>(
    '/mini/stats/report',
    { schema: { querystring: { type: 'object', properties: { period: words, userId: words } } } },
    (request) => runStandbyRead(services, callerOf(request), (ctx) => statReport(request.query, ctx)),
  )
}
