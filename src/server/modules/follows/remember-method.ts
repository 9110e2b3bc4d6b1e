import { type RawBuilder, sql } from 'kysely'
import type { CallContext } from '../../kernel/context/call-context.ts'
import type { InputValues } from '../../kernel/fields/input.ts'

/**
 * The method of the last follow-up is the default of the next (DOMAIN 1.10). A logged call does not change it.
 * @returns the statements that are sent along with the follow-up
 */
export function rememberMethod(
  { method, call }: InputValues,
  { caller }: CallContext,
): readonly RawBuilder<unknown>[] {
  if (typeof method !== 'string' || (call ?? null) !== null) return []
  return [
    sql`habit as (update membership
      set preferences = preferences || jsonb_build_object('follow', jsonb_build_object('method', ${method}::text))
      where tenant_id = ${caller.tenantId} and user_id = ${caller.userId}
        and preferences #>> '{follow,method}' is distinct from ${method})`,
  ]
}
