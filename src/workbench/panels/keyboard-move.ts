import { type KeyboardEvent, useState } from 'react'
import type { ItemKey } from '../../../runtime/core/edit/entries.ts'
import { useBench } from '../context.ts'
import { type DragPayload, dragPayload, droppedEdit } from '../dragging.tsx'
import { isWithin, type Placing, spotsFor } from '../placing.ts'

/** The item being moved by keyboard, and its target. */
interface Carried {
  readonly payload: DragPayload
  readonly key: ItemKey
  readonly spots: readonly Placing[]
  readonly at: number
}

export interface KeyboardMove {
  readonly payload: DragPayload | null
  readonly placing: Placing | null
  /** Picks up the item of a row. */
  pick(key: ItemKey, title: string): void
  /** Handles a key while an item is being moved; false for an unrelated key. */
  press(event: KeyboardEvent): boolean
  cancel(): void
}

/** Moving rows of the tree by keyboard: the arrows select a position, Space or Enter drops, Escape cancels. */
export function useKeyboardMove(): KeyboardMove {
  const bench = useBench()
  const [carried, carry] = useState<Carried | null>(null)
  const step = (by: number) =>
    carried !== null &&
    carry({ ...carried, at: Math.max(0, Math.min(carried.spots.length - 1, carried.at + by)) })
  const drop = () => {
    const { editing } = bench.get()
    const placing = carried?.spots[carried.at]
    carry(null)
    if (editing === null || carried === null || placing === undefined) return
    const edit = droppedEdit(editing.document, carried.payload, placing)
    if (edit !== null) bench.perform(edit)
  }
  return {
    payload: carried?.payload ?? null,
    placing: carried?.spots[carried.at] ?? null,
    pick(key, title) {
      const { editing } = bench.get()
      if (editing === null) return
      const payload = dragPayload(bench, key, title)
      const moved = payload.move ?? []
      const spots = spotsFor(editing.document, key).filter(
        ({ spot }) => !moved.some((one) => isWithin(editing.document, spot.into, one)),
      )
      const current = spots.findIndex(({ at, side }) => at === key && side === 'before')
      carry({ payload, key, spots, at: Math.max(0, current) })
    },
    press(event) {
      if (carried === null || event.ctrlKey || event.metaKey || event.altKey) return false
      if (event.key === 'ArrowDown') step(1)
      else if (event.key === 'ArrowUp') step(-1)
      else if (event.key === 'Home') step(-carried.spots.length)
      else if (event.key === 'End') step(carried.spots.length)
      else if (event.key === ' ' || event.key === 'Enter') drop()
      else if (event.key === 'Escape') carry(null)
      else return event.key !== 'Tab'
      return true
    },
    cancel: () => carry(null),
  }
}
