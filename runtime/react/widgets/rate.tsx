import { Field, useField } from '../field.tsx'
import { numberOf } from '../options.ts'
import { useText } from '../page-context.ts'
import type { ViewProps } from '../view.ts'

export function View({ state }: ViewProps) {
  const t = useText()
  const parts = useField(state)
  const max = Math.min(20, Math.max(1, numberOf(state.options.max, 5)))
  const value = numberOf(state.value, 0)
  const step = state.options.allowHalf === true ? 0.5 : 1
  return (
    <Field state={state} parts={parts} read={`${value}`}>
      <div className="vf-rate">
        <input
          id={parts.id}
          type="range"
          min={0}
          max={max}
          step={step}
          value={value}
          disabled={!parts.open}
          aria-valuetext={t('widget.stars', { count: value })}
          {...('aria-label' in parts.naming ? parts.naming : {})}
          aria-describedby={parts.aria['aria-describedby']}
          onChange={(event) => parts.change(Number(event.target.value))}
        />
        <span className="vf-stars" aria-hidden="true">
          {Array.from({ length: max }, (_, i) => (
            <i key={String(i)} className={value >= i + 1 ? 'vf-full' : value > i ? 'vf-half' : ''} />
          ))}
        </span>
        {state.options.showScore === true ? <span className="vf-unit">{value}</span> : null}
      </div>
    </Field>
  )
}
