import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { rightName } from '../../../model/field-rights.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import { labelText } from '../../../model/labels.ts'
import { isEmpty } from '../../../model/read-record.ts'
import { sameValue } from '../../../model/same-value.ts'
import { isClear, namesInRights, unlimitedFor, writableFields } from '../../kernel/auth/field-rights.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { extTogether, liveExtFields } from '../../kernel/fields/ext-fields.ts'
import { storedFaults } from '../../kernel/fields/field-faults.ts'
import { wordsFor } from '../../kernel/fields/value-words.ts'
import { checkDescribed, fieldsBut, writtenFields } from '../../kernel/records/described.ts'
import type { FoundRecord } from '../../kernel/records/find-record.ts'
import { pick, wireValues } from '../../kernel/records/wire.ts'
import { text } from '../../kernel/text/text.ts'
import { fieldsInto, type LeadBecomes, proposalOf, seenOf } from './match.ts'

/** Fields that users check themselves: a name that does not fit is reported. */
const TOLD = ['name']
const MAX_REMARK = 1000

/** The values a new record takes over from a lead. */
interface Carried {
  readonly values: JsonObject
  /** Fields of the lead, including own fields, that the record cannot take over. */
  readonly leftover: readonly string[]
}

/** The values that a record created from a lead takes over: the proposed ones, except values that its fields do not offer. */
export async function carriedInto(
  module: LeadBecomes,
  lead: FoundRecord,
  ctx: CallContext,
): Promise<Carried> {
  const { ext, ...proposed } = wireValues({ ...proposalOf(lead, ctx)[module] }, ctx.zone)
  const plain = pick(
    proposed,
    Object.keys(proposed).filter((name) => !isEmpty(proposed[name])),
  )
  const picked = pick(
    plain,
    Object.keys(plain).filter((name) => !TOLD.includes(name)),
  )
  const fields = fieldsBut(writtenFields(module, ctx), TOLD)
  const { faults } = await checkDescribed(picked, fields, ctx)
  const refused = Object.keys(faults).filter((name) => Object.hasOwn(picked, name))
  const extValues = isObject(ext) ? (ext as Readonly<Record<string, Json>>) : {}
  const place = { table: module, module, id: null }
  const invalidNames = Object.keys(await storedFaults(liveExtFields(module, ctx), extValues, place, ctx))
  const carried = pick(
    extValues,
    Object.keys(extValues).filter((name) => !invalidNames.includes(name)),
  )
  const from = fieldsInto(module, ctx)
  const ownNames = Object.keys(isObject(lead.ext) ? lead.ext : {})
  return {
    values: {
      ...pick(
        plain,
        Object.keys(plain).filter((name) => !refused.includes(name)),
      ),
      ...(Object.keys(carried).length > 0 ? { ext: carried } : {}),
    },
    leftover: [
      ...refused.flatMap((name) => from[name] ?? []),
      ...ownNames.filter((name) => !Object.hasOwn(carried, name)),
    ],
  }
}

/** Values of a record made from a lead, and the context in which it is stored. */
interface Chosen {
  readonly fields: JsonObject
  readonly ctx: CallContext
}

/**
 * The caller's values over the carried ones. Only the caller's are judged by field rights; what they were not shown and left empty, or as
 * it was proposed, stays as carried.
 *
 * @throws Refusal 405 with a message for each field that the caller may not write
 */
export function chosenOver(
  module: LeadBecomes,
  carried: JsonObject,
  given: JsonObject,
  lead: FoundRecord,
  ctx: CallContext,
): Chosen {
  const shown = wireValues({ ...proposalOf(seenOf(lead, ctx), ctx)[module] }, ctx.zone)
  const whole = wireValues({ ...proposalOf(lead, ctx)[module] }, ctx.zone)
  const { ext, ...plain } = writableFields(ctx.caller, module, given, shown)
  const chosen: JsonObject = {
    ...changedOf(plain, shown, whole),
    ...(isObject(ext) ? { ext: changedOf(ext, extOf(shown), extOf(whole)) } : {}),
  }
  const caller = unlimitedFor(ctx.caller, module, namesInRights(carried))
  return { fields: { ...carried, ...chosen, ...extTogether(carried.ext, chosen) }, ctx: { ...ctx, caller } }
}

const extOf = ({ ext }: JsonObject): JsonObject => (isObject(ext) ? ext : {})

/** The given values without those of which the caller was not shown the whole and which came back as they were shown. */
const changedOf = (given: JsonObject, shown: JsonObject, whole: JsonObject): JsonObject => {
  const isKept = (name: string) => {
    const [value, seen] = [given[name] ?? null, shown[name] ?? null]
    const isAsShown = sameValue(value, seen) || (isEmpty(value) && isEmpty(seen))
    return isAsShown && !sameValue(seen, whole[name] ?? null)
  }
  return pick(
    given,
    Object.keys(given).filter((name) => !isKept(name)),
  )
}

/** A remark with fields of a lead appended as text, one per line. */
export async function remarkWith(
  remark: Json | undefined,
  names: readonly string[],
  lead: FoundRecord,
  ctx: CallContext,
): Promise<string> {
  const module = ctx.model.modules.get('lead')
  // Everybody who sees the customer reads its remark: it says nothing that is held back from the caller.
  const fields = (module?.fields ?? []).filter(
    (field) =>
      names.includes(field.name) &&
      (module === undefined || isClear(ctx.caller, 'lead', rightName(module, field))),
  )
  const { ext, ...plain } = wireValues(lead, ctx.zone)
  const row: JsonObject = { ...plain, ...(isObject(ext) ? ext : {}) }
  const words = await wordsFor(fields, [row], ctx)
  const lines = fields
    .filter(({ name }) => !isEmpty(row[name]))
    .map((field) =>
      text('lead.carried', {
        label: labelText(field.label),
        value: kindOf(field.kind).write(row[field.name] ?? null, field, words),
      }),
    )
  const all = [typeof remark === 'string' ? remark : '', ...lines].filter(Boolean).join('\n')
  if (all.length <= MAX_REMARK) return all
  const more = text('lead.carried-more')
  return all.slice(0, MAX_REMARK - more.length) + more
}
