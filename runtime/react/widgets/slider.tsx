import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { clamp } from '../../core/decimal.ts'
import type { Json } from '../../core/json.ts'
import {
  type Handle,
  isOutside,
  moveHandle,
  type Pair,
  type Scale,
  scaleOf,
  shareOf,
  snapPair,
  snapToScale,
} from '../../core/widgets/scale.ts'
import { keyOnScale } from '../../core/widgets/scale-keys.ts'
import { Field, useField } from '../fields/field.tsx'
import { numberOf } from '../page/options.ts'
import { useText } from '../page/page-context.ts'
import type { ViewProps } from '../page/view.ts'
import '../styles/scale.css'

/** Maximum number of marks; more are only a grey line. */
const STOPS = 10

/** One handle, or two that swap when they cross; both snap to the step on release. */
export function View({ state }: ViewProps) {
  const t = useText()
  const parts = useField(state)
  const { options, value } = state
  const range = options.range === true
  const scale = scaleOf(options)
  const stored = pairOf(value, range, scale)
  const [drag, setDrag] = useState<{ readonly pair: Pair; readonly handle: Handle } | null>(null)
  const track = useRef<HTMLDivElement>(null)
  const wrong = range && Array.isArray(value) && isOutside(stored, scale)
  const { min, max } = scale
  useEffect(() => {
    if (wrong) console.error(t('widget.slider.bounds', { min, max }))
  }, [wrong, min, max, t])
  const pair = drag?.pair ?? stored
  const upright = numberOf(options.height, 0)
  const commit = (next: Pair) => {
    const [low, high] = range ? snapPair(next, scale) : [snapToScale(next[0], scale), next[1]]
    parts.change(range ? [low, high] : low)
  }
  const under = (event: PointerEvent): number => {
    const box = track.current?.getBoundingClientRect()
    if (box === undefined) return min
    const share =
      upright > 0 ? 1 - (event.clientY - box.top) / box.height : (event.clientX - box.left) / box.width
    return min + clamp(share, 0, 1) * (max - min)
  }
  const moved = (from: Pair, handle: Handle, to: number): Pair =>
    handle === 0 ? [to, from[1]] : [from[0], to]
  const grab = (event: PointerEvent<HTMLDivElement>) => {
    if (!parts.open || event.button > 0) return
    const to = under(event)
    const handle: Handle = range && Math.abs(to - pair[1]) <= Math.abs(to - pair[0]) && to > pair[0] ? 1 : 0
    event.currentTarget.setPointerCapture(event.pointerId)
    event.currentTarget
      .querySelectorAll<HTMLElement>('[role="slider"]')
      [handle]?.focus({ preventScroll: true })
    setDrag({ pair: moved(pair, handle, to), handle })
  }
  const drop = (event: PointerEvent) => {
    if (drag === null) return
    setDrag(null)
    commit(moved(drag.pair, drag.handle, under(event)))
  }
  const keys = (event: KeyboardEvent, handle: Handle) => {
    const to = keyOnScale(event.key, pair[handle], scale, range && handle === 1)
    if (to === null || !parts.open) return
    event.preventDefault()
    commit(range ? moveHandle(pair, handle, to, scale) : [to, pair[1]])
  }
  const lower = range ? Math.min(...pair) : min
  const from = shareOf(lower, scale)
  const to = shareOf(range ? Math.max(...pair) : pair[0], scale)
  const handle = (at: Handle) => {
    const name = range ? `${state.label} ${t(at === 0 ? 'widget.from' : 'widget.to')}` : ''
    const now = snapToScale(pair[at], scale)
    return (
      <div
        key={at}
        {...(at === 0 ? { id: parts.id } : {})}
        role="slider"
        tabIndex={state.disabled ? -1 : 0}
        className="vf-slider-handle"
        style={position(shareOf(pair[at], scale), upright > 0)}
        aria-valuemin={min}
        aria-valuemax={max}
        aria-valuenow={now}
        aria-orientation={upright > 0 ? 'vertical' : 'horizontal'}
        aria-disabled={state.disabled || undefined}
        aria-readonly={state.readonly || undefined}
        {...(range ? { 'aria-label': name } : parts.naming)}
        aria-describedby={parts.aria['aria-describedby']}
        onKeyDown={(event) => keys(event, at)}
        onFocus={parts.focus}
        onBlur={parts.blur}
      />
    )
  }
  return (
    <Field state={state} parts={parts} group>
      <div className={`vf-slider-line${upright > 0 ? ' vf-upright' : ''}${parts.open ? '' : ' vf-shut'}`}>
        <div
          ref={track}
          className="vf-slider"
          style={upright > 0 ? { height: upright } : undefined}
          onPointerDown={grab}
          onPointerMove={(event) => {
            if (drag !== null) setDrag({ ...drag, pair: moved(drag.pair, drag.handle, under(event)) })
          }}
          onPointerUp={drop}
          onPointerCancel={() => setDrag(null)}
        >
          <div className="vf-slider-rail">
            <i
              style={
                upright > 0
                  ? { bottom: percent(from), height: percent(to - from) }
                  : { left: percent(from), width: percent(to - from) }
              }
            />
            {options.showStops === false ? null : <Stops scale={scale} upright={upright > 0} />}
          </div>
          {handle(0)}
          {range ? handle(1) : null}
        </div>
        <output className="vf-unit">{spokenValue(pair, range, scale)}</output>
      </div>
    </Field>
  )
}

function Stops({ scale, upright }: { readonly scale: Scale; readonly upright: boolean }) {
  const count = Math.floor((scale.max - scale.min) / scale.step)
  if (count < 2 || count > STOPS) return null
  return Array.from({ length: count - 1 }, (_, i) => (
    <span key={String(i)} style={position((i + 1) * (scale.step / (scale.max - scale.min)), upright)} />
  ))
}

function pairOf(value: Json, range: boolean, { min, max }: Scale): Pair {
  const [low, high] = Array.isArray(value) ? (value as readonly Json[]) : [value]
  return [numberOf(low, min), range ? numberOf(high, max) : max]
}

function spokenValue([low, high]: Pair, range: boolean, scale: Scale): string {
  if (!range) return String(snapToScale(low, scale))
  return snapPair([low, high], scale).join('~')
}

const percent = (share: number): string => `${share * 100}%`
const position = (share: number, upright: boolean) =>
  upright ? { bottom: percent(share) } : { left: percent(share) }
