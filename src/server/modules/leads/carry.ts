import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import { labelText } from '../../../model/labels.ts'
import { isEmpty } from '../../../model/read-record.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { liveExtFields } from '../../kernel/fields/ext-fields.ts'
import { storedFaults } from '../../kernel/fields/field-faults.ts'
import { wordsFor } from '../../kernel/fields/value-words.ts'
import { checkDescribed, fieldsBut, writtenFields } from '../../kernel/records/described.ts'
import type { FoundRecord } from '../../kernel/records/find-record.ts'
import { pick, wireValues } from '../../kernel/records/wire.ts'
import { text } from '../../kernel/text/text.ts'
import { fieldsInto, type LeadBecomes, proposalOf } from './match.ts'

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

/** A remark with fields of a lead appended as text, one per line. */
export async function remarkWith(
  remark: Json | undefined,
  names: readonly string[],
  lead: FoundRecord,
  ctx: CallContext,
): Promise<string> {
  const known = ctx.model.modules.get('lead')?.fields ?? []
  const fields = known.filter(({ name }) => names.includes(name))
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
