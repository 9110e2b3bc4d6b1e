import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { NodeState } from '../../core/engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { safeImage } from '../kit/safe-url.ts'
import { lengthOf, numberOf, textOf } from '../page/options.ts'
import { useEngine } from '../page/page-context.ts'
import { useAddress } from '../page/use-address.ts'
import { useFire } from '../page/use-fire.ts'
import { pauseOthers } from './pause-others.ts'
import { useSources } from './use-sources.ts'
import { VideoControls } from './video-controls.tsx'
import '../styles/media.css'

interface Props {
  readonly state: NodeState
  readonly row: JsonObject | undefined
  readonly sources: readonly string[]
}

/** Time in milliseconds for which the controls stay visible after the last touch. */
const HIDE_MS = 3000
/** Length in px of a drag through the whole video. */
const DRAW_PX = 600
const FITS = { contain: 'contain', cover: 'cover', fill: 'fill' } as const

/** A video with our own controls: play, progress, time, sound, full screen; dragging sideways seeks. */
export default function VideoPlayer({ state, row, sources }: Props) {
  const { text: t, clock } = useEngine().ports
  const fire = useFire(state, row)
  const { options } = state
  const poster = useAddress(textOf(options.poster))
  const box = useRef<HTMLDivElement>(null)
  const video = useRef<HTMLVideoElement>(null)
  const [playing, setPlaying] = useState(false)
  const [muted, setMuted] = useState(options.muted === true || options.autoplay === true)
  const [shown, setShown] = useState(true)
  const [time, setTime] = useState({ now: 0, length: numberOf(options.duration, 0) })
  const [full, turnFull] = useFullScreen(box)
  const cancel = useRef(() => {})
  const wasShown = useRef(true)
  const { source, failed, next } = useSources(
    video,
    sources,
    () => void fire('error', [{ source: 'video', errMsg: t('video.failed') }]),
  )
  const controls = options.controls !== false
  const touch = () => {
    setShown(true)
    cancel.current()
    cancel.current = clock.after(HIDE_MS, () => {
      if (video.current?.paused === false) setShown(false)
    })
  }
  useEffect(() => () => cancel.current(), [])
  const toggle = () => {
    touch()
    const film = video.current
    if (film === null) return
    if (film.paused) void film.play().catch(() => {})
    else film.pause()
  }
  const seek = (to: number) => {
    touch()
    if (video.current !== null && Number.isFinite(to))
      video.current.currentTime = Math.max(0, Math.min(time.length, to))
  }
  const drag = useSeekDrag({
    isOn: options.enableProgressGesture !== false,
    now: time.now,
    length: time.length,
    onSeek: seek,
  })
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: gestures on the picture; every act has a button or a slider besides
    <div
      ref={box}
      className="vf-video"
      style={{ height: full ? '100%' : lengthOf(options.height) }}
      onPointerDown={(event) => {
        wasShown.current = shown
        touch()
        drag.grab(event)
      }}
      onPointerMove={drag.draw}
      onPointerUp={drag.drop}
      onPointerCancel={drag.cancel}
      onFocus={touch}
    >
      {failed || source === undefined ? (
        <p className="vf-video-failed" role="alert">
          {t('video.failed')}
        </p>
      ) : (
        <video
          key={source}
          ref={video}
          src={source}
          poster={safeImage(poster) || undefined}
          aria-label={textOf(options.label) || textOf(options.title) || state.label}
          playsInline
          preload="metadata"
          autoPlay={options.autoplay === true}
          loop={options.loop === true}
          muted={muted}
          style={{ objectFit: FITS[textOf(options.objectFit) as keyof typeof FITS] ?? 'contain' }}
          onClick={() => {
            if (wasShown.current && playing) setShown(false)
          }}
          onLoadedMetadata={(event) => {
            const film = event.currentTarget
            if (numberOf(options.initialTime, 0) > 0) film.currentTime = numberOf(options.initialTime, 0)
            setTime({
              now: film.currentTime,
              length: Number.isFinite(film.duration) ? film.duration : time.length,
            })
          }}
          onTimeUpdate={(event) => setTime({ ...time, now: event.currentTarget.currentTime })}
          onPlay={(event) => {
            pauseOthers(event.currentTarget)
            setPlaying(true)
            touch()
            void fire('play')
          }}
          onPause={() => {
            setPlaying(false)
            setShown(true)
            void fire('pause')
          }}
          onEnded={() => void fire('ended')}
          onError={next}
        />
      )}
      {controls && !failed ? (
        <VideoControls
          options={options}
          t={t}
          shown={shown}
          playing={playing}
          muted={muted}
          full={full}
          now={drag.to ?? time.now}
          length={time.length}
          onToggle={toggle}
          onSeek={seek}
          onMute={() => {
            touch()
            setMuted(!muted)
          }}
          onFull={() => {
            touch()
            turnFull()
          }}
        />
      ) : null}
    </div>
  )
}

/** Whether an element is in full screen, and a function to toggle it. */
function useFullScreen(box: RefObject<HTMLElement | null>): readonly [boolean, () => void] {
  const [full, setFull] = useState(false)
  useEffect(() => {
    const onFullscreen = () => setFull(document.fullscreenElement === box.current && box.current !== null)
    document.addEventListener('fullscreenchange', onFullscreen)
    return () => document.removeEventListener('fullscreenchange', onFullscreen)
  }, [box])
  return [
    full,
    () => void (full ? document.exitFullscreen() : box.current?.requestFullscreen())?.catch(() => {}),
  ]
}

interface SeekDrag {
  readonly isOn: boolean
  readonly now: number
  readonly length: number
  readonly onSeek: (to: number) => void
}

/** Dragging sideways over the picture seeks on release; `to` is the target time meanwhile. */
function useSeekDrag({ isOn, now, length, onSeek }: SeekDrag) {
  const [drawn, setDrawn] = useState<{
    readonly x: number
    readonly from: number
    readonly to: number
  } | null>(null)
  return {
    to: drawn?.to,
    grab(event: PointerEvent) {
      if (isOn && event.isPrimary) setDrawn({ x: event.clientX, from: now, to: now })
    },
    draw(event: PointerEvent) {
      if (drawn === null || length === 0) return
      const by = ((event.clientX - drawn.x) / DRAW_PX) * length
      setDrawn({ ...drawn, to: Math.max(0, Math.min(length, drawn.from + by)) })
    },
    drop(event: PointerEvent) {
      if (drawn === null) return
      setDrawn(null)
      if (Math.abs(event.clientX - drawn.x) > 10) onSeek(drawn.to)
    },
    cancel: () => setDrawn(null),
  }
}
