/** Groups of messages, one tab each (DOMAIN 1.12). */
export const MESSAGE_CATEGORIES = [
  'system',
  'notice',
  'approval',
  'customer',
  'lead',
  'bussiness',
  'contract',
  'payment',
  'follow',
  'todo',
] as const
export type MessageCategory = (typeof MESSAGE_CATEGORIES)[number]

/** Where a tap on a message leads. */
export interface MessageLink {
  readonly route: string
  readonly query: Readonly<Record<string, string>>
}

/** A row of POST /mini/message/list. */
export interface MessageRow {
  readonly id: string
  readonly category: MessageCategory
  readonly event: string
  readonly title: string
  readonly content: string
  readonly link: MessageLink | null
  /** The link as one hash path with its query; '' without one. */
  readonly url: string
  readonly sender_id: string | null
  readonly sender_name: string | null
  readonly read: boolean
  readonly read_at: string | null
  /** How many like it this one stands for. */
  readonly merged: number
  readonly created_at: string
}

/** GET /mini/message/unread-count, and the answer of read and delete. */
export interface UnreadCount {
  readonly total: number
  readonly byCategory: Readonly<Record<MessageCategory, number>>
  /** What waits behind a page, by its path: unread messages, and what is to be done today or overdue. */
  readonly pages: Readonly<Record<string, number>>
}

/** GET and POST /mini/message/setting. Times are `HH:mm` of the tenant's clocks. */
export interface MessageSetting {
  readonly quiet: boolean
  readonly quietFrom: string
  readonly quietTo: string
  readonly events: readonly {
    readonly event: string
    readonly label: string
    readonly category: MessageCategory
    readonly on: boolean
    /** Cannot be switched off (approvals, system). */
    readonly fixed: boolean
  }[]
  /** Groups of which devices are told while the app is closed. */
  readonly push: readonly {
    readonly category: MessageCategory
    readonly label: string
    readonly on: boolean
  }[]
}

/**
 * What GET /mini/message/stream says, as `data:` of server-sent events. It may say a message twice (after a reconnect);
 * clients know it by its id. `unread` comes first after each connect.
 */
export type LiveEvent =
  | { readonly kind: 'unread'; readonly unread: UnreadCount }
  | { readonly kind: 'message'; readonly message: MessageRow; readonly unread: UnreadCount }
  | { readonly kind: 'todo'; readonly unread: UnreadCount }
  | { readonly kind: 'record-changed'; readonly entity: string; readonly ids: readonly string[] }
  | { readonly kind: 'job'; readonly id: string }
  /** What this person may do and see is another now. */
  | { readonly kind: 'rights' }
  /** The session is over; the stream ends, and coming back is of no use. */
  | { readonly kind: 'signed-out' }
