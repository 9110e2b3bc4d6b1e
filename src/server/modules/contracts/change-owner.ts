import { sql } from 'kysely'
import { refuseSoleApprover } from '../../kernel/approvals/new-owner.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { Member } from '../../kernel/records/member.ts'
import { giveJobTodos, todosOfContracts } from '../todos/give-todos.ts'

/** The former and the next owner of contracts, and what the former owner keeps. */
export interface ContractHandOver {
  readonly from: string
  readonly to: Pick<Member, 'user_id' | 'dept_id'>
  readonly keepOld: 'none' | 'read' | 'write'
}

/**
 * Changes the owner of contracts and of everything that follows its contract's owner: payments, running revisions, and to-dos created by jobs. The
 * caller of this function has checked the right. Approvals that ask the new owner ask others.
 *
 * @throws Refusal 409 if nobody but the new owner may decide one
 */
export async function changeContractOwner(
  ids: readonly string[],
  { from, to, keepOld }: ContractHandOver,
  ctx: CallContext,
): Promise<void> {
  if (ids.length === 0) return
  const { trx, caller, now } = ctx
  const tenantId = caller.tenantId
  const idList = sql`${[...ids]}::text[]`
  const owner = sql`owner_id = ${to.user_id}, owner_dept_id = ${to.dept_id}, updated_by = ${caller.userId},
    updated_at = ${now}, version = version + 1`
  const contracts = await sql<{ id: string }>`update contract set ${owner} where tenant_id = ${tenantId}
    and (id = any(${idList}) or revision_of = any(${idList}) and approval_status in (0, 1, 3, 4)) returning id`.execute(
    trx,
  )
  const payments = await sql<{ id: string }>`update payment set ${owner} where tenant_id = ${tenantId}
    and contract_id = any(${idList}) and deleted_at is null returning id`.execute(trx)
  for (const [entity, { rows }] of [['contract', contracts] as const, ['payment', payments] as const])
    await refuseSoleApprover(to.user_id, { entity, ids: rows.map((row) => row.id) }, ctx)
  await giveJobTodos({ from, to: to.user_id, of: todosOfContracts(ids, tenantId) }, ctx)
  await sql`delete from collaborator where tenant_id = ${tenantId} and entity = 'contract'
    and record_id = any(${idList}) and user_id = ${to.user_id}`.execute(trx)
  if (keepOld === 'none') return
  await sql`insert into collaborator (tenant_id, entity, record_id, user_id, level, created_by, created_at)
    select ${tenantId}, 'contract', kept, ${from}, ${keepOld}, ${caller.userId}, ${now}::timestamptz
    from unnest(${idList}) as kept
    on conflict (tenant_id, entity, record_id, user_id)
      do update set level = excluded.level, expire_at = null`.execute(trx)
}
