import DatePicker from 'antd-mobile/es/components/date-picker'
import { clampMoment, FIRST_YEAR, LAST_YEAR } from '../../core/dates/clamp.ts'
import { precisionOf, readDate, writeDate } from '../../core/dates/date-text.ts'
import { WIRE } from '../../core/dates/format.ts'
import type { MomentFormats } from '../../core/dates/moment-format.ts'
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
  const start = boundOf(state, 'minDate', formats.shown) ?? `${FIRST_YEAR}-01-01 00:00:00`
  const end = boundOf(state, 'maxDate', formats.shown) ?? `${LAST_YEAR}-12-31 23:59:59`
  const within = (moment: string): Date =>
    readDate(clampMoment(moment, { start, end }), WIRE.dateTime) ?? new Date(clock.now())
  const clamped = (date: Date): Date => within(writeDate(date, WIRE.dateTime))
  return (
    <DatePicker
      {...layer}
      visible={open}
      title={title || state.label || t('widget.choose')}
      confirmText={t('widget.confirm')}
      cancelText={t('widget.cancel')}
      precision={precisionOf(formats.shown)}
      min={within('0001-01-01 00:00:00')}
      max={within('9999-12-31 23:59:59')}
      value={clamped(readDate(value, formats.stored) ?? new Date(clock.now()))}
      renderLabel={(type, data) => `${data}${t(`widget.date.${type}`)}`}
      onCancel={onClose}
      onConfirm={(date) => onPick(writeDate(clamped(date), formats.stored))}
    />
  )
}

/** A bound in wire form; an end without a time of day lasts until the day is over. */
function boundOf({ options }: NodeState, option: 'minDate' | 'maxDate', format: string): string | undefined {
  const date = readDate(textOf(options[option]), format)
  if (date === null) return undefined
  const text = textOf(options[option])
  return writeDate(date, /\d{1,2}:\d{2}/.test(text) ? WIRE.dateTime : WIRE.date)
}
