import { sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { faultsForWriter } from '../../kernel/auth/field-rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { changeOf, type Faults } from '../../kernel/fields/check-record.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { splitByShares, sumYuan } from '../../kernel/fields/money.ts'
import type { FormCheck } from '../../kernel/forms/validate-with-page.ts'
import { openFaults, writableOf } from '../../kernel/records/checked-write.ts'
import { checkDescribed, labelOfField, namesOfFields } from '../../kernel/records/described.ts'
import { notYours } from '../../kernel/records/find-record.ts'
import { oldestMark } from '../../kernel/records/recycle-bin.ts'
import { pick, wireRow } from '../../kernel/records/wire.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { updateRow } from '../../kernel/records/write-row.ts'
import { refuseStale } from '../../kernel/records/written-record.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { dayText, isBeyondDays, parseWallTime } from '../../kernel/time/zone.ts'
import { maskRow, rightsMask } from '../../kernel/visibility/masking.ts'
import { findContract, isEffective, isOpen, refuseState } from '../contracts/find-contract.ts'
import {
  checkPlans,
  deletePlan,
  insertPlan,
  MAX_PLANS,
  planColumns,
  planFields,
  plannedAbove,
  plannedBy,
  plansOf,
  replacePlans,
  type StoredPlan,
} from '../contracts/plan-rows.ts'
import { refreshPlans } from '../contracts/totals.ts'
import { planDetail } from './plan.ts'

/** Adds a plan to a contract (DOMAIN 1.7). All its plans together must not exceed the contract amount. */
export async function createPlan(
  body: JsonObject,
  ctx: CallContext,
  form: FormCheck,
): Promise<WriteResult<Json>> {
  const { contract_id, ...given } = writableOf('plan', null, body, ctx)
  const contract = await lockForPlans(contract_id, ctx)
  const { values, faults } = await checkDescribed(given, planFields(ctx), ctx)
  const labelOf = (name: string) => labelOfField('plan', name, ctx)
  refuseFaults({
    ...openFaults('plan', await form(body), ctx),
    ...(await sumFaults(contract, null, Number(values.plan_amount ?? 0), ctx)),
    ...faultsForWriter(ctx.caller, 'plan', faults, labelOf),
  })
  if ((await plansOf(contract.id, ctx)).length >= MAX_PLANS)
    refuse(409, 'STATE_CONFLICT', text('plan.count', { most: MAX_PLANS }))
  const id = await insertPlan(contract.id, values, ctx)
  await refreshPlans(contract.id, ctx)
  return answerOf(id, ctx, given)
}

/** Changes a plan. @throws Refusal 404, 405, 409 */
export async function updatePlan(
  body: JsonObject,
  ctx: CallContext,
  form: FormCheck,
): Promise<WriteResult<Json>> {
  const { id, version, given: posted } = changeOf(body)
  const plan = await lockPlan(id, ctx)
  if (plan.version !== version) refuseStale((await planDetail(id, ctx)).record ?? null)
  const given = writableOf('plan', { ...plan }, posted, ctx)
  const stored = wireRow(plan, ctx.zone)
  const { changed, faults } = await checkDescribed(given, planFields(ctx), ctx, { ...plan })
  const shown = { ...pick(stored, namesOfFields(planFields(ctx))), ...given }
  refuseFaults({
    ...(pick(await form(shown), Object.keys(given)) as Faults),
    ...(changed.plan_amount === undefined
      ? {}
      : await sumFaults(await findContract(plan.contract_id, ctx), id, Number(changed.plan_amount), ctx)),
    ...faults,
  })
  const before = pick(wireRow(plan, ctx.zone), Object.keys(changed))
  if (Object.keys(changed).length > 0) {
    await updateRow('payment_plan', id, planColumns(changed), ctx)
    await refreshPlans(plan.contract_id, ctx)
  }
  return answerOf(id, ctx, { before, after: pick(given, Object.keys(before)) })
}

/** Deletes a plan that no payment names. */
export async function removePlan(id: string, ctx: CallContext): Promise<void> {
  await deletePlan(await lockPlan(id, ctx), ctx)
}

const MONTH_MS = 31 * 86_400_000

/** Restores a plan within 30 days, with the next free period number, if the contract amount covers it. */
export async function restorePlan(id: string, ctx: CallContext): Promise<void> {
  const { trx, caller } = ctx
  const { rows } = await sql<StoredPlan>`select * from payment_plan where tenant_id = ${caller.tenantId}
    and id = ${id} and deleted_at >= ${oldestMark(ctx)}`.execute(trx)
  const [plan] = rows
  if (plan === undefined) refuse(404, 'NOT_FOUND', text('record.not-deleted'))
  const contract = await lockForPlans(plan.contract_id, ctx)
  refuseFaults(await sumFaults(contract, null, plan.plan_amount, ctx))
  const periods = (await plansOf(contract.id, ctx)).map((it) => it.period_no)
  const period_no = periods.includes(plan.period_no) ? Math.max(...periods) + 1 : plan.period_no
  await updateRow('payment_plan', id, { deleted_at: null, period_no }, ctx)
  await refreshPlans(contract.id, ctx)
}

/**
 * Replaces the plans of a contract, from rows or by a preset: shares such as `30/60/10`, one per month from `startDate` (default: the signing date).
 * Refused if any plan has payments.
 */
export async function generatePlans(body: JsonObject, ctx: CallContext): Promise<WriteResult<Json>> {
  const { contractId, preset, rows, startDate } = body
  const contract = await lockForPlans(contractId, ctx)
  const given =
    rows ?? presetRows(preset ?? '30/60/10', startDate ?? contract.sign_date, contract.amount, ctx)
  const checked = await checkPlans(given, await plansOf(contract.id, ctx), ctx)
  const planned = plannedBy(checked.rows)
  refuseFaults({
    ...checked.faults,
    ...(planned > contract.amount ? { plans: plannedAbove(planned, contract.amount, ctx) } : {}),
  })
  if (checked.rows.length === 0) refuseFaults({ plans: text('plan.count', { most: MAX_PLANS }) })
  await replacePlans(contract.id, checked.rows, ctx)
  await refreshPlans(contract.id, ctx)
  const mask = rightsMask(ctx.caller, 'plan')
  const created = await plansOf(contract.id, ctx)
  const list = created.map((plan) => maskRow(wireRow(plan, ctx.zone), mask))
  return { data: { list }, recordId: contract.id, detail: body }
}

/** Rows of a preset: whole percentages that add up to 100, a month apart. */
function presetRows(preset: Json, startDate: Json, amount: number, ctx: CallContext): readonly JsonObject[] {
  const shares = typeof preset === 'string' ? preset.split('/').map(Number) : []
  const isRight =
    shares.length > 0 &&
    shares.length <= MAX_PLANS &&
    shares.every((share) => Number.isInteger(share) && share > 0) &&
    shares.reduce((sum, share) => sum + share, 0) === 100
  if (!isRight) refuse(400, 'VALIDATION', text('plan.preset'), { fields: { preset: text('plan.preset') } })
  const first = typeof startDate === 'string' ? parseWallTime(startDate) : null
  if (first === null || isBeyondDays(first + MAX_PLANS * MONTH_MS))
    refuse(400, 'VALIDATION', text('record.format', { label: labelOfField('plan', 'plan_date', ctx) }), {
      detail: 'startDate',
    })
  return splitByShares(amount, shares).map((plan_amount, index) => ({
    plan_amount,
    plan_date: monthsLater(first, index),
  }))
}

/** The same day of a later month, or the last day of that month. */
function monthsLater(wall: number, months: number): string {
  const date = new Date(wall)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate()
  return dayText(
    Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, Math.min(date.getUTCDate(), last)),
  )
}

/** The contract, locked for a change of its plans: the caller works on it, and it is not being approved, void or replaced. */
async function lockForPlans(id: Json | undefined, ctx: CallContext) {
  if (typeof id !== 'string')
    refuseFaults({
      contract_id: text('record.required-choice', { label: labelOfField('plan', 'contract_id', ctx) }),
    })
  const contract = await findContract(String(id), ctx, true)
  if (!contract.in_scope && !contract.can_write) await notYours('contract', contract, 'payment:edit', ctx)
  if (contract.revision_of !== null && isOpen(contract)) refuse(409, 'STATE_CONFLICT', text('plan.revision'))
  if (!isEffective(contract) && !isOpen(contract)) refuseState(contract.approval_status)
  return contract
}

/** A plan with its contract, both locked. */
async function lockPlan(id: string, ctx: CallContext): Promise<StoredPlan> {
  const { trx, caller } = ctx
  const read = async () => {
    const { rows } = await sql<StoredPlan>`select * from payment_plan where tenant_id = ${caller.tenantId}
      and id = ${id} and deleted_at is null`.execute(trx)
    return rows[0] ?? refuse(404, 'NOT_FOUND', text('call.not-found'))
  }
  const first = await read()
  await lockForPlans(first.contract_id, ctx)
  const plan = await read()
  if (plan.contract_id !== first.contract_id) refuse(409, 'STATE_CONFLICT', text('record.conflict'))
  return plan
}

/** All plans together must not exceed the contract amount. @param id the plan whose amount is being changed */
async function sumFaults(
  contract: { readonly id: string; readonly amount: number },
  id: string | null,
  amount: number,
  ctx: CallContext,
): Promise<Faults> {
  const others = (await plansOf(contract.id, ctx)).filter((plan) => plan.id !== id)
  const planned = sumYuan([...others.map((plan) => plan.plan_amount), amount])
  return planned > contract.amount ? { plan_amount: plannedAbove(planned, contract.amount, ctx) } : {}
}

async function answerOf(id: string, ctx: CallContext, detail: Json): Promise<WriteResult<Json>> {
  const { record } = await planDetail(id, ctx)
  const version = isObject(record) ? (record.version ?? 1) : 1
  return { data: { id, version, record: record ?? null }, recordId: id, detail }
}
