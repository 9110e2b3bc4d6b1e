import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import type { OutboxEntry } from './offline-database.ts'

/** The outbox as rows for a page; `edit` is the url to change an entry. */
export function outboxRows(entries: readonly OutboxEntry[]): JsonObject {
  const list: Json = entries.map(({ seq, at, title, text, place, state, message, triedAt, failed }) => ({
    id: String(seq),
    at: new Date(at).toISOString(),
    title,
    text,
    state,
    message,
    tried: triedAt !== null,
    failed: failed ?? 0,
    edit: `${place}${place.includes('?') ? '&' : '?'}outbox=${seq}`,
  }))
  return { list }
}

/** The entry that a page was opened to change. */
export function outboxSeq(query: Readonly<Record<string, string>>): number | undefined {
  const seq = Number(query.outbox)
  return query.outbox !== undefined && Number.isSafeInteger(seq) ? seq : undefined
}

/** The entry's number in a call of a page (`{ id }`). */
export function seqIn(body: Json | undefined): number | undefined {
  return isObject(body) && typeof body.id === 'string' ? outboxSeq({ outbox: body.id }) : undefined
}
