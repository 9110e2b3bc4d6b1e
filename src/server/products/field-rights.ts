import { ownValue } from '../../../runtime/core/json.ts'
import type { Caller } from '../auth/caller.ts'

/** What a role may do with one field, from nothing to everything (CRM 2.3). */
export const FIELD_RIGHTS = ['hidden', 'masked', 'read', 'write'] as const
export type FieldRight = (typeof FIELD_RIGHTS)[number]

/** Rights that differ from `write`, by role and field, where the tenant's settings say nothing. */
const DEFAULTS: Readonly<Record<string, Readonly<Record<string, FieldRight>>>> = {
  sales: { 'product.cost': 'hidden' },
  sdr: { 'product.cost': 'hidden' },
  service: { 'product.cost': 'hidden' },
  observer: { 'product.cost': 'hidden' },
}

/**
 * The caller's right to a field such as `product.cost`: the widest of his roles. A tenant sets it in its settings as
 * `field_rights: { <role>: { "<entity>.<field>": right } }`.
 */
export function fieldRight(caller: Caller, field: string): FieldRight {
  const settings = ownValue(caller.tenant.settings, 'field_rights')
  const ranks = caller.roles.map((role) => {
    const chosen = ownValue(ownValue(settings, role), field)
    const right = FIELD_RIGHTS.find((it) => it === chosen) ?? DEFAULTS[role]?.[field] ?? 'write'
    return FIELD_RIGHTS.indexOf(right)
  })
  return FIELD_RIGHTS[Math.max(0, ...ranks)] ?? 'hidden'
}

/** True when the caller may know what a product costs us. */
export function seesCost(caller: Caller): boolean {
  return FIELD_RIGHTS.indexOf(fieldRight(caller, 'product.cost')) >= FIELD_RIGHTS.indexOf('read')
}
