import { formatDecimal } from '../../core/decimal.ts'
import type { JsonObject } from '../../core/json.ts'
import { commitOptional, pressStep } from '../../core/widgets/number-box.ts'
import { alignOf, Field, useField } from '../fields/field.tsx'
import { NumberBox, NumberNoteLine, StepButton } from '../fields/number-parts.tsx'
import { useNumberTyping } from '../fields/use-number-typing.ts'
import { Glyph } from '../kit/glyph.tsx'
import { numberOf, textOf } from '../page/options.ts'
import { useEngine } from '../page/page-context.ts'
import type { ViewProps } from '../page/view.ts'

export function View({ state }: ViewProps) {
  const { options } = state
  const { page } = useEngine()
  const field = useField(state)
  const typing = useNumberTyping(state, field, {
    bounds: boundsOf(options),
    commit: (text) =>
      commitOptional(text, {
        ...boundsOf(options),
        precision: typeof options.precision === 'number' ? options.precision : null,
      }),
    show: String,
    rest: options.grouped === true ? (value) => grouped(value, options) : undefined,
  })
  const press = (direction: 1 | -1) => {
    const value = numberOf(state.value, Math.min(boundsOf(options).max, Math.max(boundsOf(options).min, 0)))
    field.change(pressStep(value, direction, boundsOf(options)))
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
          typing={typing}
          onStep={press}
          className={`vf-input vf-number vf-align-${alignOf(options.inputAlign, page.config.inputAlign)}`}
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
      <NumberNoteLine field={field} note={typing.note} />
    </Field>
  )
}

const grouped = (value: number, { precision }: JsonObject): string =>
  formatDecimal(value, typeof precision === 'number' ? precision : (String(value).split('.')[1]?.length ?? 0))

const boundsOf = (options: JsonObject) => ({
  min: numberOf(options.min, Number.NEGATIVE_INFINITY),
  max: numberOf(options.max, Number.POSITIVE_INFINITY),
  step: numberOf(options.step, 1) || 1,
  precision: numberOf(options.precision, 0),
})
