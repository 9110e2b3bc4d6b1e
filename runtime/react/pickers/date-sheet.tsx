import { useMemo, useState } from 'react'
import { precisionOf, readDate, writeDate } from '../../core/dates/date-text.ts'
import { readDay } from '../../core/dates/day.ts'
import { WIRE } from '../../core/dates/format.ts'
import type { MomentFormats } from '../../core/dates/moment-format.ts'
import {
  FIRST_YEAR,
  keysOf,
  LAST_YEAR,
  momentOfWheels,
  WHEEL_PARTS,
  type WheelBounds,
  type WheelPart,
  wheelsOf,
} from '../../core/dates/wheels.ts'
import type { NodeState } from '../../core/engine.ts'
import { useIsDesktop } from '../kit/use-is-desktop.ts'
import { textOf } from '../page/options.ts'
import { useEngine, useText } from '../page/page-context.ts'
import { CalendarBoard } from './calendar-board.tsx'
import { PickerSheet } from './picker-sheet.tsx'
import { Wheels, type WheelsProps } from './wheels.tsx'
import { WheelsSheet } from './wheels-sheet.tsx'

interface Props {
  readonly id: string
  readonly state: NodeState
  readonly open: boolean
  /** The stored text. */
  readonly value: string
  readonly formats: MomentFormats
  /** Tells which end of a range is picked; default: the label. */
  readonly title?: string
  /** Closed without a choice. */
  readonly onClose: () => void
  readonly onPick: (text: string) => void
}

/** Number of wheels of a date. */
const DAY_WHEELS = 3
/** Step of minutes in which times are usually chosen. */
const MINUTE_STEP = 15

/**
 * A date, or a date and time, between 1920 and 2120 by default; the confirmed value is within the bounds. A date with a time in minutes has a
 * calendar, and wheels for the time in quarters of an hour; anything else has wheels on a phone and a calendar on a desktop.
 */
export default function DateSheet({ id, state, open, value, formats, title, onClose, onPick }: Props) {
  const { clock, text: t } = useEngine().ports
  const { start, end } = boundsOf(state, formats.shown)
  const finest = precisionOf(formats.shown)
  const parts = WHEEL_PARTS.slice(0, WHEEL_PARTS.indexOf(finest) + 1)
  const columns = useMemo(
    () => (keys: readonly string[]) =>
      wheelsOf(keys, { start, end }, finest).map((wheel, i) =>
        wheel
          .filter(({ key, number }) => !isStepped(finest, i) || number % MINUTE_STEP === 0 || key === keys[i])
          .map(({ key, number }) => ({
            value: key,
            label: `${number}${t(`widget.date.${WHEEL_PARTS[i]}`)}`,
          })),
      ),
    [start, end, finest, t],
  )
  const offered = finest === 'minute' ? nextQuarter(clock.now()) : clock.now()
  const today = new Date(offered)
  const initial = writeDate(readDate(value, formats.stored, today.getFullYear()) ?? today, WIRE.dateTime)
  const now = initial < start ? start : initial > end ? end : initial
  const pick = (keys: readonly string[]) => {
    const date = readDate(momentOfWheels(keys, { start, end }, finest), WIRE.dateTime)
    if (date !== null) onPick(writeDate(date, formats.stored))
  }
  const named = title || state.label || t('widget.choose')
  const sheet = { id, open, title: named, parts, columns, start: keysOf(now, finest), onClose, onPick: pick }
  const atDesk = useIsDesktop()
  return finest === 'minute' || (atDesk && parts.length >= DAY_WHEELS) ? (
    <PickerSheet id={id} open={open} title={named} onClose={onClose}>
      <DeskDate {...sheet} isEmpty={value === ''} bounds={{ start, end }} />
    </PickerSheet>
  ) : (
    <WheelsSheet {...sheet} />
  )
}

interface DeskProps extends Pick<WheelsProps, 'columns'> {
  readonly parts: readonly WheelPart[]
  readonly start: readonly string[]
  /** Nothing is chosen yet. */
  readonly isEmpty: boolean
  readonly bounds: WheelBounds
  readonly onPick: (keys: readonly string[]) => void
}

/** A date is chosen by a tap; with a time it needs a button. Mounted each time the sheet opens. */
function DeskDate({ parts, columns, start, isEmpty, bounds, onPick }: DeskProps) {
  const t = useText()
  const [keys, setKeys] = useState(start)
  const [isTouched, setIsTouched] = useState(!isEmpty)
  const times = parts.slice(DAY_WHEELS)
  const clockColumns = useMemo(() => {
    const day = keys.slice(0, DAY_WHEELS)
    return (time: readonly string[]) => columns([...day, ...time]).slice(DAY_WHEELS)
  }, [columns, keys])
  const tap = (text: string) => {
    const day = readDay(text)
    if (day === null) return
    const next = [String(day.year), String(day.month), String(day.day), ...keys.slice(DAY_WHEELS)]
    if (times.length === 0) return onPick(next)
    setKeys(next)
    setIsTouched(true)
  }
  const chosen = momentOfWheels(keys, bounds, 'second').slice(0, 10)
  return (
    <CalendarBoard
      picked={isTouched ? [chosen] : []}
      bounds={{ min: bounds.start.slice(0, 10), max: bounds.end.slice(0, 10) }}
      look={PLAIN}
      onTap={tap}
      time={
        times.length === 0 ? null : (
          <Wheels
            parts={times}
            columns={clockColumns}
            keys={keys.slice(DAY_WHEELS)}
            onTurn={(time) => setKeys([...keys.slice(0, DAY_WHEELS), ...time])}
          />
        )
      }
    >
      {times.length === 0 ? null : (
        <button type="button" className="vf-button vf-primary vf-small" onClick={() => onPick(keys)}>
          {t('widget.confirm')}
        </button>
      )}
    </CalendarBoard>
  )
}

/** Minutes have a step if there are no seconds. */
const isStepped = (finest: WheelPart, wheel: number): boolean =>
  finest === 'minute' && WHEEL_PARTS[wheel] === 'minute'

/** Quarters of an hour are the same in every time zone. */
function nextQuarter(now: number): number {
  const quarter = MINUTE_STEP * 60_000
  return Math.ceil(now / quarter) * quarter
}

const PLAIN = { lunar: false, festivals: false, showMonth: false }

/** From the first to the last allowed moment; an end without a time includes the whole day. */
function boundsOf({ options }: NodeState, format: string): WheelBounds {
  const bound = (option: 'minDate' | 'maxDate', time: string): string | undefined => {
    const text = textOf(options[option])
    const date = readDate(text, format)
    if (date === null) return undefined
    return /\d{1,2}:\d{2}/.test(text)
      ? writeDate(date, WIRE.dateTime)
      : `${writeDate(date, WIRE.date)} ${time}`
  }
  const start = bound('minDate', '00:00:00') ?? `${FIRST_YEAR}-01-01 00:00:00`
  const end = bound('maxDate', '23:59:59') ?? `${LAST_YEAR}-12-31 23:59:59`
  return start <= end ? { start, end } : { start, end: start }
}
