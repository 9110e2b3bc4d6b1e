import { sql } from 'kysely'
import type { Trx } from '../db/database.ts'

/** `pg_notify` channel on which every server receives what people with open clients should be notified of. */
export const LIVE_CHANNEL = 'crm_live'

/** The kind of event; the content is read by the server that has the person's stream, under the person's own tenant. */
export type LiveHint =
  | { readonly kind: 'message' | 'todo' | 'unread' }
  | { readonly kind: 'record-changed'; readonly entity: string; readonly ids: readonly string[] }
  | { readonly kind: 'job'; readonly id: string }

/** A notification between servers: for these people of a tenant. */
export interface LiveNotice {
  readonly tenantId: string
  readonly users: readonly string[]
  readonly hint: LiveHint
}

/** A payload stays under 8,000 bytes: maximum people and record ids per notification. */
const PEOPLE_PER_NOTICE = 80
const MAX_IDS = 20

/** Notifies the open clients of these people, on every server, when `trx` commits. */
export async function notifyPeople(
  trx: Trx,
  tenantId: string,
  users: readonly string[],
  hint: LiveHint,
): Promise<void> {
  const short = hint.kind === 'record-changed' ? { ...hint, ids: hint.ids.slice(0, MAX_IDS) } : hint
  const all = [...new Set(users)]
  for (let at = 0; at < all.length; at += PEOPLE_PER_NOTICE) {
    const payload = JSON.stringify({ tenantId, users: all.slice(at, at + PEOPLE_PER_NOTICE), ...short })
    await sql`select pg_notify(${LIVE_CHANNEL}, ${payload})`.execute(trx)
  }
}

/** Reads a payload; null for anything that we did not send. */
export function readNotice(payload: string): LiveNotice | null {
  try {
    const { tenantId, users, ...hint } = JSON.parse(payload) as LiveHint & Omit<LiveNotice, 'hint'>
    return typeof tenantId === 'string' && Array.isArray(users)
      ? { tenantId, users, hint: hint as LiveHint }
      : null
  } catch {
    return null
  }
}
