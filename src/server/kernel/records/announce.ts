import type { MessageLink } from '../../../contract/message.ts'
import type { SalesEntity } from '../context/entities.ts'
import type { Trx } from '../db/database.ts'
import { announce as tell } from '../notices/announce.ts'
import type { MessageEvent } from '../notices/events.ts'

/** A notification about records for one person. */
export interface Announcement {
  readonly event: MessageEvent
  readonly to: string
  readonly entity: SalesEntity | 'contract' | 'follow' | 'record'
  readonly ids: readonly string[]
  /** Target of a tap, if it is not the record's own screen. */
  readonly link?: MessageLink
  /** Placeholders of the text: `name` or `names`, `by`, `count`, … Null values are left out. */
  readonly params?: Readonly<Record<string, string | number | readonly string[] | null>>
  /** Announcements with the same key are merged (DOMAIN 5). Default: every one is new. */
  readonly once?: string
}

/** Who announces, and when; `userId` null is the system itself. */
export interface Announcer {
  readonly trx: Trx
  readonly now: Date
  readonly caller: { readonly tenantId: string; readonly userId: string | null }
}

/** Notifies somebody, in the transaction that caused it; nobody is notified of their own action, or of nothing (DOMAIN 5). */
export async function announce(
  { event, to, entity, ids, link, params = {}, once }: Announcement,
  { trx, now, caller }: Announcer,
): Promise<void> {
  if (ids.length === 0) return
  const places = Object.entries(params).flatMap(([name, value]): [string, string | number][] => {
    if (value === null) return []
    return [[name, typeof value === 'object' ? value.join('、') : value]]
  })
  await tell(trx, {
    event,
    tenantId: caller.tenantId,
    actorId: caller.userId,
    now,
    receivers: [to],
    entity,
    ids,
    params: Object.fromEntries(places),
    ...(link === undefined ? {} : { link }),
    ...(once === undefined ? {} : { sourceKey: once }),
  })
}
