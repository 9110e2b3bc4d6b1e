import { sameJson } from '../../core/json.ts'
import { ChoiceRow, isRoomy } from '../fields/choice-row.tsx'
import { Field, useField } from '../fields/field.tsx'
import type { ViewProps } from '../page/view.ts'

export function View({ state }: ViewProps) {
  const parts = useField(state)
  const { options } = state
  return (
    <Field state={state} parts={parts} group below={isRoomy(state)}>
      <ChoiceRow
        state={state}
        parts={parts}
        kind="radio"
        isChosen={(value) => sameJson(value, state.value)}
        onPick={(value, on) => parts.change(on ? value : null)}
        clears={options.buttonStyle === true && !state.required && (options.defaultValue ?? null) === null}
      />
    </Field>
  )
}
