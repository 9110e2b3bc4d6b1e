import { sameJson } from '../../core/json.ts'
import { ChoiceRow, isRoomy } from '../fields/choice-row.tsx'
import { Field, useField } from '../fields/field.tsx'
import type { ViewProps } from '../page/view.ts'

export function View({ state }: ViewProps) {
  const parts = useField(state)
  return (
    <Field state={state} parts={parts} group below={isRoomy(state)}>
      <ChoiceRow
        state={state}
        parts={parts}
        kind="radio"
        isChosen={(value) => sameJson(value, state.value)}
        onPick={(value) => parts.change(value)}
      />
    </Field>
  )
}
