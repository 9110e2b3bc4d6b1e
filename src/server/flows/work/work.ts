import { type Selectable, sql } from 'kysely'
import type { Json } from '../../../../runtime/core/json.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { newId } from '../../kernel/db/id.ts'
import { json } from '../../kernel/db/json.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import type { WorkKind, WorkTable } from './tables.ts'

/** Maximum concurrent work of one tenant (DOMAIN 8.7). */
const MAX_RUNNING = 3
/** How long results can be fetched. */
export const RESULT_LIFE_MS = 24 * 3_600_000

export interface NewWork {
  readonly kind: WorkKind
  readonly entity: string
  readonly title: string
  readonly input: Json
  readonly total?: number
}

/** A row of the table as it is read. */
export type Work = Selectable<WorkTable>

/** Queues work. @throws Refusal 422 if the tenant has too much running */
export async function addWork(work: NewWork, { trx, caller, now }: CallContext): Promise<string> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`work/${caller.tenantId}`}, 0))`.execute(trx)
  const { rows } = await sql<{ n: number }>`select count(*) as n from work
    where tenant_id = ${caller.tenantId} and status in ('waiting', 'running')`.execute(trx)
  if ((rows[0]?.n ?? 0) >= MAX_RUNNING)
    refuse(422, 'BATCH_TOO_LARGE', text('work.limit', { most: MAX_RUNNING }))
  const id = newId(now.getTime())
  await trx
    .insertInto('work')
    .values({
      tenant_id: caller.tenantId,
      id,
      user_id: caller.userId,
      session_id: caller.sessionId,
      kind: work.kind,
      entity: work.entity,
      title: work.title,
      input: json(work.input),
      total: work.total ?? 0,
      created_at: now,
      expires_at: new Date(now.getTime() + RESULT_LIFE_MS),
    })
    .execute()
  return id
}
