import {
  commitNumber,
  digitsOf,
  type NumberScale,
  pressStep,
  UNBOUNDED,
} from '../../core/widgets/number-box.ts'
import { Field } from '../fields/field.tsx'
import { NumberBox, StepButton } from '../fields/number-parts.tsx'
import { useNumberTyping } from '../fields/use-number-typing.ts'
import { Glyph } from '../kit/glyph.tsx'
import { numberOf } from '../page/options.ts'
import type { ViewProps } from '../page/view.ts'
import '../styles/extra.css'

export function View({ state }: ViewProps) {
  const scale = {
    min: Math.max(-UNBOUNDED, numberOf(state.options.min, -UNBOUNDED)),
    max: Math.min(UNBOUNDED, numberOf(state.options.max, UNBOUNDED)),
    step: numberOf(state.options.step, 1),
    precision: numberOf(state.options.precision, 0),
  }
  const value = numberOf(state.value, Math.max(scale.min, 0))
  const size = numberOf(state.options.stepButtonSize, 28)
  const { field, box } = useNumberTyping(state, {
    bounds: scale,
    commit: (text) => commitNumber(text, scale),
    show: (number) => shown(number, scale),
  })
  const press = (direction: 1 | -1) => field.change(pressStep(value, direction, scale))
  const button = (direction: 1 | -1) => (
    <StepButton
      label={state.label}
      direction={direction}
      disabled={!field.open || pressStep(value, direction, scale) === value}
      onStep={press}
    >
      <i style={{ width: size, height: size }}>
        <Glyph name={direction < 0 ? 'minus' : 'plus'} />
      </i>
    </StepButton>
  )
  return (
    <Field state={state} parts={field} read={shown(value, scale)}>
      <div className="vf-stepper">
        {button(-1)}
        <NumberBox
          state={state}
          field={field}
          typing={box}
          onStep={press}
          className="vf-input vf-align-center"
          inputMode="decimal"
        />
        {button(1)}
      </div>
    </Field>
  )
}

/** With the decimals of the step; a more precise number is shown as it is. */
function shown(value: number, scale: NumberScale): string {
  const text = String(value)
  const digits = digitsOf(scale)
  return Number(value.toFixed(digits)) === value ? value.toFixed(digits) : text
}
