import type { Json } from '../../core/json.ts'
import { Field, useField } from '../field.tsx'
import { numberOf } from '../options.ts'
import { useText } from '../page-context.ts'
import type { ViewProps } from '../view.ts'

export function View({ state }: ViewProps) {
  const t = useText()
  const parts = useField(state)
  const { options } = state
  const min = numberOf(options.min, 0)
  const max = numberOf(options.max, 100)
  const ends = Array.isArray(state.value) ? (state.value as readonly Json[]) : [state.value]
  const range = options.range === true
  const at = (i: number) => numberOf(ends[i], i === 0 ? min : max)
  const handle = (i: number, label: string) => (
    <input
      {...(i === 0 && !range ? { id: parts.id } : {})}
      type="range"
      className="vf-slider"
      min={min}
      max={max}
      step={numberOf(options.step, 1)}
      value={at(i)}
      disabled={!parts.open}
      aria-label={label}
      aria-describedby={parts.aria['aria-describedby']}
      onChange={(event) => {
        const next = Number(event.target.value)
        if (range) parts.change([i === 0 ? next : at(0), i === 1 ? next : at(1)].sort((a, b) => a - b))
        else parts.change(next)
      }}
    />
  )
  return (
    <Field state={state} parts={parts} group={range}>
      <div className="vf-slider-line">
        {handle(0, range ? `${state.label} ${t('widget.from')}` : state.label)}
        {range ? handle(1, `${state.label} ${t('widget.to')}`) : null}
        <output className="vf-unit">{range ? `${at(0)}~${at(1)}` : at(0)}</output>
      </div>
    </Field>
  )
}
