import { sql } from 'kysely'
import { MESSAGE_CATEGORIES } from '../../../contract/message.ts'
import type { ListSpec, Tab } from '../../kernel/lists/list-spec.ts'
import { isMine, MESSAGE_COLUMNS, MESSAGE_FROM } from './message-row.ts'

const SHOWN = { column: 'shown_at', type: 'timestamptz', nullable: false } as const

const ofCategory = (category: string): readonly [string, Tab] => [
  category,
  { where: () => sql<boolean>`g.category = ${category}` },
]

/** POST /mini/message/list: all messages, unread ones, or one category; newest first (DOMAIN 1.12). */
export const MESSAGE_LIST: ListSpec = {
  entity: 'message',
  row: 'g',
  from: () => MESSAGE_FROM,
  columns: () => MESSAGE_COLUMNS,
  visible: (ctx) => isMine(ctx),
  filters: {
    category: { kind: 'code', column: 'category' },
    event: { kind: 'code', column: 'event' },
    created_at: { kind: 'moment', column: 'shown_at' },
    read_at: { kind: 'moment', column: 'read_at' },
  },
  sorts: { created_at: SHOWN },
  defaultSort: [{ by: SHOWN, dir: 'desc' }],
  tabs: {
    all: { where: () => sql<boolean>`true` },
    unread: { where: () => sql<boolean>`g.read_at is null` },
    ...Object.fromEntries(MESSAGE_CATEGORIES.map(ofCategory)),
  },
  defaultTab: 'all',
  keyword: (keyword) => sql<boolean>`position(${keyword} in g.title || ' ' || g.content) > 0`,
}
