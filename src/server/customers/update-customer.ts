import { type Json, type JsonObject, sameJson } from '../../../runtime/core/json.ts'
import { json } from '../db/json.ts'
import { findDuplicates } from '../duplicates/find-duplicates.ts'
import { refuse } from '../envelope.ts'
import type { FormCheck } from '../forms/validate-with-page.ts'
import type { Asking } from '../records/asking.ts'
import { dictFaults } from '../records/dict-check.ts'
import { checkInput, type InputFields, type InputValues, refuseFaults } from '../records/input.ts'
import { pick, wireRow } from '../records/wire.ts'
import type { Written } from '../security/write-once.ts'
import { text } from '../text.ts'
import { customerFaults } from './create-customer.ts'
import { type CustomerSource, deriveColumns } from './derive.ts'
import { CUSTOMER_FIELDS } from './fields.ts'
import { type FoundCustomer, findCustomer, findForChange } from './find-customer.ts'
import { refreshExpiry } from './holding.ts'
import { customerRecord } from './record.ts'

/**
 * Changes the fields that are given; `null` clears, absent ones stay (CRM 8.1).
 *
 * @param body  `id`, `version` as it was read, and fields of CRM 1.1
 * @throws Refusal 409 VERSION_CONFLICT with `data.current` when somebody else was faster, 409 DUPLICATE, 404, 405
 */
export async function updateCustomer(
  body: JsonObject,
  asking: Asking,
  form: FormCheck,
): Promise<Written<Json>> {
  const { id, version, ...given } = body
  if (typeof id !== 'string') refuse(404, 'NOT_FOUND', text('call.not-found'))
  if (typeof version !== 'number') refuse(400, 'VALIDATION', text('record.version'), { detail: 'version' })
  const found = await findForChange(id, asking)
  if (found.version !== version) {
    refuse(409, 'VERSION_CONFLICT', text('record.conflict'), {
      data: { current: customerRecord(found, asking) },
    })
  }
  const values = await checkedChange(
    found,
    given,
    CUSTOMER_FIELDS,
    asking,
    await form(formValues(found, given, asking)),
  )
  const before = await applyChange(found, values, asking)
  const now = await findCustomer(id, asking)
  const record = customerRecord(now, asking)
  return {
    data: { id, version: now.version, record },
    recordId: id,
    detail: { before, after: pick(record, Object.keys(before)) },
  }
}

/** What the form page shows for this change: the record with the posted values in it. */
function formValues(found: FoundCustomer, given: JsonObject, { zone }: Asking): JsonObject {
  return { ...pick(wireRow(found, zone), Object.keys(CUSTOMER_FIELDS)), ...given }
}

/** The values that differ from the record, checked; faults of the form page count for posted fields only. */
export async function checkedChange(
  found: FoundCustomer,
  given: JsonObject,
  fields: InputFields,
  asking: Asking,
  formFaults: Readonly<Record<string, string>> = {},
): Promise<InputValues> {
  const { values, faults } = checkInput(given, fields, asking.zone, false)
  const changed = Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !isSame(found[name], value)),
  )
  const kept = [
    found.level,
    found.source,
    found.stage,
    found.industry,
    found.scale,
    found.customer_type,
  ].filter((it): it is string => typeof it === 'string')
  refuseFaults({
    ...pick(formFaults, Object.keys(given)),
    ...(await dictFaults(asking.trx, asking.caller.tenantId, changed, fields, kept)),
    ...faults,
    ...(await customerFaults(changed, found.id, asking)),
  } as Record<string, string>)
  return changed
}

const MINUTE_MS = 60_000

function isSame(stored: unknown, value: unknown): boolean {
  // A form without seconds gives the same minute back.
  if (stored instanceof Date && value instanceof Date)
    return Math.floor(stored.getTime() / MINUTE_MS) === Math.floor(value.getTime() / MINUTE_MS)
  return sameJson((stored ?? null) as Json, value as Json)
}

/** Stores checked values with everything computed from them. @returns the changed fields as they were */
export async function applyChange(
  found: FoundCustomer,
  values: InputValues,
  asking: Asking,
): Promise<JsonObject> {
  const { trx, caller, now, zone } = asking
  const before = pick(wireRow(found, zone), Object.keys(values))
  if (Object.keys(values).length === 0) return before
  const source = { ...found, ...values } as unknown as CustomerSource
  const derived = await deriveColumns(source, trx, caller.tenantId)
  await refuseTakenName(found, source, derived, asking)
  const { attachments, level, ...plain } = values
  await trx
    .updateTable('customer')
    .set((row) => ({
      ...(plain as object),
      ...(level === undefined ? {} : { level: level === null ? found.level : (level as string) }),
      ...(attachments === undefined ? {} : { attachments: json(attachments as unknown as Json) }),
      ...derived,
      updated_by: caller.userId,
      updated_at: now,
      version: row('version', '+', 1),
    }))
    .where('tenant_id', '=', caller.tenantId)
    .where('id', '=', found.id)
    .execute()
  if (level !== undefined) await refreshExpiry(asking, found.id)
  return before
}

/** A change of name or credit code is looked up first; the unique index stays the last word. */
async function refuseTakenName(
  found: FoundCustomer,
  source: CustomerSource,
  derived: { readonly name_norm: string; readonly credit_code: string | null },
  asking: Asking,
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
  const duplicates = await findDuplicates(likeness, asking)
  if (duplicates.block)
    refuse(409, 'DUPLICATE', text('customer.duplicate'), { data: duplicates as unknown as Json })
}
