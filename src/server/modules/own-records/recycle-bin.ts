import { type RawBuilder, sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { repeatFaults } from '../../kernel/fields/field-faults.ts'
import { notYours } from '../../kernel/records/find-record.ts'
import { OWNER_NAME, oldestMark, pageOfBin } from '../../kernel/records/recycle-bin.ts'
import { updateRow } from '../../kernel/records/write-row.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { isOwnRestorable, isPooled } from '../../kernel/visibility/own-module.ts'
import { isWritable } from './approval-state.ts'
import { refuseState } from './approve-record.ts'
import { ROW } from './list-spec.ts'
import { refreshReturn } from './owner-change.ts'
import { findOwnRecord, type StoredRecord } from './record.ts'
import { checkRestorable, lockOwnTree } from './tree.ts'

/** Moves a record to the recycle bin, from where it can be restored for 30 days. */
export async function removeOwnRecord(module: MergedModule, id: string, ctx: CallContext): Promise<void> {
  const found = await findOwnRecord(module, id, ctx, true)
  // A record in a pool can be deleted by whoever may see the pool and delete.
  const entity = ownRights(module.name)
  if (!found.in_scope && !isPooled(module, found)) await notYours(entity, found, `${entity}:del`, ctx)
  await remove(module, found, ctx)
}

/** The same for a record in one of the caller's pools. */
export async function removeFromOwnPool(module: MergedModule, id: string, ctx: CallContext): Promise<void> {
  await remove(module, await findInOwnPool(module, id, ctx), ctx)
}

/** A record in one of the caller's pools, locked. 409 if somebody owns it by now. */
export async function findInOwnPool(
  module: MergedModule,
  id: string,
  ctx: CallContext,
): Promise<StoredRecord> {
  const found = await findOwnRecord(module, id, ctx, true)
  if (!isPooled(module, found)) refuse(409, 'STATE_CONFLICT', text('pool.not-in-pool'))
  return found
}

async function remove(module: MergedModule, found: StoredRecord, ctx: CallContext): Promise<void> {
  const { id } = found
  if (!isWritable(module, found, [module.title])) refuseState(found)
  await updateRow('record', id, { deleted_at: ctx.now }, ctx)
}

/** 回收站 of a module. @param body  `keyword`, `cursor` */
export const ownRecycleBin = (module: MergedModule, body: unknown, ctx: CallContext) =>
  pageOfBin(
    {
      table: sql`record`,
      name: sql`r.title`,
      of: OWNER_NAME,
      isTheirs: isOwnRestorable(ctx.caller, module, ROW),
    },
    body,
    ctx,
  )

/**
 * Restores a record.
 * @throws Refusal 404 if it is not in the caller's recycle bin, 409 DUPLICATE if another record has a unique value of it by now, 409
 * STATE_CONFLICT if it no longer fits below the record it stood below
 */
export async function restoreOwnRecord(module: MergedModule, id: string, ctx: CallContext): Promise<void> {
  await lockOwnTree(module, ctx)
  const { rows } = await sql<{ ext: JsonObject }>`select r.ext from record r where ${isInBin(module, ctx)}
    and r.id = ${id} for update of r`.execute(ctx.trx)
  const [found] = rows
  if (found === undefined) refuse(404, 'NOT_FOUND', text('record.not-deleted'))
  const alone = module.fields.filter(({ unique }) => unique === 'refuse')
  const values = Object.fromEntries(alone.map(({ name }): [string, Json] => [name, found.ext[name] ?? null]))
  const faults = await repeatFaults(alone, values, { table: 'record', module: module.name, id }, ctx)
  const [fault] = Object.values(faults)
  if (fault !== undefined) refuse(409, 'DUPLICATE', fault, { fields: faults })
  await checkRestorable(module, { id, ext: found.ext }, ctx)
  await updateRow('record', id, { deleted_at: null }, ctx)
  await refreshReturn(module, id, ctx)
}

const isInBin = (module: MergedModule, ctx: CallContext): RawBuilder<boolean> =>
  sql<boolean>`(r.tenant_id = ${ctx.caller.tenantId} and r.deleted_at >= ${oldestMark(ctx)}
    and ${isOwnRestorable(ctx.caller, module, ROW)})`
