import { isObject, type JsonObject } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import { faultsForWriter } from '../../kernel/auth/field-rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { InputValues } from '../../kernel/fields/input.ts'
import { writableOf } from '../../kernel/records/checked-write.ts'
import {
  checkDescribed,
  fieldsBut,
  fieldsWith,
  labelOfField,
  writtenFields,
} from '../../kernel/records/described.ts'
import { text } from '../../kernel/text/text.ts'

/** Maximum time in the future that a follow-up may be dated (clocks differ), and in the past. */
export const MAX_FUTURE_MS = 5 * 60_000
export const MAX_BACKDATE_DAYS = 30
/** Time within which the author may change or delete a follow-up. */
export const AUTHOR_WINDOW_MS = 24 * 3_600_000

/** Further parts of a follow-up's body: a change of its record, and the call it logs. */
export const FURTHER_PARTS = ['stage_change', 'call'] as const
const MAX_SYSTEM_TEXT = 4000

/** The writable fields of a follow-up. Its target may also be a record of an own module, which no description can name. */
function fieldsOf(ctx: CallContext): readonly Field[] {
  const described = fieldsBut(writtenFields('follow', ctx), ['target_type'])
  return fieldsWith(described, {
    name: 'target_type',
    kind: 'text',
    label: labelOfField('follow', 'target_type', ctx),
    max: 50,
    pattern: '^(?:customer|lead|bussiness|contract|contact|m/[a-z]\\w{0,39})$',
    required: true,
  })
}

/** Checks a new follow-up with its further parts. */
export async function checkFollow(body: JsonObject, ctx: CallContext) {
  const plain: JsonObject = Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => (isFurtherPart(name) ? [] : [[name, value ?? null]])),
  )
  const given = writableOf('follow', null, plain, ctx)
  const { values, faults: found } = await checkDescribed(given, fieldsOf(ctx), ctx)
  const labelOf = (name: string) => labelOfField('follow', name, ctx)
  const faults = faultsForWriter(ctx.caller, 'follow', found, labelOf)
  const more: InputValues = {}
  const wrong: Record<string, string> = {}
  for (const name of FURTHER_PARTS) {
    const raw = body[name] ?? null
    if (raw === null || raw === '') continue
    if (isObject(raw) && JSON.stringify(raw).length <= MAX_SYSTEM_TEXT) more[name] = raw
    else wrong[name] = text('record.format', { label: text(`follow.field.${name}`) })
  }
  return { values: { ...values, ...more }, faults: { ...faults, ...wrong } }
}

const isFurtherPart = (name: string): boolean => (FURTHER_PARTS as readonly string[]).includes(name)
