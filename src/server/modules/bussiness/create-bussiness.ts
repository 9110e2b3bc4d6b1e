import { sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { newId } from '../../kernel/db/id.ts'
import { json } from '../../kernel/db/json.ts'
import type { FormCheck } from '../../kernel/forms/validate-with-page.ts'
import { holdForNew } from '../../kernel/pools/person-cap.ts'
import { checkedNew, recordColumns } from '../../kernel/records/change-record.ts'
import { findRecord, notYours, wireRecord } from '../../kernel/records/find-record.ts'
import { insertHeld } from '../../kernel/records/insert-record.ts'
import { mine, type NewHolder } from '../../kernel/records/new-holder.ts'
import { nextNumber } from '../../kernel/records/number.ts'
import { atMaster } from '../../kernel/records/redirect.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { dayText, wallTimeOf } from '../../kernel/time/zone.ts'
import { createCustomer } from '../customers/create-customer.ts'
import { refreshExpiry as refreshCustomer } from '../customers/holding.ts'
import { BUSSINESS_CHANGE } from './change-bussiness.ts'
import { chosenFlow, offered } from './flows.ts'

/**
 * Creates an opportunity of a customer the caller sees (DOMAIN 1.5). `customer: {name, …}` instead of `customer_id` creates the customer as well. A
 * name that another opportunity of the customer has gives a warning.
 */
export async function createBussiness(
  body: JsonObject,
  ctx: CallContext,
  form: FormCheck,
  holder: NewHolder = mine(ctx),
): Promise<WriteResult<Json>> {
  const { customer, ...posted } = body
  const given = await atMaster(posted, ctx)
  if (!isObject(customer)) await refuseReader(given.customer_id, ctx)
  const customer_id = isObject(customer) ? await inlineCustomer(customer, ctx) : (given.customer_id ?? null)
  const id = await createBussinessOf(
    { ...given, customer_id },
    holder,
    ctx,
    await form({ ...given, customer_id }),
  )
  // A record in a pool is masked, even for its author: the answer has no record.
  if (holder.userId !== ctx.caller.userId) return { data: { id, version: 1 }, recordId: id, detail: given }
  const found = await findRecord('bussiness', id, ctx)
  const isNamesake = await hasNamesake(id, found, ctx)
  return {
    data: {
      id,
      version: found.version,
      record: wireRecord('bussiness', found, ctx),
      ...(isNamesake ? { warnings: [{ type: 'SAME_NAME', message: text('bussiness.same-name') }] } : {}),
    },
    recordId: id,
    detail: given,
  }
}

/** Checks and stores an opportunity of `fields.customer_id` for an owner or in a pool. @returns its id */
export async function createBussinessOf(
  fields: JsonObject,
  holder: NewHolder,
  ctx: CallContext,
  formFaults: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { trx, caller, now, zone } = ctx
  const customer = await customerName(fields.customer_id, ctx)
  const { stage_id = null, ...given } = withDefaults(fields, customer, ctx)
  const values = await checkedNew(BUSSINESS_CHANGE, given, ctx, async () => formFaults)
  const holding = await holdForNew('bussiness', holder, null, ctx)
  const flow = offered(await chosenFlow(values.flow_id, ctx))
  const isAnywhere = stage_id === null || stage_id === ''
  const stage = isAnywhere ? flow.stages[0] : flow.stages.find((it) => it.id === stage_id)
  if (stage === undefined)
    refuse(400, 'VALIDATION', text('bussiness.stage-unknown'), {
      fields: { stage_id: text('bussiness.stage-unknown') },
    })
  const id = newId(now.getTime())
  const bussiness_no = await nextNumber(trx, caller.tenantId, 'bussiness', { now, zone })
  const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
  const step = { from: null, to: stage.id, by: caller.userId, at: now.toISOString(), days: 0, remark: null }
  const columns = {
    ...recordColumns('bussiness', filled, ctx),
    ...(await BUSSINESS_CHANGE.derive({ ...values, bussiness_no }, null, ctx)),
    id,
    bussiness_no,
    flow_id: flow.id,
    stage_id: stage.id,
    win_rate: values.win_rate ?? stage.winRate,
    stage_since: now,
    stage_history: json([step]),
    ...holding,
  }
  await insertHeld('bussiness', { columns, holder }, ctx)
  await refreshCustomer(ctx, String(values.customer_id))
  return id
}

async function inlineCustomer(customer: JsonObject, ctx: CallContext): Promise<string> {
  if (!ctx.caller.permissions.has('customer:add'))
    refuse(405, 'NO_PERMISSION', text('call.no-permission'), { detail: 'customer:add' })
  const createdCustomer = await createCustomer(customer, ctx, () => Promise.resolve({}))
  return createdCustomer.recordId ?? ''
}

/** Refuses callers who may only read the customer. */
async function refuseReader(id: Json | undefined, ctx: CallContext): Promise<void> {
  if (typeof id !== 'string' || id === '') return
  const found = await findRecord('customer', id, ctx)
  if (!found.in_scope && !found.can_write) await notYours('customer', found, 'bussiness:add', ctx)
}

/** The name of the customer, which the caller must see and somebody must own. `''` if no customer is given. */
async function customerName(id: Json | undefined, ctx: CallContext): Promise<string> {
  if (typeof id !== 'string' || id === '') return ''
  const found = await findRecord('customer', id, ctx, true)
  if (found.owner_id === null) refuse(409, 'STATE_CONFLICT', text('customer.masked'))
  return found.name
}

/** The default name: "客户名-yyyyMM". */
function withDefaults(given: JsonObject, customer: string, { now, zone }: CallContext): JsonObject {
  if ((given.name ?? '') !== '' || customer === '') return given
  const month = dayText(wallTimeOf(now, zone)).slice(0, 7).replace('-', '')
  return { ...given, name: `${Array.from(customer).slice(0, 80).join('')}-${month}` }
}

async function hasNamesake(
  id: string,
  { name, customer_id }: Readonly<Record<string, unknown>>,
  { trx, caller }: CallContext,
): Promise<boolean> {
  const { rows } = await sql`select 1 from bussiness where tenant_id = ${caller.tenantId}
    and customer_id = ${customer_id} and name = ${name} and id <> ${id} and deleted_at is null limit 1`.execute(
    trx,
  )
  return rows.length > 0
}
