import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { Glyph } from '../glyph.tsx'
import { Icon } from '../icon.tsx'
import { useText } from '../page-context.ts'
import { announcementsOf } from './announcements.ts'
import { FixedRow, type SlotEntry, SlotRow } from './slot-row.tsx'

interface Props {
  readonly title: string
  readonly min: number
  readonly max: number
  readonly chosen: readonly SlotEntry[]
  readonly spare: readonly SlotEntry[]
  readonly first: readonly SlotEntry[]
  readonly last: readonly SlotEntry[]
  readonly addLabel: string
  readonly open: boolean
  readonly onMove: (from: number, to: number) => void
  readonly onAdd: (id: SlotEntry['id']) => void
  readonly onRemove: (id: SlotEntry['id']) => void
}

/** One slot: its entries in order, and what may be added. */
export function SlotBox({ chosen, spare, first, last, open, onMove, onAdd, onRemove, ...slot }: Props) {
  const t = useText()
  const { title, min, max } = slot
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const placeOf = (id: UniqueIdentifier) => chosen.findIndex((entry) => entry.id === id)
  const titleOf = (id: UniqueIdentifier) => chosen[placeOf(id)]?.title ?? ''
  const end = ({ active, over }: DragEndEvent) => {
    if (over !== null) onMove(placeOf(active.id), placeOf(over.id))
  }
  const full = chosen.length >= max
  return (
    <section className="vf-slot" aria-label={title}>
      <header>
        <h3>{title}</h3>
        <span className="vf-quiet" aria-live="polite">
          {t('widget.slots.count', { count: chosen.length, min, max })}
        </span>
      </header>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        onDragEnd={end}
        accessibility={{
          announcements: announcementsOf({
            text: t,
            titleOf,
            placeOf: (id) => placeOf(id) + 1,
            count: chosen.length,
          }),
          screenReaderInstructions: { draggable: t('widget.slots.how') },
        }}
      >
        <ol className="vf-slot-rows">
          {first.map((entry) => (
            <FixedRow key={entry.id} entry={entry} />
          ))}
          <SortableContext items={chosen.map((entry) => entry.id)} strategy={verticalListSortingStrategy}>
            {chosen.map((entry, at) => (
              <SlotRow
                key={entry.id}
                entry={entry}
                open={open}
                onUp={at === 0 ? null : () => onMove(at, at - 1)}
                onRemove={() => onRemove(entry.id)}
              />
            ))}
          </SortableContext>
          {last.map((entry) => (
            <FixedRow key={entry.id} entry={entry} />
          ))}
        </ol>
      </DndContext>
      {spare.length === 0 ? null : (
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
