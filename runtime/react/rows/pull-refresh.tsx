import { type ReactNode, type RefObject, useEffect, useReducer, useRef } from 'react'
import {
  nextPull,
  PULL_IDLE,
  PULL_RANGE,
  PULL_REST_MS,
  type PullEvent,
  type PullPhase,
} from '../../core/engine/pull.ts'
import type { Clock, Text } from '../../core/ports.ts'
import '../styles/pull.css'

export interface PullProps {
  readonly text: Text
  readonly clock: Clock
  readonly onRefresh: () => Promise<void>
  readonly children: ReactNode
}

const WORDS: Readonly<Record<PullPhase, string>> = {
  idle: '',
  pulling: 'pull.pulling',
  reached: 'pull.release',
  aborting: '',
  refreshing: 'pull.refreshing',
  restoring: 'pull.done',
}
/** Height in px of the strip above a page that is pulled fully. */
const STRIP_PX = 70

/** A page with pull to refresh; loaded only by pages that allow it. */
export function PullRefresh({ text, clock, onRefresh, children }: PullProps) {
  const [{ phase, distance }, send] = useReducer(nextPull, PULL_IDLE)
  const box = useRef<HTMLDivElement>(null)
  const refresh = useRef(onRefresh)
  useEffect(() => {
    refresh.current = onRefresh
  })
  useFinger(box, send)
  useEffect(() => {
    if (phase === 'refreshing') void refresh.current().finally(() => send({ kind: 'stop' }))
    if (phase === 'aborting' || phase === 'restoring')
      return clock.after(PULL_REST_MS, () => send({ kind: 'rest' }))
  }, [phase, clock])
  const height = phase === 'refreshing' ? STRIP_PX : (distance / PULL_RANGE) * STRIP_PX
  const words = WORDS[phase]
  return (
    <div ref={box}>
      <div className={`vf-pull vf-pull-${phase}`} style={{ height }} role="status">
        {words === '' ? null : (
          <>
            <i aria-hidden="true" style={{ opacity: distance / PULL_RANGE }} />
            {text(words)}
          </>
        )}
      </div>
      {children}
    </div>
  )
}

/** One finger that moves down, more than sideways, while the page is scrolled to its top. */
function useFinger(box: RefObject<HTMLElement | null>, send: (event: PullEvent) => void): void {
  useEffect(() => {
    const element = box.current
    if (element === null) return
    let from: { readonly x: number; readonly y: number } | null = null
    const start = (event: TouchEvent) => {
      const [touch] = event.touches
      const free = event.target instanceof Element && getComputedStyle(event.target).touchAction !== 'none'
      from =
        touch && event.touches.length === 1 && window.scrollY <= 0 && free
          ? { x: touch.clientX, y: touch.clientY }
          : null
    }
    const move = (event: TouchEvent) => {
      const [touch] = event.touches
      if (from === null || touch === undefined) return
      const by = touch.clientY - from.y
      if (window.scrollY > 0 || Math.abs(touch.clientX - from.x) > Math.abs(by)) return end()
      if (by > 0 && event.cancelable) event.preventDefault() // prevents the browser's own pull to refresh
      send({ kind: 'move', by })
    }
    const end = () => {
      from = null
      send({ kind: 'release' })
    }
    element.addEventListener('touchstart', start, { passive: true })
    element.addEventListener('touchmove', move, { passive: false })
    element.addEventListener('touchend', end)
    element.addEventListener('touchcancel', end)
    return () => {
      element.removeEventListener('touchstart', start)
      element.removeEventListener('touchmove', move)
      element.removeEventListener('touchend', end)
      element.removeEventListener('touchcancel', end)
    }
  }, [box, send])
}
