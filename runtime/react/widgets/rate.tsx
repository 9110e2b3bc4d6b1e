import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { clamp } from '../../core/decimal.ts'
import type { JsonObject } from '../../core/json.ts'
import { ratingAt, snapRating } from '../../core/widgets/rating.ts'
import { keyOnScale } from '../../core/widgets/scale-keys.ts'
import { Field, useField } from '../fields/field.tsx'
import { numberOf, textOf } from '../page/options.ts'
import { useText } from '../page/page-context.ts'
import type { ViewProps } from '../page/view.ts'
import '../styles/scale.css'

const MAX = 20
/** Maximum number of stars beside the label; more have the width of the field. */
const BESIDE = 6
/** Total padding of a star in px, both sides. */
const STAR_GAP = 8
const STAR =
  'M12 2.600l2.900 5.900 6.500.900-4.700 4.600 1.100 6.500-5.800-3.100-5.800 3.100 1.100-6.500-4.700-4.600 6.500-.900z'

/** Stars: by a tap, by sliding a finger, and by the arrow keys. */
export function View({ state }: ViewProps) {
  const t = useText()
  const parts = useField(state)
  const { options } = state
  const max = clamp(Math.round(numberOf(options.max, 5)), 1, MAX)
  const half = options.allowHalf === true
  const value = snapRating(numberOf(state.value, 0), { max, half })
  const [drawn, setDrawn] = useState<number | null>(null)
  const row = useRef<HTMLDivElement>(null)
  const size = numberOf(options.size, 24)
  const shown = drawn ?? value
  const under = (event: PointerEvent): number => {
    const box = row.current?.getBoundingClientRect()
    return box === undefined ? value : ratingAt((event.clientX - box.left) / box.width, { max, half })
  }
  const draw = (event: PointerEvent<HTMLDivElement>) => {
    if (!parts.open || event.button > 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    setDrawn(under(event))
  }
  const drop = (event: PointerEvent) => {
    if (drawn === null) return
    setDrawn(null)
    parts.change(under(event))
  }
  const keys = (event: KeyboardEvent) => {
    const next = keyOnScale(event.key, value, { min: 0, max, step: half ? 0.5 : 1 })
    if (next === null || !parts.open) return
    event.preventDefault()
    parts.change(next)
  }
  const words = t('widget.rate.of', { count: shown, max })
  return (
    <Field state={state} parts={parts} group below={max > BESIDE} read={t('widget.stars', { count: value })}>
      <div className="vf-rate">
        <div
          ref={row}
          id={parts.id}
          role="slider"
          tabIndex={state.disabled ? -1 : 0}
          className={`vf-stars${parts.open ? '' : ' vf-shut'}`}
          aria-valuemin={0}
          aria-valuemax={max}
          aria-valuenow={shown}
          aria-valuetext={words}
          aria-disabled={state.disabled || undefined}
          aria-readonly={state.readonly || undefined}
          {...parts.naming}
          aria-describedby={parts.aria['aria-describedby']}
          onPointerDown={draw}
          onPointerMove={(event) => {
            if (drawn !== null) setDrawn(under(event))
          }}
          onPointerUp={drop}
          onPointerCancel={() => setDrawn(null)}
          onKeyDown={keys}
          onFocus={parts.focus}
          onBlur={parts.blur}
        >
          {Array.from({ length: max }, (_, i) => (
            <Star
              key={String(i)}
              size={size}
              share={clamp(shown - i, 0, 1)}
              colours={[textOf(options.color), textOf(options.activeColor)]}
            />
          ))}
        </div>
        {options.showScore === true ? <span className="vf-unit">{shown}</span> : null}
        {options.showText === true && shown > 0 ? (
          <span className="vf-unit">{t(verdictOf(shown, options))}</span>
        ) : null}
      </div>
    </Field>
  )
}

/** The text for a number of stars: low, medium, high, by the thresholds of the field. */
function verdictOf(stars: number, { lowThreshold, highThreshold }: JsonObject): string {
  if (stars <= numberOf(lowThreshold, 2)) return 'widget.rate.low'
  return stars >= numberOf(highThreshold, 4) ? 'widget.rate.high' : 'widget.rate.middle'
}

interface StarProps {
  /** Size in px, reduced if there is not enough space. */
  readonly size: number
  /** Filled part, 0 to 1. */
  readonly share: number
  readonly colours: readonly [empty: string, full: string]
}

function Star({ size, share, colours: [empty, full] }: StarProps) {
  const path = (className: string, colour: string, width: string) => (
    <svg className={className} style={{ width }} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={STAR} style={colour === '' ? undefined : { fill: colour }} />
    </svg>
  )
  return (
    <i aria-hidden="true" style={{ width: size + STAR_GAP }}>
      <span>
        {path('vf-star', empty, '100%')}
        {share === 0 ? null : (
          <b style={{ width: `${share * 100}%` }}>{path('vf-star vf-full', full, `${100 / share}%`)}</b>
        )}
      </span>
    </i>
  )
}
