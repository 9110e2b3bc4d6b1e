import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'
import type { WriteResult } from './write-once.ts'

/**
 * The result of a write on one record (DOMAIN 8.1).
 *
 * @param record    as the caller sees it
 * @param detail    for the audit row
 * @param warnings  that were confirmed by the write
 */
export function writtenRecord(
  { id, version }: { readonly id: string; readonly version: number },
  record: Json,
  detail: Json,
  warnings: readonly JsonObject[] = [],
): WriteResult<Json> {
  const data = { id, version, record, ...(warnings.length > 0 ? { warnings } : {}) }
  return { data, recordId: id, detail }
}

/** Refuses a change of a record that somebody else has changed since it was read (DOMAIN 0.8). @param current  the record as it is now */
export function refuseStale(current: Json): never {
  refuse(409, 'VERSION_CONFLICT', text('record.conflict'), { data: { current } })
}
