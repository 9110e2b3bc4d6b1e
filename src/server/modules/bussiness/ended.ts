import { sql } from 'kysely'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { announce } from '../../kernel/notices/announce.ts'
import { refreshExpiry } from '../../kernel/pools/refresh-expiry.ts'
import { superiorOf } from '../../kernel/records/member.ts'
import { refreshExpiry as refreshCustomer } from '../customers/holding.ts'
import { closeTodosOf, type TodoKinds } from '../todos/close-todos.ts'

/** The opportunity that changed. */
export interface ChangedBussiness {
  readonly id: string
  readonly name: string
  readonly owner_id: string | null
  readonly customer_id: string
}

/** Kinds of to-dos that only concern the sale. Other kinds may concern what follows it. */
const SELLING: TodoKinds = ['follow', 'first_follow', 'recycle']

/**
 * The consequences of closing an opportunity, by hand or by its contract: it no longer returns to a pool, to-dos of the sale are closed, and the
 * people concerned are notified.
 *
 * @param options  after a sale won by hand, to-dos of other kinds stay open: the contract has yet to be written
 */
export async function afterEnd(
  moved: ChangedBussiness,
  options: { readonly event: 'bussiness.won' | 'bussiness.lost'; readonly isDone: boolean },
  params: Readonly<Record<string, string | number>>,
  ctx: CallContext,
): Promise<void> {
  const { trx, caller } = ctx
  await closeTodosOf('bussiness', moved.id, ctx, options.isDone ? null : SELLING)
  await refreshExpiry('bussiness', [moved.id], { trx, tenantId: caller.tenantId })
  await refreshCustomer(ctx, moved.customer_id)
  await notifyOfBussiness(moved, options.event, params, ctx)
}

/** Notifies owner and superior of a change of stage or status. A won sale is also announced to the department, with a link to the list. */
export async function notifyOfBussiness(
  { id, name, owner_id }: ChangedBussiness,
  event: 'bussiness.stage' | 'bussiness.won' | 'bussiness.lost',
  params: Readonly<Record<string, string | number>>,
  ctx: CallContext,
): Promise<void> {
  if (owner_id === null) return
  const { trx, caller, now } = ctx
  const superior = await superiorOf(owner_id, ctx)
  const nearest = [owner_id, ...(superior === null ? [] : [superior])]
  const announcement = {
    event,
    tenantId: caller.tenantId,
    actorId: caller.userId,
    now,
    entity: 'bussiness',
    params: { by: caller.name, name, ...params },
  } as const
  await announce(trx, { ...announcement, receivers: nearest, ids: [id] })
  if (event !== 'bussiness.won') return
  const { rows } = await sql<{ user_id: string }>`select m.user_id from membership m
    join membership o on o.tenant_id = m.tenant_id and o.dept_id = m.dept_id and o.user_id = ${owner_id}
    where m.tenant_id = ${caller.tenantId} and m.user_id <> all(${nearest}::text[])`.execute(trx)
  await announce(trx, { ...announcement, receivers: rows.map((row) => row.user_id), ids: [] })
}
