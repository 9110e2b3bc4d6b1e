import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { ProductLine } from '../../../contract/contract.ts'
import {
  type ComputedValue,
  computedRule,
  computeValues,
  formulaRule,
} from '../../../model/computed-values.ts'
import { INVALID } from '../../../model/kind.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { type FieldFault, readField } from '../../../model/read-record.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { Faults } from '../../kernel/fields/check-record.ts'
import { faultTexts } from '../../kernel/fields/field-faults.ts'
import { userInRules } from '../../kernel/fields/record-in-rules.ts'
import { mergedValues, wireValues } from '../../kernel/model/stored.ts'
import { checkLines } from '../products/lines.ts'

interface CompleteValues {
  readonly values: Readonly<Record<string, Json>>
  readonly faults: Faults
}

/**
 * The checked values of a write, completed by the server: current product data, and the computed values of the resulting record.
 * @param before  the stored values
 */
export async function completeValues(
  module: MergedModule,
  read: Readonly<Record<string, Json>>,
  before: JsonObject,
  ctx: CallContext,
): Promise<CompleteValues> {
  const sold = await withProducts(module, read, before, ctx)
  const worked = workedValues(module, mergedValues(before, sold.values), ctx)
  return { values: { ...sold.values, ...worked.values }, faults: { ...sold.faults, ...worked.faults } }
}

async function withProducts(
  { fields }: MergedModule,
  values: Readonly<Record<string, Json>>,
  before: JsonObject,
  ctx: CallContext,
): Promise<CompleteValues> {
  const field = fields.find(({ name, rows }) => rows !== undefined && Object.hasOwn(values, name))
  if (field === undefined) return { values, faults: {} }
  const old = (before[field.name] ?? []) as unknown as readonly ProductLine[]
  const { lines, faults } = await checkLines(values[field.name] ?? null, old, ctx)
  return { values: { ...values, [field.name]: lines as unknown as Json }, faults }
}

/** The computed values of a record. A value that its field does not accept is a fault of that field. */
function workedValues({ fields }: MergedModule, ext: JsonObject, { caller }: CallContext): CompleteValues {
  const rules = fields.flatMap((field): ComputedValue[] => {
    const rule = computedRule(field) ?? formulaRule(field)
    return rule === undefined || field.retired === true ? [] : [{ name: field.name, rule }]
  })
  const wanted = fields.filter(({ worked, retired }) => worked !== undefined && retired !== true)
  if (wanted.length === 0) return { values: {}, faults: {} }
  const found = computeValues(rules, wireValues(ext, fields), userInRules(caller))
  const values: Record<string, Json> = {}
  const faults = new Map<string, FieldFault>()
  for (const field of wanted) {
    const value = readField(found[field.name] ?? null, field)
    if (value === INVALID) faults.set(field.name, kindOf(field.kind).fault(field, found[field.name] ?? null))
    else values[field.name] = value
  }
  return { values, faults: faultTexts(faults, wanted) }
}
