import { sql } from 'kysely'
import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { ApprovalEntity, FlowStep, StepCondition, StepLimit } from '../../../contract/approval.ts'
import type { MergedField } from '../../../model/merge-module.ts'
import type { CallContext } from '../context/call-context.ts'
import { describedIn, tableOf } from './entity.ts'

/** Fields that the system itself sets: no step can depend on them. */
const STATES: ReadonlySet<string> = new Set(['approval_status', 'perform_status'])
const CHOSEN: readonly string[] = ['choice', 'choices', 'flag']
const COUNTED: readonly string[] = ['number', 'integer', 'money', 'percent']

const HOLDS: Readonly<Record<StepLimit, (value: number, limit: number) => boolean>> = {
  from: (value, limit) => value >= limit,
  to: (value, limit) => value <= limit,
  below: (value, limit) => value < limit,
}

export const STEP_LIMITS: readonly StepLimit[] = ['from', 'to', 'below']

/** How a condition on a number compares it, and with what. */
export function limitOf(
  condition: Exclude<StepCondition, { readonly is: string }>,
): readonly [StepLimit, number] {
  if ('from' in condition) return ['from', condition.from]
  return 'to' in condition ? ['to', condition.to] : ['below', condition.below]
}

/** The reverse conversion. */
export function limitedTo(field: string, by: StepLimit, limit: number): StepCondition {
  if (by === 'from') return { field, from: limit }
  return by === 'to' ? { field, to: limit } : { field, below: limit }
}

/** A field that conditions of steps can use, by the name conditions give it. */
export interface ConditionField {
  readonly name: string
  readonly field: MergedField
  readonly isNumber: boolean
}

/** The fields that conditions of steps can use: those with a fixed set of values, and numbers. */
export function conditionFields(
  entity: ApprovalEntity,
  { model }: Pick<CallContext, 'model'>,
): readonly ConditionField[] {
  const described = describedIn(entity)
  const module = model.modules.get(described ?? entity)
  return (module?.fields ?? []).flatMap((field) => {
    const isNumber = COUNTED.includes(field.kind)
    if (field.retired || STATES.has(field.name) || !(isNumber || CHOSEN.includes(field.kind))) return []
    const isExt = described === null && field.origin === 'tenant'
    return [{ name: isExt ? `ext.${field.name}` : field.name, field, isNumber }]
  })
}

/** Reads the conditions of a step; null if one is invalid. @param fields  those that can be named */
export function readConditions(
  given: Json,
  fields: readonly ConditionField[],
): readonly StepCondition[] | null {
  if (!Array.isArray(given) || given.length > 50) return null
  const read = given.map((one) => readCondition(one, fields))
  return read.includes(null) ? null : read.filter((one) => one !== null)
}

function readCondition(given: Json, fields: readonly ConditionField[]): StepCondition | null {
  if (!isObject(given)) return null
  const found = fields.find(({ name }) => name === given.field)
  if (found === undefined) return null
  const { is } = given
  if (found.isNumber) {
    const [by = 'from', ...others] = STEP_LIMITS.filter((name) => given[name] !== undefined)
    const limit = given[by]
    return typeof limit === 'number' && others.length === 0 ? limitedTo(found.name, by, limit) : null
  }
  return typeof is === 'string' && is !== '' && is.length <= 100 ? { field: found.name, is } : null
}

/** Whether any condition of a step is true for a record as stored in the database. */
export const isMet = ({ when = [] }: FlowStep, stored: JsonObject): boolean =>
  when.some((condition) => {
    const value = valueIn(stored, condition.field)
    if (!('is' in condition)) {
      const [by, limit] = limitOf(condition)
      return value !== null && value !== '' && HOLDS[by](Number(value), limit)
    }
    return Array.isArray(value)
      ? value.some((one) => String(one) === condition.is)
      : String(value) === condition.is
  })

/** The record that conditions read: its columns, and its own fields by their names. */
export async function storedRecord(
  entity: ApprovalEntity,
  id: string,
  { trx, caller }: CallContext,
): Promise<JsonObject> {
  const { rows } = await sql<{
    stored: JsonObject
  }>`select to_jsonb(t) as stored from ${sql.table(tableOf(entity))} t
    where t.tenant_id = ${caller.tenantId} and t.id = ${id}`.execute(trx)
  const stored = rows[0]?.stored ?? {}
  return describedIn(entity) === null ? stored : isObject(stored.ext) ? stored.ext : {}
}

function valueIn(stored: JsonObject, name: string): Json {
  if (!name.startsWith('ext.')) return stored[name] ?? null
  return isObject(stored.ext) ? (stored.ext[name.slice('ext.'.length)] ?? null) : null
}
