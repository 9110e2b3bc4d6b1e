import { sql } from 'kysely'
import type { CallContext } from '../context/call-context.ts'
import { ENTITY_TEXT, type PoolEntity } from '../context/entities.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { findInPool } from './find-in-pool.ts'
import { type FoundRecord, findInScope } from './find-record.ts'
import { isRestorable, oldestMark } from './recycle-bin.ts'

/** Dependent data of a record: `blocks` prevent its deletion, `along` is deleted and restored with it (DOMAIN 1.16). */
interface Deletion {
  readonly blocks: readonly { readonly table: 'bussiness' | 'contract'; readonly key: string }[]
  readonly along: readonly { readonly table: 'contact' | 'follow'; readonly key: string }[]
}

const DELETIONS: Readonly<Record<PoolEntity, Deletion>> = {
  customer: {
    blocks: [
      { table: 'bussiness', key: 'customer_id' },
      { table: 'contract', key: 'customer_id' },
    ],
    along: [
      { table: 'contact', key: 'customer_id' },
      { table: 'follow', key: 'customer_id' },
    ],
  },
  lead: { blocks: [], along: [{ table: 'follow', key: 'lead_id' }] },
  bussiness: {
    blocks: [{ table: 'contract', key: 'bussiness_id' }],
    along: [],
  },
}

/**
 * Moves a record to the recycle bin with its dependent data (DOMAIN 1.1.2, 1.16).
 *
 * @throws Refusal 404, 405, 422 REFERENCED while something blocks it
 */
export async function removeRecord(entity: PoolEntity, id: string, ctx: CallContext): Promise<void> {
  await remove(entity, await findInScope(entity, id, ctx, 'del'), ctx)
}

/** The same for a record in one of the caller's pools (DOMAIN 1.2.5). */
export async function removeFromPool(entity: PoolEntity, id: string, ctx: CallContext): Promise<void> {
  await remove(entity, await findInPool(entity, id, ctx), ctx)
}

async function remove(entity: PoolEntity, found: FoundRecord, ctx: CallContext): Promise<void> {
  const { trx, caller, now } = ctx
  if (entity === 'lead' && found.status === 40) refuse(422, 'REFERENCED', text('lead.delete-converted'))
  for (const { table, key } of DELETIONS[entity].blocks) {
    const { rows } = await sql`select 1 from ${sql.table(table)} where tenant_id = ${caller.tenantId}
      and ${sql.ref(key)} = ${found.id} and deleted_at is null limit 1`.execute(trx)
    if (rows.length > 0)
      refuse(
        422,
        'REFERENCED',
        text('record.referenced', {
          name: text(ENTITY_TEXT[entity]),
          what: text(`customer.referenced.${table}`),
        }),
      )
  }
  await markDeleted(entity, found.id, now, null, ctx)
}

/**
 * Restores a record with everything that was deleted together with it.
 *
 * @throws Refusal 404 if it is not in the caller's recycle bin, 409 DUPLICATE if its name is used by now
 */
export async function restoreRecord(entity: PoolEntity, id: string, ctx: CallContext): Promise<void> {
  const { trx, caller } = ctx
  const isDuplicate =
    entity === 'customer'
      ? sql`not r.dup_allowed and exists (select 1 from customer x where x.tenant_id = r.tenant_id
          and x.deleted_at is null and (x.name_norm = r.name_norm or x.credit_code = r.credit_code))`
      : sql`false`
  const { rows } = await sql<{ deleted_at: Date; taken: boolean }>`
    select r.deleted_at, ${isDuplicate} as taken from ${sql.table(entity)} r
    where r.tenant_id = ${caller.tenantId} and r.id = ${id} and r.deleted_at >= ${oldestMark(ctx)}
      and ${isRestorable(entity, 'r', ctx)}
    for update of r`.execute(trx)
  const [found] = rows
  if (found === undefined) refuse(404, 'NOT_FOUND', text('customer.not-deleted'))
  if (found.taken) refuse(409, 'DUPLICATE', text('customer.duplicate'))
  await markDeleted(entity, id, null, found.deleted_at, ctx)
}

/** Sets the deletion mark of the record and its dependent data: `from` is their current mark. */
async function markDeleted(
  entity: PoolEntity,
  id: string,
  to: Date | null,
  from: Date | null,
  { trx, caller, now }: CallContext,
): Promise<void> {
  for (const { table, key } of [{ table: entity, key: 'id' }, ...DELETIONS[entity].along])
    await sql`update ${sql.table(table)} set deleted_at = ${to}, updated_by = ${caller.userId}, updated_at = ${now},
        version = version + 1
      where tenant_id = ${caller.tenantId} and ${sql.ref(key)} = ${id}
        and deleted_at is not distinct from ${from}`.execute(trx)
}
