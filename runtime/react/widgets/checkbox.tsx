import { type Json, sameJson } from '../../core/json.ts'
import { asList } from '../../core/widgets/values.ts'
import { ChoiceRow, isRoomy } from '../choice-row.tsx'
import { Field, useField } from '../field.tsx'
import type { ViewProps } from '../view.ts'

export function View({ state }: ViewProps) {
  const parts = useField(state)
  const chosen = asList(state.value) as readonly Json[]
  return (
    <Field state={state} parts={parts} group below={isRoomy(state)}>
      <ChoiceRow
        state={state}
        parts={parts}
        kind="checkbox"
        isChosen={(value) => chosen.some((one) => sameJson(one, value))}
        onPick={(value, on) =>
          parts.change(on ? [...chosen, value] : chosen.filter((one) => !sameJson(one, value)))
        }
      />
    </Field>
  )
}
