import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { NodeState } from '../../core/engine.ts'
import { boundPage, heldAt, restingPage, smoothedSpeed, type Track } from '../../core/widgets/paging.ts'
import { lengthOf, numberOf, textOf } from '../page/options.ts'
import { useEngine } from '../page/page-context.ts'
import { useFire } from '../page/use-fire.ts'
import { Glyph } from './glyph.tsx'
import '../styles/extra.css'

interface Props {
  readonly state: NodeState
  readonly pages: readonly ReactNode[]
}

interface Hold {
  readonly id: number
  readonly x: number
  readonly from: number
  readonly at: number
  readonly lastX: number
  readonly lastTime: number
  readonly speed: number
}

const INTERVAL_MS = 5000
const DURATION_MS = 500

/** Pages on a track that follows the finger; the core computes where it comes to rest. */
export default function SwiperPages({ state, pages }: Props) {
  const { text: t, clock } = useEngine().ports
  const fire = useFire(state)
  const { options } = state
  const track: Track = { count: pages.length, circular: options.circular === true }
  const requestedPage = boundPage(numberOf(options.current, 0), track)
  const [page, setPage] = useState(requestedPage)
  const [given, setGiven] = useState(requestedPage)
  const [hold, setHold] = useState<Hold | null>(null)
  const box = useRef<HTMLDivElement>(null)
  if (requestedPage !== given) {
    setGiven(requestedPage)
    setPage(requestedPage)
  }
  const turn = (to: number, source: 'autoplay' | 'touch' | 'click') => {
    const next = boundPage(to, track)
    if (next === page) return
    setPage(next)
    void fire('change', [{ current: next, source }])
  }
  const running = options.autoplay === true && hold === null && track.count > 1
  const tick = useRef(() => {})
  useEffect(() => {
    tick.current = () => turn(track.circular || page < track.count - 1 ? page + 1 : 0, 'autoplay')
  })
  const interval = Math.max(500, numberOf(options.interval, INTERVAL_MS))
  useEffect(() => {
    if (!running || window.matchMedia('(prefers-reduced-motion: reduce)').matches) return
    let cancel = () => {}
    const wait = () => {
      cancel = clock.after(interval, () => {
        tick.current()
        wait()
      })
    }
    wait()
    return () => cancel()
  }, [running, interval, clock])
  const grab = (event: PointerEvent) => {
    if (!event.isPrimary || event.button > 0 || track.count < 2) return
    const { clientX: x, pointerId: id, timeStamp } = event
    setHold({ id, x, from: page, at: page, lastX: x, lastTime: timeStamp, speed: 0 })
  }
  const move = (event: PointerEvent) => {
    const width = box.current?.clientWidth ?? 1
    if (hold === null || event.pointerId !== hold.id) return
    if (Math.abs(event.clientX - hold.x) > 6) box.current?.setPointerCapture(event.pointerId)
    const time = Math.max(1, event.timeStamp - hold.lastTime)
    setHold({
      ...hold,
      at: heldAt(hold.from - (event.clientX - hold.x) / width, track),
      lastX: event.clientX,
      lastTime: event.timeStamp,
      speed: smoothedSpeed(hold.speed, (hold.lastX - event.clientX) / time),
    })
  }
  const drop = () => {
    if (hold === null) return
    setHold(null)
    turn(restingPage(hold.at, hold.speed, track), 'touch')
  }
  const arrow = (by: 1 | -1) => (
    <button
      type="button"
      className={`vf-swiper-arrow${by < 0 ? ' vf-back' : ''}`}
      aria-label={t(by < 0 ? 'swiper.previous' : 'swiper.next')}
      disabled={!track.circular && boundPage(page + by, track) === page}
      onClick={() => turn(page + by, 'click')}
    >
      <Glyph name="right" size={20} />
    </button>
  )
  const at = hold?.at ?? page
  return (
    // biome-ignore lint/a11y/useSemanticElements: a carousel is a group with a name
    <div
      ref={box}
      className="vf-swiper"
      role="group"
      aria-roledescription="carousel"
      aria-label={textOf(options.label) || t('swiper.page', { page: page + 1, count: track.count })}
      style={{ height: lengthOf(options.height), borderRadius: numberOf(options.radius, 0) }}
      tabIndex={track.count > 1 ? 0 : -1}
      onKeyDown={(event) => {
        const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
        if (by !== 0 && event.target === event.currentTarget) turn(page + by, 'click')
      }}
      onPointerDown={grab}
      onPointerMove={move}
      onPointerUp={drop}
      onPointerCancel={drop}
    >
      <div
        className="vf-swiper-track"
        style={{
          transform: `translate3d(${-at * 100}%, 0, 0)`,
          transition: hold === null ? `transform ${numberOf(options.duration, DURATION_MS)}ms` : 'none',
        }}
      >
        {pages.map((inner, i) => (
          <div key={String(i)} className="vf-swiper-page" inert={i !== page}>
            {inner}
          </div>
        ))}
      </div>
      {options.navigation === true && track.count > 1 ? (
        <>
          {arrow(-1)}
          {arrow(1)}
        </>
      ) : null}
      {options.indicatorDots !== false && track.count > 1 ? (
        <div className="vf-swiper-dots" aria-hidden="true">
          {pages.map((_, i) => (
            <i
              key={String(i)}
              className={i === page ? 'vf-on' : ''}
              style={{
                background:
                  textOf(i === page ? options.indicatorActiveColor : options.indicatorColor) || undefined,
              }}
            />
          ))}
        </div>
      ) : null}
    </div>
  )
}
