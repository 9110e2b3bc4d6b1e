import { sql } from 'kysely'
import { callerOf } from '../../kernel/auth/caller.ts'
import { ONE_ID, type OneId } from '../../kernel/calls/one-id.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { runRead } from '../../kernel/calls/run-read.ts'
import { salesRoutes } from '../../kernel/calls/sales-routes.ts'
import { type RecordKind, standardRoutes, writer } from '../../kernel/calls/standard-routes.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { describedList } from '../../kernel/lists/described-list.ts'
import { clearPhones, keywordCondition } from '../../kernel/lists/keyword-condition.ts'
import { updateRecord } from '../../kernel/records/change-record.ts'
import { findRecord, maskedFieldsOf, wireRecord } from '../../kernel/records/find-record.ts'
import { salesLog } from '../../kernel/records/history.ts'
import { isStarred, rememberView } from '../../kernel/records/marks.ts'
import { audit } from '../../kernel/records/write-once.ts'
import { type MaskableRow, maskOf, maskRow } from '../../kernel/visibility/masking.ts'
import { isVisible } from '../../kernel/visibility/predicate.ts'
import { contactsOf, shownContact } from '../customers/contacts.ts'
import { type ContactState, contactActions } from './actions.ts'
import { CONTACT_CHANGE } from './change-contact.ts'
import { createContact } from './create-contact.ts'
import { CONTACT_LIST, type ContactRow, contactCard } from './list-spec.ts'
import { leave, moveContact, removeContact, restoreContact, setPrimary } from './moves.ts'
import { vcardOf } from './vcard.ts'

const CONTACT: RecordKind<ContactRow> = {
  name: 'contact',
  module: 'contact',
  list: (_, ctx) => describedList(CONTACT_LIST, ctx),
  card: contactCard,
  detail: contactDetail,
  create: createContact,
  update: (body, ctx, form) => updateRecord(CONTACT_CHANGE, body, ctx, form),
  remove: removeContact,
  restore: restoreContact,
  options: ({ keyword, ids, filter }, ctx) => contactOptions(keyword, ids, filter, ctx),
  log: (id, cursor, ctx) => salesLog('contact', id, cursor, ctx),
  formPage: '/pages/customer/contact/add',
  isJudgedAsPosted: true,
}

/** /mini/contact/… (DOMAIN 8.3, 8.4). */
export const contactRoutes: Resource = (app, services) => {
  standardRoutes(app, services, CONTACT)
  salesRoutes(app, services, {
    entity: 'contact',
    list: CONTACT_LIST,
    change: CONTACT_CHANGE,
  })
  app.get<{ Querystring: { customerId: string } }>(
    '/mini/contact/list',
    {
      schema: {
        querystring: {
          type: 'object',
          required: ['customerId'],
          properties: { customerId: { type: 'string', minLength: 1, maxLength: 64 } },
        },
      },
      config: { permission: 'contact:view' },
    },
    (request) =>
      runRead(services, callerOf(request), async (ctx) => ({
        list: await contactsOf(request.query.customerId, ctx),
      })),
  )
  app.get<OneId>(
    '/mini/contact/vcard',
    { schema: ONE_ID, config: { permission: 'contact:view', raw: true } },
    async (request, reply) => {
      const { id } = request.query
      const card = await runRead(services, callerOf(request), async (ctx) => {
        const written = await vcardOf(id, ctx)
        await audit(ctx.trx, request, { action: 'contact:vcard', entity: 'contact' }, { recordId: id })
        return written
      })
      return reply
        .type('text/vcard; charset=utf-8')
        .header('content-disposition', 'attachment; filename="contact.vcf"')
        .send(card)
    },
  )
  const write = writer(app, services, 'contact')
  write('/mini/contact/primary', 'contact:edit', setPrimary)
  write('/mini/contact/leave', 'contact:edit', leave)
  write('/mini/contact/move', 'contact:edit', moveContact)
}

async function contactDetail(id: string, ctx: CallContext) {
  const found = await findRecord('contact', id, ctx)
  await rememberView('contact', id, ctx)
  const { trx, caller } = ctx
  const { rows } = await sql<{ owner_name: string | null; report_to_name: string | null }>`
    select (select m.name from membership m where m.tenant_id = ${caller.tenantId} and m.user_id = ${found.owner_id}) as owner_name,
      (select k.name from contact k where k.tenant_id = ${caller.tenantId} and k.id = ${found.report_to_id}) as report_to_name,
      (select count(*) from follow f where f.tenant_id = ${caller.tenantId} and f.customer_id = ${found.customer_id}
        and ${id} = any(f.contact_ids || f.target_id) and f.deleted_at is null) as follows`.execute(trx)
  const { follows = 0, ...names } = (rows[0] ?? {}) as Record<string, string | number | null>
  const mask = maskOf(caller, 'contact', found)
  const labels = maskRow({ ...names, customer_name: String(found.customer_name ?? '') }, mask)
  const starred = await isStarred('contact', id, ctx)
  const record = shownContact(wireRecord('contact', found, ctx), mask)
  return {
    record: { ...record, ...labels, starred },
    labels,
    related: { follow: follows },
    actions: contactActions(caller, found as unknown as ContactState),
    mask: [...maskedFieldsOf('contact', found, ctx)],
    starred,
  }
}

const MAX_OPTIONS = 50

/** Rows of a picker: active contacts, of one customer (`filter`) or of all. `ids` also finds those who left. */
async function contactOptions(
  keyword: string,
  ids: readonly string[] | null,
  customerId: string | null,
  { trx, caller }: CallContext,
) {
  const wanted =
    ids === null
      ? sql<boolean>`(c.owner_id is not null and k.status = 'active'
          and ${keywordCondition('k', keyword, undefined, clearPhones(caller, 'contact', 'c'))}
          and (${customerId}::text is null or k.customer_id = ${customerId}))`
      : sql<boolean>`k.id = any(${[...ids]}::text[])`
  const { rows } = await sql<
    MaskableRow & { value: string; label: string; customer_name: string; position: string | null }
  >`
    select k.id as value, k.name as label, c.name as customer_name, k.position, c.owner_id from contact k
    join customer c on c.tenant_id = k.tenant_id and c.id = k.customer_id
    where k.tenant_id = ${caller.tenantId} and k.deleted_at is null and c.owner_id is not null
      and ${isVisible(caller, 'customer', 'c')} and ${wanted}
    order by k.py, k.id limit ${MAX_OPTIONS}`.execute(trx)
  return {
    list: rows.map((row) => {
      const { value, label, customer_name, position } = row
      const shown = maskRow({ position }, maskOf(caller, 'contact', row))
      return {
        value,
        label,
        desc: [customer_name, shown.position].filter(Boolean).join(' · '),
        disabled: false,
      }
    }),
  }
}
