import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { BatchAnswer } from '../../../contract/list.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { eachRecord, idsOf } from '../../kernel/records/batch.ts'
import type { WriteResult } from '../../kernel/records/write-once.ts'
import { isShown } from './record.ts'

/**
 * Applies a call to several records, each independently. If there is only one, the audit row names it.
 * @param body  `ids` ≤ 200
 */
export async function eachOwn(
  work: (module: MergedModule, id: string, ctx: CallContext, body: JsonObject) => Promise<void>,
  module: MergedModule,
  body: JsonObject,
  ctx: CallContext,
): Promise<WriteResult<Json>> {
  const ids = idsOf(body)
  const done = await eachRecord(ids, (id) => work(module, id, ctx, body), ctx.trx)
  const [only] = ids
  return {
    data: await nameFailedOwn(module, done, ctx),
    detail: body,
    ...(ids.length === 1 && only !== undefined ? { recordId: only } : {}),
  }
}

/** The answer of a batch call, with the titles of failed records that the caller sees. */
export async function nameFailedOwn(
  module: MergedModule,
  answer: BatchAnswer & { readonly [key: string]: Json },
  ctx: CallContext,
): Promise<BatchAnswer & { readonly [key: string]: Json }> {
  if (answer.failed.length === 0) return answer
  const ids = answer.failed.map(({ id }) => id)
  const { rows } = await sql<{ id: string; title: string }>`select r.id, r.title from record r
    where ${isShown(module, ctx)} and r.id = any(${ids}::text[])`.execute(ctx.trx)
  const titles = new Map(rows.map(({ id, title }) => [id, title]))
  return { ...answer, failed: answer.failed.map((one) => ({ ...one, name: titles.get(one.id) ?? one.name })) }
}
