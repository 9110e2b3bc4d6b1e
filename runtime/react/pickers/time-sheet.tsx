import Picker from 'antd-mobile/es/components/picker'
import { useMemo } from 'react'
import { useText } from '../page-context.ts'
import { useWheels } from './use-wheels.ts'

interface Props {
  readonly open: boolean
  readonly title: string
  /** `08:30` or `08:30:00`. */
  readonly value: string
  readonly withSeconds: boolean
  readonly onClose: () => void
  readonly onPick: (text: string) => void
}

const two = (n: number) => String(n).padStart(2, '0')
const wheel = (count: number) => Array.from({ length: count }, (_, i) => ({ label: two(i), value: two(i) }))

/** Wheels for a time of day. */
export default function TimeSheet({ open, title, value, withSeconds, onClose, onPick }: Props) {
  const t = useText()
  const layer = useWheels(open, onClose)
  const columns = useMemo(
    () => (withSeconds ? [wheel(24), wheel(60), wheel(60)] : [wheel(24), wheel(60)]),
    [withSeconds],
  )
  const parts = value.match(/\d+/g) ?? ['09', '00', '00']
  return (
    <Picker
      {...layer}
      visible={open}
      title={title}
      confirmText={t('widget.confirm')}
      cancelText={t('widget.cancel')}
      columns={columns}
      value={columns.map((_, i) => two(Number(parts[i] ?? 0)))}
      onClose={onClose}
      onConfirm={(chosen) => onPick(chosen.join(':'))}
    />
  )
}
