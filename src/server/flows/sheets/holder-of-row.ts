import { sql } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'
import { isObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { memberPool } from '../../kernel/pools/pool.ts'
import { noPermission } from '../../kernel/records/find-record.ts'
import { findReceiver, type Member } from '../../kernel/records/member.ts'
import { mine, type NewHolder } from '../../kernel/records/new-holder.ts'
import { Refusal, refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'

/** Records with an owner or in a pool. */
export type HeldEntity = 'customer' | 'lead' | 'bussiness'

/** The pool of an import; null if each row gets an owner. */
export function poolOf(input: Json): string | null {
  return isObject(input) && typeof input.poolId === 'string' && input.poolId !== '' ? input.poolId : null
}

/**
 * Writes the record of a row for whoever gets it: the pool of the import, the colleague named in its column, or the person who imports.
 *
 * @param named  name or employee number of a colleague
 * @throws Refusal as {@link forColleague}
 */
export async function forHolder<T>(
  entity: HeldEntity,
  poolId: string | null,
  named: string,
  ctx: CallContext,
  write: (holder: NewHolder) => Promise<T>,
): Promise<T> {
  if (poolId !== null) {
    const pool = await memberPool(entity, poolId, ctx)
    return write({ userId: null, deptId: null, poolId: pool.id, way: 'imported' })
  }
  return forColleague(entity, named, ctx, (member) =>
    write(
      member === null
        ? mine(ctx, 'imported')
        : { userId: member.user_id, deptId: member.dept_id, poolId: null, way: 'imported' },
    ),
  )
}

/**
 * Writes the record of a row for the colleague named in it; null: for the person who imports. Where nobody may get it, this is told together with
 * the other faults of the row: those of an attempt for the person who imports, which the caller's transaction takes back.
 *
 * @param rights  the module whose permissions apply
 * @throws Refusal 400 if the name matches nobody or more than one, 405 without the permission to assign records, 409 if the person may not have it
 */
export async function forColleague<T>(
  rights: string,
  named: string,
  ctx: CallContext,
  write: (colleague: Member | null) => Promise<T>,
): Promise<T> {
  const found = await refusalOr(colleagueOfRow(rights, named, ctx))
  if (!(found instanceof Refusal)) return write(found)
  const attempt = await refusalOr(write(null))
  const others = attempt instanceof Refusal ? attempt.error.fields : {}
  const fields = { ...others, owner_name: found.message }
  throw new Refusal(found.code, { ...found.error, fields }, found.message, found.data)
}

/** Why nobody gets the record of a row; empty if somebody does. */
export async function holderFault(rights: string, named: string, ctx: CallContext): Promise<string> {
  const found = await refusalOr(colleagueOfRow(rights, named, ctx))
  return found instanceof Refusal ? found.message : ''
}

async function refusalOr<T>(answer: Promise<T>): Promise<T | Refusal> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

async function colleagueOfRow(rights: string, named: string, ctx: CallContext): Promise<Member | null> {
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
  if (found === undefined) refuse(400, 'VALIDATION', text('sheet.owner-unknown', { name: named }))
  if (another !== undefined) refuse(400, 'VALIDATION', text('sheet.owner-several', { name: named }))
  return found.user_id
}
