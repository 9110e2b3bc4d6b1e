import type { Caller } from '../../kernel/auth/caller.ts'
import { offered, type RecordState } from '../../kernel/calls/pool-actions.ts'

/** The data that decides the actions of a contact. */
export interface ContactState extends RecordState {
  readonly status: string
  readonly is_primary: boolean
}

/** The actions of a contact, by permission and state (DOMAIN 1.3). */
export function contactActions(caller: Caller, state: ContactState): string[] {
  if (state.owner_id === null) return []
  const { can_write } = state
  const isActive = state.status === 'active'
  return offered([
    ['follow', caller.permissions.has('follow:add') && (can_write || state.in_scope)],
    ['edit', can_write],
    ['primary', can_write && isActive && !state.is_primary],
    ['move', can_write],
    ['leave', can_write && isActive],
    ['return', can_write && !isActive],
    ['vcard', true],
    ['delete', can_write && caller.permissions.has('contact:del')],
    ['star', true],
  ])
}
