import { sql } from 'kysely'
import type { Asking } from '../../kernel/asking/asking.ts'
import { announce } from '../../kernel/notices/announce.ts'
import { refreshExpiry } from '../../kernel/pools/refresh-expiry.ts'
import { superiorOf } from '../../kernel/records/member.ts'
import { refreshExpiry as refreshCustomer } from '../customers/holding.ts'
import { closeTodosOf, type TodoKinds } from '../todos/close-todos.ts'

/** An opportunity something happened to. */
export interface Moved {
  readonly id: string
  readonly name: string
  readonly owner_id: string | null
  readonly customer_id: string
}

/** To-dos that only drive a sale on; the others may be about what comes after it. */
const SELLING: TodoKinds = ['follow', 'first_follow', 'recycle']

/**
 * What follows the end of an opportunity, however it came to it: it does not go back to a pool any more, nobody is
 * reminded of the sale, and those it concerns hear of it.
 *
 * @param how  after a sale that was won by hand, to-dos of other kinds stay: the contract is still to be made
 */
export async function afterEnd(
  moved: Moved,
  how: { readonly event: 'bussiness.won' | 'bussiness.lost'; readonly isDone: boolean },
  params: Readonly<Record<string, string | number>>,
  asking: Asking,
): Promise<void> {
  const { trx, caller } = asking
  await closeTodosOf('bussiness', moved.id, asking, how.isDone ? null : SELLING)
  await refreshExpiry('bussiness', [moved.id], { trx, tenantId: caller.tenantId })
  await refreshCustomer(asking, moved.customer_id)
  await tellOfBussiness(moved, how.event, params, asking)
}

/** Tells owner and superior of a step; of a sale that was won the department too, which is led to the list. */
export async function tellOfBussiness(
  { id, name, owner_id }: Moved,
  event: 'bussiness.stage' | 'bussiness.won' | 'bussiness.lost',
  params: Readonly<Record<string, string | number>>,
  asking: Asking,
): Promise<void> {
  if (owner_id === null) return
  const { trx, caller, now } = asking
  const superior = await superiorOf(owner_id, asking)
  const nearest = [owner_id, ...(superior === null ? [] : [superior])]
  const told = {
    event,
    tenantId: caller.tenantId,
    actorId: caller.userId,
    now,
    entity: 'bussiness',
    params: { by: caller.name, name, ...params },
  } as const
  await announce(trx, { ...told, receivers: nearest, ids: [id] })
  if (event !== 'bussiness.won') return
  const { rows } = await sql<{ user_id: string }>`select m.user_id from membership m
    join membership o on o.tenant_id = m.tenant_id and o.dept_id = m.dept_id and o.user_id = ${owner_id}
    where m.tenant_id = ${caller.tenantId} and m.user_id <> all(${nearest}::text[])`.execute(trx)
  await announce(trx, { ...told, receivers: rows.map((row) => row.user_id), ids: [] })
}
