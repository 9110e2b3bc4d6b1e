import { type RawBuilder, sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { Caller } from '../auth/caller.ts'
import type { CallContext } from '../context/call-context.ts'
import type { PoolEntity, SalesEntity } from '../context/entities.ts'
import { wireExt } from '../fields/ext-fields.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { maskOf, maskRow, poolMasks } from '../visibility/masking.ts'
import { isInScope, isVisible, isVisibleOwned, isWritable } from '../visibility/predicate.ts'
import { entityWords } from './action-words.ts'
import { pooledLink, refuseLost } from './refuse-lost.ts'
import { wireRow } from './wire.ts'

/** A record with what the caller may do with it; for a contact, owner and pool are those of its customer. */
export interface FoundRecord {
  readonly id: string
  readonly name: string
  readonly version: number
  readonly owner_id: string | null
  readonly pool_id: string | null
  readonly in_scope: boolean
  readonly can_write: boolean
  readonly [column: string]: unknown
}

/**
 * The current state of a record; 404 if it does not exist for the caller.
 *
 * @param lock  locks it until the transaction ends, so that nobody changes it meanwhile
 */
export async function findRecord<Found extends FoundRecord = FoundRecord>(
  entity: SalesEntity,
  id: string,
  ctx: CallContext,
  lock = false,
): Promise<Found> {
  if (lock && entity === 'contact') await lockCustomerOf(id, ctx)
  const { caller } = ctx
  const isSeen = isVisible(caller, ...ruledBy(entity))
  const [found] = await readRecords<Found>(
    entity,
    sql<boolean>`${isSeen} and r.id = ${id} ${lock ? sql`for update of r` : sql``}`,
    ctx,
  )
  if (found !== undefined) return found
  return entity === 'contact' ? refuse(404, 'NOT_FOUND', text('call.not-found')) : refuseLost(entity, id, ctx)
}

/** Those of the records that have an owner and that the caller sees; unordered. */
export function findOwned(
  entity: SalesEntity,
  ids: readonly string[],
  ctx: CallContext,
): Promise<readonly FoundRecord[]> {
  const isSeen = isVisibleOwned(ctx.caller, ...ruledBy(entity))
  return readRecords(entity, sql<boolean>`${isSeen} and r.id = any(${[...ids]}::text[])`, ctx)
}

/** The entity whose rule decides who sees a record, and its alias below. */
function ruledBy(entity: SalesEntity): readonly [PoolEntity, string] {
  return entity === 'contact' ? ['customer', 'c'] : [entity, 'r']
}

/** @param where  of `r`, the record, and `c`, the customer of a contact */
async function readRecords<Found extends FoundRecord>(
  entity: SalesEntity,
  where: RawBuilder<unknown>,
  { trx, caller }: CallContext,
): Promise<readonly Found[]> {
  const { rows } =
    entity === 'contact'
      ? await sql<Found>`
        select r.*, c.owner_id, c.owner_dept_id, c.pool_id, c.name as customer_name, ${poolMasks('c')},
          ${isInScope(caller, 'customer', 'c')} as in_scope,
          ${isWritable(caller, 'customer', 'c', 'contact:edit')} as can_write
        from contact r join customer c on c.tenant_id = r.tenant_id and c.id = r.customer_id
        where r.tenant_id = ${caller.tenantId} and r.deleted_at is null and ${where}`.execute(trx)
      : await sql<Found>`select ${foundColumns(entity, caller)} from ${sql.table(entity)} r where ${where}`.execute(
          trx,
        )
  return rows
}

const foundColumns = (entity: PoolEntity, caller: Caller): RawBuilder<unknown> =>
  sql`r.*, ${poolMasks('r')}, ${isInScope(caller, entity, 'r')} as in_scope, ${isWritable(caller, entity, 'r')} as can_write`

/** A query about a record just written, `made`: the record as in {@link findRecord}, and whether the caller sees it. */
export const madeRecord = (entity: PoolEntity, { caller }: CallContext): RawBuilder<unknown> =>
  sql`select ${foundColumns(entity, caller)}, ${isVisible(caller, entity, 'r')} as visible from made r`

/** Whatever moves a customer locks it before its contacts, so changing a contact does the same to avoid a deadlock. */
async function lockCustomerOf(contactId: string, { trx, caller }: CallContext): Promise<void> {
  await sql`select 1 from customer where tenant_id = ${caller.tenantId} and id = (select customer_id from contact
    where tenant_id = ${caller.tenantId} and id = ${contactId}) for no key update`.execute(trx)
}

/** The record, locked for a change that the caller may make; 404 if invisible, 405 if they may only read. */
export async function findToChange<Found extends FoundRecord = FoundRecord>(
  entity: SalesEntity,
  id: string,
  ctx: CallContext,
): Promise<Found> {
  const found = await findRecord<Found>(entity, id, ctx, true)
  if (!found.can_write) await notYours(entity, found, `${entity}:edit`, ctx, pooledPage(entity, found, ctx))
  return found
}

/** The record, locked for something only its owner or a superior may do. */
export async function findInScope<Found extends FoundRecord = FoundRecord>(
  entity: SalesEntity,
  id: string,
  ctx: CallContext,
  action: string,
): Promise<Found> {
  const found = await findRecord<Found>(entity, id, ctx, true)
  if (!found.in_scope) await notYours(entity, found, `${entity}:${action}`, ctx)
  return found
}

/** The page of a record that went to a pool, for those who may open it. */
const pooledPage = (
  entity: SalesEntity,
  { id, pool_id }: FoundRecord,
  ctx: CallContext,
): JsonObject | null => (pool_id === null || entity === 'contact' ? null : pooledLink(entity, id, ctx))

/**
 * Refuses with 405 what only its owner, a superior or a write collaborator may do with a record that the caller sees. A record in a pool has no owner:
 * it went there after the caller last saw it. Whose any other is, is said to those who have the permission: it may have been transferred since.
 */
export async function notYours(
  entity: string,
  { owner_id, pool_id = null }: { readonly owner_id: string | null; readonly pool_id?: string | null },
  detail: string,
  ctx: CallContext,
  data: JsonObject | null = null,
): Promise<never> {
  if (owner_id === null && pool_id !== null)
    refuse(405, 'NO_PERMISSION', text('pool.in-pool'), { detail, data })
  if (owner_id === null || !ctx.caller.permissions.has(detail)) return noPermission(detail)
  return refuseOf(entity, owner_id, detail, ctx)
}

/** Refuses with 405 and the name of the owner, who is somebody else. The caller sees the record. */
export async function refuseOf(
  entity: string,
  owner_id: string,
  detail: string,
  ctx: CallContext,
): Promise<never> {
  const { trx, caller } = ctx
  const { rows } = await sql<{ name: string }>`select name from membership
    where tenant_id = ${caller.tenantId} and user_id = ${owner_id}`.execute(trx)
  const [owner] = rows
  if (owner === undefined) return noPermission(detail)
  const what = entityWords(entity, ctx.model)
  return refuse(405, 'NO_PERMISSION', text('record.of-owner', { what, owner: owner.name }), { detail })
}

/** Refuses with 405 if the caller lacks a permission for this record. */
export function noPermission(detail: string): never {
  refuse(405, 'NO_PERMISSION', text('call.no-permission'), { detail })
}

/** Columns for internal use. */
const INTERNAL = new Set([
  'tenant_id',
  'name_norm',
  'birth_month',
  'search_text',
  'search_tokens',
  'py',
  'mobile_norm',
  'website_host',
  'dup_allowed',
  'deleted_at',
  'in_scope',
  'can_write',
  'pool_masks',
  'visible',
])

/** A record as sent to the client, limited to what the caller may see. */
export function wireRecord(entity: SalesEntity, found: FoundRecord, ctx: CallContext): JsonObject {
  const { caller, zone } = ctx
  const open = Object.fromEntries(Object.entries(found).filter(([name]) => !INTERNAL.has(name)))
  const mask = maskOf(caller, entity, found, ctx.model.modules.get(entity))
  return { ...wireRow(maskRow(open, mask), zone), ...wireExt(entity, found.ext, ctx, mask) }
}

/** Fields of the record that have a value and are shown in part. */
export function maskedFieldsOf(
  entity: SalesEntity,
  found: FoundRecord,
  { caller }: CallContext,
): readonly string[] {
  const { masked } = maskOf(caller, entity, found)
  return [...masked].filter((field) => Object.hasOwn(found, field) && found[field] !== null)
}
