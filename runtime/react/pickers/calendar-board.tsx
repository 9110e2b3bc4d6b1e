import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { type DayBounds, isMonthWithin, isWithin } from '../../core/dates/calendar.ts'
import { type Day, dayAt, dayNumber, dayText, readDay, shiftMonth } from '../../core/dates/day.ts'
import { orderRange } from '../../core/dates/range.ts'
import { Glyph } from '../kit/glyph.tsx'
import { useEngine } from '../page/page-context.ts'
import { type DayLook, MonthTable } from './month-table.tsx'
import '../styles/calendar.css'

interface Props {
  /** Chosen days as `2026-01-05`: one for a single choice, two for a range. */
  readonly picked: readonly string[]
  readonly range?: boolean
  /** Two months side by side. */
  readonly double?: boolean
  readonly bounds: DayBounds
  readonly look: DayLook
  readonly onMonth?: ((year: number, month: number) => void) | undefined
  readonly onTap: (day: string) => void
  /** Below the days. */
  readonly time?: ReactNode
  /** Beside the button for today. */
  readonly children?: ReactNode
}

const MOVES: Readonly<Record<string, (day: Day) => Day>> = {
  ArrowLeft: (day) => dayAt(dayNumber(day) - 1),
  ArrowRight: (day) => dayAt(dayNumber(day) + 1),
  ArrowUp: (day) => dayAt(dayNumber(day) - 7),
  ArrowDown: (day) => dayAt(dayNumber(day) + 7),
  PageUp: (day) => shiftMonth(day, -1),
  PageDown: (day) => shiftMonth(day, 1),
}

/** The days of one month or two, with arrows and keys for the others. */
export function CalendarBoard(props: Props) {
  const { picked, range = false, double = false, bounds, look, onMonth, onTap, time, children } = props
  const { clock, text: t } = useEngine().ports
  const now = localDay(new Date(clock.now()))
  const today = dayText(now)
  const [at, setAt] = useState<Day>(() => readDay(picked[0] ?? '') ?? readDay(within(today, bounds)) ?? now)
  const [left, setLeft] = useState<Day>(at)
  const [over, setOver] = useState<string | null>(null)
  const board = useRef<HTMLDivElement>(null)
  /** The day that keys selected and that does not have the focus yet: the focus moves in the next frame, and keys may be faster. */
  const heading = useRef<Day | null>(null)
  const months = double ? [left, shiftMonth(left, 1)] : [left]
  const go = (day: Day, focus = false) => {
    if (!isMonthWithin(day.year, day.month, bounds)) return
    setAt(day)
    const moved = months.some((month) => sameMonth(month, day)) ? left : leftFor(day, left, double)
    setLeft(moved)
    if (!sameMonth(moved, left)) onMonth?.(day.year, day.month)
    if (!focus) return
    heading.current = day
    requestAnimationFrame(() => {
      if (heading.current !== day) return
      heading.current = null
      focusDay(board.current, dayText(day))
    })
  }
  const keys = (event: KeyboardEvent) => {
    const move = MOVES[event.key]
    if (move === undefined) return
    event.preventDefault()
    const focused = event.target instanceof HTMLElement ? readDay(event.target.dataset.day ?? '') : null
    go(move(heading.current ?? focused ?? at), true)
  }
  const step = (by: number, name: string) => {
    const target = shiftMonth(by > 0 ? (months.at(-1) ?? left) : left, by)
    return (
      <button
        type="button"
        className={`vf-cal-step${by < 0 ? ' vf-back' : ''}${Math.abs(by) > 1 ? ' vf-twice' : ''}`}
        aria-label={t(name)}
        disabled={!isMonthWithin(target.year, target.month, bounds)}
        onClick={() => {
          const next = shiftMonth(left, by)
          setLeft(next)
          setAt(shiftMonth(at, by))
          onMonth?.(next.year, next.month)
        }}
      >
        <Glyph name="right" size={18} />
        {Math.abs(by) > 1 ? <Glyph name="right" size={18} /> : null}
      </button>
    )
  }
  const [start] = picked
  const ahead = range && picked.length === 1 && start !== undefined && over !== null
  return (
    <div className="vf-cal" ref={board}>
      <div className="vf-cal-head">
        {step(-12, 'calendar.previousYear')}
        {step(-1, 'calendar.previous')}
        {months.map(({ year, month }) => (
          <b key={`${year}-${month}`} aria-live="polite">
            {t('calendar.month', { year, month })}
          </b>
        ))}
        {step(1, 'calendar.next')}
        {step(12, 'calendar.nextYear')}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys come from the days, which are buttons */}
      <div className="vf-cal-months" onKeyDown={keys} onMouseLeave={() => setOver(null)}>
        {months.map(({ year, month }) => (
          <MonthTable
            key={`${year}-${month}`}
            {...look}
            year={year}
            month={month}
            bounds={bounds}
            range={range}
            picked={ahead ? orderRange(start, over) : picked}
            today={today}
            at={dayText(at)}
            onOver={double ? setOver : undefined}
            onTap={(cell) => {
              setAt(cell.day)
              onTap(cell.text)
            }}
          />
        ))}
      </div>
      {time}
      <div className="vf-cal-foot">
        <button type="button" className="vf-link" disabled={!isWithin(today, bounds)} onClick={() => go(now)}>
          {t('calendar.backToday')}
        </button>
        {children}
      </div>
    </div>
  )
}

/** The month at the left so that `day` is visible: with two months, in the right one if it is later than both. */
const leftFor = (day: Day, left: Day, double: boolean): Day =>
  double && dayNumber(day) > dayNumber(left) ? shiftMonth(day, -1) : day

const sameMonth = (a: Day, b: Day): boolean => a.year === b.year && a.month === b.month

const localDay = (date: Date): Day => ({
  year: date.getFullYear(),
  month: date.getMonth() + 1,
  day: date.getDate(),
})

/** Today, or the nearest selectable day. */
function within(day: string, { min, max }: DayBounds): string {
  if (min !== undefined && day < min) return min
  return max !== undefined && day > max ? max : day
}

function focusDay(board: HTMLElement | null, text: string): void {
  board?.querySelector<HTMLElement>(`[data-day="${text}"]`)?.focus()
}
