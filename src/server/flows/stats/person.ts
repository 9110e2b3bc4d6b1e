import { type RawBuilder, sql } from 'kysely'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { membersInScope, type OwnedEntity } from '../../kernel/visibility/predicate.ts'

/** A person whose work is viewed. */
export interface Person {
  readonly id: string
  readonly name: string
}

/**
 * A person of the caller's data scope.
 *
 * @param module  whose scope applies
 * @param orMyself  the caller is included, whatever their scope
 * @throws Refusal 404 for anybody else, so that their existence is not revealed
 */
export async function findPerson(
  userId: string,
  module: OwnedEntity,
  { trx, caller }: CallContext,
  orMyself = true,
): Promise<Person> {
  const isMyself: RawBuilder<boolean> = sql`${orMyself && userId === caller.userId}`
  const { rows } = await sql<Person>`select m.user_id as id, m.name from membership m
    where m.tenant_id = ${caller.tenantId} and m.user_id = ${userId}
      and (${isMyself} or m.user_id in (${membersInScope(caller, module)}))`.execute(trx)
  return rows[0] ?? refuse(404, 'NOT_FOUND', text('call.not-found'))
}
