import { sql } from 'kysely'
import { holdsPermission } from '../../../contract/permission.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { POOL_ENTITIES } from '../../kernel/context/entities.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { ownModules } from '../../kernel/model/own-rights.ts'
import { noPermission, notYours } from '../../kernel/records/find-record.ts'
import { mergedInto } from '../../kernel/records/redirect.ts'
import { pooledLink, refuseLost } from '../../kernel/records/refuse-lost.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { isOwnVisible, isOwnWritable } from '../../kernel/visibility/own-module.ts'
import { isInScope, isVisible, isWritable } from '../../kernel/visibility/predicate.ts'
import type { FollowTarget, OwnTarget } from './tables.ts'

/** The resolved records of a follow-up, so that each timeline is one read by index (DOMAIN 1.10). */
export interface ResolvedTarget {
  readonly customer_id: string | null
  readonly lead_id: string | null
  /** A converted lead, which is read-only. */
  readonly is_converted?: boolean
  readonly bussiness_id: string | null
  readonly contract_id: string | null
  readonly record_module: string | null
  readonly record_id: string | null
  readonly owner_id: string | null
  /** The caller may add a follow-up: owner, superior or write collaborator; never in a pool. */
  readonly can_follow: boolean
}

const NOWHERE = {
  customer_id: null,
  lead_id: null,
  bussiness_id: null,
  contract_id: null,
  record_module: null,
  record_id: null,
}

/**
 * Finds the target. 404 if the caller does not see it.
 * @param lock lock it until the transaction ends
 */
export async function resolveTarget(
  type: FollowTarget,
  id: string,
  ctx: CallContext,
  lock = false,
): Promise<ResolvedTarget> {
  if (isOwnTarget(type)) return resolveOwn(type, id, ctx, lock)
  if (type === 'contact') return resolveTarget('customer', await customerOfContact(id, ctx), ctx, lock)
  const { trx, caller } = ctx
  const { rows } = await sql<{ customer_id: string | null; owner_id: string | null; can_follow: boolean }>`
    select ${type === 'customer' ? sql`t.id` : sql`t.customer_id`} as customer_id, t.owner_id, ${type === 'lead' ? sql`t.status = 40` : sql`false`} as is_converted,
      t.owner_id is not null and (${isInScope(caller, type, 't')} or ${isWritable(caller, type, 't')}) as can_follow
    from ${sql.table(type)} t where ${isVisible(caller, type, 't')} and t.id = ${id}
    ${lock ? sql`for no key update of t` : sql``}`.execute(trx)
  const [row] = rows
  if (row !== undefined) return { ...NOWHERE, ...row, [`${type}_id`]: id }
  // A follow-up that was written before its customer was merged, and arrives after it.
  const master = type === 'customer' ? await mergedInto(id, ctx) : null
  return master === null ? lost(type, id, ctx) : resolveTarget('customer', master, ctx, lock)
}

async function lost(type: string, id: string, ctx: CallContext): Promise<never> {
  const entity = POOL_ENTITIES.find((it) => it === type)
  return entity === undefined ? refuse(404, 'NOT_FOUND', text('call.not-found')) : refuseLost(entity, id, ctx)
}

/** True for a record of an own module. */
export const isOwnTarget = (type: string): type is OwnTarget => type.startsWith('m/')

/** The own module of a target type, if it has follow-ups and the caller may see some of its records; 404 otherwise. */
function followedModule(type: OwnTarget, { model, caller }: CallContext): MergedModule {
  const name = type.slice('m/'.length)
  const module = ownModules(model).find((one) => one.name === name)
  const isOpen =
    module?.behaviours.includes('follow') &&
    holdsPermission(caller.permissions, `${ownRights(module.name)}:view`)
  return module !== undefined && isOpen ? module : refuse(404, 'NOT_FOUND', text('call.not-found'))
}

/** A record of an own module. Who may write it may add follow-ups; read access is not enough. */
async function resolveOwn(
  type: OwnTarget,
  id: string,
  ctx: CallContext,
  lock: boolean,
): Promise<ResolvedTarget> {
  const module = followedModule(type, ctx)
  const { caller } = ctx
  const { rows } = await sql<{ owner_id: string | null; can_follow: boolean }>`select r.owner_id,
      ${isOwnWritable(caller, module, 'r')} as can_follow from record r
    where ${isOwnVisible(caller, module, 'r')} and r.id = ${id} ${lock ? sql`for no key update of r` : sql``}`.execute(
    ctx.trx,
  )
  const row = rows[0] ?? refuse(404, 'NOT_FOUND', text('call.not-found'))
  return { ...NOWHERE, ...row, record_module: module.name, record_id: id }
}

/** Refuses a follow-up with 405. A record without an owner has gone to a pool after the caller last saw it: then with the way there. */
export async function refuseTarget(
  { owner_id, ...target }: ResolvedTarget,
  detail: string,
  ctx: CallContext,
): Promise<never> {
  // The customer of a deal or lead comes last.
  const entity = POOL_ENTITIES.toReversed().find((it) => target[`${it}_id`] !== null)
  if (owner_id !== null) return notYours(nameOfTarget(target, entity), { owner_id }, detail, ctx)
  if (entity === undefined) return noPermission(detail)
  return refuse(405, 'NO_PERMISSION', text('pool.in-pool'), {
    detail,
    data: pooledLink(entity, target[`${entity}_id`] ?? '', ctx),
  })
}

/** The kind of record that a follow-up belongs to. */
const nameOfTarget = (
  { contract_id, record_module }: Omit<ResolvedTarget, 'owner_id'>,
  entity = 'customer',
): string => {
  if (record_module !== null) return ownRights(record_module)
  return contract_id === null ? entity : 'contract'
}

async function customerOfContact(id: string, { trx, caller }: CallContext): Promise<string> {
  const row = await trx
    .selectFrom('contact')
    .select('customer_id')
    .where('tenant_id', '=', caller.tenantId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.customer_id ?? refuse(404, 'NOT_FOUND', text('call.not-found'))
}

/** Refuses contacts of other customers. */
export async function refuseForeignContacts(
  ids: readonly string[],
  target: Pick<ResolvedTarget, 'customer_id'>,
  { trx, caller }: CallContext,
): Promise<void> {
  if (ids.length === 0) return
  const known = await trx
    .selectFrom('contact')
    .select('id')
    .where('tenant_id', '=', caller.tenantId)
    .where('customer_id', '=', target.customer_id ?? '')
    .where('deleted_at', 'is', null)
    .where('id', 'in', ids)
    .execute()
  if (known.length < ids.length) refuseFaults({ contact_ids: text('follow.contact') })
}
