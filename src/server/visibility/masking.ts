import type { Caller } from '../auth/caller.ts'
import { maskPhone, maskText } from '../duplicates/mask.ts'

/** Fields that name a person directly; hidden before a claim and from observers (CRM 1.2.1, 2.3). */
export const MASKED_FIELDS = ['mobile', 'mobile2', 'telephone', 'wechat', 'email', 'qq'] as const
const MASKED: ReadonlySet<string> = new Set(MASKED_FIELDS)
const PHONES: ReadonlySet<string> = new Set(['mobile', 'mobile2', 'telephone'])

/** True when the caller sees contact data of this row only masked: it lies in a pool, or he may only observe. */
export function isMasked(caller: Caller, row: { readonly owner_id: string | null }): boolean {
  return row.owner_id === null || caller.roles.every((role) => role === 'observer')
}

/** The row with its contact data masked. */
export function masked<Row extends object>(row: Row): Row {
  const entries = Object.entries(row).map(([key, value]) => {
    if (!MASKED.has(key) || typeof value !== 'string') return [key, value]
    return [key, PHONES.has(key) ? maskPhone(value) : maskText(value)]
  })
  return Object.fromEntries(entries) as Row
}
