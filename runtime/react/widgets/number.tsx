import { clamp, formatDecimal } from '../../core/decimal.ts'
import type { JsonObject } from '../../core/json.ts'
import { commitOptional, decimalsOf, pressStep } from '../../core/widgets/number-box.ts'
import { alignOf, Field } from '../fields/field.tsx'
import { NumberBox, StepButton } from '../fields/number-parts.tsx'
import { useNumberTyping } from '../fields/use-number-typing.ts'
import { Glyph } from '../kit/glyph.tsx'
import { numberOf, textOf } from '../page/options.ts'
import { useEngine } from '../page/page-context.ts'
import type { ViewProps } from '../page/view.ts'

export function View({ state }: ViewProps) {
  const { options } = state
  const { page } = useEngine()
  const scale = scaleOf(options)
  const { field, box } = useNumberTyping(state, {
    bounds: scale,
    commit: (text) => commitOptional(text, scale),
    show: String,
    rest:
      options.grouped === true
        ? (value) => formatDecimal(value, scale.precision ?? decimalsOf(value))
        : undefined,
  })
  const press = (direction: 1 | -1) => {
    const value = numberOf(state.value, clamp(0, scale.min, scale.max))
    field.change(pressStep(value, direction, scale))
  }
  const button = (direction: 1 | -1) => (
    <StepButton
      className="vf-number-step"
      label={state.label}
      direction={direction}
      disabled={!field.open}
      onStep={press}
    >
      <Glyph name={direction < 0 ? 'minus' : 'plus'} size={16} />
    </StepButton>
  )
  const controls = typeof options.controlsPosition === 'string' ? options.controlsPosition : null
  const done = textOf(options.closeButtonText)
  return (
    <Field state={state} parts={field}>
      <div className="vf-input-line">
        {controls !== null && controls !== 'right' ? button(-1) : null}
        <NumberBox
          state={state}
          field={field}
          typing={box}
          onStep={press}
          className={`vf-input ${box.value.length > 12 ? 'vf-long ' : ''}vf-align-${alignOf(options.inputAlign, page.config.inputAlign)}`}
          type="text"
          inputMode={options.precision === 0 && numberOf(options.min, -1) >= 0 ? 'numeric' : 'decimal'}
          name={state.node.name}
          placeholder={textOf(options.placeholder)}
        />
        {options.unit ? <span className="vf-unit">{textOf(options.unit)}</span> : null}
        {controls === 'right' ? button(-1) : null}
        {controls !== null ? button(1) : null}
        {done !== '' && field.open ? (
          <button
            type="button"
            className="vf-number-done"
            onClick={(event) => {
              document.getElementById(field.id)?.blur() // a tap on a button does not move the focus on every platform
              event.currentTarget.blur()
            }}
          >
            {done}
          </button>
        ) : null}
      </div>
    </Field>
  )
}

const scaleOf = (options: JsonObject) => ({
  min: numberOf(options.min, Number.NEGATIVE_INFINITY),
  max: numberOf(options.max, Number.POSITIVE_INFINITY),
  step: numberOf(options.step, 1) || 1,
  precision: typeof options.precision === 'number' ? options.precision : undefined,
})
