import { sql } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'
import { isObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { memberPool } from '../../kernel/pools/pool.ts'
import { noPermission } from '../../kernel/records/find-record.ts'
import { findReceiver } from '../../kernel/records/member.ts'
import { mine, type NewHolder } from '../../kernel/records/new-holder.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

/** Records with an owner or in a pool. */
export type HeldEntity = 'customer' | 'lead' | 'bussiness'

/** The pool of an import; null if each row gets an owner. */
export function poolOf(input: Json): string | null {
  return isObject(input) && typeof input.poolId === 'string' && input.poolId !== '' ? input.poolId : null
}

/**
 * Who gets the record of a row: the pool of the import, the colleague named in its column, or the person who imports.
 *
 * @param named  name or employee number of a colleague
 * @throws Refusal 400 if it matches nobody or more than one, 405 without the permission to assign records, 409 if the person may not have it
 */
export async function holderOfRow(
  entity: HeldEntity,
  poolId: string | null,
  named: string,
  ctx: CallContext,
): Promise<NewHolder> {
  if (poolId !== null) {
    const pool = await memberPool(entity, poolId, ctx)
    return { userId: null, deptId: null, poolId: pool.id, way: 'imported' }
  }
  const member = await colleagueOfRow(entity, named, ctx)
  if (member === null) return mine(ctx, 'imported')
  return { userId: member.user_id, deptId: member.dept_id, poolId: null, way: 'imported' }
}

/**
 * The colleague named in a row; null: the person who imports.
 *
 * @param rights  the module whose permissions apply
 */
export async function colleagueOfRow(rights: string, named: string, ctx: CallContext) {
  const { caller } = ctx
  const userId = named === '' ? caller.userId : await colleagueCalled(named, ctx)
  if (userId === caller.userId) return null
  if (!caller.permissions.has(`${rights}:transfer`)) noPermission(`${rights}:transfer`)
  return findReceiver(userId, `${rights}:view`, ctx)
}

async function colleagueCalled(named: string, { trx, caller }: CallContext): Promise<string> {
  const { rows } = await sql<{ user_id: string }>`select user_id from membership
    where tenant_id = ${caller.tenantId} and status = 'enabled' and deleted_at is null
      and (name = ${named} or employee_no = ${named}) limit 2`.execute(trx)
  const [found, another] = rows
  if (found === undefined) fault(text('sheet.owner-unknown', { name: named }))
  if (another !== undefined) fault(text('sheet.owner-several', { name: named }))
  return found?.user_id ?? ''
}

function fault(message: string): never {
  refuse(400, 'VALIDATION', message, { fields: { owner_name: message } })
}
