import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { BatchAnswer } from '../../../contract/list.ts'
import type { Trx } from '../db/database.ts'
import { Refusal, refuse } from '../text/envelope.ts'
import { text } from '../text/text.ts'

/** Maximum records per call (DOMAIN 8.1). */
const MAX_BATCH = 200

/** The distinct ids of a batch call; 400 if there are none, 422 if there are more than `most`. */
export function idsOf(body: JsonObject, most = MAX_BATCH): readonly string[] {
  const { ids } = body
  const isList = Array.isArray(ids) && ids.length > 0 && ids.every((id) => typeof id === 'string')
  if (!isList) refuse(400, 'VALIDATION', text('call.invalid'), { detail: 'ids' })
  if (ids.length > most) refuse(422, 'BATCH_TOO_LARGE', text('record.batch', { most }))
  return [...new Set(ids as string[])].sort()
}

/**
 * Processes each record separately, in the order of ids so that two batches cannot deadlock.
 *
 * @param trx  if given, what a refused record had already written is rolled back
 */
export async function eachRecord(
  ids: readonly string[],
  work: (id: string) => Promise<void>,
  trx?: Trx,
): Promise<BatchAnswer & { readonly [key: string]: Json }> {
  const ok: string[] = []
  const failed: { id: string; name: string; code: number; type: string; message: string }[] = []
  for (const id of ids) {
    try {
      if (trx) await sql`savepoint one_record`.execute(trx)
      await work(id)
      ok.push(id)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (trx) await sql`rollback to savepoint one_record`.execute(trx)
      failed.push({ id, name: '', code: error.code, type: error.error.type, message: error.message })
    }
  }
  return { ok, failed }
}
