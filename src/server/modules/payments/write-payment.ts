import { sql } from 'kysely'
import { moneyText } from '../../../../runtime/core/decimal.ts'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { MONEY_MOST } from '../../../model/kinds/number.ts'
import { sameValue } from '../../../model/same-value.ts'
import { withdraw } from '../../kernel/approvals/act.ts'
import { type Outcome, submitForApproval } from '../../kernel/approvals/submit.ts'
import type { Asking } from '../../kernel/asking/asking.ts'
import { isClear } from '../../kernel/auth/field-rights.ts'
import { newId } from '../../kernel/db/id.ts'
import { changeOf, type Faults, idOf, reasonOf } from '../../kernel/fields/check-record.ts'
import { type InputValues, refuseFaults } from '../../kernel/fields/input.ts'
import { hasDigits } from '../../kernel/fields/money.ts'
import type { FormCheck } from '../../kernel/forms/validate-with-page.ts'
import { changedNames, checkWrite, writableOf } from '../../kernel/records/checked-write.ts'
import { describedColumns, labelOfField, writtenFields } from '../../kernel/records/described.ts'
import { nextNumber } from '../../kernel/records/number.ts'
import { pick, wireRow } from '../../kernel/records/wire.ts'
import type { Written } from '../../kernel/records/write-once.ts'
import { insertRow, updateRow } from '../../kernel/records/write-row.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { dayText, wallTimeOf } from '../../kernel/time/zone.ts'
import { recordDealEvent } from '../contracts/deal-event.ts'
import { findContract, isEffective, isOpen, refuseState, STATUS } from '../contracts/find-contract.ts'
import type { Share } from '../contracts/spread.ts'
import { refreshTotals } from '../contracts/totals.ts'
import { chosenShares, fitsAmount } from './chosen-shares.ts'
import { checkOverCollect } from './over-collect.ts'
import { type FoundPayment, findPayment, holdPayment, paymentRecord, reversible } from './payment.ts'

/**
 * Writes a payment down as a draft of the contract's owner (DOMAIN 1.7). It is spread as `shares` says; without them the plan `plan_id`
 * comes first, and then the open ones, oldest first.
 *
 * @param body  fields of DOMAIN 1.7; `confirm: ["OVER_COLLECT"]` goes above the contract amount knowingly
 * @throws Refusal 400 with field messages, 404, 405, 409 STATE_CONFLICT or DUPLICATE, 422 OVER_COLLECT
 */
export async function createPayment(
  body: JsonObject,
  asking: Asking,
  form: FormCheck,
): Promise<Written<Json>> {
  const { confirm, shares, ...given } = writableOf('payment', null, body, asking)
  const how = { form, posted: body }
  const { values, faults, own, formFaults } = await checkWrite('payment', null, given, asking, how)
  refuseFaults({ ...formFaults, ...dateFaults(values, asking), ...faults })
  const contract = await findContract(String(values.contract_id), asking, true)
  if (!contract.in_scope && !contract.can_write)
    refuse(405, 'NO_PERMISSION', text('call.no-permission'), { detail: 'payment:add' })
  if (!isEffective(contract)) refuse(409, 'STATE_CONFLICT', text('payment.contract'))
  const amount = Number(values.amount)
  const chosen = await chosenShares(shares, { contractId: contract.id, amount }, asking)
  const plan_id = chosen === null ? await planFor(values.plan_id, contract.id, asking) : firstOf(chosen)
  const over_confirmed = await checkOverCollect(
    { id: null, contractId: contract.id, contractAmount: contract.amount, amount, known: 0 },
    confirm,
    asking,
  )
  const id = newId(asking.now.getTime())
  const stored = await insertRow(
    'payment',
    {
      ...describedColumns(values, writtenFields('payment', asking)),
      ...own,
      id,
      payment_no: await numberFor(values.payment_no, asking),
      plan_id,
      chosen_shares: asJson(chosen),
      owner_id: contract.owner_id,
      owner_dept_id: contract.owner_dept_id,
      over_confirmed,
    },
    asking,
  )
  if (!stored) refuseTakenNumber()
  return answerOf(id, asking, body, over_confirmed)
}

/** Changes a payment that is a draft, rejected or withdrawn; its contract stays. */
export async function updatePayment(
  body: JsonObject,
  asking: Asking,
  form: FormCheck,
): Promise<Written<Json>> {
  const { confirm, ...rest } = body
  const { id, version, given: all } = changeOf(rest)
  const held = await holdOpenPayment(id, asking)
  const { found } = held
  if (found.version !== version)
    refuse(409, 'VERSION_CONFLICT', text('record.conflict'), {
      data: { current: paymentRecord(found, asking) },
    })
  const { before, after, over } = await applyPayment(held, all, asking, { confirm, form })
  return answerOf(id, asking, { before, after }, over)
}

/** A payment that may be changed, held behind its contract. */
export async function holdOpenPayment(id: string, asking: Asking) {
  const seen = await findPayment(id, asking)
  const contract = await findContract(seen.contract_id, asking, true)
  const found = await findPayment(id, asking, true)
  refuseClosed(found, 'payment:edit')
  return { found, contract }
}

/** Checks and stores a change. @returns the changed fields as they were and are, and by how much the contract is exceeded */
export async function applyPayment(
  { found, contract }: Awaited<ReturnType<typeof holdOpenPayment>>,
  all: JsonObject,
  asking: Asking,
  { confirm, form }: { readonly confirm?: Json | undefined; readonly form?: FormCheck } = {},
) {
  const { id } = found
  const { shares, ...given } = writableOf('payment', found, all, asking)
  const how = { ...(form === undefined ? {} : { form }), posted: all }
  const written = await checkWrite('payment', found, given, asking, how)
  const { changed, own } = written
  refuseFaults({
    ...written.formFaults,
    ...dateFaults(changed, asking),
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
    asking,
  )
  const { payment_no, plan_id, ...others } = changed
  const chosen = await choiceAfter({ found, amount, shares, isPlanNew: plan_id !== undefined }, asking)
  if (typeof payment_no === 'string' && (await isTaken(payment_no, asking))) refuseTakenNumber()
  const names = [
    ...changedNames(written),
    ...(sameValue(chosen as unknown as Json, found.chosen_shares as unknown as Json)
      ? []
      : ['chosen_shares']),
  ]
  // An excess that is confirmed now is noted although no field changed: sending the payment in asks no second time.
  if (names.length === 0 && over_confirmed === found.over_confirmed)
    return { before: {}, after: {}, over: over_confirmed }
  const before = pick(wireRow(found, asking.zone), names)
  await updateRow(
    'payment',
    id,
    {
      ...describedColumns(others, writtenFields('payment', asking)),
      ...own,
      ...(typeof payment_no === 'string' ? { payment_no } : {}),
      ...(await planAfter(plan_id, chosen, contract.id, asking)),
      chosen_shares: asJson(chosen),
      over_confirmed,
    },
    asking,
  )
  const after = pick(wireRow(await findPayment(id, asking), asking.zone), Object.keys(before))
  return { before, after, over: over_confirmed }
}

/** Sends a payment to its approvers: the owner of its contract, or its author. */
export async function submitPayment(body: JsonObject, asking: Asking): Promise<Written<Json>> {
  const { contract } = await holdSeen(idOf(body), asking)
  const found = await findPayment(idOf(body), asking, true)
  const me = asking.caller.userId
  if (found.owner_id !== me && found.created_by !== me)
    refuse(405, 'NO_PERMISSION', text('contract.not-owner'), { detail: 'payment:submit' })
  if (!isOpen(found)) refuseState(found.approval_status)
  if (!isEffective(contract)) refuse(409, 'STATE_CONFLICT', text('payment.contract'))
  const { id, payment_no, amount, owner_id, over_confirmed } = found
  const over = await checkOverCollect(
    { id, contractId: contract.id, contractAmount: contract.amount, amount, known: over_confirmed },
    body.confirm,
    asking,
  )
  await submitForApproval(
    { entity: 'payment', recordId: id, title: payment_no, amount, isBelowMin: false, ownerId: owner_id },
    settlePayment,
    asking,
  )
  return answerOf(id, asking, {}, over)
}

/** The submitter takes a payment back. */
export async function withdrawPayment(body: JsonObject, asking: Asking): Promise<Written<Json>> {
  const { payment } = await holdSeen(idOf(body), asking)
  await withdraw('payment', payment.id, { settle: settlePayment }, asking)
  return answerOf(payment.id, asking, {})
}

/** What the end of an approval does to its payment: an approved one counts for plan, contract and customer at once. */
export async function settlePayment(id: string, outcome: Outcome, asking: Asking): Promise<void> {
  const { payment, contract } = await holdPayment(id, asking)
  const approved_at = outcome === 'approved' ? asking.now : null
  await updateRow('payment', id, { approval_status: STATUS[outcome], approved_at }, asking)
  if (outcome !== 'approved') return
  await refreshTotals(contract.customer_id, [contract.id], asking)
  await recordDealEvent(
    {
      kind: 'payment_approved',
      customerId: contract.customer_id,
      contractId: contract.id,
      paymentId: id,
      amount: payment.amount,
    },
    asking,
  )
}

/**
 * Takes an approved payment back, whole or in part, by a negative one of today (冲销); the payment itself stays.
 * @param body  `id`, a reason, and `amount` where only part of it is taken back
 */
export async function reversePayment(body: JsonObject, asking: Asking): Promise<Written<Json>> {
  const { trx, caller, now, zone } = asking
  const { contract } = await holdSeen(idOf(body), asking)
  const found = await findPayment(idOf(body), asking, true)
  if (!found.works) refuse(405, 'NO_PERMISSION', text('call.no-permission'), { detail: 'payment:reverse' })
  const { rows } = await sql<{ left: number }>`select ${reversible('p')} as left from payment p
    where p.tenant_id = ${caller.tenantId} and p.id = ${found.id}`.execute(trx)
  const left = rows[0]?.left ?? 0
  if (left <= 0) refuse(409, 'STATE_CONFLICT', text('payment.not-reversible'))
  const reason = reasonOf(body)
  const amount = body.amount ?? left
  const isRight = typeof amount === 'number' && amount > 0 && amount <= MONEY_MOST && hasDigits(amount, 2)
  refuseFaults({
    ...(reason === null ? { reason: text('record.required', { label: text('record.reason') }) } : {}),
    ...(!isRight || amount > left
      ? {
          amount: text('payment.reverse-most', {
            left: isClear(caller, 'payment', 'amount') ? moneyText(left) : text('record.withheld'),
          }),
        }
      : {}),
  })
  const id = newId(now.getTime())
  const negative = -Number(amount)
  await insertRow(
    'payment',
    {
      id,
      payment_no: await numberFor(null, asking),
      contract_id: found.contract_id,
      plan_id: found.plan_id,
      reverses_id: found.id,
      amount: negative,
      paid_at: dayText(wallTimeOf(now, zone)),
      method: found.method,
      owner_id: found.owner_id,
      owner_dept_id: found.owner_dept_id,
      approval_status: STATUS.approved,
      submitted_by: caller.userId,
      submitted_at: now,
      approved_at: now,
      remark: reason,
    },
    asking,
  )
  await refreshTotals(contract.customer_id, [contract.id], asking)
  await recordDealEvent(
    {
      kind: 'payment_reversed',
      customerId: contract.customer_id,
      contractId: contract.id,
      paymentId: id,
      amount: negative,
      reason,
    },
    asking,
  )
  return answerOf(id, asking, { reverses_id: found.id, amount: negative, reason })
}

/** Deletes a payment that is a draft, rejected or withdrawn. */
export async function removePayment(id: string, asking: Asking): Promise<void> {
  refuseClosed(await findPayment(id, asking, true), 'payment:del')
  await updateRow('payment', id, { deleted_at: asking.now }, asking)
}

const RESTORE_MS = 30 * 86_400_000

/** Brings a payment back within 30 days. */
export async function restorePayment(id: string, asking: Asking): Promise<void> {
  const { trx, caller, now } = asking
  const { rows } = await sql<{ contract_id: string }>`select contract_id from payment
    where tenant_id = ${caller.tenantId} and id = ${id} and deleted_at >= ${new Date(now.getTime() - RESTORE_MS)}
    for update`.execute(trx)
  const [found] = rows
  if (found === undefined) refuse(404, 'NOT_FOUND', text('record.not-deleted'))
  const contract = await findContract(found.contract_id, asking)
  if (!contract.in_scope && !contract.can_write)
    refuse(405, 'NO_PERMISSION', text('call.no-permission'), { detail: 'payment:del' })
  await updateRow('payment', id, { deleted_at: null }, asking)
}

/** A payment the caller sees, held with its contract and customer. */
async function holdSeen(id: string, asking: Asking) {
  await findPayment(id, asking)
  return holdPayment(id, asking)
}

function refuseClosed(found: FoundPayment, detail: string): void {
  if (!found.works) refuse(405, 'NO_PERMISSION', text('call.no-permission'), { detail })
  if (!isOpen(found)) refuseState(found.approval_status)
}

function dateFaults({ paid_at }: InputValues, { now, zone }: Asking): Faults {
  const isFuture = typeof paid_at === 'string' && paid_at > dayText(wallTimeOf(now, zone))
  return isFuture ? { paid_at: text('payment.future') } : {}
}

/** The plan asked for, which must be a live one of the contract, or the oldest that is still open; null without one. */
async function planFor(given: unknown, contractId: string, asking: Asking): Promise<string | null> {
  const { trx, caller } = asking
  const wanted = typeof given === 'string' ? sql`and id = ${given}` : sql`and status in ('unpaid', 'partial')`
  const { rows } = await sql<{ id: string }>`select id from payment_plan where tenant_id = ${caller.tenantId}
    and contract_id = ${contractId} and deleted_at is null and status <> 'void' ${wanted}
    order by plan_date, period_no limit 1`.execute(trx)
  const [plan] = rows
  if (plan === undefined && typeof given === 'string')
    refuseFaults({
      plan_id: text('record.not-offered', { label: labelOfField('payment', 'plan_id', asking) }),
    })
  return plan?.id ?? null
}

/** The choice of a payment that is changed: a new one, else the one it has, unless it no longer fits. */
async function choiceAfter(
  change: {
    readonly found: FoundPayment
    readonly amount: number
    readonly shares: Json | undefined
    readonly isPlanNew: boolean
  },
  asking: Asking,
): Promise<readonly Share[] | null> {
  const { found, amount, shares } = change
  if (shares !== undefined) return chosenShares(shares, { contractId: found.contract_id, amount }, asking)
  if (change.isPlanNew || found.chosen_shares === null) return null
  return fitsAmount(found.chosen_shares, amount) ? found.chosen_shares : null
}

async function planAfter(
  given: unknown,
  chosen: readonly Share[] | null,
  contractId: string,
  asking: Asking,
): Promise<{ readonly plan_id?: string | null }> {
  if (chosen !== null) return { plan_id: firstOf(chosen) }
  return given === undefined ? {} : { plan_id: await planFor(given, contractId, asking) }
}

/** The plan that stands for a payment in lists: the first that gets some of it. */
function firstOf(chosen: readonly Share[]): string | null {
  return chosen.find(({ amount }) => amount > 0)?.planId ?? null
}

function asJson(chosen: readonly Share[] | null): string | null {
  return chosen === null ? null : JSON.stringify(chosen)
}

async function numberFor(given: unknown, asking: Asking): Promise<string> {
  if (typeof given === 'string') return given
  for (;;) {
    const number = await nextNumber(asking.trx, asking.caller.tenantId, 'payment', asking)
    if (!(await isTaken(number, asking))) return number
  }
}

async function isTaken(payment_no: string, { trx, caller }: Asking): Promise<boolean> {
  const { rows } = await sql`select 1 from payment
    where tenant_id = ${caller.tenantId} and payment_no = ${payment_no}`.execute(trx)
  return rows.length > 0
}

function refuseTakenNumber(): never {
  const message = text('payment.duplicate-no')
  refuse(409, 'DUPLICATE', message, { fields: { payment_no: message } })
}

async function answerOf(id: string, asking: Asking, detail: Json, over = 0): Promise<Written<Json>> {
  const found = await findPayment(id, asking)
  const isTold = isClear(asking.caller, 'contract', 'amount')
  const said = isTold ? moneyText(over) : text('record.withheld')
  const warnings = [{ type: 'OVER_COLLECT', message: text('payment.over', { over: said }) }]
  return {
    data: {
      id,
      version: found.version,
      record: paymentRecord(found, asking),
      ...(over > 0 ? { warnings } : {}),
    },
    recordId: id,
    detail,
  }
}
