import type { Json } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { InputValues } from '../../kernel/fields/input.ts'
import type { Changeable } from '../../kernel/records/change-record.ts'
import { labelOfField } from '../../kernel/records/described.ts'
import { findDuplicates } from '../../kernel/records/find-duplicates.ts'
import type { FoundRecord } from '../../kernel/records/find-record.ts'
import { pastFaults } from '../../kernel/records/next-follow.ts'
import { sourceActivityFaults } from '../../kernel/records/source-activity.ts'
import { parentFault } from '../../kernel/records/tree.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { isCreditCode } from './credit-code.ts'
import { type CustomerSource, type DerivedColumns, deriveColumns, industryPath } from './derive.ts'
import { refreshExpiry } from './holding.ts'
import { customerTree } from './parent.ts'

/** How a customer is changed (DOMAIN 1.1). */
export const CUSTOMER_CHANGE: Changeable = {
  entity: 'customer',
  faults: customerFaults,
  notClearable: ['level'],
  async derive(source, found, ctx) {
    const customer = source as unknown as CustomerSource
    const path = await industryPath(ctx.trx, ctx.caller.tenantId, customer.industry)
    const derived = deriveColumns(customer, path)
    if (found !== null) await refuseTakenName(found, customer, derived, ctx)
    return { ...derived }
  },
  async changed(found, values, ctx) {
    if (values.level !== undefined) await refreshExpiry(ctx, found.id)
  },
}

/** Rules over several fields or the database. @param found null for a new customer */
async function customerFaults(
  values: InputValues,
  found: FoundRecord | null,
  ctx: CallContext,
): Promise<Readonly<Record<string, string>>> {
  const { credit_code, parent_id } = values
  const parent =
    typeof parent_id === 'string'
      ? await parentFault(customerTree(ctx), parent_id, found?.id ?? null, ctx)
      : null
  const isWrongCode = typeof credit_code === 'string' && !isCreditCode(credit_code.toUpperCase())
  return {
    ...(isWrongCode
      ? { credit_code: text('record.format', { label: labelOfField('customer', 'credit_code', ctx) }) }
      : {}),
    ...pastFaults('customer', values, ctx),
    ...(await sourceActivityFaults('customer', values, found, ctx)),
    ...(parent === null ? {} : { parent_id: parent }),
  }
}

/** Looks up a changed name or credit code first, for a helpful answer; the unique index has the final say. */
async function refuseTakenName(
  found: FoundRecord,
  source: CustomerSource,
  derived: DerivedColumns,
  ctx: CallContext,
): Promise<void> {
  const isRenamed = derived.name_norm !== found.name_norm && found.dup_allowed !== true
  const isRecoded = derived.credit_code !== null && derived.credit_code !== found.credit_code
  if (!isRenamed && !isRecoded) return
  const likeness = {
    name: isRenamed ? source.name : null,
    phones: [],
    creditCode: derived.credit_code,
    excludeId: found.id,
  }
  const duplicates = await findDuplicates(likeness, ctx)
  if (duplicates.block)
    refuse(409, 'DUPLICATE', text('customer.duplicate'), { data: duplicates as unknown as Json })
}
