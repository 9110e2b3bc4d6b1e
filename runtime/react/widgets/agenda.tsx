import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { type Day, dayAt, dayNumber, dayText, readDay, shiftMonth, weekday } from '../../core/dates/day.ts'
import type { JsonObject } from '../../core/json.ts'
import { DayEntries } from '../agenda/day-entries.tsx'
import { type Entry, entriesOf, weekOf } from '../agenda/entries.ts'
import { Glyph } from '../kit/glyph.tsx'
import { useWideWindow } from '../kit/use-is-desktop.ts'
import { textOf } from '../page/options.ts'
import { useEngine } from '../page/page-context.ts'
import { useFire } from '../page/use-fire.ts'
import type { ViewProps } from '../page/view.ts'
import { Skeletons } from '../rows/skeletons.tsx'
import '../styles/agenda.css'

const MOVES: Readonly<Record<string, (day: Day) => Day>> = {
  ArrowLeft: (day) => dayAt(dayNumber(day) - 1),
  ArrowRight: (day) => dayAt(dayNumber(day) + 1),
  ArrowUp: (day) => dayAt(dayNumber(day) - 7),
  ArrowDown: (day) => dayAt(dayNumber(day) + 7),
  PageUp: (day) => shiftMonth(day, -1),
  PageDown: (day) => shiftMonth(day, 1),
}

export function View({ state }: ViewProps) {
  const { options, value } = state
  const engine = useEngine()
  const { clock, text: t } = engine.ports
  const fire = useFire(state)
  const id = useId()
  const isWide = useWideWindow()
  const strip = useRef<HTMLDivElement>(null)
  const todayText = textOf(options.today)
  const today = readDay(todayText) ?? localDay(new Date(clock.now()))
  const [at, setAt] = useState(today)
  const [mode, setMode] = useState(textOf(options.mode) === 'week' ? 'week' : 'day')
  const week = weekOf(at)
  const [from = '', until = ''] = [week[0], week[6]].map((day) => (day === undefined ? '' : dayText(day)))
  const requested = useRef('')
  useEffect(() => {
    if (requested.current === from) return
    requested.current = from
    void fire('range', [from, until])
  })
  const entries = entriesOf(value)
  const open = (row: JsonObject) => void fire('rowClick', [row], row)
  const of = (day: Day): readonly Entry[] => (entries ?? []).filter((entry) => entry.day === dayText(day))
  const nameOf = (day: Day) =>
    `${t('calendar.day', { ...day })} ${t(`agenda.weekday.${weekday(day)}`)} ${t('agenda.count', { count: of(day).length })}`
  const step = (by: number, name: string) => (
    <button
      type="button"
      className={`vf-agenda-step${by < 0 ? ' vf-back' : ''}`}
      aria-label={t(name)}
      onClick={() => setAt(dayAt(dayNumber(at) + by))}
    >
      <Glyph name="right" size={18} />
    </button>
  )
  const keys = (event: KeyboardEvent) => {
    const next = event.key === 'Home' ? today : MOVES[event.key]?.(at)
    if (next === undefined) return
    event.preventDefault()
    setAt(next)
    // The day gets the focus after it is rendered.
    requestAnimationFrame(() => strip.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus())
  }
  const list = (day: Day) => (
    <DayEntries entries={of(day)} kinds={options.kinds} empty={textOf(options.empty)} onOpen={open} />
  )
  return (
    <section className="vf-agenda" aria-label={state.label || state.node.name}>
      <header>
        {step(-7, 'agenda.previous')}
        <b aria-live="polite">{t('calendar.month', { year: at.year, month: at.month })}</b>
        {step(7, 'agenda.next')}
        <button type="button" className="vf-link" onClick={() => setAt(today)}>
          {t('calendar.backToday')}
        </button>
        <span className="vf-agenda-modes">
          {(['day', 'week'] as const).map((one) => (
            <button type="button" key={one} aria-pressed={mode === one} onClick={() => setMode(one)}>
              {t(`agenda.${one}`)}
            </button>
          ))}
        </span>
      </header>
      {mode === 'day' ? (
        <>
          <div className="vf-agenda-strip" role="tablist" ref={strip} onKeyDown={keys}>
            {week.map((day) => {
              const isAt = dayNumber(day) === dayNumber(at)
              return (
                <button
                  type="button"
                  key={dayText(day)}
                  role="tab"
                  aria-selected={isAt}
                  aria-controls={id}
                  aria-label={nameOf(day)}
                  aria-current={dayNumber(day) === dayNumber(today) ? 'date' : undefined}
                  tabIndex={isAt ? 0 : -1}
                  onClick={() => setAt(day)}
                >
                  <small>{t(`calendar.weekday.${weekday(day)}`)}</small>
                  <b>{day.day}</b>
                  <i>{of(day).length === 0 ? '' : of(day).length}</i>
                </button>
              )
            })}
          </div>
          <div id={id} role="tabpanel" aria-label={nameOf(at)}>
            {entries === null ? <Skeletons height={64} /> : list(at)}
          </div>
        </>
      ) : (
        <div className={isWide ? 'vf-agenda-week vf-agenda-wide' : 'vf-agenda-week'}>
          {week.map((day) => (
            <section key={dayText(day)} aria-label={nameOf(day)}>
              <h3 aria-current={dayNumber(day) === dayNumber(today) ? 'date' : undefined}>
                <small>{t(`agenda.weekday.${weekday(day)}`)}</small> {day.month}-{day.day}
              </h3>
              {entries === null ? <Skeletons height={64} /> : list(day)}
            </section>
          ))}
        </div>
      )}
    </section>
  )
}

const localDay = (date: Date): Day => ({
  year: date.getFullYear(),
  month: date.getMonth() + 1,
  day: date.getDate(),
})
