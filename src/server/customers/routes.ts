import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import { callerOf } from '../auth/caller.ts'
import type { Permission } from '../auth/permissions.ts'
import { refuse } from '../envelope.ts'
import { validateWithPage } from '../forms/validate-with-page.ts'
import { bad, readListRequest } from '../lists/list-request.ts'
import { countTabs, neighboursOf, runList } from '../lists/run-list.ts'
import { ask, askingOf } from '../records/ask.ts'
import type { Asking } from '../records/asking.ts'
import { eachRecord, idsOf } from '../records/batch.ts'
import { bodyOf } from '../records/input.ts'
import type { Resource, Services } from '../resource.ts'
import { type Written, writeOnce } from '../security/write-once.ts'
import { text } from '../text.ts'
import { isMasked, MASKED_FIELDS } from '../visibility/masking.ts'
import { customerActions } from './actions.ts'
import { type CardRow, customerCard } from './card.ts'
import { CONTACT_LIST, type ContactRow, contactCard } from './contact-list.ts'
import { contactsOf } from './contacts.ts'
import { createCustomer } from './create-customer.ts'
import { PATCH_FIELDS } from './fields.ts'
import { findCustomer, findForChange } from './find-customer.ts'
import { customerLog, ownerRecords } from './history.ts'
import { CUSTOMER_LIST } from './list-spec.ts'
import { isStarred, rememberView, setStar } from './marks.ts'
import { customerOptions } from './options.ts'
import { customerLabels, customerRecord, customerRelated } from './record.ts'
import { removeCustomer, restoreCustomer } from './remove-customer.ts'
import { customerTimeline } from './timeline.ts'
import { applyChange, checkedChange, updateCustomer } from './update-customer.ts'

/** The page whose rules a customer must satisfy (DESIGN 6). */
const FORM_PAGE = '/pages/customer/my/add'

/** /mini/customer/… (CRM 8.3, 8.4) and the contacts of a customer. */
export const customerRoutes: Resource = (app, services) => {
  reads(app, services)
  writes(app, services)
}

interface IdQuery {
  readonly Querystring: {
    readonly id: string
    readonly cursor?: string
    readonly types?: string
    readonly from?: string
  }
}

const id = { type: 'string', minLength: 1, maxLength: 64 } as const
const BY_ID = {
  querystring: {
    type: 'object',
    required: ['id'],
    properties: {
      id,
      cursor: { type: 'string', maxLength: 2000 },
      types: { type: 'string', maxLength: 200 },
      from: { type: 'string', maxLength: 4000 },
    },
  },
} as const
const VIEW = { permission: 'customer:view' } as const

function reads(app: FastifyInstance, services: Services): void {
  const answer = <T>(request: FastifyRequest, work: (asking: Asking) => Promise<T>) =>
    ask(services, callerOf(request), work)

  app.post('/mini/customer/list', { config: VIEW }, (request) =>
    answer(request, (asking) =>
      runList<CardRow>(CUSTOMER_LIST, readListRequest(request.body), asking, (row) =>
        customerCard(row, asking),
      ),
    ),
  )
  app.post('/mini/customer/count', { config: VIEW }, (request) =>
    answer(request, (asking) => {
      const { tabs, ...rest } = isObject(request.body) ? request.body : {}
      const all = Object.keys(CUSTOMER_LIST.tabs)
      const wanted = tabs === undefined ? all : textsOf(tabs)
      return countTabs(CUSTOMER_LIST, readListRequest(rest), asking, wanted)
    }),
  )
  app.get<IdQuery>('/mini/customer/detail', { schema: BY_ID, config: VIEW }, (request) =>
    answer(request, (asking) => customerDetail(request.query.id, request.query.from, asking)),
  )
  app.get<IdQuery>('/mini/customer/timeline', { schema: BY_ID, config: VIEW }, (request) => {
    const { id: of, types = '', cursor = null } = request.query
    return answer(request, (asking) => customerTimeline(of, types.split(',').filter(Boolean), cursor, asking))
  })
  app.get<IdQuery>('/mini/customer/log', { schema: BY_ID, config: VIEW }, (request) =>
    answer(request, (asking) => customerLog(request.query.id, request.query.cursor ?? null, asking)),
  )
  app.get<IdQuery>('/mini/customer/owner-record', { schema: BY_ID, config: VIEW }, (request) =>
    answer(request, (asking) => ownerRecords(request.query.id, asking)),
  )
  app.get<{ Querystring: { keyword?: string; ids?: string } }>(
    '/mini/customer/options',
    { config: VIEW },
    (request) =>
      answer(request, (asking) =>
        customerOptions(request.query.keyword ?? '', request.query.ids ?? null, asking),
      ),
  )
  app.post('/mini/contact/list', { config: { permission: 'contact:view' } }, (request) =>
    answer(request, (asking) =>
      runList<ContactRow>(CONTACT_LIST, readListRequest(request.body), asking, (row) =>
        contactCard(row, asking),
      ),
    ),
  )
  app.get<{ Querystring: { customerId: string } }>(
    '/mini/contact/list',
    {
      schema: { querystring: { type: 'object', required: ['customerId'], properties: { customerId: id } } },
      config: { permission: 'contact:view' },
    },
    (request) =>
      answer(request, async (asking) => ({ list: await contactsOf(request.query.customerId, asking) })),
  )
}

function writes(app: FastifyInstance, services: Services): void {
  const write = (
    path: string,
    permission: Permission,
    work: (body: JsonObject, asking: Asking) => Promise<Written<Json>>,
  ) =>
    app.post(path, { config: { permission } }, (request) =>
      writeOnce(services.database, request, { action: permission, entity: 'customer' }, (trx, caller) =>
        work(bodyOf(request.body), askingOf(services, caller, trx)),
      ),
    )
  const formOf = (asking: Asking) => validateWithPage(services.pages, FORM_PAGE, asking)

  write('/mini/customer/create', 'customer:add', (body, asking) =>
    createCustomer(body, asking, formOf(asking)),
  )
  write('/mini/customer/update', 'customer:edit', (body, asking) =>
    updateCustomer(body, asking, formOf(asking)),
  )
  write('/mini/customer/patch', 'customer:edit', async (body, asking) => {
    const { ids: _, ...fields } = body
    const data = await eachRecord(idsOf(body), async (one) => {
      const found = await findForChange(one, asking)
      await applyChange(found, await checkedChange(found, fields, PATCH_FIELDS, asking), asking)
    })
    return { data, detail: body }
  })
  write('/mini/customer/delete', 'customer:del', async (body, asking) => ({
    data: await eachRecord(idsOf(body), (one) => removeCustomer(one, asking)),
    detail: body,
  }))
  write('/mini/customer/restore', 'customer:del', async (body, asking) => ({
    data: await eachRecord(idsOf(body), (one) => restoreCustomer(one, asking)),
    detail: body,
  }))
  write('/mini/customer/star', 'customer:view', async (body, asking) => ({
    data: await eachRecord(idsOf(body), (one) => setStar(one, body.on !== false, asking)),
  }))
}

/** @param from  the list request (as JSON) of the list the user came from, for the neighbours */
async function customerDetail(customerId: string, from: string | undefined, asking: Asking) {
  const found = await findCustomer(customerId, asking)
  await rememberView(customerId, asking)
  const neighbours =
    from === undefined
      ? {}
      : await neighboursOf(CUSTOMER_LIST, readListRequest(jsonOf(from)), asking, customerId)
  const isHidden = isMasked(asking.caller, found)
  const labels = await customerLabels(found, asking)
  const starred = await isStarred(customerId, asking)
  return {
    record: { ...customerRecord(found, asking), ...labels, starred },
    labels,
    related: await customerRelated(customerId, asking),
    actions: customerActions(asking.caller, found),
    mask: isHidden ? MASKED_FIELDS.filter((name) => typeof found[name] === 'string') : [],
    starred,
    ...neighbours,
  }
}

function jsonOf(written: string): unknown {
  try {
    return JSON.parse(written)
  } catch {
    return bad('from is a list request as JSON')
  }
}

function textsOf(value: Json): readonly string[] {
  if (!Array.isArray(value) || !value.every((it) => typeof it === 'string'))
    refuse(400, 'BAD_FILTER', text('list.bad-filter'), { detail: 'tabs' })
  return value as string[]
}
