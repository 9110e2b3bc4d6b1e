import type { MergedModule } from '../../../model/merge-module.ts'
import { refuseSoleApprover } from '../../kernel/approvals/new-owner.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { checkHoldingCap, lockPeople } from '../../kernel/pools/person-cap.ts'
import { refreshExpiry } from '../../kernel/pools/refresh-expiry.ts'
import { type OwnerMove, recordMoves } from '../../kernel/records/owner-record.ts'
import { leaveTeams } from '../../kernel/records/team.ts'
import type { Columns } from '../../kernel/records/write-row.ts'

const hasPools = ({ behaviours }: MergedModule): boolean => behaviours.includes('pool')

/** Takes the lock of a person who is about to receive records of a module with pools. Take it before locking any record. */
export async function lockReceiver(
  module: MergedModule,
  userId: string,
  { trx, caller }: CallContext,
): Promise<void> {
  if (hasPools(module)) await lockPeople(trx, caller.tenantId, [userId])
}

/** Checks that the person may hold one more record; there is no limit without pools. @throws Refusal 422 HOLDING_CAP */
export async function checkCapacity(module: MergedModule, userId: string, ctx: CallContext): Promise<void> {
  if (hasPools(module)) await checkHoldingCap(ownRights(module.name), userId, 1, ctx)
}

/** Records a change of owner, for the history and for the counts of pools. */
export async function recordOwnerChange(
  module: MergedModule,
  move: OwnerMove,
  { trx, now, caller }: CallContext,
): Promise<void> {
  if (!hasPools(module)) return
  const by = { trx, now, tenantId: caller.tenantId, operatorId: caller.userId }
  await recordMoves(ownRights(module.name), [move], by)
}

/** Works out when a record goes back to its pool by itself; call it after every change of one. */
export async function refreshReturn(
  module: MergedModule,
  id: string,
  { trx, caller }: CallContext,
): Promise<void> {
  if (hasPools(module)) await refreshExpiry(ownRights(module.name), [id], { trx, tenantId: caller.tenantId })
}

/** The columns that a change of owner sets. */
export const ownerColumns = (
  from: string | null,
  to: { readonly user_id: string; readonly dept_id: string | null },
  { now }: CallContext,
): Columns => ({
  owner_id: to.user_id,
  owner_dept_id: to.dept_id,
  owner_since: now,
  obtain_way: 'transferred',
  prev_owner_id: from,
})

/** The consequences of a change of owner. */
export async function applyOwnerChange(
  module: MergedModule,
  id: string,
  from: string | null,
  to: string,
  ctx: CallContext,
): Promise<void> {
  await leaveTeams(ownRights(module.name), [id], to, ctx)
  await recordOwnerChange(module, { id, kind: 'transfer', fromUser: from, toUser: to }, ctx)
  if (module.approval !== undefined)
    await refuseSoleApprover(to, { entity: ownRights(module.name), ids: [id] }, ctx)
}
