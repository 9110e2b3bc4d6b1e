import type { MessageCategory } from './message.ts'

/** GET /mini/push/key: what a device subscribes to. */
export interface PushKey {
  /** Of the servers (VAPID), as browsers want it: an uncompressed point in base64url. */
  readonly key: string
}

/** POST /mini/push/subscribe: what the browser's subscription says. */
export interface PushSubscriptionBody {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

/** The answer: the name under which this device is told. */
export interface PushSubscribed {
  readonly id: string
}

/** What a device is sent: no more than the list in the app shows. */
export interface PushPayload {
  /** Of the message. */
  readonly id: string
  /** The subscription it is meant for: a device that went over to somebody else shows nothing. */
  readonly to: string
  readonly category: MessageCategory
  readonly title: string
  readonly content: string
  /** Where a tap leads, as a path of the app with its query; to the list of messages where it leads to no record. */
  readonly url: string
  /** Unread in all, for the icon of the app. */
  readonly unread: number
}
