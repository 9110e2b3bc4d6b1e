import { useState } from 'react'
import { asNumber } from '../../core/widgets/values.ts'
import { Field, useField } from '../field.tsx'
import { numberOf, textOf } from '../options.ts'
import { useTyping } from '../use-typing.ts'
import type { ViewProps } from '../view.ts'

export function View({ state }: ViewProps) {
  const { options } = state
  const field = useField(state)
  const [draft, setDraft] = useState<string | null>(null)
  const stored = textOf(state.value)
  const parts = {
    ...field,
    input: (text: unknown) => {
      setDraft(String(text))
      field.input(asNumber(String(text)))
    },
    change: (text: unknown) => {
      setDraft(null)
      field.change(bounded(asNumber(String(text)), options))
    },
    blur: () => {
      setDraft(null)
      field.blur()
    },
  }
  const shown = draft !== null && textOf(asNumber(draft)) === stored ? draft : stored
  const typing = useTyping(parts, shown)
  return (
    <Field state={state} parts={field}>
      <div className="vf-input-line">
        <input
          id={field.id}
          className={`vf-input vf-number vf-align-${textOf(options.inputAlign) || 'left'}`}
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

/** Brings a number into its bounds and decimals when it is committed (PLATFORM 7.1, 2). */
function bounded(value: ReturnType<typeof asNumber>, options: ViewProps['state']['options']) {
  if (typeof value !== 'number') return null
  const low = Math.max(value, numberOf(options.min, Number.NEGATIVE_INFINITY))
  const within = Math.min(low, numberOf(options.max, Number.POSITIVE_INFINITY))
  return typeof options.precision === 'number' ? Number(within.toFixed(options.precision)) : within
}
