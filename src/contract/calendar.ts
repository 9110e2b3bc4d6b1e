/** What an entry of the calendar is (DOMAIN 1.11). */
const CALENDAR_KINDS = ['todo', 'follow', 'payment', 'birthday'] as const
export type CalendarKind = (typeof CALENDAR_KINDS)[number]

/** GET /mini/calendar/list: what a person has to do and to think of, day by day. */
export interface CalendarEntries {
  /** Of the tenant, `yyyy-MM-dd`. */
  readonly today: string
  readonly list: readonly CalendarEntry[]
  /** More than are shown. */
  readonly more: boolean
}

export interface CalendarEntry {
  readonly id: string
  readonly kind: CalendarKind
  /** `yyyy-MM-dd`. */
  readonly day: string
  /** `HH:mm`; empty for the whole day. */
  readonly time: string
  readonly title: string
  /** Whom or what it is about. */
  readonly note: string
  readonly done: boolean
  readonly overdue: boolean
  /** Where a tap leads. */
  readonly url: string
}
