import { sql } from 'kysely'
import type { MessageLink, MessageRow } from '../../../contract/message.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { urlOf } from '../../kernel/notices/links.ts'
import { dateTimeText } from '../../kernel/time/zone.ts'

/** A message as stored in the database. */
export interface StoredMessage extends Omit<MessageRow, 'read' | 'read_at' | 'created_at' | 'url'> {
  readonly read_at: Date | null
  readonly shown_at: Date
}

export const MESSAGE_FROM = sql`message g
  left join membership m on m.tenant_id = g.tenant_id and m.user_id = g.sender_id`
export const MESSAGE_COLUMNS = sql`g.id, g.category, g.event, g.title, g.content, g.link, g.sender_id,
  m.name as sender_name, g.read_at, g.merged, g.shown_at`

/** The caller's messages that are not delayed by quiet hours. */
export function isMine({ caller, now }: CallContext, row = 'g') {
  const at = (name: string) => sql.ref(`${row}.${name}`)
  return sql<boolean>`(${at('tenant_id')} = ${caller.tenantId} and ${at('receiver_id')} = ${caller.userId}
    and ${at('deleted_at')} is null and (${at('is_told')} or ${at('shown_at')} <= ${now}))`
}

/** A message as sent to the client; its time is when it was shown. */
export function messageRow(
  { read_at, shown_at, link, ...row }: StoredMessage,
  { zone }: Pick<CallContext, 'zone'>,
): MessageRow {
  const open = link as MessageLink | null
  return {
    ...row,
    link: open,
    url: urlOf(open),
    read: read_at !== null,
    read_at: read_at === null ? null : dateTimeText(read_at, zone),
    created_at: dateTimeText(shown_at, zone),
  }
}
