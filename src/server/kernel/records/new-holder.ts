import type { Asking } from '../asking/asking.ts'
import type { OwnerMove } from './owner-record.ts'

/** Who has a record that is being made, and how they came to it: a person, or with `poolId` nobody. */
export interface NewHolder {
  readonly userId: string | null
  readonly deptId: string | null
  readonly poolId: string | null
  readonly way: 'created' | 'converted' | 'imported'
}

/** The caller makes it for themselves. */
export function mine({ caller }: Asking, way: NewHolder['way'] = 'created'): NewHolder {
  return { userId: caller.userId, deptId: caller.deptId, poolId: null, way }
}

/** Columns of the record that say who has it. */
export function holderColumns({ userId, deptId, poolId, way }: NewHolder, { now }: Asking) {
  const held =
    poolId === null
      ? { owner_id: userId, owner_dept_id: deptId, owner_since: now }
      : { pool_id: poolId, pool_entered_at: now }
  return { ...held, obtain_way: way }
}

const KINDS = { created: 'create', converted: 'convert', imported: 'import' } as const

/** The first line of its history. */
export function firstMove(id: string, { userId, poolId, way }: NewHolder): OwnerMove {
  return { id, kind: KINDS[way], toUser: userId, toPool: poolId }
}
