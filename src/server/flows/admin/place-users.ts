import { sql } from 'kysely'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { idList, invalid, shortText } from './input.ts'
import type { AdminResult } from './kind.ts'
import { keepingRank, refuseOutranking } from './outranks.ts'
import { refuseOwnPlace, refuseUnknown, takeAlong } from './save-user.ts'
import { readUser } from './users.ts'

const MAX_USERS = 200

/**
 * Moves colleagues to a department, all or none; their records move along.
 *
 * @param body  `ids`, `dept_id`
 */
export async function placeUsers(body: JsonObject, ctx: CallContext): Promise<AdminResult> {
  const { trx, caller, now } = ctx
  const ids = idList(body.ids, 'ids', MAX_USERS)
  const dept_id = shortText(body.dept_id, 'dept_id', 64, 1)
  if (ids.length === 0) invalid('ids')
  await refuseUnknown({ dept_id, supervisor_id: null }, '', ctx)
  const moved: string[] = []
  for (const id of ids) {
    const before = await readUser(id, ctx)
    if (before.dept_id === dept_id) continue
    await refuseOutranking(id, ctx)
    refuseOwnPlace({ dept_id, supervisor_id: before.supervisor_id }, before, ctx)
    await takeAlong(id, dept_id, ctx)
    moved.push(id)
  }
  await keepingRank(ctx, async () => {
    await sql`update membership set dept_id = ${dept_id}, updated_by = ${caller.userId}, updated_at = ${now},
        version = version + 1
      where tenant_id = ${caller.tenantId} and user_id = any(${moved}::text[])`.execute(trx)
  })
  return { data: { ids: moved }, recordId: dept_id, detail: { ids: moved, dept_id }, people: moved }
}
