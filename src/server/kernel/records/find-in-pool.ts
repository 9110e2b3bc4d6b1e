import type { CallContext } from '../context/call-context.ts'
import type { PoolEntity } from '../context/entities.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { findRecord } from './find-record.ts'

/** A record in one of the caller's pools, locked; 409 if somebody owns it by now. */
export async function findInPool(entity: PoolEntity, id: string, ctx: CallContext) {
  const found = await findRecord(entity, id, ctx, true)
  if (found.owner_id !== null) refuse(409, 'STATE_CONFLICT', text('pool.not-in-pool'))
  return found
}
