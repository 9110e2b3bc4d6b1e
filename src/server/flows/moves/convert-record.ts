import type { JsonObject } from '../../../../runtime/core/json.ts'
import { rightsEntity } from '../../../model/field-rights.ts'
import { firstStatus } from '../../../model/first-status.ts'
import { fieldsToldBy } from '../../../model/followed-fields.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { requires } from '../../kernel/auth/caller.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { carriedValues } from '../../kernel/records/conversions.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { rightsMask } from '../../kernel/visibility/masking.ts'
import { isPooled } from '../../kernel/visibility/own-module.ts'
import { contractDetail } from '../../modules/contracts/contract.ts'
import { isSettled } from '../../modules/own-records/approval-state.ts'
import { findOwnRecord, wireRecords } from '../../modules/own-records/record.ts'

/** A conversion of a record of one module into another. */
export interface Conversion {
  /** The module of the record. */
  readonly of: string
  readonly id: string
  readonly to: string
}

/**
 * GET /mini/convert: the initial values of another module's form for a record.
 *
 * @throws Refusal 404 for a record that the caller does not see or that cannot be converted, 409 before it was approved
 */
export async function convertRecord({ of, id, to }: Conversion, ctx: CallContext): Promise<JsonObject> {
  const module = ctx.model.modules.get(of)
  if (module === undefined) refuse(404, 'NOT_FOUND', text('model.unknown'))
  if (module.origin === 'tenant') {
    requires(ctx.caller, `${ownRights(of)}:view`)
    const found = await findOwnRecord(module, id, ctx)
    if (isPooled(module, found)) refuse(409, 'STATE_CONFLICT', text('pool.in-pool'))
    if (!isSettled(module, found)) refuse(409, 'STATE_CONFLICT', text('own.not-decided'))
    const [record = {}] = await wireRecords(module, [found], ctx)
    return { record: begunWith(module, to, record, ctx) }
  }
  if (of !== 'contract') refuse(404, 'NOT_FOUND', text('own.not-convertible'))
  requires(ctx.caller, 'contract:view')
  const { record } = await contractDetail(id, ctx)
  return { record: begunWith(module, to, record as JsonObject, ctx) }
}

/** What the new record begins with: nothing that its author does not see in full, be it of the old record or of the new one. */
function begunWith(module: MergedModule, to: string, record: JsonObject, ctx: CallContext): JsonObject {
  const values = carriedValues(module, to, clearOf(module, record, ctx))
  const target = ctx.model.modules.get(to)
  if (target === undefined) return values
  // What is approved begins with its first status.
  const status = firstStatus(target) === undefined ? undefined : target.statuses?.field
  const clear = Object.entries(clearOf(target, values, ctx))
  return Object.fromEntries(clear.filter(([key]) => key !== status))
}

/** Values that are shown in part cannot be copied, nor ones of a field whose value is not seen. */
function clearOf(module: MergedModule, record: JsonObject, { caller }: CallContext): JsonObject {
  const { masked, hidden } = rightsMask(caller, rightsEntity(module))
  const isClear = (key: string) => !fieldsToldBy(key).some((name) => masked.has(name) || hidden.has(name))
  return Object.fromEntries(Object.entries(record).filter(([key]) => isClear(key)))
}
