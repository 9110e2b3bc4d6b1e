import { type RawBuilder, sql } from 'kysely'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { notifyPeople } from '../../kernel/live/notify.ts'

/** The old and new owner of records, and which records: a condition on a to-do `t`. */
export interface GivenTodos {
  readonly from: string
  readonly to: string
  readonly of: RawBuilder<boolean>
}

/**
 * Transfers the to-dos that jobs created for an owner, together with their keys: the new owner gets them immediately, and the jobs do not create them
 * again. Those the new owner has already are not duplicated.
 */
export async function giveJobTodos({ from, to, of }: GivenTodos, ctx: CallContext): Promise<void> {
  const { trx, caller, now } = ctx
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

/** Also transfers to-dos that the owner wrote or got from colleagues, if wanted. */
export async function giveOwnTodos({ from, to, of }: GivenTodos, ctx: CallContext): Promise<void> {
  const { trx, caller, now } = ctx
  await sql`update todo t set assignee_id = ${to}, updated_by = ${caller.userId}, updated_at = ${now}, version = version + 1
    where t.tenant_id = ${caller.tenantId} and t.assignee_id = ${from} and t.origin <> 'job' and t.status = 0
      and t.deleted_at is null and ${of}`.execute(trx)
}

/** To-dos about records of one kind. */
export function todosAbout(target: string, ids: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`(t.target_type = ${target} and t.target_id = any(${[...ids]}::text[]))`
}

/** To-dos about contracts and their plans and payments. */
export function todosOfContracts(ids: readonly string[], tenantId: string): RawBuilder<boolean> {
  const below = (table: 'payment_plan' | 'payment') => sql`select l.id from ${sql.table(table)} l
    where l.tenant_id = ${tenantId} and l.contract_id = any(${[...ids]}::text[])`
  return sql<boolean>`(${todosAbout('contract', ids)} or t.target_type = 'plan' and t.target_id in (${below('payment_plan')})
    or t.target_type = 'payment' and t.target_id in (${below('payment')}))`
}
