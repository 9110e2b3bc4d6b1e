import type { Text } from '../ports.ts'
import type { Day } from './day.ts'
import { type LunarDay, lunarDay } from './lunar.ts'

/** Festivals by the Gregorian calendar, `month-day` → text `calendar.festival.<name>`. */
const SOLAR: Readonly<Record<string, string>> = {
  '1-1': 'newYear',
  '3-8': 'women',
  '5-1': 'labour',
  '6-1': 'children',
  '10-1': 'nation',
}
/** Festivals by the Chinese calendar; not in leap months. New Year's Eve is whatever day comes last. */
const LUNAR: Readonly<Record<string, string>> = {
  '1-1': 'spring',
  '1-15': 'lanterns',
  '5-5': 'boats',
  '7-7': 'lovers',
  '8-15': 'moon',
  '9-9': 'elders',
}

export interface CaptionOptions {
  /** `2026-01-05`. */
  readonly text: string
  /** The present day, in the same form. */
  readonly today: string
  /** Default true. */
  readonly lunar?: boolean
  /** Default true. */
  readonly festivals?: boolean
  /** The page's own texts for the day; they come first. */
  readonly mark?: string | undefined
}

/** The small text below a day: mark, today, festival, lunar day; on the first of a lunar month its name. */
export function dayCaption(day: Day, options: CaptionOptions, t: Text): string {
  const { text, today, lunar = true, festivals = true, mark } = options
  if (mark) return mark
  if (text === today) return t('calendar.today')
  const chinese = lunar || festivals ? lunarDay(day) : null
  const festival = festivals ? festivalOf(day, chinese) : null
  if (festival !== null) return t(`calendar.festival.${festival}`)
  if (!lunar || chinese === null) return ''
  return chinese.day === 1 ? chinese.monthName : chinese.dayName
}

/** The festival of a day as its code in the texts `calendar.festival.…`, the lunar one first; null if there is none. */
export function festivalOf(day: Day, chinese: LunarDay | null): string | null {
  if (chinese?.lastOfYear) return 'eve'
  const byMoon = chinese && !chinese.leap ? LUNAR[`${chinese.month}-${chinese.day}`] : undefined
  return byMoon ?? SOLAR[`${day.month}-${day.day}`] ?? null
}
