import { useId, useRef, useState } from 'react'
import { Glyph } from '../kit/glyph.tsx'
import { Icon } from '../kit/icon.tsx'
import { useText } from '../page/page-context.ts'
import { shiftOf } from './held.ts'
import { FixedRow, type SlotEntry, SlotRow } from './slot-row.tsx'
import { useSorting } from './use-sorting.ts'

interface Props {
  readonly title: string
  readonly min: number
  readonly max: number
  readonly chosen: readonly SlotEntry[]
  readonly spare: readonly SlotEntry[]
  readonly first: readonly SlotEntry[]
  readonly last: readonly SlotEntry[]
  readonly addLabel: string
  /** Entries can be sorted, not added or removed. */
  readonly orderOnly: boolean
  readonly open: boolean
  readonly onMove: (from: number, to: number) => void
  readonly onAdd: (id: SlotEntry['id']) => void
  readonly onRemove: (id: SlotEntry['id']) => void
}

/** One slot: its entries in order, and those that can be added. */
export function SlotBox({ chosen, spare, first, last, open, onMove, onAdd, onRemove, ...slot }: Props) {
  const t = useText()
  const { title, min, max, orderOnly } = slot
  const list = useRef<HTMLOListElement>(null)
  const helpId = useId()
  const [announcement, setAnnouncement] = useState('')
  const { held, byHand, handle } = useSorting({
    list,
    rows: '.vf-slot-row:not(.vf-slot-fixed)',
    count: chosen.length,
    onMove,
    onEvent: (event, from, at) =>
      setAnnouncement(
        t(`widget.slots.${event}`, {
          title: chosen[from]?.title ?? '',
          place: at + 1,
          count: chosen.length,
        }),
      ),
  })
  const full = chosen.length >= max
  return (
    <section className="vf-slot" aria-label={title}>
      <header>
        <h3>{title}</h3>
        <span className="vf-quiet" aria-live="polite">
          {orderOnly ? chosen.length : t('widget.slots.count', { count: chosen.length, min, max })}
        </span>
      </header>
      <ol className="vf-slot-rows" ref={list}>
        {first.map((entry) => (
          <FixedRow key={entry.id} entry={entry} />
        ))}
        {chosen.map((entry, at) => (
          <SlotRow
            key={entry.id}
            entry={entry}
            open={open}
            helpId={helpId}
            handle={handle(at)}
            shift={held && shiftOf(held, at)}
            isHeld={held?.from === at}
            isStill={held?.from === at && byHand}
            onUp={at === 0 ? null : () => onMove(at, at - 1)}
            onRemove={orderOnly ? null : () => onRemove(entry.id)}
          />
        ))}
        {last.map((entry) => (
          <FixedRow key={entry.id} entry={entry} />
        ))}
      </ol>
      <p id={helpId} hidden>
        {t('widget.slots.how')}
      </p>
      <p className="vf-unseen" role="status" aria-live="assertive">
        {announcement}
      </p>
      {spare.length === 0 || orderOnly ? null : (
        <div className="vf-slot-more">
          <span className="vf-quiet">
            {full ? t('widget.slots.most', { max }) : slot.addLabel || t('widget.slots.more')}
          </span>
          {spare.map((entry) => (
            <button
              key={entry.id}
              type="button"
              className="vf-slot-add"
              disabled={!open || full}
              aria-label={t('widget.slots.add', { title: entry.title })}
              onClick={() => onAdd(entry.id)}
            >
              <Icon name={entry.icon === '' ? 'app' : entry.icon} size={18} />
              <span>{entry.title}</span>
              <Glyph name="plus" size={14} />
            </button>
          ))}
        </div>
      )}
    </section>
  )
}
