import { useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { Glyph } from '../glyph.tsx'
import { Icon } from '../icon.tsx'
import { useText } from '../page-context.ts'

/** An entry of a slot. */
export interface SlotEntry {
  readonly id: string | number
  readonly title: string
  readonly icon: string
}

interface Props {
  readonly entry: SlotEntry
  readonly open: boolean
  readonly onUp: (() => void) | null
  readonly onRemove: () => void
}

/** An entry that is dragged by its handle, moved up by a button, or taken away. */
export function SlotRow({ entry, open, onUp, onRemove }: Props) {
  const t = useText()
  const { title } = entry
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({
      id: entry.id,
      disabled: !open,
      attributes: { roleDescription: t('widget.slots.sortable') },
      ...(isStill() ? { transition: null } : {}),
    })
  return (
    <li
      ref={setNodeRef}
      className={`vf-slot-row${isDragging ? ' vf-dragging' : ''}`}
      style={{ transform: CSS.Translate.toString(transform && { ...transform, x: 0 }), transition }}
    >
      <button
        ref={setActivatorNodeRef}
        type="button"
        className="vf-slot-handle"
        disabled={!open}
        {...attributes}
        {...listeners}
        aria-label={t('widget.slots.drag', { title })}
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
      <button
        type="button"
        className="vf-icon-button"
        disabled={!open}
        aria-label={t('widget.slots.remove', { title })}
        onClick={onRemove}
      >
        <Glyph name="minus" size={18} />
      </button>
    </li>
  )
}

/** Who wants less motion sees entries jump to their place. */
const isStill = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches

/** An entry that stands where it is. */
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
