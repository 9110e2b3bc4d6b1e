import { sql } from 'kysely'
import type { CallContext } from '../context/call-context.ts'
import type { PoolEntity } from '../context/entities.ts'
import { type FoundRecord, madeRecord } from './find-record.ts'
import { firstMove, type NewHolder } from './new-holder.ts'
import { movesMade } from './owner-record.ts'
import { type Columns, insertReading } from './write-row.ts'

/** A new record, and its owner. */
interface New {
  readonly columns: Columns & { readonly id: string }
  readonly holder: NewHolder
}

/**
 * Inserts a record with the first entry of its ownership history.
 *
 * @returns false if a unique index rejected it; nothing is written then
 */
export async function insertHeld(
  entity: PoolEntity,
  { columns, holder }: New,
  ctx: CallContext,
): Promise<boolean> {
  const along = {
    read: sql`select 1 as stored from made`,
    more: [firstMoveMade(entity, columns.id, holder, ctx)],
  }
  return (await insertReading(entity, columns, along, ctx)) !== undefined
}

/** {@link insertHeld}, for a kind without unique indexes. @returns the record as stored; `visible`: the caller sees it */
export async function insertFound(
  entity: PoolEntity,
  { columns, holder }: New,
  ctx: CallContext,
): Promise<(FoundRecord & { readonly visible: boolean }) | undefined> {
  const along = {
    read: madeRecord(entity, ctx),
    more: [firstMoveMade(entity, columns.id, holder, ctx)],
  }
  return insertReading(entity, columns, along, ctx)
}

const firstMoveMade = (entity: PoolEntity, id: string, holder: NewHolder, { caller, now }: CallContext) =>
  movesMade(entity, firstMove(id, holder), { now, tenantId: caller.tenantId, operatorId: caller.userId })
