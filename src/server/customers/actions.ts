import type { Caller } from '../auth/caller.ts'

/** What decides which buttons a customer shows. */
export interface ActionState {
  readonly owner_id: string | null
  readonly in_scope: boolean
  readonly can_write: boolean
  readonly lock_status: boolean
  readonly deal_status: number
}

/**
 * The actions of a row, by permission and state: the phone shows exactly these (CRM 2.3).
 * A row in a pool offers claiming and assigning only.
 */
export function customerActions(caller: Caller, state: ActionState): string[] {
  const may = (permission: string) => caller.permissions.has(permission)
  if (state.owner_id === null) {
    return [
      ...(may('customer_pool:claim') ? ['claim'] : []),
      ...(may('customer_pool:assign') ? ['assign'] : []),
    ]
  }
  const { in_scope, can_write, lock_status } = state
  const isOpen = !lock_status && state.deal_status === 0
  const rules: readonly (readonly [string, boolean])[] = [
    ['follow', may('follow:add') && (in_scope || can_write)],
    ['edit', can_write],
    ['contact_add', may('contact:add') && can_write],
    ['transfer', may('customer:transfer') && in_scope],
    ['release', may('customer:release') && in_scope && isOpen],
    ['lock', may('customer:lock') && in_scope && isOpen],
    ['unlock', may('customer:lock') && in_scope && lock_status],
    ['deal', may('customer:deal') && in_scope],
    ['merge', may('customer:merge') && in_scope],
    ['delete', may('customer:del') && in_scope],
    ['star', true],
  ]
  return rules.filter(([, isOffered]) => isOffered).map(([action]) => action)
}
