import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import { extName } from '../../../model/form-fields.ts'
import type { Words } from '../../../model/kind.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import { labelText } from '../../../model/labels.ts'
import { isEmpty } from '../../../model/read-record.ts'
import { sameValue } from '../../../model/same-value.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { liveExtFields } from '../../kernel/fields/ext-fields.ts'
import { wordsFor } from '../../kernel/fields/value-words.ts'
import { writtenFields } from '../../kernel/records/described.ts'
import { maskedFieldsOf } from '../../kernel/records/find-record.ts'
import { text } from '../../kernel/text/text.ts'
import { customerRecord } from '../../modules/customers/detail.ts'
import { type FoundCustomer, findCustomer } from '../../modules/customers/find-customer.ts'
import { LEFT } from './merge.ts'

const MAX_LENGTH = 60

/**
 * Fields in which a merged customer differs from the remaining one: both have a value, and the user chooses (`take` of the merge).
 * Includes the tenant's own fields, but no values that are masked for the caller.
 *
 * @throws Refusal 404 for a customer that the caller does not see
 */
export async function mergeChoices(id: string, otherId: string, ctx: CallContext): Promise<JsonObject> {
  const [mine, theirs] = [await findCustomer(id, ctx), await findCustomer(otherId, ctx)]
  const shipped = writtenFields('customer', ctx).filter(({ name }) => !LEFT.has(name))
  const ownFields = liveExtFields('customer', ctx).filter(({ kind }) => kindOf(kind).derived !== true)
  const list = [
    ...(await differing(shipped, [shownOf(mine, ctx), shownOf(theirs, ctx)], ctx)),
    ...(await differing(ownFields, [extOf(mine, ctx), extOf(theirs, ctx)], ctx, extName)),
  ]
  return { name: mine.name, other_name: theirs.name, list }
}

function shownOf(found: FoundCustomer, ctx: CallContext): JsonObject {
  const masked = new Set(maskedFieldsOf('customer', found, ctx))
  const record = customerRecord(found, ctx)
  return Object.fromEntries(Object.entries(record).filter(([name]) => !masked.has(name))) as JsonObject
}

function extOf(found: FoundCustomer, ctx: CallContext): JsonObject {
  const { ext } = shownOf(found, ctx)
  return isObject(ext) ? ext : {}
}

async function differing(
  fields: readonly Field[],
  [mine, theirs]: readonly [JsonObject, JsonObject],
  ctx: CallContext,
  called = (name: string): string => name,
): Promise<readonly JsonObject[]> {
  const conflicting = fields.filter(
    ({ name }) => !isEmpty(mine[name]) && !isEmpty(theirs[name]) && !sameValue(mine[name], theirs[name]),
  )
  const words = await wordsFor(conflicting, [mine, theirs], ctx)
  return conflicting.map((field) => ({
    value: called(field.name),
    label: text('customer.merge-choice', {
      label: labelText(field.label),
      mine: written(mine[field.name], field, words),
      theirs: written(theirs[field.name], field, words),
    }),
  }))
}

/** The beginning of a long text, enough to distinguish the two. */
function written(value: Json | undefined, field: Field, words: Words): string {
  const fullText = kindOf(field.kind)
    .write(value ?? null, field, words)
    .replace(/\s+/g, ' ')
  return fullText.length > MAX_LENGTH ? `${fullText.slice(0, MAX_LENGTH)}…` : fullText
}
