import DatePicker from 'antd-mobile/es/components/date-picker'
import { precisionOf, readDate, writeDate } from '../../core/dates/date-text.ts'
import type { NodeState } from '../../core/engine.ts'
import { textOf } from '../options.ts'
import { useText } from '../page-context.ts'

interface Props {
  readonly state: NodeState
  readonly open: boolean
  /** The stored text. */
  readonly value: string
  readonly format: string
  readonly onClose: () => void
  readonly onPick: (text: string) => void
}

/** Spec §9: dates between 1920 and 2120. */
const FIRST = new Date(1920, 0, 1)
const LAST = new Date(2120, 11, 31, 23, 59, 59)

/** Wheels for a day, or a day and a time. */
export default function DateSheet({ state, open, value, format, onClose, onPick }: Props) {
  const t = useText()
  const bound = (option: string, otherwise: Date) =>
    readDate(textOf(state.options[option]), format) ?? otherwise
  return (
    <DatePicker
      visible={open}
      title={state.label || t('widget.choose')}
      confirmText={t('widget.confirm')}
      cancelText={t('widget.cancel')}
      precision={precisionOf(format)}
      min={bound('minDate', FIRST)}
      max={bound('maxDate', LAST)}
      value={readDate(value, format) ?? new Date()}
      renderLabel={(type, data) => `${data}${t(`widget.date.${type}`)}`}
      onClose={onClose}
      onConfirm={(date) => onPick(writeDate(date, format))}
    />
  )
}
