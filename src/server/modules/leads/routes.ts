import { sql } from 'kysely'
import { callerOf } from '../../kernel/auth/caller.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { runRead } from '../../kernel/calls/run-read.ts'
import { ownedRoutes, salesRoutes } from '../../kernel/calls/sales-routes.ts'
import { type RecordKind, standardRoutes, writer } from '../../kernel/calls/standard-routes.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { describedList } from '../../kernel/lists/described-list.ts'
import { clearPhones, keywordCondition } from '../../kernel/lists/keyword-condition.ts'
import { updateRecord } from '../../kernel/records/change-record.ts'
import { findRecord, wireRecord } from '../../kernel/records/find-record.ts'
import { salesLog } from '../../kernel/records/history.ts'
import { removeRecord, restoreRecord } from '../../kernel/records/remove-record.ts'
import { type MaskableRow, maskOf, maskRow, poolMasks } from '../../kernel/visibility/masking.ts'
import { isVisible } from '../../kernel/visibility/predicate.ts'
import { LEAD_CHANGE } from './change-lead.ts'
import { convertLead } from './convert.ts'
import { createLead } from './create-lead.ts'
import { leadDetail } from './detail.ts'
import { LEAD_LIST, type LeadRow, leadCard } from './list-spec.ts'
import { matchLead } from './match.ts'
import { invalidate, reactivate, setLeadStatus } from './status.ts'

const LEAD: RecordKind<LeadRow> = {
  name: 'lead',
  module: 'lead',
  list: (_, ctx) => describedList(LEAD_LIST, ctx),
  card: leadCard,
  detail: leadDetail,
  create: createLead,
  update: (body, ctx, form) => updateRecord(LEAD_CHANGE, body, ctx, form),
  remove: (id, ctx) => removeRecord('lead', id, ctx),
  restore: (id, ctx) => restoreRecord('lead', id, ctx),
  options: ({ keyword, ids }, ctx) => leadOptions(keyword, ids, ctx),
  log: (id, cursor, ctx) => salesLog('lead', id, cursor, ctx),
  formPage: '/pages/customer/leads/add',
  isJudgedAsPosted: true,
}

/** /mini/lead/… (DOMAIN 8.3, 8.4). */
export const leadRoutes: Resource = (app, services) => {
  standardRoutes(app, services, LEAD)
  salesRoutes(app, services, {
    entity: 'lead',
    list: LEAD_LIST,
    change: LEAD_CHANGE,
  })
  ownedRoutes(app, services, 'lead')
  app.post<{ Body: { id: string } }>(
    '/mini/lead/match',
    {
      config: { permission: 'lead:convert' },
      schema: {
        body: {
          type: 'object',
          required: ['id'],
          properties: { id: { type: 'string', minLength: 1, maxLength: 64 } },
        },
      },
    },
    (request) => runRead(services, callerOf(request), (ctx) => matchLead(request.body.id, ctx)),
  )
  const write = writer(app, services, 'lead')
  write('/mini/lead/convert', 'lead:convert', convertLead)
  write('/mini/lead/invalid', 'lead:invalid', invalidate)
  write('/mini/lead/reactivate', 'lead:invalid', reactivate)
  write('/mini/lead/status', 'lead:edit', async (body, ctx) => {
    const id = String(body.id ?? '')
    await setLeadStatus(id, body.status ?? null, ctx)
    const found = await findRecord('lead', id, ctx)
    const record = wireRecord('lead', found, ctx)
    return {
      data: { id, version: found.version, record },
      recordId: id,
      detail: { status: body.status ?? null },
    }
  })
}

const MAX_OPTIONS = 20

async function leadOptions(keyword: string, ids: readonly string[] | null, { trx, caller }: CallContext) {
  const wanted =
    ids === null
      ? sql<boolean>`(l.owner_id is not null
          and ${keywordCondition('l', keyword, undefined, clearPhones(caller, 'lead', 'l'))})`
      : sql<boolean>`l.id = any(${[...ids]}::text[])`
  const { rows } = await sql<
    MaskableRow & { value: string; label: string; company: string | null; status: number }
  >`
    select l.id as value, l.name as label, l.company, l.owner_id, l.status, ${poolMasks('l')} from lead l
    where ${isVisible(caller, 'lead', 'l')} and ${wanted}
    order by l.created_at desc, l.id desc limit ${MAX_OPTIONS}`.execute(trx)
  return {
    list: rows.map((row) => {
      const { value, label, company, status } = row
      const shown = maskRow({ company }, maskOf(caller, 'lead', row))
      return { value, label, desc: shown.company ?? '', disabled: status === 40 }
    }),
  }
}
