import { sql } from 'kysely'
import type { ApprovalEntity, ApproverRule } from '../../../contract/approval.ts'
import type { CallContext } from '../context/call-context.ts'
import { holdersOf, holdsRight } from '../records/member.ts'

/** The owner of a submission, and the people who may not decide on it. */
export interface Search {
  readonly entity: ApprovalEntity
  readonly submitterId: string
  readonly barred: readonly string[]
}

/**
 * The people selected by a rule who may decide: enabled, with the permission to approve, not barred. If there are none, the nearest superior who may
 * ("skip upward", DOMAIN 1.6), and finally somebody who administers the flows; empty if there is nobody at all.
 */
export async function approversOf(
  rule: ApproverRule,
  search: Search,
  ctx: CallContext,
): Promise<readonly string[]> {
  const named = await eligible(await namedBy(rule, search.submitterId, ctx), search, ctx)
  if (named.length > 0) return named
  for (const superior of await superiorsOf(search.submitterId, ctx)) {
    const found = await eligible([superior], search, ctx)
    if (found.length > 0) return found
  }
  const admins = await eligible(await holdersOf('system:flow', ctx), search, ctx)
  return admins.slice(0, 1)
}

/** Those of `people` who may decide, in the order given. */
export async function eligible(
  people: readonly string[],
  { entity, barred }: Pick<Search, 'entity' | 'barred'>,
  { trx, caller }: CallContext,
): Promise<readonly string[]> {
  if (people.length === 0) return []
  const { rows } = await sql<{ user_id: string }>`select m.user_id from membership m
    where m.tenant_id = ${caller.tenantId} and m.user_id = any(${[...people]}::text[]) and m.status = 'enabled'
      and m.deleted_at is null and ${holdsRight('m', `${entity}:approve`)}`.execute(trx)
  const found = new Set(rows.map((row) => row.user_id))
  return [...new Set(people)].filter((person) => found.has(person) && !barred.includes(person))
}

/** People selected by a rule, whether they may decide or not. */
export async function namedBy(
  { kind, value }: ApproverRule,
  submitterId: string,
  ctx: CallContext,
): Promise<readonly string[]> {
  if (kind === 'user') return value === undefined ? [] : [value]
  if (kind === 'role') return inRole(value ?? '', ctx)
  if (kind === 'superior') return (await superiorsOf(submitterId, ctx)).slice(0, 1)
  const { trx, caller } = ctx
  const { rows } = await sql<{ leader_id: string }>`select d.leader_id from membership m
    join department d on d.tenant_id = m.tenant_id and d.id = m.dept_id
    where m.tenant_id = ${caller.tenantId} and m.user_id = ${submitterId} and d.leader_id is not null`.execute(
    trx,
  )
  return rows.map((row) => row.leader_id)
}

const MAX_CHAIN = 20

/** The chain of superiors, nearest first; it stops at a cycle. */
async function superiorsOf(userId: string, { trx, caller }: CallContext): Promise<readonly string[]> {
  const { rows } = await sql<{ user_id: string }>`
    with recursive chain as (
      select supervisor_id as user_id, 1 as height from membership
        where tenant_id = ${caller.tenantId} and user_id = ${userId}
      union
      select m.supervisor_id, chain.height + 1 from membership m join chain on m.user_id = chain.user_id
        where m.tenant_id = ${caller.tenantId} and chain.height < ${MAX_CHAIN}
    ) select user_id from chain where user_id is not null order by height`.execute(trx)
  return [...new Set(rows.map((row) => row.user_id))]
}

async function inRole(code: string, { trx, caller }: CallContext): Promise<readonly string[]> {
  const { rows } = await sql<{ user_id: string }>`select a.user_id from role_assignment a
    join role r on r.tenant_id = a.tenant_id and r.id = a.role_id
    where a.tenant_id = ${caller.tenantId} and r.code = ${code} order by a.user_id`.execute(trx)
  return rows.map((row) => row.user_id)
}
