import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import {
  type CalendarCell,
  type DayBounds,
  isMonthWithin,
  isWithin,
  monthCells,
} from '../../core/dates/calendar.ts'
import { type Day, dayAt, dayNumber, dayText, readDay, shiftMonth } from '../../core/dates/day.ts'
import { dayCaption } from '../../core/dates/festivals.ts'
import { daysOf, type RangeChoice, tapRange } from '../../core/dates/range.ts'
import { BottomSheet } from '../bottom-sheet.tsx'
import { Glyph, type GlyphName } from '../glyph.tsx'
import { useEngine } from '../page-context.ts'
import '../styles/calendar.css'

interface Props {
  readonly id: string
  readonly open: boolean
  readonly title: string
  /** Chosen days as `2026-01-05`: one for a single choice, two for a range. */
  readonly chosen: readonly string[]
  readonly range?: boolean
  readonly bounds: DayBounds
  readonly lunar?: boolean
  readonly festivals?: boolean
  /** The number of the month, large and pale behind the days. */
  readonly showMonth?: boolean
  /** Words under a day; '' is a dot. */
  readonly marks?: ReadonlyMap<string, string>
  readonly onMonth?: (year: number, month: number) => void
  readonly onClose: () => void
  readonly onPick: (days: readonly string[]) => void
}

const WEEK = [0, 1, 2, 3, 4, 5, 6]
const MOVES: Readonly<Record<string, (day: Day) => Day>> = {
  ArrowLeft: (day) => dayAt(dayNumber(day) - 1),
  ArrowRight: (day) => dayAt(dayNumber(day) + 1),
  ArrowUp: (day) => dayAt(dayNumber(day) - 7),
  ArrowDown: (day) => dayAt(dayNumber(day) + 7),
  PageUp: (day) => shiftMonth(day, -1),
  PageDown: (day) => shiftMonth(day, 1),
}

/** A month's sheet. One day: a tap chooses and closes. A range: two taps and a button; the third tap starts again. */
export default function CalendarSheet(props: Props) {
  const { open, title, chosen, range = false, bounds, onMonth, onClose, onPick } = props
  const { clock, text: t } = useEngine().ports
  const today = dayText(localDay(new Date(clock.now())))
  const start = readDay(chosen[0] ?? '') ?? readDay(within(today, bounds)) ?? localDay(new Date(clock.now()))
  const [at, setAt] = useState<Day>(start)
  const [taps, setTaps] = useState<RangeChoice>(() => (range ? asChoice(chosen) : []))
  const sheet = useRef<HTMLTableElement>(null)
  const cells = useMemo(() => monthCells(at.year, at.month, bounds), [at.year, at.month, bounds])
  const picked = range ? taps : chosen
  const go = (day: Day, focus = false) => {
    if (!isMonthWithin(day.year, day.month, bounds)) return
    setAt(day)
    if (day.month !== at.month || day.year !== at.year) onMonth?.(day.year, day.month)
    if (focus) requestAnimationFrame(() => focusDay(sheet.current, dayText(day)))
  }
  const tap = (cell: CalendarCell) => {
    setAt(cell.day)
    if (!range) return onPick([cell.text])
    setTaps(tapRange(taps, cell.text))
  }
  const keys = (event: KeyboardEvent) => {
    const move = MOVES[event.key]
    if (move === undefined) return
    event.preventDefault()
    go(move(at), true)
  }
  const step = (by: number, glyph: GlyphName, name: string) => {
    const target = shiftMonth(at, by)
    return (
      <button
        type="button"
        className={`vf-cal-step${by < 0 ? ' vf-back' : ''}${Math.abs(by) > 1 ? ' vf-twice' : ''}`}
        aria-label={t(name)}
        disabled={!isMonthWithin(target.year, target.month, bounds)}
        onClick={() => go(target)}
      >
        <Glyph name={glyph} size={18} />
        {Math.abs(by) > 1 ? <Glyph name={glyph} size={18} /> : null}
      </button>
    )
  }
  return (
    <BottomSheet id={props.id} open={open} title={title} onClose={onClose}>
      <div className="vf-cal">
        <div className="vf-cal-head">
          {step(-12, 'right', 'calendar.previousYear')}
          {step(-1, 'right', 'calendar.previous')}
          <b aria-live="polite">{t('calendar.month', { year: at.year, month: at.month })}</b>
          {step(1, 'right', 'calendar.next')}
          {step(12, 'right', 'calendar.nextYear')}
        </div>
        <table ref={sheet} className="vf-cal-sheet" onKeyDown={keys}>
          <caption className="vf-unseen">{t('calendar.month', { year: at.year, month: at.month })}</caption>
          <thead>
            <tr>
              {WEEK.map((day) => (
                <th key={day} scope="col">
                  {t(`calendar.weekday.${day}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[0, 1, 2, 3, 4, 5].map((week) => (
              <tr key={week}>
                {cells.slice(week * 7, week * 7 + 7).map((cell) => (
                  <td key={cell.text}>
                    <DayCell
                      cell={cell}
                      sheet={props}
                      picked={picked}
                      today={today}
                      at={dayText(at)}
                      onTap={tap}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {props.showMonth === false ? null : (
          <span className="vf-cal-month" aria-hidden="true">
            {at.month}
          </span>
        )}
        <div className="vf-cal-foot">
          <button
            type="button"
            className="vf-link"
            disabled={!isWithin(today, bounds)}
            onClick={() => go(localDay(new Date(clock.now())))}
          >
            {t('calendar.backToday')}
          </button>
          {range ? <RangeFoot taps={taps} onPick={onPick} /> : null}
        </div>
      </div>
    </BottomSheet>
  )
}

interface CellProps {
  readonly cell: CalendarCell
  readonly sheet: Props
  readonly picked: readonly string[]
  readonly today: string
  readonly at: string
  readonly onTap: (cell: CalendarCell) => void
}

function DayCell({ cell, sheet, picked, today, at, onTap }: CellProps) {
  const t = useEngine().ports.text
  const mark = sheet.marks?.get(cell.text)
  const [first = '', last = first] = picked
  const isEnd = picked.includes(cell.text)
  const between = first < cell.text && cell.text < last
  const caption =
    sheet.range && isEnd && cell.inMonth
      ? t(
          first === last && picked.length > 1
            ? 'calendar.both'
            : cell.text === first
              ? 'calendar.start'
              : 'calendar.end',
        )
      : dayCaption(
          cell.day,
          { text: cell.text, today, lunar: sheet.lunar ?? true, festivals: sheet.festivals ?? true, mark },
          t,
        )
  const look = [
    'vf-cal-day',
    cell.text === today ? 'vf-today' : '',
    isEnd && cell.inMonth ? 'vf-on' : '',
    between && cell.inMonth ? 'vf-between' : '',
    picked.length > 1 && first !== last && cell.text === first ? 'vf-first' : '',
    picked.length > 1 && first !== last && cell.text === last ? 'vf-last' : '',
    mark === '' ? 'vf-dot' : '',
  ]
  return (
    <button
      type="button"
      className={look.filter(Boolean).join(' ')}
      data-day={cell.inMonth ? cell.text : undefined}
      tabIndex={cell.inMonth && cell.text === at ? 0 : -1}
      disabled={!cell.allowed}
      aria-pressed={isEnd || between}
      aria-current={cell.text === today ? 'date' : undefined}
      aria-label={`${t('calendar.day', { ...cell.day })} ${caption}`.trim()}
      onClick={() => onTap(cell)}
    >
      <span>{cell.day.day}</span>
      <small>{caption}</small>
    </button>
  )
}

function RangeFoot({
  taps,
  onPick,
}: {
  readonly taps: RangeChoice
  readonly onPick: (days: readonly string[]) => void
}) {
  const t = useEngine().ports.text
  const [start, end] = taps
  const said =
    start === undefined
      ? t('calendar.pickStart')
      : end === undefined
        ? t('calendar.pickEnd')
        : t('calendar.days', { count: daysOf(start, end).length })
  return (
    <>
      <span className="vf-quiet" aria-live="polite">
        {said}
      </span>
      <button
        type="button"
        className="vf-button vf-primary vf-small"
        disabled={end === undefined}
        onClick={() => onPick(taps)}
      >
        {t('widget.confirm')}
      </button>
    </>
  )
}

const localDay = (date: Date): Day => ({
  year: date.getFullYear(),
  month: date.getMonth() + 1,
  day: date.getDate(),
})

/** Today, or the nearest day that can be chosen. */
function within(day: string, { min, max }: DayBounds): string {
  if (min !== undefined && day < min) return min
  return max !== undefined && day > max ? max : day
}

function asChoice([start, end]: readonly string[]): RangeChoice {
  if (start === undefined) return []
  return end === undefined ? [start] : [start, end]
}

function focusDay(sheet: HTMLElement | null, text: string): void {
  sheet?.querySelector<HTMLElement>(`[data-day="${text}"]`)?.focus()
}
