import type { ApprovalAct } from '../../../contract/approval.ts'
import type { CallContext } from '../context/call-context.ts'
import { newId } from '../db/id.ts'

/** Something done to an approval. */
export interface Act {
  readonly approvalId: string
  readonly stepNo: number
  readonly action: ApprovalAct
  /** The person who acted; the caller by default. */
  readonly userId?: string
  readonly toUserId?: string | null
  readonly opinion?: string | null
}

/** Records an action on an approval; such records are never changed or removed. */
export async function recordAct(act: Act, { trx, caller, now }: CallContext): Promise<void> {
  await trx
    .insertInto('approval_act')
    .values({
      tenant_id: caller.tenantId,
      id: newId(now.getTime()),
      approval_id: act.approvalId,
      step_no: act.stepNo,
      user_id: act.userId ?? caller.userId,
      action: act.action,
      to_user_id: act.toUserId ?? null,
      opinion: act.opinion ?? null,
      at: now,
    })
    .execute()
}
