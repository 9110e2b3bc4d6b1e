import { sql } from 'kysely'
import { moneyText } from '../../../../runtime/core/decimal.ts'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { ProductLine } from '../../../contract/contract.ts'
import { MAX_MONEY } from '../../../model/kinds/number.ts'
import { sameValue } from '../../../model/same-value.ts'
import { faultsForWriter, fieldRight } from '../../kernel/auth/field-rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { newId } from '../../kernel/db/id.ts'
import { json } from '../../kernel/db/json.ts'
import { changeOf, type Faults } from '../../kernel/fields/check-record.ts'
import { type InputValues, refuseFaults } from '../../kernel/fields/input.ts'
import { sumYuan } from '../../kernel/fields/money.ts'
import type { FormCheck } from '../../kernel/forms/validate-with-page.ts'
import { changedNames, checkWrite, writableOf } from '../../kernel/records/checked-write.ts'
import { numberFor, refuseTaken, refuseTakenNumber } from '../../kernel/records/chosen-number.ts'
import { describedColumns, labelOfField, writtenFields } from '../../kernel/records/described.ts'
import { atMaster } from '../../kernel/records/redirect.ts'
import { pick, wireRow } from '../../kernel/records/wire.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { insertRow, updateRow } from '../../kernel/records/write-row.ts'
import { refuseStale, writtenRecord } from '../../kernel/records/written-record.ts'
import { Refusal } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { findCustomer } from '../customers/find-customer.ts'
import { checkLines, totalOf } from '../products/lines.ts'
import { contractRecord } from './contract.ts'
import { type FoundContract, findContract, isOpen, refuseState, requireWrite } from './find-contract.ts'
import {
  areSamePlans,
  checkPlans,
  plannedAbove,
  plannedBy,
  plansOf,
  replacePlans,
  type StoredPlan,
} from './plan-rows.ts'

/**
 * Creates a contract of the caller, as a draft (DOMAIN 1.6).
 *
 * @param body  fields of DOMAIN 1.6, `lines[]` and `plans[]`; without `amount` it is the total of the lines
 * @throws Refusal 400 with field messages, 409 DUPLICATE for a number that is taken
 */
export async function createContract(
  body: JsonObject,
  ctx: CallContext,
  form: FormCheck,
): Promise<WriteResult<Json>> {
  const writable = writableOf('contract', null, await atMaster(body, ctx), ctx)
  const { lines: givenLines = [], plans: givenPlans = [], ...given } = writable
  const options = { form, posted: body }
  const { values, faults, own, formFaults } = await checkWrite('contract', null, given, ctx, options)
  const checked = await checkLines(givenLines, [], ctx)
  const plans = await checkPlans(givenPlans ?? [], [], ctx)
  const rate = rateIn(values, 100)
  const money = worth({ lines: checked.lines, rate, given: values.amount, keptAmount: null }, ctx)
  refuseFaults({
    ...formFaults,
    ...faultsForWriter(ctx.caller, 'contract', amountFaults(money, checked, values), labelOf(ctx)),
    ...faults,
    ...(await contractFaults(values, null, ctx)),
    ...checked.faults,
    ...plans.faults,
    ...plannedFaults(plannedBy(plans.rows), money.amount, ctx),
  })
  const id = newId(ctx.now.getTime())
  const stored = await insertRow(
    'contract',
    {
      ...describedColumns(values, writtenFields('contract', ctx)),
      ...own,
      ...moneyColumns(money, checked.lines, rate),
      id,
      contract_no: await numberFor('contract', values.contract_no, ctx),
      owner_id: ctx.caller.userId,
      owner_dept_id: ctx.caller.deptId,
    },
    ctx,
  )
  if (!stored) refuseTakenNumber('contract')
  await replacePlans(id, plans.rows, ctx)
  return answerOf(id, ctx, given)
}

/**
 * Changes a contract in status draft, rejected or withdrawn. `lines` and `plans`, if given, replace the stored ones.
 * @throws Refusal 404, 405, 409 STATE_CONFLICT, VERSION_CONFLICT or DUPLICATE
 */
export async function updateContract(
  body: JsonObject,
  ctx: CallContext,
  form: FormCheck,
): Promise<WriteResult<Json>> {
  const { id, version, given } = changeOf(body)
  const found = await findOpenContract(id, ctx)
  if (found.version !== version) refuseStale(contractRecord(found, ctx))
  return answerOf(id, ctx, await applyContract(found, given, ctx, form))
}

/** A contract that the caller may change, locked. 409 in a state in which it cannot be changed. */
export async function findOpenContract(id: string, ctx: CallContext): Promise<FoundContract> {
  const found = await findContract(id, ctx, true)
  await requireWrite(found, ctx)
  if (!isOpen(found)) refuseState(found.approval_status)
  return found
}

/** Checks and stores a change. Without `form`, the rules of the form page are not checked. @returns the old and new values of the changed fields */
export async function applyContract(
  found: FoundContract,
  all: JsonObject,
  ctx: CallContext,
  form?: FormCheck,
): Promise<{ readonly before: JsonObject; readonly after: JsonObject }> {
  const { id } = found
  const {
    lines: givenLines,
    plans: givenPlans,
    ...given
  } = writableOf('contract', found, withoutKeptAmount(found, all, ctx), ctx)
  const options = { ...(form === undefined ? {} : { form }), posted: all }
  const written = await checkWrite('contract', found, given, ctx, options)
  const { values, changed, own } = written
  const checked =
    givenLines === undefined
      ? { lines: found.lines, faults: {} }
      : await checkLines(givenLines, found.lines, ctx)
  const existingPlans = await plansOf(id, ctx)
  const plans = givenPlans === undefined ? null : await checkPlans(givenPlans ?? [], existingPlans, ctx)
  const rate = rateIn(values, found.discount_rate)
  const isSameLines = givenLines === undefined && rate === found.discount_rate
  const keepsAmount = isSameLines && (found.amount_overridden || found.lines.length === 0)
  const money = worth(
    { lines: checked.lines, rate, given: values.amount, keptAmount: keepsAmount ? found.amount : null },
    ctx,
  )
  const planned =
    plans === null ? sumYuan(existingPlans.map((plan) => plan.plan_amount)) : plannedBy(plans.rows)
  refuseFaults({
    ...written.formFaults,
    ...amountFaults(money, checked, values),
    ...written.faults,
    ...(await contractFaults(changed, found, ctx)),
    ...checked.faults,
    ...(plans?.faults ?? {}),
    ...(plans !== null && plans.rows.length > 0 && found.revision_of !== null
      ? { plans: text('plan.revision') }
      : {}),
    ...plannedFaults(planned, money.amount, ctx),
  })
  const { contract_no, ...others } = changed
  if (typeof contract_no === 'string') await refuseTaken('contract', contract_no, ctx)
  const arePlansNew = plans !== null && !areSamePlans(plans.rows, existingPlans, ctx)
  const names = new Set([
    ...changedNames(written),
    ...(money.amount === found.amount ? [] : ['amount']),
    ...(sameValue(checked.lines as unknown as Json, found.lines as unknown as Json) ? [] : ['lines']),
    ...(arePlansNew ? ['plans'] : []),
  ])
  if (names.size === 0) return { before: {}, after: {} }
  const columns = {
    ...describedColumns(others, writtenFields('contract', ctx)),
    ...own,
    ...(typeof contract_no === 'string' ? { contract_no } : {}),
    ...moneyColumns(money, checked.lines, rate),
  }
  await updateRow('contract', id, columns, ctx)
  if (arePlansNew) await replacePlans(id, plans.rows, ctx)
  const after = await findContract(id, ctx)
  return {
    before: pick(withPlans(found, existingPlans, ctx), [...names]),
    after: pick(withPlans(after, arePlansNew ? await plansOf(id, ctx) : existingPlans, ctx), [...names]),
  }
}

/** Forms send lines without an amount. For a caller who may not write the amount, it stays as stored. */
function withoutKeptAmount(found: FoundContract, all: JsonObject, { caller }: CallContext): JsonObject {
  const { amount, ...others } = all
  const isLeft = amount === null && Array.isArray(all.lines) && all.lines.length > 0
  const isWorkedOut = isLeft && found.lines.length > 0 && !found.amount_overridden
  return isWorkedOut && fieldRight(caller, 'contract', 'amount') !== 'write' ? others : all
}

/** A contract as its history shows it: fields and plans. */
const withPlans = (
  contract: FoundContract,
  plans: readonly StoredPlan[],
  { zone }: CallContext,
): JsonObject => ({
  ...wireRow(contract, zone),
  plans: plans.map((plan) => wireRow(plan, zone)),
})

interface Money {
  readonly amount: number
  readonly isOverridden: boolean
  readonly faults: Faults
}

/** The amount of the contract: the total of its lines after discount, or an amount given by a caller who may set it (DOMAIN 1.6). */
function worth(
  parts: {
    readonly lines: readonly ProductLine[]
    readonly rate: number
    readonly given: InputValues[string] | undefined
    readonly keptAmount: number | null
  },
  ctx: CallContext,
): Money {
  const { lines, rate, given, keptAmount } = parts
  const wanted = typeof given === 'number' ? given : keptAmount
  const total = lines.length === 0 ? null : totalOf(lines, rate)
  const amount = wanted ?? total ?? 0
  const label = labelOfField('contract', 'amount', ctx)
  const isOverridden = total !== null && amount !== total
  const mayOverride =
    ctx.caller.permissions.has('contract:approve') || (keptAmount !== null && amount === keptAmount)
  const isWrong = isOverridden && !mayOverride
  const isBad = amount <= 0 || amount > MAX_MONEY
  return {
    amount,
    isOverridden,
    faults: {
      ...(isWrong ? { amount: text('contract.amount-lines', { total: moneyText(total ?? 0) }) } : {}),
      ...(isBad
        ? { amount: text(amount <= 0 ? 'contract.amount' : 'record.max', { label, max: MAX_MONEY }) }
        : {}),
    },
  }
}

/** While lines have faults, the missing amount is not reported as another one. */
function amountFaults(money: Money, lines: { readonly faults: Faults }, values: InputValues): Faults {
  const isByLines = Object.keys(lines.faults).length > 0 && typeof values.amount !== 'number'
  return isByLines ? {} : money.faults
}

function moneyColumns({ amount, isOverridden }: Money, lines: readonly ProductLine[], rate: number) {
  return {
    amount,
    stat_amount: amount,
    amount_overridden: isOverridden,
    lines: json(lines as unknown as Json),
    discount_rate: rate,
    below_min: lines.some((line) => line.below_min),
  }
}

function rateIn(values: InputValues, otherwise: number): number {
  if (values.discount_rate === undefined) return otherwise
  return typeof values.discount_rate === 'number' ? values.discount_rate : 100
}

const labelOf = (ctx: CallContext) => (field: string) => labelOfField('contract', field, ctx)

function plannedFaults(planned: number, amount: number, ctx: CallContext): Faults {
  return planned > amount ? { plans: plannedAbove(planned, amount, ctx) } : {}
}

/** Rules over several fields or the database. @param found null for a new contract */
async function contractFaults(
  values: InputValues,
  found: FoundContract | null,
  ctx: CallContext,
): Promise<Faults> {
  const start = values.start_date === undefined ? found?.start_date : values.start_date
  const end = values.end_date === undefined ? found?.end_date : values.end_date
  const isUpsideDown = typeof start === 'string' && typeof end === 'string' && end < start
  const customerId = values.customer_id ?? found?.customer_id
  const bussinessId = values.bussiness_id === undefined ? found?.bussiness_id : values.bussiness_id
  const isOther = typeof values.customer_id === 'string'
  const isMoved = isOther && found !== null && found.revision_of !== null
  const ownBussiness =
    typeof bussinessId === 'string' && typeof customerId === 'string'
      ? await bussinessOf(bussinessId, customerId, ctx)
      : null
  const isBadBussiness =
    typeof bussinessId === 'string' && (values.bussiness_id !== undefined || isOther) && ownBussiness === null
  const isBadCustomer =
    typeof values.customer_id === 'string' &&
    !(await mayDealWith(values.customer_id, ownBussiness?.owner_id ?? null, ctx))
  return {
    ...(isUpsideDown ? { end_date: text('contract.ends-before') } : {}),
    ...(isBadCustomer || isMoved ? { customer_id: text('contract.customer') } : {}),
    ...(isBadBussiness ? { bussiness_id: text('contract.bussiness') } : {}),
    ...(await signerFaults(values, customerId, ctx)),
  }
}

/** The caller must work on the customer, which must have an owner, or on the opportunity of the contract. */
async function mayDealWith(
  customerId: string,
  bussinessOwner: string | null,
  ctx: CallContext,
): Promise<boolean> {
  try {
    const customer = await findCustomer(customerId, ctx)
    const isHis = customer.in_scope || customer.can_write || bussinessOwner === ctx.caller.userId
    return customer.owner_id !== null && isHis
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** An opportunity of the same customer that is open or won. */
async function bussinessOf(id: string, customerId: string, { trx, caller }: CallContext) {
  const { rows } = await sql<{ owner_id: string | null }>`select owner_id from bussiness
    where tenant_id = ${caller.tenantId} and id = ${id} and customer_id = ${customerId} and status in (1, 2)
      and deleted_at is null`.execute(trx)
  return rows[0] ?? null
}

async function signerFaults(
  { our_signer_id, customer_signer_id }: InputValues,
  customerId: unknown,
  ctx: CallContext,
): Promise<Faults> {
  const { trx, caller } = ctx
  const { rows } = await sql<{ ours: boolean; theirs: boolean }>`select
    exists (select 1 from membership where tenant_id = ${caller.tenantId} and user_id = ${our_signer_id ?? ''}) as ours,
    exists (select 1 from contact where tenant_id = ${caller.tenantId} and id = ${customer_signer_id ?? ''}
      and customer_id = ${typeof customerId === 'string' ? customerId : ''} and deleted_at is null) as theirs`.execute(
    trx,
  )
  const offered = (field: 'our_signer_id' | 'customer_signer_id') =>
    text('record.not-offered', { label: labelOfField('contract', field, ctx) })
  return {
    ...(our_signer_id != null && rows[0]?.ours !== true ? { our_signer_id: offered('our_signer_id') } : {}),
    ...(customer_signer_id != null && rows[0]?.theirs !== true
      ? { customer_signer_id: offered('customer_signer_id') }
      : {}),
  }
}

/** The write answer of a contract. */
export async function answerOf(id: string, ctx: CallContext, detail: Json): Promise<WriteResult<Json>> {
  const found = await findContract(id, ctx)
  return writtenRecord(found, contractRecord(found, ctx), detail)
}
