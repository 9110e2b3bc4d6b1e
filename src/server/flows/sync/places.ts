import { sql } from 'kysely'
import type { SyncEntity } from '../../../contract/sync.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { scopeOf } from '../../kernel/auth/caller.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { fingerprint } from '../../kernel/lists/cursor.ts'
import { accessibleIds } from '../../kernel/visibility/owned-parts.ts'
import {
  departmentsInScope,
  isApprover,
  isInScope,
  isLive,
  type OwnedEntity,
} from '../../kernel/visibility/predicate.ts'
import { visibleModules } from '../../modules/own-records/stored-records.ts'

/** The visibility rule for a change: a kind of record, a module of the tenant's own, or the person. */
export type Place = OwnedEntity | MergedModule | 'person'

/** The caller's resolved rights, with the contracts they see as an approver outside their scope. */
export interface Reached {
  readonly ctx: CallContext
  readonly approved: readonly string[]
}

/** Looks up the contracts; the rest is already resolved (`withReach`). */
export async function reachedBy(ctx: CallContext, entities: readonly SyncEntity[]): Promise<Reached> {
  const { trx, caller } = ctx
  if (!entities.includes('follow') || scopeOf(caller, 'contract') === 'all') return { ctx, approved: [] }
  const { rows } = await sql<{ id: string }>`select x.id from contract x where ${isLive(caller, 'x')}
    and ${isApprover(caller, 'x')} and not coalesce(${isInScope(caller, 'contract', 'x')}, false)`.execute(
    trx,
  )
  return { ctx, approved: rows.map(({ id }) => id) }
}

/**
 * A fingerprint of everything besides the records themselves that decides what the caller sees: rights, scopes, people and departments below them,
 * shared records. While it is unchanged, a record's visibility can change only by a recorded change.
 */
export function reachMark({ ctx, approved }: Reached, entities: readonly SyncEntity[]): string {
  const { caller, zone } = ctx
  const moduleBehaviours = visibleModules(ctx).map(({ name, behaviours }) => [name, behaviours])
  const { deptId, deptPath, permissions, scopes, customDepts, fieldRights, reach } = caller
  const sorted = (ids: Iterable<string>) => [...ids].sort()
  return fingerprint([
    entities,
    moduleBehaviours,
    zone,
    [deptId, deptPath, sorted(permissions), scopes, customDepts, fieldRights],
    [sorted(reach?.departments ?? []), sorted(reach?.people ?? []), sorted(reach?.customers ?? [])],
    sorted((reach?.shared ?? []).map(([entity, id]) => `${entity}/${id}`)),
    sorted(approved),
  ])
}

/** Maximum keys that are read separately, each in the order of transactions; more are read together with all recent changes. */
const MAX_KEYS = 40

/** The keys under which changes visible to the caller are recorded (migration 0310): sets of keys, each read separately. */
export function keysOf({ ctx, approved }: Reached, decides: Place): readonly (readonly string[])[] {
  const { caller } = ctx
  const { reach, userId } = caller
  if (decides === 'person') return [[`person/${userId}`]]
  const isOwn = typeof decides === 'object'
  const entity = isOwn ? ownRights(decides.name) : decides
  const place = isOwn ? `m/${decides.name}` : decides
  const scope = isOwn && !decides.behaviours.includes('owned') ? 'all' : scopeOf(caller, entity)
  if (scope === 'all' || reach === undefined) return [[place]]
  const people = scope === 'self_sub' ? [...new Set([userId, ...reach.people])] : [userId]
  const held = [
    ...people.map((id) => `${place}/owner/${id}`),
    ...departmentsInScope(caller, entity, reach).map((id) => `${place}/dept/${id}`),
  ]
  const reached = [...accessibleIds(reach, entity), ...(decides === 'contract' ? approved : [])]
  return [
    ...(held.length > MAX_KEYS ? [held] : held.map((key) => [key])),
    ...(reached.length === 0 ? [] : [reached.map((id) => `${place}/record/${id}`)]),
  ]
}
