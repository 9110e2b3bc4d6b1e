import type { Caller } from '../auth/caller.ts'
import type { PoolName } from '../context/entities.ts'
import { poolRight } from '../pools/pooled.ts'

/** The inputs that determine the buttons of a record. */
export interface RecordState {
  readonly owner_id: string | null
  readonly in_scope: boolean
  readonly can_write: boolean
}

/** The actions whose rule is true, in the order written. */
export function offered(rules: readonly (readonly [string, boolean])[]): string[] {
  return rules.filter(([, isOffered]) => isOffered).map(([action]) => action)
}

/** What can be done with a record that lies in a pool (DOMAIN 1.2.5). */
export function poolActions(caller: Caller, entity: PoolName): string[] {
  const may = (action: 'claim' | 'assign' | 'del') => caller.permissions.has(poolRight(entity, action))
  return offered([
    ['claim', may('claim')],
    ['assign', may('assign')],
    ['move', may('assign')],
    ['delete', may('del')],
  ])
}
