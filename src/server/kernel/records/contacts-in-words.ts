import { isObject, type Json, type JsonObject, ownValue } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import type { CallContext } from '../context/call-context.ts'
import { wordsFor } from '../fields/value-words.ts'
import { text } from '../text/text.ts'
import type { LogValue } from './log-words.ts'

/** Fields that name contacts: by id, or in rows with their role in the record. */
const NAMING: ReadonlySet<string> = new Set(['contact_ids', 'contact_roles'])

/**
 * How a history shows the contacts of an opportunity: by name, with role and attitude. Contacts are not named in a pool, nor are contacts that the
 * reader does not see.
 */
export async function contactsInWords(
  entity: string,
  values: readonly JsonObject[],
  isInPool: boolean,
  ctx: CallContext,
): Promise<LogValue> {
  const roles = ctx.model.modules.get(entity)?.fields.find(({ name }) => name === 'contact_roles')
  const fields = roles?.fields ?? []
  const rows = values.flatMap((value) => [...NAMING].flatMap((name) => rowsOf(ownValue(value, name))))
  if (rows.length === 0) return (_, value) => value
  const words = await wordsFor(fields, rows, ctx)
  const textOf = (row: JsonObject, field: Field): string => {
    const code = row[field.name]
    if (typeof code !== 'string' || code === '') return ''
    if (field.name !== 'contact_id') return words.labelOf(field, code) ?? code
    return (isInPool ? undefined : words.labelOf(field, code)) ?? text('log.someone')
  }
  return (name, value) => {
    if (!NAMING.has(name)) return value
    return rowsOf(value)
      .map((row) => {
        const [contact = '', ...rest] = fields.map((field) => textOf(row, field))
        const filled = rest.filter((word) => word !== '')
        return filled.length === 0 ? contact : `${contact}（${filled.join('·')}）`
      })
      .join('、')
  }
}

const rowsOf = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.map((one) => (isObject(one) ? one : { contact_id: one })) : []
