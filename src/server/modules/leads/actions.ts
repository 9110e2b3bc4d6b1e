import type { Caller } from '../../kernel/auth/caller.ts'
import { offered, poolActions, type RecordState } from '../../kernel/calls/pool-actions.ts'

/** The data that decides the actions of a lead. */
export interface LeadState extends RecordState {
  readonly status: number
}

/** The actions of a lead, by permission and state (DOMAIN 1.4). A converted lead is read-only. */
export function leadActions(caller: Caller, state: LeadState): string[] {
  if (state.owner_id === null) return poolActions(caller, 'lead')
  const may = (permission: string) => caller.permissions.has(permission)
  const { in_scope, can_write, status } = state
  const isConverted = status === 40
  const isOpen = !isConverted && status !== 50
  return offered([
    ['follow', may('follow:add') && (in_scope || can_write) && !isConverted],
    ['edit', can_write && !isConverted],
    ['status', can_write && isOpen],
    ['convert', may('lead:convert') && can_write && isOpen],
    ['invalid', may('lead:invalid') && can_write && isOpen],
    ['reactivate', may('lead:invalid') && in_scope && status === 50],
    ['transfer', may('lead:transfer') && in_scope && !isConverted],
    ['release', may('lead:release') && in_scope && !isConverted],
    ['team', may('lead:edit') && in_scope],
    ['delete', may('lead:del') && in_scope && !isConverted],
    ['star', true],
  ])
}
