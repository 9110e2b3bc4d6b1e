import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { ownRights } from '../../kernel/auth/permissions.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { announce } from '../../kernel/notices/announce.ts'
import { linkToOwn } from '../../kernel/notices/links.ts'
import { someNames } from '../../kernel/pools/pooled.ts'
import { eachRecord, idsOf } from '../../kernel/records/batch.ts'
import { findReceiver } from '../../kernel/records/member.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { updateRow } from '../../kernel/records/write-row.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { nameFailedOwn } from './batch.ts'
import { applyOwnerChange, checkCapacity, lockReceiver, ownerColumns, refreshReturn } from './owner-change.ts'
import { findOwnInScope } from './record.ts'

/** Transfers records to a colleague who may work with them, and notifies the old and new owners. @param body  `ids` ≤ 200, `toUserId` */
export async function transferOwn(
  module: MergedModule,
  body: JsonObject,
  ctx: CallContext,
): Promise<WriteResult<Json>> {
  if (!module.behaviours.includes('owned')) refuse(404, 'NOT_FOUND', text('own.no-owners'))
  const ids = idsOf(body)
  const to = await findReceiver(body.toUserId, `${ownRights(module.name)}:edit`, ctx)
  await lockReceiver(module, to.user_id, ctx)
  const idsByOwner = new Map<string, string[]>()
  const data = await eachRecord(
    ids,
    async (id) => {
      const { owner_id: from } = await findOwnInScope(module, id, ctx, 'transfer')
      if (from === to.user_id) refuse(409, 'STATE_CONFLICT', text('record.same-owner'))
      await checkCapacity(module, to.user_id, ctx)
      await updateRow('record', id, ownerColumns(from, to, ctx), ctx)
      await applyOwnerChange(module, id, from, to.user_id, ctx)
      await refreshReturn(module, id, ctx)
      if (from !== null) idsByOwner.set(from, [...(idsByOwner.get(from) ?? []), id])
    },
    ctx.trx,
  )
  await notifyOfTransfer('record.assigned', module, to.user_id, data.ok, ctx)
  for (const [owner, takenIds] of idsByOwner)
    await notifyOfTransfer('record.taken', module, owner, takenIds, ctx)
  const [only] = ids
  return {
    data: await nameFailedOwn(module, data, ctx),
    detail: { ok: [...data.ok], toUserId: to.user_id },
    ...(ids.length === 1 && only !== undefined ? { recordId: only } : {}),
  }
}

/** Notifies somebody that records of an own module were transferred to or from them. */
export async function notifyOfTransfer(
  event: 'record.assigned' | 'record.taken',
  { name, label }: MergedModule,
  receiver: string,
  ids: readonly string[],
  { trx, caller, now }: CallContext,
): Promise<void> {
  if (ids.length === 0) return
  const names = await someNames(ownRights(name), ids, { trx, caller })
  await announce(trx, {
    event,
    tenantId: caller.tenantId,
    actorId: caller.userId,
    now,
    receivers: [receiver],
    entity: 'record',
    ids,
    link: linkToOwn(name, ids),
    params: {
      what: labelText(label),
      by: caller.name,
      count: ids.length,
      names: names.join('、'),
    },
  })
}
