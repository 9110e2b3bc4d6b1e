import { useEffect, useRef, useState } from 'react'
import { clamp } from '../../core/decimal.ts'
import { numberOf, textOf } from '../page/options.ts'
import { useText } from '../page/page-context.ts'
import { useFire } from '../page/use-fire.ts'
import type { ViewProps } from '../page/view.ts'
import '../styles/extra.css'

/** Duration per percent of the animation, in milliseconds. */
const PERCENT_MS = 30

/** A progress line from 0 to 100. */
export function View({ state, row }: ViewProps) {
  const t = useText()
  const fire = useFire(state, row)
  const { options } = state
  const percent = clamp(numberOf(options.percent, numberOf(state.value, 0)), 0, 100)
  const grows = options.active === true
  const before = useRef(0)
  const [drawn, setDrawn] = useState(grows ? 0 : percent)
  const distance = Math.abs(percent - (options.activeMode === 'forwards' ? before.current : 0))
  useEffect(() => {
    const frame = requestAnimationFrame(() => setDrawn(percent))
    return () => {
      before.current = percent
      cancelAnimationFrame(frame)
    }
  }, [percent])
  const stroke = numberOf(options.strokeWidth, 6)
  const round = numberOf(options.borderRadius, stroke / 2)
  return (
    <div className="vf-progress">
      {state.label === '' ? null : <span>{state.label}</span>}
      <div
        className="vf-progress-rail"
        role="progressbar"
        aria-label={state.label || t('progress.label')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        style={{
          height: stroke,
          borderRadius: round,
          background: textOf(state.node.widget.options.backgroundColor) || undefined,
        }}
      >
        <i
          style={{
            width: `${drawn}%`,
            borderRadius: round,
            background: textOf(state.node.widget.options.activeColor) || undefined,
            transition: grows ? `width ${distance * PERCENT_MS}ms linear` : undefined,
          }}
          onTransitionEnd={() => void fire('activeend')}
        />
      </div>
      {options.showInfo === true ? <span>{`${percent}%`}</span> : null}
    </div>
  )
}
