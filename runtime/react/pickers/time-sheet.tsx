import { useMemo } from 'react'
import type { MomentFormats } from '../../core/dates/moment-format.ts'
import { readTime, type TimePart, timeParts, writeTime } from '../../core/dates/time-text.ts'
import { useText } from '../page/page-context.ts'
import { WheelsSheet } from './wheels-sheet.tsx'

interface Props {
  readonly id: string
  readonly open: boolean
  readonly title: string
  /** The stored text. */
  readonly value: string
  readonly formats: MomentFormats
  /** Closed without a choice. */
  readonly onClose: () => void
  readonly onPick: (text: string) => void
}

/** Initial time if there is no value. */
const START = { hour: 9, minute: 0, second: 0 }
const COUNT: Readonly<Record<TimePart, number>> = { hour: 24, minute: 60, second: 60 }

/** Wheels for a time: one per part of its format. */
export default function TimeSheet({ id, open, title, value, formats, onClose, onPick }: Props) {
  const t = useText()
  const parts = timeParts(formats.shown)
  const named = parts.join()
  const columns = useMemo(() => {
    const lines = (named.split(',') as TimePart[]).map((part) =>
      Array.from({ length: COUNT[part] }, (_, i) => ({
        label: `${two(i)}${t(`widget.date.${part}`)}`,
        value: two(i),
      })),
    )
    return () => lines
  }, [named, t])
  const now = readTime(value, formats.stored) ?? START
  return (
    <WheelsSheet
      id={id}
      open={open}
      title={title || t('widget.choose')}
      parts={parts}
      columns={columns}
      start={parts.map((part) => two(now[part]))}
      onClose={onClose}
      onPick={(chosen) => {
        const picked = Object.fromEntries(parts.map((part, i) => [part, Number(chosen[i] ?? 0)]))
        onPick(writeTime({ hour: 0, minute: 0, second: 0, ...picked }, formats.stored))
      }}
    />
  )
}

const two = (n: number) => String(n).padStart(2, '0')
