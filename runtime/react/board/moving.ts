import {
  type CollisionDetection,
  type KeyboardCoordinateGetter,
  KeyboardSensor,
  MouseSensor,
  pointerWithin,
  rectIntersection,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { clamp } from '../../core/decimal.ts'

/** Time in milliseconds that a finger must rest to pick up a card; a movement before that scrolls. */
const HOLD = { delay: 350, tolerance: 10 }
/** Distance in px after which a mouse movement is a drag instead of a click. */
const PICK = { distance: 6 }
const KEYS = { start: ['Space'], cancel: ['Escape'], end: ['Space', 'Enter'] }

/** Dragging by mouse, finger and keyboard: each picks up a card and moves it to another column. */
export function useMoving() {
  return useSensors(
    useSensor(MouseSensor, { activationConstraint: PICK }),
    useSensor(TouchSensor, { activationConstraint: HOLD }),
    useSensor(KeyboardSensor, { keyboardCodes: KEYS, coordinateGetter: toNextColumn }),
  )
}

/** The column under the pointer; with the keyboard the one that the card overlaps most. */
export const columnUnder: CollisionDetection = (args) =>
  args.pointerCoordinates === null ? rectIntersection(args) : pointerWithin(args)

/** The arrow keys move a card to the next column. */
const toNextColumn: KeyboardCoordinateGetter = (event, { currentCoordinates, context }) => {
  const step = event.code === 'ArrowRight' ? 1 : event.code === 'ArrowLeft' ? -1 : 0
  if (step === 0) return undefined
  event.preventDefault()
  const columns = [...context.droppableRects.values()].sort((a, b) => a.left - b.left)
  const at = columns.findIndex(
    ({ left, right }) => currentCoordinates.x + 20 >= left && currentCoordinates.x + 20 < right,
  )
  const next = columns[clamp(at + step, 0, columns.length - 1)]
  return next === undefined
    ? undefined
    : { x: next.left + 8, y: Math.max(next.top + 60, currentCoordinates.y) }
}
