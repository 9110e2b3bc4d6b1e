import { useState } from 'react'
import type { DayBounds } from '../../core/dates/calendar.ts'
import { daysOf, type RangeChoice, tapRange } from '../../core/dates/range.ts'
import { useIsDesktop } from '../kit/use-is-desktop.ts'
import { useEngine } from '../page/page-context.ts'
import { CalendarBoard } from './calendar-board.tsx'
import type { DayLook } from './month-table.tsx'
import { PickerSheet } from './picker-sheet.tsx'

interface Props {
  readonly id: string
  readonly title: string
  /** Chosen days as `2026-01-05`: one for a single choice, two for a range. */
  readonly chosen: readonly string[]
  readonly range?: boolean
  readonly bounds: DayBounds
  readonly look: DayLook
  readonly onMonth?: (year: number, month: number) => void
  readonly onClose: () => void
  readonly onPick: (days: readonly string[]) => void
}

/** A calendar sheet. A single day: a tap chooses and closes. A range: two taps and a button; the third tap starts again. */
export default function CalendarSheet(props: Props) {
  const { id, title, chosen, range = false, bounds, look, onMonth, onClose, onPick } = props
  const [taps, setTaps] = useState<RangeChoice>(() => (range ? asChoice(chosen) : []))
  const double = useIsDesktop() && range
  return (
    <PickerSheet id={id} open title={title} double={double} onClose={onClose}>
      <CalendarBoard
        picked={range ? taps : chosen}
        range={range}
        double={double}
        bounds={bounds}
        look={look}
        onMonth={onMonth}
        onTap={(day) => (range ? setTaps(tapRange(taps, day)) : onPick([day]))}
      >
        {range ? <RangeFoot taps={taps} onPick={onPick} /> : null}
      </CalendarBoard>
    </PickerSheet>
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
  const caption =
    start === undefined
      ? t('calendar.pickStart')
      : end === undefined
        ? t('calendar.pickEnd')
        : t('calendar.days', { count: daysOf(start, end).length })
  return (
    <>
      <span className="vf-quiet" aria-live="polite">
        {caption}
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

function asChoice([start, end]: readonly string[]): RangeChoice {
  if (start === undefined) return []
  return end === undefined ? [start] : [start, end]
}
