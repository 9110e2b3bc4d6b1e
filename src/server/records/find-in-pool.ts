import { refuse } from '../envelope.ts'
import { text } from '../text.ts'
import type { Asking } from './asking.ts'
import type { PoolEntity } from './entities.ts'
import { findRecord } from './find-record.ts'

/** A record of one of the caller's pools, held; 409 when somebody has it by now. */
export async function findInPool(entity: PoolEntity, id: string, asking: Asking) {
  const found = await findRecord(entity, id, asking, true)
  if (found.owner_id !== null) refuse(409, 'STATE_CONFLICT', text('pool.not-in-pool'))
  return found
}
