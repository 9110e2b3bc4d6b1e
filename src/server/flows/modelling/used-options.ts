import { isObject, type JsonObject } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import { labelText } from '../../../model/labels.ts'
import { countChosen, heldIn } from '../../kernel/fields/convert-field.ts'
import { blockWriters } from '../../kernel/model/overrides.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import type { Saving } from './save-module.ts'

interface LostOption {
  readonly field: string
  readonly value: string
  readonly label: string
}

/**
 * Refuses to remove an option that records use: its label could no longer be shown, and a record with a removed status could not
 * change it.
 *
 * @param before  the tenant's previous description of the module
 * @throws Refusal 422 REFERENCED with how many records use it
 */
export async function refuseUsedOptions(
  module: string,
  given: JsonObject,
  before: JsonObject | undefined,
  { trx, caller }: Pick<Saving, 'trx' | 'caller'>,
): Promise<void> {
  const lostChoices = lostOptions(fieldsOf(given), fieldsOf(before ?? {}))
  if (lostChoices.length === 0) return
  // Whoever is writing now may choose it: wait for them, and count their records too.
  await blockWriters(trx, caller.tenantId)
  for (const { field, value, label } of lostChoices) {
    const n = await countChosen({ ...heldIn(module), name: field }, value, { trx, caller })
    if (n === 0) continue
    const sentence = text('model.option-used', { label, n })
    refuse(422, 'REFERENCED', sentence, { fields: { options: sentence } })
  }
}

const fieldsOf = ({ fields }: JsonObject): readonly Field[] =>
  (Array.isArray(fields) ? fields : []).filter(isObject) as unknown as readonly Field[]

/** Options that are no longer offered by fields that remain choices with their own options. */
function lostOptions(fields: readonly Field[], before: readonly Field[]): readonly LostOption[] {
  return fields.flatMap((field) => {
    const { name, options } = field
    const was = before.find((one) => one.name === name)
    if (!Array.isArray(options) || was?.kind !== field.kind) return []
    const values = new Set(options.map(({ value }) => value))
    return (was.options ?? [])
      .filter(({ value }) => !values.has(value))
      .map(({ value, label }) => ({ field: name, value, label: labelText(label) }))
  })
}
