import { type Day, dayAt, dayNumber, weekday } from '../../core/dates/day.ts'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { textOf } from '../page/options.ts'

/** One entry of a day. */
export interface Entry {
  readonly row: JsonObject
  readonly key: string
  readonly day: string
  /** `HH:mm`; empty for the whole day. */
  readonly time: string
  readonly title: string
  readonly note: string
  readonly kind: string
  readonly done: boolean
  readonly overdue: boolean
}

/** The entries of a bound list, in its order; null until they are loaded. */
export function entriesOf(value: Json | undefined): readonly Entry[] | null {
  if (!Array.isArray(value)) return null
  return value.filter(isObject).map((row) => ({
    row,
    key: textOf(row.id),
    day: textOf(row.day),
    time: textOf(row.time),
    title: textOf(row.title),
    note: textOf(row.note),
    kind: textOf(row.kind),
    done: row.done === true,
    overdue: row.overdue === true,
  }))
}

/** The days of the week that contains a day, from Monday. */
export function weekOf(day: Day): readonly Day[] {
  const monday = dayNumber(day) - ((weekday(day) + 6) % 7)
  return Array.from({ length: 7 }, (_, at) => dayAt(monday + at))
}
