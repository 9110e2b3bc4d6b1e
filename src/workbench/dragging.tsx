import {
  type CollisionDetection,
  type DataRef,
  DndContext,
  type DragMoveEvent,
  MeasuringStrategy,
  MouseSensor,
  TouchSensor,
  useDraggable,
  useDroppable,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  createContext,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  type TouchEvent,
  useCallback,
  useContext,
  useRef,
  useState,
} from 'react'
import type { Edit } from '../../runtime/core/edit/edit.ts'
import type { ItemKey } from '../../runtime/core/edit/entries.ts'
import type { Json, JsonObject } from '../../runtime/core/json.ts'
import type { Bench } from './bench-state.ts'
import { t, useBench } from './context.ts'
import { inserted } from './make-widget.ts'
import { isWithin, type Placing } from './placing.ts'
import { moved } from './selection.ts'

/** What is dragged: items of the page, or something new; and its label. */
export interface DragPayload {
  readonly title: string
  readonly move?: readonly ItemKey[]
  readonly insert?: readonly JsonObject[]
}

interface Point {
  readonly x: number
  readonly y: number
}

/** A part of the workbench into which things can be dropped. */
interface Zone {
  /** The visible part of it. */
  readonly view: () => Element | null
  readonly spotAt: (point: Point) => Placing | null
}

interface Carrying {
  readonly payload: DragPayload
  readonly zone: string
  readonly point: Point
  readonly placing: Placing | null
}

const CarryingContext = createContext<Carrying | null>(null)

/** Distance in px after which a mouse press is a drag and not a click; how long a finger must rest for a drag and not a scroll, in milliseconds. */
const MOUSE = { activationConstraint: { distance: 5 } }
const FINGER = { activationConstraint: { delay: 300, tolerance: 8 } }
/** The page on the canvas changes its size during a drag. */
const MEASURE = { droppable: { strategy: MeasuringStrategy.Always } }
/** The workbench announces itself what is selected. */
const SILENT = {
  announcements: {
    onDragStart: () => undefined,
    onDragOver: () => undefined,
    onDragEnd: () => undefined,
    onDragCancel: () => undefined,
  },
  screenReaderInstructions: { draggable: '' },
}

const zoneOf = (data: DataRef): Zone | undefined => data.current as Zone | undefined

/** The pointer position, and what is below it. */
interface DropTarget {
  readonly point: Point
  readonly id: string
  readonly zone: Zone | null
}

/** Enables dragging by mouse or finger between the palette, the tree and the canvas. */
export function Dragging({ children }: { readonly children: ReactNode }) {
  const bench = useBench()
  const sensors = useSensors(useSensor(MouseSensor, MOUSE), useSensor(TouchSensor, FINGER))
  const [carrying, carry] = useState<Carrying | null>(null)
  const under = useRef<DropTarget | null>(null)
  const zoneUnder = useCallback<CollisionDetection>(({ pointerCoordinates: point, droppableContainers }) => {
    if (point === null) return []
    const found = droppableContainers.find(({ data }) => isSeenAt(zoneOf(data)?.view() ?? null, point))
    under.current = { point, id: String(found?.id ?? ''), zone: (found && zoneOf(found.data)) ?? null }
    return found === undefined ? [] : [{ id: found.id }]
  }, [])
  const follow = ({ active }: DragMoveEvent) => {
    const payload = (active.data.current as { readonly payload: RefObject<DragPayload | null> }).payload
      .current
    const { editing } = bench.get()
    if (payload === null || editing === null || under.current === null) return
    const { point, id, zone } = under.current
    const placing = zone?.spotAt(point) ?? null
    const isIntoItself =
      placing !== null && payload.move?.some((key) => isWithin(editing.document, placing.spot.into, key))
    carry({ payload, point, zone: id, placing: isIntoItself === true ? null : placing })
  }
  const drop = () => {
    carry(null)
    const { editing } = bench.get()
    if (editing === null || carrying?.placing == null) return
    const edit = droppedEdit(editing.document, carrying.payload, carrying.placing)
    if (edit !== null) bench.perform(edit)
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={zoneUnder}
      measuring={MEASURE}
      accessibility={SILENT}
      onDragMove={follow}
      onDragCancel={() => carry(null)}
      onDragEnd={drop}
    >
      <CarryingContext.Provider value={carrying}>{children}</CarryingContext.Provider>
      {carrying !== null && (
        <div
          className={carrying.placing === null ? 'wb-carried wb-carried-nowhere' : 'wb-carried'}
          style={{ left: carrying.point.x + 12, top: carrying.point.y + 12 }}
        >
          {carrying.payload.title}
        </div>
      )}
    </DndContext>
  )
}

/** A draggable item; if it is selected, all other selected items are dragged with it. */
export function dragPayload(bench: Bench, key: ItemKey, title: string): DragPayload {
  const selection = bench.selection()
  return selection.length > 1 && selection.includes(key)
    ? { title: t('workbench.several', { n: selection.length }), move: selection }
    : { title, move: [key] }
}

/** The effect of dropping. */
export function droppedEdit(document: Json, { move, insert }: DragPayload, { spot }: Placing): Edit | null {
  if (insert !== undefined) return inserted(document, insert, spot)
  return move === undefined ? null : moved(document, move, spot)
}

/** Where the pointer would drop something in a zone; null while it is elsewhere. */
export function usePlacing(zone: string): Placing | null {
  const carrying = useContext(CarryingContext)
  return carrying?.zone === zone ? carrying.placing : null
}

/** A drop target. @returns its ref */
export function useDropZone(id: string, zone: Zone): SetElement {
  return useDroppable({ id, data: zone }).setNodeRef
}

type SetElement = (element: HTMLElement | null) => void

/** Combines several refs into one. */
export function useRefs(
  first: SetElement,
  second: SetElement | null,
  also?: RefObject<HTMLElement | null>,
): SetElement {
  return useCallback(
    (element) => {
      first(element)
      second?.(element)
      if (also !== undefined) also.current = element
    },
    [first, second, also],
  )
}

interface DragHandle {
  readonly ref: SetElement
  readonly onMouseDown: (event: MouseEvent) => void
  readonly onTouchStart: (event: TouchEvent) => void
}

/**
 * Makes the contents of an element draggable: one handler for a whole list, so that a page of a thousand widgets is not redrawn
 * for each pointer move.
 *
 * @param find  the item below the pointer; null for nothing that can be dragged
 */
export function useDragHandle(
  id: string,
  find: (target: Element, point: Point) => DragPayload | null,
): DragHandle {
  const payload = useRef<DragPayload | null>(null)
  const { listeners, setNodeRef } = useDraggable({ id, data: { payload } })
  const findPayload = (event: MouseEvent | TouchEvent): boolean => {
    const point = pointOf(event.nativeEvent)
    payload.current = point === null || !(event.target instanceof Element) ? null : find(event.target, point)
    return payload.current !== null
  }
  return {
    ref: setNodeRef,
    onMouseDown: (event) => void (findPayload(event) && listeners?.onMouseDown?.(event)),
    onTouchStart: (event) => void (findPayload(event) && listeners?.onTouchStart?.(event)),
  }
}

function pointOf(event: globalThis.MouseEvent | globalThis.TouchEvent): Point | null {
  const at = 'touches' in event ? event.touches[0] : event
  return at === undefined ? null : { x: at.clientX, y: at.clientY }
}

function isSeenAt(view: Element | null, { x, y }: Point): boolean {
  const box = view?.getBoundingClientRect()
  return box !== undefined && x >= box.left && x <= box.right && y >= box.top && y <= box.bottom
}
