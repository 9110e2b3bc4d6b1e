import { clamp } from '../../core/decimal.ts'
import { isOn, switchText } from '../../core/widgets/switch.ts'
import { Field, useField } from '../fields/field.tsx'
import { numberOf, textOf } from '../page/options.ts'
import { useText } from '../page/page-context.ts'
import type { ViewProps } from '../page/view.ts'

/** Space between the knob and the edge in px. */
const EDGE = 2

export function View({ state }: ViewProps) {
  const { options } = state
  const t = useText()
  const parts = useField(state)
  const on = isOn(state.value, options)
  const label = switchText(state.value, options)
  const colour = on ? textOf(options.activeColor) : textOf(options.inactiveColor)
  const knob = clamp(numberOf(options.switchSize, 24), 16, 40)
  const width = Math.max(numberOf(options.switchWidth, 40) + knob - 16, knob * 2)
  return (
    <Field state={state} parts={parts} read={label || t(on ? 'widget.yes' : 'widget.no')}>
      <div className="vf-switch-line">
        <button
          type="button"
          id={parts.id}
          role="switch"
          aria-checked={on}
          {...parts.naming}
          aria-describedby={parts.aria['aria-describedby']}
          className="vf-switch"
          style={{
            width,
            height: knob + EDGE * 2,
            borderRadius: knob,
            ...(colour === '' ? {} : { background: colour }),
          }}
          disabled={!parts.open}
          onClick={() => parts.change(on ? (options.inactiveValue ?? false) : (options.activeValue ?? true))}
          onFocus={parts.focus}
          onBlur={parts.blur}
        >
          <i
            style={{
              width: knob,
              height: knob,
              borderRadius: knob,
              transform: on ? `translateX(${width - knob - EDGE * 2}px)` : 'none',
            }}
          />
        </button>
        {label === '' ? null : <span className="vf-unit">{label}</span>}
      </div>
    </Field>
  )
}
