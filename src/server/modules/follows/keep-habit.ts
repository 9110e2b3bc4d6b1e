import { type RawBuilder, sql } from 'kysely'
import type { Asking } from '../../kernel/asking/asking.ts'
import type { InputValues } from '../../kernel/fields/input.ts'

/**
 * The way of the last follow-up is what the next one starts with (DOMAIN 1.10); a logged call says nothing of habits.
 * @returns what is written along with the follow-up
 */
export function keptHabit({ method, call }: InputValues, { caller }: Asking): readonly RawBuilder<unknown>[] {
  if (typeof method !== 'string' || (call ?? null) !== null) return []
  return [
    sql`habit as (update membership
      set preferences = preferences || jsonb_build_object('follow', jsonb_build_object('method', ${method}::text))
      where tenant_id = ${caller.tenantId} and user_id = ${caller.userId}
        and preferences #>> '{follow,method}' is distinct from ${method})`,
  ]
}
