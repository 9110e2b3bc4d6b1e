import type { Asking } from '../asking/asking.ts'
import type { PoolEntity } from '../asking/entities.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import { findRecord } from './find-record.ts'

/** A record in one of the caller's pools, locked; 409 if somebody owns it by now. */
export async function findInPool(entity: PoolEntity, id: string, asking: Asking) {
  const found = await findRecord(entity, id, asking, true)
  if (found.owner_id !== null) refuse(409, 'STATE_CONFLICT', text('pool.not-in-pool'))
  return found
}
