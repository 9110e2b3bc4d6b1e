import type { CallContext } from '../context/call-context.ts'
import type { OwnerMove } from './owner-record.ts'

/** Who gets a new record, and how: a person, or with `poolId` nobody. */
export interface NewHolder {
  readonly userId: string | null
  readonly deptId: string | null
  readonly poolId: string | null
  readonly way: 'created' | 'converted' | 'imported'
}

/** The caller creates it for themselves. */
export function mine({ caller }: CallContext, way: NewHolder['way'] = 'created'): NewHolder {
  return { userId: caller.userId, deptId: caller.deptId, poolId: null, way }
}

/** The ownership columns of the record. */
export function holderColumns({ userId, deptId, poolId, way }: NewHolder, { now }: CallContext) {
  const columns =
    poolId === null
      ? { owner_id: userId, owner_dept_id: deptId, owner_since: now }
      : { pool_id: poolId, pool_entered_at: now }
  return { ...columns, obtain_way: way }
}

const KINDS = { created: 'create', converted: 'convert', imported: 'import' } as const

/** The first entry of its ownership history. */
export function firstMove(id: string, { userId, poolId, way }: NewHolder): OwnerMove {
  return { id, kind: KINDS[way], toUser: userId, toPool: poolId }
}
