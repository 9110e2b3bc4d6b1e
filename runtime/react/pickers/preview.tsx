import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import {
  boundPage,
  heldAt,
  pannedTo,
  pinchedZoom,
  restingPage,
  smoothedSpeed,
  type Track,
} from '../../core/widgets/paging.ts'
import { Glyph } from '../kit/glyph.tsx'
import { Overlay } from '../layers/overlay.tsx'
import { useEngine, useText } from '../page/page-context.ts'
import { useAddress } from '../page/use-address.ts'
import '../styles/preview.css'

interface Props {
  readonly images: readonly string[]
  /** The index of the tapped picture; 0 if unknown. */
  readonly at: number
  readonly onClose: () => void
}

interface Point {
  readonly x: number
  readonly y: number
}

interface View {
  readonly page: number
  /** The position of the track while a finger holds it; null at rest. */
  readonly held: number | null
  readonly zoom: number
  readonly x: number
  readonly y: number
}

/** The movements of the fingers since the first one touched. */
interface Gesture {
  readonly points: Map<number, Point>
  start: Point
  last: Point
  lastTime: number
  speed: number
  moved: number
  pinched: boolean
  distance: number
  view: View
}

/** Maximum movement of a tap in px. */
const TAP_PX = 20
/** A finger that slipped a little causes no click; after this time in milliseconds the preview closes without one. */
const CLICK_MS = 350
const STEP = 0.5

/** All pictures in full screen on black: swiping changes the picture, pinching zooms 1 to 4 times, a tap and Escape close. */
export default function Preview({ images, at, onClose }: Props) {
  const { clock, text: t } = useEngine().ports
  const track: Track = { count: images.length, circular: false }
  const [view, setView] = useState<View>({ page: boundPage(at, track), held: null, zoom: 1, x: 0, y: 0 })
  const box = useRef<HTMLDivElement>(null)
  const gesture = useRef<Gesture | null>(null)
  /** Cancels waiting for the click after a tap, which closes the preview: if it closed earlier, that click would reach the page below. */
  const tapped = useRef<(() => void) | null>(null)
  const size = () => ({ width: box.current?.clientWidth ?? 1, height: box.current?.clientHeight ?? 1 })
  const turn = (page: number) => setView({ page: boundPage(page, track), held: null, zoom: 1, x: 0, y: 0 })
  const grow = (zoom: number) =>
    setView({
      ...view,
      zoom,
      x: pannedTo(view.x, zoom, size().width),
      y: pannedTo(view.y, zoom, size().height),
    })
  const down = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    const point = { x: event.clientX, y: event.clientY }
    const now = gesture.current
    tapped.current?.()
    tapped.current = null
    if (now === null) {
      gesture.current = {
        points: new Map([[event.pointerId, point]]),
        start: point,
        last: point,
        lastTime: event.timeStamp,
        speed: 0,
        moved: 0,
        pinched: false,
        distance: 0,
        view,
      }
      return
    }
    now.points.set(event.pointerId, point)
    now.pinched = true
    now.distance = spread(now.points)
    now.view = view
  }
  const move = (event: PointerEvent) => {
    const now = gesture.current
    if (now === null || !now.points.has(event.pointerId)) return
    const point = { x: event.clientX, y: event.clientY }
    now.points.set(event.pointerId, point)
    now.moved = Math.max(now.moved, Math.hypot(point.x - now.start.x, point.y - now.start.y))
    const { width, height } = size()
    if (now.points.size > 1) return grow(pinchedZoom(now.view.zoom, now.distance, spread(now.points)))
    if (now.pinched) return
    if (now.view.zoom > 1) {
      const { zoom } = now.view
      return setView({
        ...now.view,
        x: pannedTo(now.view.x + point.x - now.start.x, zoom, width),
        y: pannedTo(now.view.y + point.y - now.start.y, zoom, height),
      })
    }
    now.speed = smoothedSpeed(now.speed, (now.last.x - point.x) / Math.max(1, event.timeStamp - now.lastTime))
    now.last = point
    now.lastTime = event.timeStamp
    setView({ ...view, held: heldAt(now.view.page - (point.x - now.start.x) / width, track) })
  }
  useEffect(() => () => tapped.current?.(), [])
  const up = (event: PointerEvent) => {
    const now = gesture.current
    if (now === null) return
    now.points.delete(event.pointerId)
    if (now.points.size > 0) return
    gesture.current = null
    if (!now.pinched && now.moved <= TAP_PX) {
      tapped.current = clock.after(CLICK_MS, onClose)
      return setView({ ...view, held: null })
    }
    if (!now.pinched && view.held !== null) turn(restingPage(view.held, now.speed, track))
  }
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'ArrowRight') turn(view.page + 1)
    if (event.key === 'ArrowLeft') turn(view.page - 1)
    if (event.key === '+' || event.key === '=') grow(pinchedZoom(view.zoom, 1, 1 + STEP))
    if (event.key === '-') grow(pinchedZoom(view.zoom, 1 + STEP, 1))
  }
  const position = t('swiper.page', { page: view.page + 1, count: images.length })
  return (
    <Overlay
      open
      side="center"
      onClose={onClose}
      onKey={keys}
      className="vf-preview"
      maskColor="rgba(0,0,0,.8)"
      naming={{ 'aria-label': position }}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a second way for fingers; keys have Escape and the button below */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
      <div
        ref={box}
        className="vf-preview-box"
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={up}
        onPointerCancel={up}
        onClick={() => {
          if (tapped.current === null) return
          tapped.current()
          onClose()
        }}
      >
        <div
          className="vf-preview-track"
          style={{
            transform: `translate3d(${-(view.held ?? view.page) * 100}%, 0, 0)`,
            transition: view.held === null ? undefined : 'none',
          }}
        >
          {images.map((src, i) => (
            <Picture key={String(i)} src={src} view={view} index={i} />
          ))}
        </div>
      </div>
      <p className="vf-preview-foot" role="status">
        {images.length > 1 ? <span aria-hidden="true">{`${view.page + 1} / ${images.length}`}</span> : null}
        <span className="vf-unseen">{position}</span>
      </p>
      <button type="button" className="vf-preview-close" aria-label={t('widget.close')} onClick={onClose}>
        <Glyph name="cross" size={22} />
      </button>
    </Overlay>
  )
}

function Picture({
  src,
  view,
  index,
}: {
  readonly src: string
  readonly view: View
  readonly index: number
}) {
  const t = useText()
  const shown = index === view.page
  const isNear = Math.abs(index - view.page) <= 1
  const address = useAddress(isNear ? src : '')
  return (
    <div className="vf-preview-page" aria-hidden={!shown}>
      <img
        src={address || undefined}
        alt={t('swiper.picture', { page: index + 1 })}
        draggable={false}
        style={
          shown && view.zoom > 1
            ? { transform: `translate3d(${view.x}px, ${view.y}px, 0) scale(${view.zoom})` }
            : undefined
        }
      />
    </div>
  )
}

/** Distance between the first two fingers. */
function spread(points: ReadonlyMap<number, Point>): number {
  const [a, b] = [...points.values()]
  return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0
}
