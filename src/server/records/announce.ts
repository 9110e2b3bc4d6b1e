import { sql } from 'kysely'
import type { Json } from '../../../runtime/core/json.ts'
import type { Trx } from '../db/database.ts'
import { newId } from '../db/id.ts'
import { json } from '../db/json.ts'

/** Events of CRM 5 that the records announce. */
export type AnnouncedEvent =
  | 'record.assigned'
  | 'record.taken'
  | 'record.recycled'
  | 'record.recycle_soon'
  | 'collaborator.added'
  | 'collaborator.removed'
  | 'duplicate.requested'
  | 'follow.by_other'
  | 'lead.converted'
  | 'bussiness.stage'
  | 'bussiness.won'
  | 'bussiness.lost'

/** Something one person is to be told. */
export interface Announcement {
  readonly event: AnnouncedEvent
  readonly to: string
  readonly entity: string
  readonly ids: readonly string[]
  /** What the sentence needs: names, counts, dates. */
  readonly params?: Readonly<Record<string, Json>>
  /** Announcements with the same key are one (CRM 5: idempotent by source_key). Default: every one is new. */
  readonly once?: string
}

/** Who announces, when; `userId` null is the system itself. */
export interface Announcer {
  readonly trx: Trx
  readonly now: Date
  readonly caller: { readonly tenantId: string; readonly userId: string | null }
}

declare module '../db/tables.ts' {
  interface Tables {
    announcement: {
      tenant_id: string
      id: string
      event: string
      receiver_id: string
      entity: string | null
      record_ids: string[]
      params: Json
      source_key: string
      created_by: string | null
      created_at: Date
    }
  }
}

/** Notes what somebody is to be told, in the transaction that caused it; nobody is told of his own act (CRM 5). */
export async function announce(
  { event, to, entity, ids, params = {}, once }: Announcement,
  by: Announcer,
): Promise<void> {
  const { trx, now, caller } = by
  if (to === caller.userId || ids.length === 0) return
  const id = newId(now.getTime())
  await sql`insert into announcement
      (tenant_id, id, event, receiver_id, entity, record_ids, params, source_key, created_by, created_at)
    values (${caller.tenantId}, ${id}, ${event}, ${to}, ${entity}, ${[...ids]}::text[], ${json({ ...params })},
      ${once ?? id}, ${caller.userId}, ${now}) on conflict do nothing`.execute(trx)
}
