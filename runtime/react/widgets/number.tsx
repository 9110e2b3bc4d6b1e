import type { Json, JsonObject } from '../../core/json.ts'
import { commitNumber } from '../../core/widgets/number-box.ts'
import { asNumber } from '../../core/widgets/values.ts'
import { alignOf, Field, useField } from '../field.tsx'
import { numberOf, textOf } from '../options.ts'
import { useEngine } from '../page-context.ts'
import { useNumberTyping } from '../use-number-typing.ts'
import type { ViewProps } from '../view.ts'

export function View({ state }: ViewProps) {
  const { options } = state
  const { page } = useEngine()
  const field = useField(state)
  const typing = useNumberTyping(state, field, { commit: (text) => bounded(text, options), show: String })
  return (
    <Field state={state} parts={field}>
      <div className="vf-input-line">
        <input
          id={field.id}
          className={`vf-input vf-number vf-align-${alignOf(options.inputAlign, page.config.inputAlign)}`}
          type="text"
          inputMode={options.precision === 0 && numberOf(options.min, -1) >= 0 ? 'numeric' : 'decimal'}
          autoComplete="off"
          name={state.node.name}
          placeholder={textOf(options.placeholder)}
          disabled={state.disabled}
          readOnly={state.readonly}
          {...('aria-label' in field.naming ? field.naming : {})}
          {...field.aria}
          {...typing}
        />
        {options.unit ? <span className="vf-unit">{textOf(options.unit)}</span> : null}
      </div>
    </Field>
  )
}

/**
 * Brings a number into its bounds and decimals when it is committed (PLATFORM 7.1). An emptied field is empty: only what was typed and
 * is no number becomes the minimum, where there is one.
 */
function bounded(text: string, options: JsonObject): Json {
  const typed = asNumber(text)
  if (typed === null && (text.trim() === '' || typeof options.min !== 'number')) return null
  const min = numberOf(options.min, Number.NEGATIVE_INFINITY)
  const max = numberOf(options.max, Number.POSITIVE_INFINITY)
  if (typeof options.precision === 'number')
    return commitNumber(text, { min, max, step: 1, precision: options.precision })
  return typeof typed === 'number' ? Math.min(max, Math.max(min, typed)) : min
}
