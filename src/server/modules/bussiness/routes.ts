import { sql } from 'kysely'
import { callerOf } from '../../kernel/auth/caller.ts'
import { ONE_ID, type OneId } from '../../kernel/calls/one-id.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { runRead } from '../../kernel/calls/run-read.ts'
import { ownedRoutes, salesRoutes } from '../../kernel/calls/sales-routes.ts'
import { type RecordKind, standardRoutes, writer } from '../../kernel/calls/standard-routes.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { describedList } from '../../kernel/lists/described-list.ts'
import { keywordCondition } from '../../kernel/lists/keyword-condition.ts'
import { updateRecord } from '../../kernel/records/change-record.ts'
import { salesLog } from '../../kernel/records/history.ts'
import { removeRecord, restoreRecord } from '../../kernel/records/remove-record.ts'
import { isVisible } from '../../kernel/visibility/predicate.ts'
import { bussinessBoard } from './board.ts'
import { BUSSINESS_CHANGE } from './change-bussiness.ts'
import { close, reopen } from './close.ts'
import { contactsOfBussiness } from './contact-roles.ts'
import { createBussiness } from './create-bussiness.ts'
import { bussinessDetail } from './detail.ts'
import { flowsOf, offered } from './flows.ts'
import { bussinessForecast } from './forecast.ts'
import { BUSSINESS_LIST, type BussinessRow, bussinessCard } from './list-spec.ts'
import { removeContactRole, saveContactRole } from './name-contacts.ts'
import { moveStage } from './stage.ts'

const BUSSINESS: RecordKind<BussinessRow> = {
  name: 'bussiness',
  module: 'bussiness',
  list: (_, ctx) => describedList(BUSSINESS_LIST, ctx),
  card: bussinessCard,
  detail: bussinessDetail,
  create: createBussiness,
  update: (body, ctx, form) => updateRecord(BUSSINESS_CHANGE, body, ctx, form),
  remove: (id, ctx) => removeRecord('bussiness', id, ctx),
  restore: (id, ctx) => restoreRecord('bussiness', id, ctx),
  options: ({ keyword, ids, filter }, ctx) => bussinessOptions(keyword, ids, filter, ctx),
  log: (id, cursor, ctx) => salesLog('bussiness', id, cursor, ctx),
  formPage: '/pages/bussiness/add',
}

/** /mini/bussiness/… (DOMAIN 8.3, 8.4). */
export const bussinessRoutes: Resource = (app, services) => {
  standardRoutes(app, services, BUSSINESS)
  salesRoutes(app, services, {
    entity: 'bussiness',
    list: BUSSINESS_LIST,
    change: BUSSINESS_CHANGE,
  })
  ownedRoutes(app, services, 'bussiness')
  const config = { permission: 'bussiness:view' } as const
  app.get('/mini/bussiness/flow/list', { config }, (request) =>
    runRead(services, callerOf(request), async (ctx) => ({
      list: (await flowsOf(ctx)).map((flow) => offered(flow)),
    })),
  )
  app.post('/mini/bussiness/board', { config }, (request) =>
    runRead(services, callerOf(request), (ctx) => bussinessBoard(request.body, ctx)),
  )
  app.post('/mini/bussiness/forecast', { config }, (request) =>
    runRead(services, callerOf(request), (ctx) => bussinessForecast(request.body, ctx)),
  )
  app.get<OneId>('/mini/bussiness/contact/list', { schema: ONE_ID, config }, (request) =>
    runRead(services, callerOf(request), (ctx) => contactsOfBussiness(request.query.id, ctx)),
  )
  const write = writer(app, services, 'bussiness')
  write('/mini/bussiness/contact/save', 'bussiness:edit', saveContactRole)
  write('/mini/bussiness/contact/remove', 'bussiness:edit', removeContactRole)
  write('/mini/bussiness/stage', 'bussiness:stage', moveStage)
  write('/mini/bussiness/win', 'bussiness:win', (body, ctx) => close('win', body, ctx))
  write('/mini/bussiness/lose', 'bussiness:lose', (body, ctx) => close('lose', body, ctx))
  write('/mini/bussiness/invalid', 'bussiness:lose', (body, ctx) => close('invalid', body, ctx))
  write('/mini/bussiness/reopen', 'bussiness:edit', reopen)
}

const MAX_OPTIONS = 20

/** Rows of a picker, of one customer (`filter`) or of all. Closed opportunities are left out. */
async function bussinessOptions(
  keyword: string,
  ids: readonly string[] | null,
  customerId: string | null,
  { trx, caller }: CallContext,
) {
  const wanted =
    ids === null
      ? sql<boolean>`(b.owner_id is not null and ${keywordCondition('b', keyword, 'bussiness_no')}
          and (${customerId}::text is null or b.customer_id = ${customerId}))`
      : sql<boolean>`b.id = any(${[...ids]}::text[])`
  const { rows } = await sql<{ value: string; label: string; desc: string; status: number }>`
    select b.id as value, b.name as label, b.bussiness_no as desc, b.status from bussiness b
    where ${isVisible(caller, 'bussiness', 'b')} and ${wanted}
    order by b.created_at desc, b.id desc limit ${MAX_OPTIONS}`.execute(trx)
  return { list: rows.map(({ status, ...row }) => ({ ...row, disabled: status > 2 })) }
}
