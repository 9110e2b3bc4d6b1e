import Picker from 'antd-mobile/es/components/picker'
import { useMemo } from 'react'
import { precisionOf, readDate, writeDate } from '../../core/dates/date-text.ts'
import { WIRE } from '../../core/dates/format.ts'
import type { MomentFormats } from '../../core/dates/moment-format.ts'
import {
  FIRST_YEAR,
  keysOf,
  LAST_YEAR,
  momentOfWheels,
  WHEEL_PARTS,
  type WheelBounds,
  wheelsOf,
} from '../../core/dates/wheels.ts'
import type { NodeState } from '../../core/engine.ts'
import { textOf } from '../options.ts'
import { useEngine } from '../page-context.ts'
import { useWheels } from './use-wheels.ts'

interface Props {
  readonly state: NodeState
  readonly open: boolean
  /** The stored text. */
  readonly value: string
  readonly formats: MomentFormats
  /** Says which end of a range is picked; default: the label. */
  readonly title?: string
  /** Given up. */
  readonly onClose: () => void
  readonly onPick: (text: string) => void
}

/** Wheels for a day, or a day and a time, between 1920 and 2120 unless the page says otherwise; what is confirmed lies in the bounds. */
export default function DateSheet({ state, open, value, formats, title, onClose, onPick }: Props) {
  const { clock, text: t } = useEngine().ports
  const layer = useWheels(open, onClose)
  const { start, end } = boundsOf(state, formats.shown)
  const finest = precisionOf(formats.shown)
  const columns = useMemo(
    () => (keys: readonly (string | number | null)[]) =>
      wheelsOf(keys.map(String), { start, end }, finest).map((wheel, i) =>
        wheel.map(({ key, number }) => ({
          value: key,
          label: `${number}${t(`widget.date.${WHEEL_PARTS[i]}`)}`,
        })),
      ),
    [start, end, finest, t],
  )
  const wanted = writeDate(readDate(value, formats.stored) ?? new Date(clock.now()), WIRE.dateTime)
  const now = wanted < start ? start : wanted > end ? end : wanted
  return (
    <Picker
      {...layer}
      visible={open}
      title={title || state.label || t('widget.choose')}
      confirmText={t('widget.confirm')}
      cancelText={t('widget.cancel')}
      columns={columns}
      value={[...keysOf(now, finest)]}
      onCancel={onClose}
      onConfirm={(keys) => {
        const moment = momentOfWheels(keys.map(String), { start, end }, finest)
        const date = readDate(moment, WIRE.dateTime)
        if (date !== null) onPick(writeDate(date, formats.stored))
      }}
    />
  )
}

/** From the first to the last moment of the field; an end without a time of day lasts until the day is over. */
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
