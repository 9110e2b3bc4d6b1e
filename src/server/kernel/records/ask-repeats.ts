import { sql } from 'kysely'
import { isObject, type Json, type JsonObject, sameJson } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { isEmpty } from '../../../model/read-record.ts'
import { REPEATED, warnedFields } from '../../../model/repeat-question.ts'
import type { CallContext } from '../context/call-context.ts'
import { isConfirmed } from '../fields/check-record.ts'
import { isRepeated } from '../fields/field-faults.ts'
import { wordsFor } from '../fields/value-words.ts'
import { tableOf } from '../model/stored.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import type { WriteResult } from './write-once.ts'

/**
 * Writes a record from a form, and asks the user before a value of a field with `unique: "warn"` is repeated. The question comes after
 * all other checks, and then nothing of the write is left behind.
 *
 * @param body  of the call; `confirm: ["REPEATED"]` is the answer
 * @throws Refusal 409 DUPLICATE with `data.confirm`, and the refusals of `work`
 */
export async function askRepeats(
  module: MergedModule | undefined,
  { confirm, ...given }: JsonObject,
  ctx: CallContext,
  work: (body: JsonObject) => Promise<WriteResult<Json>>,
): Promise<WriteResult<Json>> {
  const others = Array.isArray(confirm) ? confirm.filter((one) => one !== REPEATED) : confirm
  const isAnswered = others === undefined || (Array.isArray(others) && others.length === 0)
  const body = isAnswered ? given : { ...given, confirm: others }
  const warned = module === undefined || isConfirmed(confirm, REPEATED) ? [] : warnedFields(module)
  if (module === undefined || warned.length === 0) return work(body)
  const before = typeof given.id === 'string' ? await ownValues(module, given.id, ctx) : {}
  const written = await work(body)
  if (written.recordId === undefined) return written
  const after = await ownValues(module, written.recordId, ctx)
  const repeated: Field[] = []
  for (const field of warned) {
    const value = after[field.name] ?? null
    const place = { table: tableOf(module), module: module.name, id: written.recordId }
    if (isEmpty(value) || sameJson(before[field.name] ?? null, value)) continue
    if (await isRepeated(field, value, place, ctx)) repeated.push(field)
  }
  if (repeated.length > 0) await ask(module, repeated, after, ctx)
  return written
}

async function ask(
  { origin }: MergedModule,
  repeated: readonly Field[],
  values: JsonObject,
  ctx: CallContext,
): Promise<never> {
  const words = await wordsFor(repeated, [values], ctx)
  const sentence = (field: Field): string =>
    text('own.repeats', {
      label: labelText(field.label),
      value: kindOf(field.kind).write(values[field.name] ?? null, field, words),
    })
  const called = (name: string): string => (origin === 'tenant' ? name : `ext.${name}`)
  return refuse(409, 'DUPLICATE', `${repeated.map(sentence).join('\n')}\n${text('own.repeats-ask')}`, {
    data: { confirm: REPEATED, fields: repeated.map(({ name }) => called(name)) },
  })
}

async function ownValues(
  module: MergedModule,
  id: string,
  { trx, caller }: CallContext,
): Promise<JsonObject> {
  const { rows } = await sql<{ ext: Json }>`select ext from ${sql.table(tableOf(module))}
    where tenant_id = ${caller.tenantId} and id = ${id}`.execute(trx)
  const ext = rows[0]?.ext
  return isObject(ext) ? ext : {}
}
