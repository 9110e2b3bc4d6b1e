import { type Json, sameJson } from '../../core/json.ts'
import { isLocked } from '../../core/widgets/check-limits.ts'
import { asList } from '../../core/widgets/values.ts'
import { ChoiceRow, isRoomy } from '../fields/choice-row.tsx'
import { Field, useField } from '../fields/field.tsx'
import { numberOf } from '../page/options.ts'
import type { ViewProps } from '../page/view.ts'

export function View({ state }: ViewProps) {
  const parts = useField(state)
  const chosen = asList(state.value) as readonly Json[]
  const limits = { min: numberOf(state.options.min, 0), max: numberOf(state.options.max, 0) }
  return (
    <Field state={state} parts={parts} group below={isRoomy(state)}>
      <ChoiceRow
        state={state}
        parts={parts}
        kind="checkbox"
        isLocked={(item) => isLocked(item, chosen, limits)}
        isChosen={(value) => chosen.some((one) => sameJson(one, value))}
        onPick={(value, on) =>
          parts.change(on ? [...chosen, value] : chosen.filter((one) => !sameJson(one, value)))
        }
      />
    </Field>
  )
}
