import { sql } from 'kysely'
import { moneyText } from '../../../../runtime/core/decimal.ts'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { sameValue } from '../../../model/same-value.ts'
import { isClear, writableFields } from '../../kernel/auth/field-rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { newId } from '../../kernel/db/id.ts'
import { changeOf, type Faults } from '../../kernel/fields/check-record.ts'
import { type InputValues, refuseFaults } from '../../kernel/fields/input.ts'
import type { FormCheck } from '../../kernel/forms/validate-with-page.ts'
import { changedNames, checkWrite, writableOf } from '../../kernel/records/checked-write.ts'
import { numberFor, refuseTaken, refuseTakenNumber } from '../../kernel/records/chosen-number.ts'
import { describedColumns, labelOfField, writtenFields } from '../../kernel/records/described.ts'
import { notYours } from '../../kernel/records/find-record.ts'
import { oldestMark } from '../../kernel/records/recycle-bin.ts'
import { pick, wireRow } from '../../kernel/records/wire.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { insertRow, updateRow } from '../../kernel/records/write-row.ts'
import { refuseStale, writtenRecord } from '../../kernel/records/written-record.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { dayText, wallTimeOf } from '../../kernel/time/zone.ts'
import { findContract, isEffective, isOpen, refuseState } from '../contracts/find-contract.ts'
import type { Share } from '../contracts/spread.ts'
import { chosenShares, seesOpenPlans } from './chosen-shares.ts'
import { checkOverCollect } from './over-collect.ts'
import { type FoundPayment, findPayment, paymentRecord, sharesOf } from './payment.ts'

/**
 * Creates a payment as a draft of the contract's owner (DOMAIN 1.7). It is assigned as `shares` says; without them to `plan_id` first, and then to
 * the open plans, oldest first.
 *
 * @param body  fields of DOMAIN 1.7; `confirm: ["OVER_COLLECT"]` accepts an excess over the contract amount
 * @throws Refusal 400 with field messages, 404, 405, 409 STATE_CONFLICT or DUPLICATE, 422 OVER_COLLECT
 */
export async function createPayment(
  body: JsonObject,
  ctx: CallContext,
  form: FormCheck,
): Promise<WriteResult<Json>> {
  const { confirm, shares: posted, ...given } = writableOf('payment', null, body, ctx)
  const shares = await assignableShares(posted, null, ctx)
  const options = { form, posted: body }
  const { values, faults, own, formFaults } = await checkWrite('payment', null, given, ctx, options)
  refuseFaults({ ...formFaults, ...dateFaults(values, ctx), ...faults })
  const contract = await findContract(String(values.contract_id), ctx, true)
  if (!contract.in_scope && !contract.can_write) await notYours('contract', contract, 'payment:add', ctx)
  if (!isEffective(contract)) refuse(409, 'STATE_CONFLICT', text('payment.contract'))
  const amount = Number(values.amount)
  const chosen = await chosenShares(shares, { contractId: contract.id, amount }, ctx)
  const plan_id = chosen === null ? await planFor(values.plan_id, contract.id, ctx) : firstOf(chosen)
  const over_confirmed = await checkOverCollect(
    { id: null, contractId: contract.id, contractAmount: contract.amount, amount, known: 0 },
    confirm,
    ctx,
  )
  const id = newId(ctx.now.getTime())
  const stored = await insertRow(
    'payment',
    {
      ...describedColumns(values, writtenFields('payment', ctx)),
      ...own,
      id,
      payment_no: await numberFor('payment', values.payment_no, ctx),
      plan_id,
      chosen_shares: asJson(chosen),
      owner_id: contract.owner_id,
      owner_dept_id: contract.owner_dept_id,
      over_confirmed,
    },
    ctx,
  )
  if (!stored) refuseTakenNumber('payment')
  return answerOf(id, ctx, body, over_confirmed)
}

/** Changes a payment in status draft, rejected or withdrawn. Its contract cannot change. */
export async function updatePayment(
  body: JsonObject,
  ctx: CallContext,
  form: FormCheck,
): Promise<WriteResult<Json>> {
  const { confirm, ...rest } = body
  const { id, version, given: all } = changeOf(rest)
  const payment = await lockOpenPayment(id, ctx)
  const { found } = payment
  if (found.version !== version) refuseStale(paymentRecord(found, ctx))
  const { before, after, over } = await applyPayment(payment, all, ctx, { confirm, form })
  return answerOf(id, ctx, { before, after }, over)
}

/** A payment that may be changed, locked after its contract. */
export async function lockOpenPayment(id: string, ctx: CallContext) {
  const seen = await findPayment(id, ctx)
  const contract = await findContract(seen.contract_id, ctx, true)
  const found = await findPayment(id, ctx, true)
  await refuseClosed(found, 'payment:edit', ctx)
  return { found, contract }
}

/** Checks and stores a change. @returns the old and new values of the changed fields, and the excess over the contract amount */
export async function applyPayment(
  { found, contract }: Awaited<ReturnType<typeof lockOpenPayment>>,
  all: JsonObject,
  ctx: CallContext,
  { confirm, form }: { readonly confirm?: Json | undefined; readonly form?: FormCheck } = {},
) {
  const { id } = found
  const { shares: posted, ...given } = writableOf('payment', found, all, ctx)
  const shares = await assignableShares(posted, found, ctx)
  const options = { ...(form === undefined ? {} : { form }), posted: all }
  const written = await checkWrite('payment', found, given, ctx, options)
  const { changed, own } = written
  refuseFaults({
    ...written.formFaults,
    ...dateFaults(changed, ctx),
    ...(changed.contract_id === undefined ? {} : { contract_id: text('payment.fixed') }),
    ...written.faults,
  })
  if (!isEffective(contract)) refuse(409, 'STATE_CONFLICT', text('payment.contract'))
  const amount = Number(changed.amount ?? found.amount)
  const over_confirmed = await checkOverCollect(
    {
      id,
      contractId: contract.id,
      contractAmount: contract.amount,
      amount,
      known: changed.amount === undefined ? found.over_confirmed : 0,
    },
    confirm,
    ctx,
  )
  const { payment_no, plan_id, ...others } = changed
  const chosen = await choiceAfter({ found, amount, shares, isPlanNew: plan_id !== undefined }, ctx)
  if (typeof payment_no === 'string') await refuseTaken('payment', payment_no, ctx)
  const names = [
    ...changedNames(written),
    ...(sameValue(chosen as unknown as Json, found.chosen_shares as unknown as Json)
      ? []
      : ['chosen_shares']),
  ]
  // A newly confirmed excess is stored even if no field changed, so that submitting the payment does not ask again.
  if (names.length === 0 && over_confirmed === found.over_confirmed)
    return { before: {}, after: {}, over: over_confirmed }
  const before = pick(wireRow(found, ctx.zone), names)
  await updateRow(
    'payment',
    id,
    {
      ...describedColumns(others, writtenFields('payment', ctx)),
      ...own,
      ...(typeof payment_no === 'string' ? { payment_no } : {}),
      ...(await planAfter(plan_id, chosen, contract.id, ctx)),
      chosen_shares: asJson(chosen),
      over_confirmed,
    },
    ctx,
  )
  const after = pick(wireRow(await findPayment(id, ctx), ctx.zone), Object.keys(before))
  return { before, after, over: over_confirmed }
}

/** Deletes a payment in status draft, rejected or withdrawn. */
export async function removePayment(id: string, ctx: CallContext): Promise<void> {
  await refuseClosed(await findPayment(id, ctx, true), 'payment:del', ctx)
  await updateRow('payment', id, { deleted_at: ctx.now }, ctx)
}

/** Restores a payment within 30 days. */
export async function restorePayment(id: string, ctx: CallContext): Promise<void> {
  const { trx, caller } = ctx
  const { rows } = await sql<{ contract_id: string }>`select contract_id from payment
    where tenant_id = ${caller.tenantId} and id = ${id} and deleted_at >= ${oldestMark(ctx)}
    for update`.execute(trx)
  const [found] = rows
  if (found === undefined) refuse(404, 'NOT_FOUND', text('record.not-deleted'))
  const contract = await findContract(found.contract_id, ctx)
  if (!contract.in_scope && !contract.can_write) await notYours('contract', contract, 'payment:del', ctx)
  await updateRow('payment', id, { deleted_at: null }, ctx)
}

async function refuseClosed(found: FoundPayment, detail: string, ctx: CallContext): Promise<void> {
  if (!found.works) await notYours('payment', found, detail, ctx)
  if (!isOpen(found)) refuseState(found.approval_status)
}

function dateFaults({ paid_at }: InputValues, { now, zone }: CallContext): Faults {
  const isFuture = typeof paid_at === 'string' && paid_at > dayText(wallTimeOf(now, zone))
  return isFuture ? { paid_at: text('payment.future') } : {}
}

/**
 * The posted assignment. Callers who do not see what is open of plans assign nothing: a refusal of an amount would tell it. From them an empty
 * assignment, or the one they were shown, changes nothing.
 *
 * @throws Refusal 405 with a message for `shares`, whatever its amounts
 */
async function assignableShares(
  posted: Json | undefined,
  found: FoundPayment | null,
  ctx: CallContext,
): Promise<Json | undefined> {
  if (posted === undefined || posted === null || seesOpenPlans(ctx)) return posted
  if (!Array.isArray(posted) || posted.length > 0) {
    const shown = found === null ? [] : await sharesOf(found, ctx)
    const reader = { ...ctx.caller, fieldRights: { payment: { shares: 'read' } } } as const
    writableFields(reader, 'payment', { shares: posted }, { shares: shown })
  }
  return undefined
}

/** The requested plan, which must be an existing one of the contract, or the oldest open one; null without any. */
async function planFor(given: unknown, contractId: string, ctx: CallContext): Promise<string | null> {
  const { trx, caller } = ctx
  const wanted = typeof given === 'string' ? sql`and id = ${given}` : sql`and status in ('unpaid', 'partial')`
  const { rows } = await sql<{ id: string }>`select id from payment_plan where tenant_id = ${caller.tenantId}
    and contract_id = ${contractId} and deleted_at is null and status <> 'void' ${wanted}
    order by plan_date, period_no limit 1`.execute(trx)
  const [plan] = rows
  if (plan === undefined && typeof given === 'string')
    refuseFaults({
      plan_id: text('record.not-offered', { label: labelOfField('payment', 'plan_id', ctx) }),
    })
  return plan?.id ?? null
}

/** The assignment of a changed payment: a new choice, else the stored one, unless its amount or plan changed, as in a proposal. */
async function choiceAfter(
  change: {
    readonly found: FoundPayment
    readonly amount: number
    readonly shares: Json | undefined
    readonly isPlanNew: boolean
  },
  ctx: CallContext,
): Promise<readonly Share[] | null> {
  const { found, amount, shares } = change
  if (shares !== undefined && shares !== null)
    return chosenShares(shares, { contractId: found.contract_id, amount }, ctx)
  return change.isPlanNew || amount !== found.amount ? null : found.chosen_shares
}

async function planAfter(
  given: unknown,
  chosen: readonly Share[] | null,
  contractId: string,
  ctx: CallContext,
): Promise<{ readonly plan_id?: string | null }> {
  if (chosen !== null) return { plan_id: firstOf(chosen) }
  return given === undefined ? {} : { plan_id: await planFor(given, contractId, ctx) }
}

/** The plan shown for a payment in lists: the first with a share. */
function firstOf(chosen: readonly Share[]): string | null {
  return chosen.find(({ amount }) => amount > 0)?.planId ?? null
}

function asJson(chosen: readonly Share[] | null): string | null {
  return chosen === null ? null : JSON.stringify(chosen)
}

/** The answer of a write. @param over  yuan by which the payments exceed the contract */
export async function answerOf(
  id: string,
  ctx: CallContext,
  detail: Json,
  over = 0,
): Promise<WriteResult<Json>> {
  const found = await findPayment(id, ctx)
  const overText = isClear(ctx.caller, 'contract', 'amount') ? moneyText(over) : text('record.withheld')
  const warnings =
    over > 0 ? [{ type: 'OVER_COLLECT', message: text('payment.over', { over: overText }) }] : []
  return writtenRecord(found, paymentRecord(found, ctx), detail, warnings)
}
