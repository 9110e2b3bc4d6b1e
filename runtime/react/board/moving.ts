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

/** How long a finger must rest to pick a card up, in milliseconds; before that it scrolls. */
const HOLD = { delay: 350, tolerance: 10 }
/** Px that the mouse moves before it is no click any more. */
const PICK = { distance: 6 }
const KEYS = { start: ['Space'], cancel: ['Escape'], end: ['Space', 'Enter'] }

/** Mouse, finger and keys: each picks a card up and carries it to another column. */
export function useMoving() {
  return useSensors(
    useSensor(MouseSensor, { activationConstraint: PICK }),
    useSensor(TouchSensor, { activationConstraint: HOLD }),
    useSensor(KeyboardSensor, { keyboardCodes: KEYS, coordinateGetter: toNextColumn }),
  )
}

/** The column under the hand; by keys the one that the card covers most. */
export const columnUnder: CollisionDetection = (args) =>
  args.pointerCoordinates === null ? rectIntersection(args) : pointerWithin(args)

/** The arrows carry a card to the column beside. */
const toNextColumn: KeyboardCoordinateGetter = (event, { currentCoordinates, context }) => {
  const step = event.code === 'ArrowRight' ? 1 : event.code === 'ArrowLeft' ? -1 : 0
  if (step === 0) return undefined
  event.preventDefault()
  const columns = [...context.droppableRects.values()].sort((a, b) => a.left - b.left)
  const at = columns.findIndex(
    ({ left, right }) => currentCoordinates.x + 20 >= left && currentCoordinates.x + 20 < right,
  )
  const next = columns[Math.min(columns.length - 1, Math.max(0, at + step))]
  return next === undefined
    ? undefined
    : { x: next.left + 8, y: Math.max(next.top + 60, currentCoordinates.y) }
}
