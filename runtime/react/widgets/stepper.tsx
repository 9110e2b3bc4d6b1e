import { RuntimeError } from '../../core/errors.ts'
import {
  commitNumber,
  digitsOf,
  type NumberScale,
  pressStep,
  UNBOUNDED,
} from '../../core/widgets/number-box.ts'
import { Field, useField } from '../fields/field.tsx'
import { useNumberTyping } from '../fields/use-number-typing.ts'
import { Glyph } from '../kit/glyph.tsx'
import { numberOf } from '../page/options.ts'
import { useText } from '../page/page-context.ts'
import type { ViewProps } from '../page/view.ts'
import '../styles/extra.css'

export function View({ state }: ViewProps) {
  const t = useText()
  const field = useField(state)
  const scale: NumberScale = {
    min: Math.max(-UNBOUNDED, numberOf(state.options.min, -UNBOUNDED)),
    max: Math.min(UNBOUNDED, numberOf(state.options.max, UNBOUNDED)),
    step: numberOf(state.options.step, 1),
    precision: numberOf(state.options.precision, 0),
  }
  if (scale.max < scale.min || scale.step <= 0) throw new RuntimeError('SCALE_INVALID', { ...scale })
  const value = numberOf(state.value, Math.max(scale.min, 0))
  const size = numberOf(state.options.stepButtonSize, 28)
  const typing = useNumberTyping(state, field, {
    commit: (text) => commitNumber(text, scale),
    show: (number) => shown(number, scale),
  })
  const press = (direction: 1 | -1) => field.change(pressStep(value, direction, scale))
  const button = (direction: 1 | -1) => (
    <button
      type="button"
      aria-label={`${state.label} ${t(direction < 0 ? 'widget.less' : 'widget.more')}`.trim()}
      disabled={!field.open || pressStep(value, direction, scale) === value}
      onClick={() => press(direction)}
    >
      <i style={{ width: size, height: size }}>
        <Glyph name={direction < 0 ? 'minus' : 'plus'} />
      </i>
    </button>
  )
  return (
    <Field state={state} parts={field} read={shown(value, scale)}>
      <div className="vf-stepper">
        {button(-1)}
        <input
          id={field.id}
          className="vf-input vf-align-center"
          inputMode="decimal"
          autoComplete="off"
          disabled={state.disabled}
          readOnly={state.readonly}
          {...('aria-label' in field.naming ? field.naming : {})}
          {...field.aria}
          {...typing}
          onKeyDown={(event) => {
            const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : null
            if (by === null || !field.open) return
            event.preventDefault()
            press(by)
          }}
        />
        {button(1)}
      </div>
    </Field>
  )
}

/** With the step's decimals; a number that was set finer is shown as it is. */
function shown(value: number, scale: NumberScale): string {
  const text = String(value)
  const digits = digitsOf(scale)
  return Number(value.toFixed(digits)) === value ? value.toFixed(digits) : text
}
