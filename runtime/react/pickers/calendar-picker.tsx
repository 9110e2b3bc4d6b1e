import { useMemo } from 'react'
import type { MomentFormats } from '../../core/dates/moment-format.ts'
import type { NodeState } from '../../core/engine.ts'
import { objectsOf, textOf } from '../page/options.ts'
import { useText } from '../page/page-context.ts'
import { useFire } from '../page/use-fire.ts'
import CalendarSheet from './calendar-sheet.tsx'
import { dayBounds, fromDay, toDay } from './day-format.ts'

interface Props {
  readonly id: string
  readonly state: NodeState
  readonly open: boolean
  /** Stored texts: one, or two for a range. */
  readonly values: readonly string[]
  readonly formats: MomentFormats
  readonly range?: boolean
  readonly onClose: () => void
  readonly onPick: (texts: readonly string[]) => void
}

/** The calendar sheet of a field: converts its texts, bounds and marks to days, and days back to texts. */
export default function CalendarPicker({
  id,
  state,
  open,
  values,
  formats,
  range = false,
  onClose,
  onPick,
}: Props) {
  const t = useText()
  const fire = useFire(state)
  const { options } = state
  const bounds = useMemo(() => dayBounds(state, formats.shown), [state, formats.shown])
  const marks = useMemo(
    () =>
      new Map(
        objectsOf(options.selected).map((mark) => [
          toDay(textOf(mark.date), 'YYYY-MM-DD') ?? '',
          textOf(mark.info),
        ]),
      ),
    [options.selected],
  )
  if (!open) return null
  return (
    <CalendarSheet
      id={id}
      title={textOf(options.title) || state.label || t('calendar.title')}
      chosen={values.flatMap((value) => toDay(value, formats.stored) ?? [])}
      range={range}
      bounds={bounds}
      look={{
        lunar: options.lunar === undefined ? !range : options.lunar !== false,
        festivals: options.festivals !== false,
        showMonth: options.showMonth !== false,
        marks,
      }}
      onMonth={(year, month) => void fire('monthSwitch', [{ year, month }])}
      onClose={onClose}
      onPick={(days) => onPick(days.map((day) => fromDay(day, formats.stored)))}
    />
  )
}
