import type { Caller } from '../../kernel/auth/caller.ts'
import { offered, poolActions, type RecordState } from '../../kernel/calls/pool-actions.ts'

/** The data that decides the actions of a customer. */
export interface ActionState extends RecordState {
  readonly lock_status: boolean
  readonly deal_status: number
}

/** Cache of actions by caller and state: most rows of a list share few states. */
const known = new WeakMap<Caller, Map<number, readonly string[]>>()

/** The actions of a row, by permission and state. The phone shows exactly these (DOMAIN 2.3). */
export function customerActions(caller: Caller, state: ActionState): readonly string[] {
  if (state.owner_id === null) return poolActions(caller, 'customer')
  const { in_scope, can_write, lock_status, deal_status } = state
  const key =
    Number(in_scope) + 2 * Number(can_write) + 4 * Number(lock_status) + 8 * Number(deal_status === 0)
  const mine = known.get(caller) ?? new Map<number, readonly string[]>()
  known.set(caller, mine)
  const actions = mine.get(key) ?? ownedActions(caller, state)
  mine.set(key, actions)
  return actions
}

function ownedActions(caller: Caller, state: ActionState): readonly string[] {
  const may = (permission: string) => caller.permissions.has(permission)
  const { in_scope, can_write, lock_status } = state
  const isOpen = !lock_status && state.deal_status === 0
  return offered([
    ['follow', may('follow:add') && (in_scope || can_write)],
    ['edit', can_write],
    ['contact_add', may('contact:add') && can_write],
    ['bussiness_add', may('bussiness:add') && can_write],
    ['contract_add', may('contract:add') && can_write],
    ['transfer', may('customer:transfer') && in_scope],
    ['release', may('customer:release') && in_scope && isOpen],
    ['lock', may('customer:lock') && in_scope && isOpen],
    ['unlock', may('customer:lock') && in_scope && lock_status],
    ['deal', may('customer:deal') && in_scope],
    ['team', may('customer:edit') && in_scope],
    ['merge', may('customer:merge') && in_scope],
    ['delete', may('customer:del') && in_scope],
    ['star', true],
  ])
}
