import { RuntimeError } from '../../core/errors.ts'
import { Field, useField } from '../field.tsx'
import { Glyph } from '../glyph.tsx'
import { numberOf, textOf } from '../options.ts'
import { useText } from '../page-context.ts'
import { useTyping } from '../use-typing.ts'
import type { ViewProps } from '../view.ts'

export function View({ state }: ViewProps) {
  const t = useText()
  const field = useField(state)
  const min = numberOf(state.options.min, -1e11)
  const max = numberOf(state.options.max, 1e11)
  const step = numberOf(state.options.step, 1)
  if (max < min || step <= 0) throw new RuntimeError('SCALE_INVALID', { min, max, step })
  const value = numberOf(state.value, Math.max(min, 0))
  const digits = Math.max(decimals(step), numberOf(state.options.precision, 0))
  const commit = (next: number) => field.change(Number(Math.min(max, Math.max(min, next)).toFixed(digits)))
  const parts = { ...field, change: (text: unknown) => commit(numberOf(String(text), min)) }
  const typing = useTyping(parts, textOf(state.value))
  return (
    <Field state={state} parts={field}>
      <div className="vf-stepper">
        <button
          type="button"
          aria-label={t('widget.less')}
          disabled={!field.open || value - step < min}
          onClick={() => commit(value - step)}
        >
          <Glyph name="minus" />
        </button>
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
        />
        <button
          type="button"
          aria-label={t('widget.more')}
          disabled={!field.open || value + step > max}
          onClick={() => commit(value + step)}
        >
          <Glyph name="plus" />
        </button>
      </div>
    </Field>
  )
}

const decimals = (step: number): number => String(step).split('.')[1]?.length ?? 0
