import { sql } from 'kysely'
import type { CallContext } from '../context/call-context.ts'
import { ENTITY_TEXT, type PoolEntity } from '../context/entities.ts'
import { linkIn, linkTo, POOL_PAGES, urlOf } from '../notices/links.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { isVisible } from '../visibility/predicate.ts'
import { mergedInto } from './redirect.ts'

interface Lost {
  readonly deleted: boolean
  readonly owner: string | null
  readonly pool: string | null
}

/** What a refusal tells of a record in a pool: its page, for those who may look into pools. */
export const pooledLink = (
  entity: PoolEntity,
  id: string,
  { caller }: CallContext,
): { readonly url: string } | null =>
  caller.permissions.has(`${entity}_pool:view`) ? { url: urlOf(linkIn(POOL_PAGES[entity], [id])) } : null

/**
 * Refuses with 404 a record that the caller does not see. Whoever had it is told what became of it, since they may have its page open; for everybody else
 * it does not exist.
 */
export async function refuseLost(entity: PoolEntity, id: string, ctx: CallContext): Promise<never> {
  const { trx, caller } = ctx
  const { rows } = await sql<Lost>`
    select r.deleted_at is not null as deleted, m.name as owner, p.name as pool from ${sql.table(entity)} r
    left join membership m on m.tenant_id = r.tenant_id and m.user_id = r.owner_id
    left join pool p on p.tenant_id = r.tenant_id and p.id = r.pool_id and r.owner_id is null
    where r.tenant_id = ${caller.tenantId} and r.id = ${id} and (r.owner_id = ${caller.userId} or exists (
      select 1 from owner_record o where o.tenant_id = r.tenant_id and o.entity = ${entity} and o.record_id = r.id
        and o.from_user = ${caller.userId}))`.execute(trx)
  const [lost] = rows
  const what = text(ENTITY_TEXT[entity])
  if (lost?.deleted === true) {
    if (entity === 'customer') await refuseMerged(id, ctx)
    refuse(404, 'NOT_FOUND', text('record.lost-deleted', { what }))
  }
  if (lost?.pool)
    refuse(404, 'NOT_FOUND', text('record.lost-pool', { what, pool: lost.pool }), {
      data: pooledLink(entity, id, ctx),
    })
  if (lost?.owner) refuse(404, 'NOT_FOUND', text('record.lost-owner', { what, owner: lost.owner }))
  return refuse(404, 'NOT_FOUND', text('call.not-found'))
}

/** Refuses a customer that was merged into another one; that one is named, with the way there, if the caller sees it. */
async function refuseMerged(id: string, ctx: CallContext): Promise<void> {
  const master = await mergedInto(id, ctx)
  if (master === null) return
  const { rows } = await sql<{ name: string }>`select r.name from customer r
    where ${isVisible(ctx.caller, 'customer', 'r')} and r.id = ${master}`.execute(ctx.trx)
  const [seen] = rows
  if (seen === undefined) refuse(404, 'NOT_FOUND', text('record.merged'))
  refuse(404, 'NOT_FOUND', text('record.merged-into', { name: seen.name }), {
    data: { url: urlOf(linkTo('customer', [master])) },
  })
}
