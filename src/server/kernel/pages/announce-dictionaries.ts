import { sql } from 'kysely'
import type { Trx } from '../db/database.ts'
import { type Announcement, PAGE_CHANNEL } from './library.ts'

/** Notifies every server, when the transaction commits, that the tenant's dictionaries have changed: open clients reload them. */
export async function announceDictionaries(trx: Trx, tenantId: string): Promise<void> {
  const announcement: Announcement = { event: { dict: true }, tenantId }
  await sql`select pg_notify(${PAGE_CHANNEL}, ${JSON.stringify(announcement)})`.execute(trx)
}
