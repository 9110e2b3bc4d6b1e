import type { Caller } from '../../kernel/auth/caller.ts'
import { offered, poolActions, type RecordState } from '../../kernel/calls/pool-actions.ts'

/** The data that decides the actions of an opportunity. */
export interface BussinessState extends RecordState {
  readonly status: number
}

/** The actions of an opportunity, by permission and state (DOMAIN 1.5). */
export function bussinessActions(caller: Caller, state: BussinessState): string[] {
  if (state.owner_id === null) return poolActions(caller, 'bussiness')
  const may = (permission: string) => caller.permissions.has(permission)
  const { in_scope, can_write, status } = state
  const isOpen = status === 1
  const isMine = state.owner_id === caller.userId
  return offered([
    ['follow', may('follow:add') && (in_scope || can_write)],
    ['edit', can_write && isOpen],
    ['stage', may('bussiness:stage') && can_write && isOpen],
    ['win', may('bussiness:win') && can_write && isOpen],
    ['lose', may('bussiness:lose') && can_write && isOpen],
    ['invalid', may('bussiness:lose') && can_write && isOpen],
    ['reopen', !isOpen && can_write && (isMine || (may('bussiness:reopen') && in_scope))],
    ['contract_add', may('contract:add') && can_write && (isOpen || status === 2)],
    ['transfer', may('bussiness:transfer') && in_scope],
    ['release', may('bussiness:release') && in_scope && isOpen],
    ['team', may('bussiness:edit') && in_scope],
    ['delete', may('bussiness:del') && in_scope],
    ['star', true],
  ])
}
