import { Field, type OptionSpec, useField, type ViewProps, type WidgetSpec } from 'vform-runtime'

const option = (type: OptionSpec['type'], initial: OptionSpec['default']): OptionSpec => ({
  type,
  default: initial,
})
const LIGHTS = ['red', 'amber', 'green']

/** A widget of the host's own: its facts … */
export const trafficLight: WidgetSpec = {
  type: 'traffic-light',
  kind: 'field',
  options: { name: option('string', null), label: option('text', ''), required: option('boolean', false) },
  events: ['change'],
  emptyValue: null,
  normalize: (value) => (LIGHTS.includes(String(value)) ? value : null),
  text: (value) => (value === null ? '' : String(value)),
}

/** … and its looks. `Field` draws label, hint and message, and ties them to the control. */
export function TrafficLight({ state }: ViewProps) {
  const parts = useField(state)
  return (
    <Field state={state} parts={parts} group>
      <fieldset id={parts.id} {...parts.naming} aria-describedby={parts.aria['aria-describedby']}>
        {LIGHTS.map((light) => (
          <button
            key={light}
            type="button"
            aria-pressed={state.value === light}
            disabled={!parts.open}
            onClick={() => parts.change(light)}
          >
            {light}
          </button>
        ))}
      </fieldset>
    </Field>
  )
}
