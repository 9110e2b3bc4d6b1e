import { sameJson } from '../../core/json.ts'
import { Field, useField } from '../field.tsx'
import { textOf } from '../options.ts'
import { useText } from '../page-context.ts'
import type { ViewProps } from '../view.ts'

export function View({ state }: ViewProps) {
  const { options } = state
  const t = useText()
  const parts = useField(state)
  const active = options.activeValue ?? true
  const on = sameJson(state.value, active)
  const said = on
    ? textOf(options.activeLabel) || textOf(options.activeText)
    : textOf(options.inactiveLabel) || textOf(options.inactiveText)
  const colour = on ? textOf(options.activeColor) : textOf(options.inactiveColor)
  return (
    <Field state={state} parts={parts} read={said || t(on ? 'widget.yes' : 'widget.no')}>
      <div className="vf-switch-line">
        <button
          type="button"
          id={parts.id}
          role="switch"
          aria-checked={on}
          {...parts.naming}
          aria-describedby={parts.aria['aria-describedby']}
          className="vf-switch"
          style={colour === '' ? undefined : { background: colour }}
          disabled={!parts.open}
          onClick={() => parts.change(on ? (options.inactiveValue ?? false) : active)}
        >
          <i />
        </button>
        {said === '' ? null : <span className="vf-unit">{said}</span>}
      </div>
    </Field>
  )
}
