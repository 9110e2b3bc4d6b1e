import { refuse } from '../envelope.ts'
import { text } from '../text.ts'
import type { Asking } from './asking.ts'

/** Somebody who can be given records. */
export interface Member {
  readonly user_id: string
  readonly name: string
  readonly dept_id: string | null
}

/** An enabled member of the caller's tenant; 404 for anybody else. */
export async function findMember(userId: unknown, { trx, caller }: Asking): Promise<Member> {
  const row = await trx
    .selectFrom('membership')
    .select(['user_id', 'name', 'dept_id'])
    .where('tenant_id', '=', caller.tenantId)
    .where('user_id', '=', typeof userId === 'string' ? userId : '')
    .where('status', '=', 'enabled')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row ?? refuse(404, 'NOT_FOUND', text('record.no-member'))
}
