import { type RawBuilder, sql } from 'kysely'
import { moneyText } from '../../../../runtime/core/decimal.ts'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import { sameValue } from '../../../model/same-value.ts'
import { faultsForWriter, fieldRight, isClear } from '../../kernel/auth/field-rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { newId } from '../../kernel/db/id.ts'
import type { Faults } from '../../kernel/fields/check-record.ts'
import type { InputValues } from '../../kernel/fields/input.ts'
import { sumYuan } from '../../kernel/fields/money.ts'
import { writableOf } from '../../kernel/records/checked-write.ts'
import { checkDescribed, labelOfField, writtenFields } from '../../kernel/records/described.ts'
import { wireRow } from '../../kernel/records/wire.ts'
import { insertRow, updateRow } from '../../kernel/records/write-row.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

/** A plan as stored in the database. */
export interface StoredPlan {
  readonly id: string
  readonly contract_id: string
  readonly period_no: number
  readonly plan_amount: number
  readonly received_amount: number
  readonly plan_date: string
  readonly method: string | null
  readonly remind_days: number
  readonly status: 'unpaid' | 'partial' | 'paid' | 'void'
  readonly remark: string | null
  readonly version: number
}

/** Checked rows of a sub-form of plans; `id` names an existing plan. */
export interface CheckedPlans {
  readonly rows: readonly { readonly id: string | null; readonly values: InputValues }[]
  readonly faults: Faults
}

/** Keys that a row sent back by the form contains, but which only the system sets. */
const SHOWN: ReadonlySet<string> = new Set([
  'id',
  'period_no',
  'received_amount',
  'status',
  'version',
  'contract_id',
])

/** Maximum number of plans of one contract. */
export const MAX_PLANS = 60

/** The writable fields of a plan. Its contract is set on creation and never changes. */
export const planFields = (ctx: CallContext): readonly Field[] => writtenFields('plan', ctx, 'change')

/**
 * Checks the plans that come with a contract; faults are under `plans.<index>.<field>`.
 * @param stored  the existing plans: fields that the caller may not write keep their values
 * @throws Refusal 405 if the caller tried to change such a field
 */
export async function checkPlans(
  given: Json,
  stored: readonly StoredPlan[],
  ctx: CallContext,
): Promise<CheckedPlans> {
  if (!Array.isArray(given) || given.length > MAX_PLANS || !given.every(isObject))
    return { rows: [], faults: { plans: text('plan.count', { most: MAX_PLANS }) } }
  const rows: { id: string | null; values: InputValues }[] = []
  const faults: Record<string, string> = {}
  for (const [index, row] of given.filter((it) => !isBlank(it)).entries()) {
    const fields = Object.fromEntries(Object.entries(row).filter(([name]) => !SHOWN.has(name)))
    const plan = stored.find(({ id }) => id === row.id) ?? null
    const checked = await checkPlan(fields, plan, ctx)
    for (const [name, message] of Object.entries(checked.faults)) faults[`plans.${index}.${name}`] = message
    rows.push({ id: typeof row.id === 'string' ? row.id : null, values: checked.values })
  }
  return { rows, faults }
}

/** The plan as it would be stored: fields that its writer may not write come from the stored plan. */
async function checkPlan(given: JsonObject, stored: StoredPlan | null, ctx: CallContext) {
  const { caller, zone } = ctx
  const fields = writableOf('plan', stored && { ...stored }, given, ctx)
  const isReadOnly = ([name]: readonly [string, unknown]) =>
    fieldRight(caller, 'plan', name) !== 'write' && planFields(ctx).some((field) => field.name === name)
  const storedValues =
    stored === null ? {} : Object.fromEntries(Object.entries(wireRow(stored, zone)).filter(isReadOnly))
  const checked = await checkDescribed({ ...fields, ...storedValues } as JsonObject, planFields(ctx), ctx)
  const labelOf = (name: string) => labelOfField('plan', name, ctx)
  return { values: checked.values, faults: faultsForWriter(caller, 'plan', checked.faults, labelOf) }
}

function isBlank(row: JsonObject): boolean {
  return Object.values(row).every((value) => value === null || value === '' || value === false)
}

/** The sum of planned amounts in yuan. */
export function plannedBy(rows: CheckedPlans['rows']): number {
  return sumYuan(rows.map((row) => Number(row.values.plan_amount ?? 0)))
}

/** The plans of a contract that are not deleted, by period. */
export async function plansOf(
  contractId: string,
  { trx, caller }: CallContext,
): Promise<readonly StoredPlan[]> {
  const { rows } =
    await sql<StoredPlan>`select id, contract_id, period_no, plan_amount, received_amount, plan_date,
      method, remind_days, status, remark, version
    from payment_plan where tenant_id = ${caller.tenantId} and contract_id = ${contractId} and deleted_at is null
    order by period_no`.execute(trx)
  return rows
}

/**
 * Makes the plans of a locked contract equal to those of a sub-form: named ones are changed, new ones added, absent ones deleted.
 * @throws Refusal 422 REFERENCED if a plan that is deleted or reduced has payments
 */
export async function replacePlans(
  contractId: string,
  rows: CheckedPlans['rows'],
  ctx: CallContext,
): Promise<void> {
  const stored = await plansOf(contractId, ctx)
  const keptIds = new Set(rows.flatMap((row) => (row.id === null ? [] : [row.id])))
  for (const id of keptIds)
    if (!stored.some((plan) => plan.id === id)) refuse(404, 'NOT_FOUND', text('call.not-found'))
  for (const plan of stored.filter((it) => !keptIds.has(it.id))) await deletePlan(plan, ctx)
  for (const row of rows) {
    if (row.id === null) await insertPlan(contractId, row.values, ctx)
    else if (!isSamePlan(row.values, stored, row.id, ctx))
      await updateRow('payment_plan', row.id, planColumns(row.values), ctx)
  }
}

/** True if the rows of a sub-form equal the stored plans. */
export const areSamePlans = (
  rows: CheckedPlans['rows'],
  stored: readonly StoredPlan[],
  ctx: CallContext,
): boolean =>
  rows.length === stored.length &&
  rows.every(({ id, values }) => id !== null && isSamePlan(values, stored, id, ctx))

function isSamePlan(
  values: InputValues,
  stored: readonly StoredPlan[],
  id: string,
  { zone }: CallContext,
): boolean {
  const plan = stored.find((one) => one.id === id)
  if (plan === undefined) return false
  const shown = wireRow(plan, zone)
  const columns = Object.entries(planColumns(values) as JsonObject)
  return columns.every(([name, value]) => sameValue(shown[name] ?? null, value ?? null))
}

/** Adds a plan with the next period number. @returns its id */
export async function insertPlan(contractId: string, values: InputValues, ctx: CallContext): Promise<string> {
  const { trx, caller, now } = ctx
  const { rows } = await sql<{
    next: number
  }>`select coalesce(max(period_no), 0) + 1 as next from payment_plan
    where tenant_id = ${caller.tenantId} and contract_id = ${contractId} and deleted_at is null`.execute(trx)
  const id = newId(now.getTime())
  const columns = { ...planColumns(values), id, contract_id: contractId, period_no: rows[0]?.next ?? 1 }
  await insertRow('payment_plan', columns, ctx)
  return id
}

/** True for payments that name the plan or are assigned to it. @param payment  alias of the table */
export function paysFor({ caller }: CallContext, payment: string, planId: string): RawBuilder<boolean> {
  const at = (name: string) => sql.ref(`${payment}.${name}`)
  return sql<boolean>`(${at('tenant_id')} = ${caller.tenantId} and ${at('deleted_at')} is null
    and (${at('plan_id')} = ${planId}
      or ${at('chosen_shares')} @> ${JSON.stringify([{ planId }])}::jsonb and ${at('approval_status')} <> 2
      or ${at('id')} in (select payment_id from payment_share
      where tenant_id = ${caller.tenantId} and plan_id = ${planId})))`
}

/** Deletes a plan. 422 REFERENCED while payments name it (DOMAIN 1.16). */
export async function deletePlan({ id, period_no }: StoredPlan, ctx: CallContext): Promise<void> {
  const { rows } = await sql`select 1 from payment p where ${paysFor(ctx, 'p', id)} limit 1`.execute(ctx.trx)
  if (rows.length > 0) refuse(422, 'REFERENCED', text('plan.used', { period: period_no }))
  await updateRow('payment_plan', id, { deleted_at: ctx.now }, ctx)
}

/** Null clears a field, except where the table has a default. */
export function planColumns({ remind_days, ...values }: InputValues) {
  return remind_days === undefined ? values : { ...values, remind_days: remind_days ?? 3 }
}

/** The warning for plans that exceed the amount of their contract, if the caller sees these amounts. */
export const plannedAbove = (planned: number, amount: number, { caller }: CallContext): string => {
  const amountText = (entity: string, field: string, sum: number) =>
    isClear(caller, entity, field) ? moneyText(sum) : text('record.withheld')
  return text('plan.above', {
    planned: amountText('plan', 'plan_amount', planned),
    amount: amountText('contract', 'amount', amount),
  })
}
