import { type RawBuilder, sql } from 'kysely'
import type { Asking } from '../../kernel/asking/asking.ts'
import { notifyPeople } from '../../kernel/live/notify.ts'

/** Who had records, who gets them, and which records: a condition on a to-do `t`. */
export interface GivenTodos {
  readonly from: string
  readonly to: string
  readonly of: RawBuilder<boolean>
}

/**
 * What the jobs ask of an owner goes with the ownership, its key too: so the new owner has it at once, and the jobs do
 * not make it again. What they have already is not given to them twice.
 */
export async function giveJobTodos({ from, to, of }: GivenTodos, asking: Asking): Promise<void> {
  const { trx, caller, now } = asking
  const open = sql`t.tenant_id = ${caller.tenantId} and t.assignee_id = ${from} and t.origin = 'job' and t.status = 0
    and t.deleted_at is null and ${of}`
  const key = sql`${to}::text || substr(t.source_key, char_length(${from}::text) + 1)`
  await sql`update todo t set status = 2, remind_next = null, updated_at = ${now}, version = version + 1
    where ${open} and exists (select 1 from todo o where o.tenant_id = t.tenant_id and o.source_key = ${key})`.execute(
    trx,
  )
  await sql`update todo t set assignee_id = ${to}, source_key = ${key}, updated_by = ${caller.userId}, updated_at = ${now},
    version = version + 1 where ${open}`.execute(trx)
  await notifyPeople(trx, caller.tenantId, [from, to], { kind: 'todo' })
}

/** What somebody wrote down for themselves or was asked by colleagues goes too, where that is wanted. */
export async function giveOwnTodos({ from, to, of }: GivenTodos, asking: Asking): Promise<void> {
  const { trx, caller, now } = asking
  await sql`update todo t set assignee_id = ${to}, updated_by = ${caller.userId}, updated_at = ${now}, version = version + 1
    where t.tenant_id = ${caller.tenantId} and t.assignee_id = ${from} and t.origin <> 'job' and t.status = 0
      and t.deleted_at is null and ${of}`.execute(trx)
}

/** To-dos about records of one kind. */
export function todosAbout(target: string, ids: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`(t.target_type = ${target} and t.target_id = any(${[...ids]}::text[]))`
}

/** To-dos about contracts and what hangs on them. */
export function todosOfContracts(ids: readonly string[], tenantId: string): RawBuilder<boolean> {
  const below = (table: 'payment_plan' | 'payment') => sql`select l.id from ${sql.table(table)} l
    where l.tenant_id = ${tenantId} and l.contract_id = any(${[...ids]}::text[])`
  return sql<boolean>`(${todosAbout('contract', ids)} or t.target_type = 'plan' and t.target_id in (${below('payment_plan')})
    or t.target_type = 'payment' and t.target_id in (${below('payment')}))`
}
