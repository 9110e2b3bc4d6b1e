import { sql } from 'kysely'
import { lunarDay } from '../../../../runtime/core/dates/lunar.ts'
import type { JobRun } from '../../kernel/context/job.ts'
import { dayText, parseWallTime, startOfDay, type WallTime, wallTimeOf } from '../../kernel/time/zone.ts'

/** A contact whose birthday is near, and the owner of their customer. */
export interface Birthday {
  readonly id: string
  readonly name: string
  readonly customer: string
  readonly owner_id: string
  /** The date on which it is celebrated, `yyyy-MM-dd`. */
  readonly day: string
  /** Days until that date. */
  readonly ahead: number
}

interface Row extends Pick<Birthday, 'id' | 'name' | 'customer' | 'owner_id'> {
  readonly birthday: string
  readonly birthday_lunar: boolean
}

/**
 * Contacts whose birthday is `days` ahead (negative: past), of all customers or of one owner's. With the lunar flag, the date of the Chinese calendar
 * is repeated each year. A date that a year does not have (29 February, the 30th of a short month) is celebrated the day before.
 */
export async function birthdaysOf(
  turn: JobRun,
  ahead: readonly number[],
  ownerId: string | null = null,
): Promise<readonly Birthday[]> {
  const today = startOfDay(wallTimeOf(turn.now, turn.zone))
  const days = ahead.map((count) => ({ count, day: startOfDay(today, count) }))
  const solar = days.flatMap(({ day }) => solarOf(day))
  const { rows } =
    await sql<Row>`select k.id, k.name, c.name as customer, c.owner_id, k.birthday, k.birthday_lunar
    from contact k join customer c on c.tenant_id = k.tenant_id and c.id = k.customer_id
    where k.tenant_id = ${turn.tenantId} and k.deleted_at is null and c.deleted_at is null and c.owner_id is not null
      and k.status = 'active' and k.birthday is not null and (${ownerId}::text is null or c.owner_id = ${ownerId})
      and (k.birthday_lunar or to_char(k.birthday, 'MM-DD') = any(${solar}::text[])) order by k.id`.execute(
      turn.trx,
    )
  return days.flatMap(({ count, day }) =>
    rows
      .filter((row) => isBirthday(row, day))
      .map(({ birthday: _b, birthday_lunar: _l, ...row }) => ({ ...row, day: dayText(day), ahead: count })),
  )
}

function isBirthday({ birthday, birthday_lunar }: Row, day: WallTime): boolean {
  if (!birthday_lunar) return solarOf(day).includes(birthday.slice(5))
  const born = lunarAt(parseWallTime(birthday) ?? 0)
  const lunarDate = lunarAt(day)
  if (born === null || lunarDate === null || lunarDate.leap || born.month !== lunarDate.month) return false
  return (
    born.day === lunarDate.day ||
    (born.day === 30 && lunarDate.day === 29 && lunarAt(startOfDay(day, 1))?.day === 1)
  )
}

/** The birthdays `MM-DD` that are celebrated on a day. */
function solarOf(day: WallTime): string[] {
  const written = dayText(day).slice(5)
  const isLeap = new Date(Date.UTC(new Date(day).getUTCFullYear(), 1, 29)).getUTCMonth() === 1
  return written === '02-28' && !isLeap ? [written, '02-29'] : [written]
}

function lunarAt(day: WallTime) {
  const date = new Date(day)
  return lunarDay({ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() })
}
