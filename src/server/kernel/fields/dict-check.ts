import { sql } from 'kysely'
import type { Asking } from '../asking/asking.ts'
import type { Trx } from '../db/database.ts'
import { isTextCode, text } from '../text/text.ts'
import type { InputValues } from './input.ts'

/** A field whose values are of a dictionary; its label as a text of the catalogue, or as it is. Others are passed over. */
export interface DictField {
  readonly kind: string
  readonly dict?: string
  readonly label: string
}

/**
 * Finds values that their dictionary does not have (a disabled one counts as not offered unless it is in `kept`).
 * @returns message by field
 */
export async function dictFaults(
  trx: Trx,
  tenantId: string,
  values: InputValues,
  fields: Readonly<Record<string, DictField>>,
  kept: readonly string[] = [],
): Promise<Readonly<Record<string, string>>> {
  const asked = Object.entries(values).flatMap(([name, value]) => {
    const field = fields[name]
    const dict = field?.kind === 'dict' || field?.kind === 'dicts' ? field.dict : undefined
    if (field === undefined || dict === undefined) return []
    const codes = Array.isArray(value) ? (value as string[]) : [value]
    return codes.flatMap((code) =>
      typeof code === 'string' ? [{ name, dict, code, label: field.label }] : [],
    )
  })
  if (asked.length === 0) return {}
  const { rows } = await sql<{ type_key: string; value: string }>`
    select type_key, value from dict_item where tenant_id = ${tenantId}
      and type_key = any(${asked.map((it) => it.dict)}) and value = any(${asked.map((it) => it.code)})
      and (not disabled or value = any(${[...kept]}::text[]))`.execute(trx)
  const known = new Set(rows.map((row) => `${row.type_key}/${row.value}`))
  const missing = asked.filter((it) => !known.has(`${it.dict}/${it.code}`))
  return Object.fromEntries(
    missing.map((it) => [
      it.name,
      text('record.not-offered', { label: isTextCode(it.label) ? text(it.label) : it.label }),
    ]),
  )
}

/** What people call a value of a dictionary; the value itself where it has none. */
export async function labelOf(dict: string, value: string, { trx, caller }: Asking): Promise<string> {
  const { rows } = await sql<{
    label: string
  }>`select label from dict_item where tenant_id = ${caller.tenantId}
    and type_key = ${dict} and value = ${value}`.execute(trx)
  return rows[0]?.label ?? value
}
