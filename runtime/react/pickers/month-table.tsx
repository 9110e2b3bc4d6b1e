import { useMemo } from 'react'
import { type CalendarCell, type DayBounds, monthCells } from '../../core/dates/calendar.ts'
import { dayCaption } from '../../core/dates/festivals.ts'
import { useEngine } from '../page/page-context.ts'

/** The appearance of the days of a calendar. */
export interface DayLook {
  readonly lunar?: boolean
  readonly festivals?: boolean
  /** Shows the number of the month, large and pale behind the days. */
  readonly showMonth?: boolean
  /** Labels under a day; '' is a dot. */
  readonly marks?: ReadonlyMap<string, string>
}

interface Props extends DayLook {
  readonly year: number
  readonly month: number
  readonly bounds: DayBounds
  readonly range: boolean
  /** Chosen days as `2026-01-05`, in order. */
  readonly picked: readonly string[]
  /** The day with the keyboard focus. */
  readonly at: string
  readonly today: string
  readonly onTap: (cell: CalendarCell) => void
  /** Called when the mouse is over a day. */
  readonly onOver?: ((day: string) => void) | undefined
}

const WEEK = [0, 1, 2, 3, 4, 5, 6]

/** The six weeks of a month. */
export function MonthTable(props: Props) {
  const { year, month, bounds } = props
  const t = useEngine().ports.text
  const cells = useMemo(() => monthCells(year, month, bounds), [year, month, bounds])
  return (
    <div className="vf-cal-table">
      <table className="vf-cal-sheet">
        <caption className="vf-unseen">{t('calendar.month', { year, month })}</caption>
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
                  <DayCell cell={cell} sheet={props} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {props.showMonth === false ? null : (
        <span className="vf-cal-month" aria-hidden="true">
          {month}
        </span>
      )}
    </div>
  )
}

function DayCell({ cell, sheet }: { readonly cell: CalendarCell; readonly sheet: Props }) {
  const t = useEngine().ports.text
  const { picked, today, range } = sheet
  const mark = sheet.marks?.get(cell.text)
  const [first = '', last = first] = picked
  const isEnd = picked.includes(cell.text)
  const between = first < cell.text && cell.text < last
  const isAt = cell.inMonth && cell.text === sheet.at
  const caption =
    range && isEnd && cell.inMonth
      ? t(endName(cell.text, first, last, picked.length))
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
      data-first={isAt || undefined}
      tabIndex={isAt ? 0 : -1}
      disabled={!cell.allowed}
      aria-pressed={isEnd || between}
      aria-current={cell.text === today ? 'date' : undefined}
      aria-label={`${t('calendar.day', { ...cell.day })} ${caption}`.trim()}
      onClick={() => sheet.onTap(cell)}
      onMouseEnter={() => sheet.onOver?.(cell.text)}
    >
      <span>{cell.day.day}</span>
      <small>{caption}</small>
    </button>
  )
}

function endName(day: string, first: string, last: string, count: number): string {
  if (first === last && count > 1) return 'calendar.both'
  return day === first ? 'calendar.start' : 'calendar.end'
}
