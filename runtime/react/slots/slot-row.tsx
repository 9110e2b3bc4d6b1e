import { Glyph } from '../kit/glyph.tsx'
import { Icon } from '../kit/icon.tsx'
import { useText } from '../page/page-context.ts'
import type { Sorting } from './use-sorting.ts'

/** An entry of a slot. */
export interface SlotEntry {
  readonly id: string | number
  readonly title: string
  readonly icon: string
}

interface Props {
  readonly entry: SlotEntry
  readonly open: boolean
  /** Id of the text that explains the keys. */
  readonly helpId: string
  readonly handle: ReturnType<Sorting['handle']>
  /** Offset in px; null while nothing is dragged. */
  readonly shift: number | null
  readonly isHeld: boolean
  /** It moves without a transition. */
  readonly isStill: boolean
  readonly onUp: (() => void) | null
  /** Null: it cannot be removed. */
  readonly onRemove: (() => void) | null
}

/** An entry that can be dragged by its handle, moved up by a button, or removed. */
export function SlotRow({ entry, open, helpId, handle, shift, isHeld, isStill, onUp, onRemove }: Props) {
  const t = useText()
  const { title } = entry
  return (
    <li
      className={`vf-slot-row${isHeld ? ' vf-dragging' : ''}${shift === null || isStill ? '' : ' vf-slot-moves'}`}
      style={shift ? { transform: `translateY(${shift}px)` } : undefined}
    >
      <button
        type="button"
        className="vf-slot-handle"
        disabled={!open}
        {...handle}
        aria-label={t('widget.slots.drag', { title })}
        aria-roledescription={t('widget.slots.sortable')}
        aria-describedby={helpId}
        aria-pressed={isHeld}
      >
        <i aria-hidden="true" />
      </button>
      <Icon name={entry.icon === '' ? 'app' : entry.icon} size={22} />
      <span className="vf-slot-title">{title}</span>
      <button
        type="button"
        className="vf-icon-button"
        disabled={!open || onUp === null}
        aria-label={t('widget.slots.up', { title })}
        onClick={() => onUp?.()}
      >
        <span className="vf-slot-up" aria-hidden="true">
          <Glyph name="down" size={18} />
        </span>
      </button>
      {onRemove === null ? null : (
        <button
          type="button"
          className="vf-icon-button vf-slot-remove"
          disabled={!open}
          aria-label={t('widget.slots.remove', { title })}
          onClick={onRemove}
        >
          <Glyph name="minus" size={18} />
        </button>
      )}
    </li>
  )
}

/** An entry that cannot be moved. */
export function FixedRow({ entry }: { readonly entry: SlotEntry }) {
  const t = useText()
  return (
    <li className="vf-slot-row vf-slot-fixed">
      <span className="vf-slot-handle" />
      <Icon name={entry.icon === '' ? 'app' : entry.icon} size={22} />
      <span className="vf-slot-title">{entry.title}</span>
      <span className="vf-quiet">{t('widget.slots.fixed')}</span>
    </li>
  )
}
