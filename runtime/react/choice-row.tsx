import type { NodeState } from '../core/engine.ts'
import type { Json } from '../core/json.ts'
import type { FieldParts } from './field.tsx'
import { ItemsNote } from './items-note.tsx'

interface Props {
  readonly state: NodeState
  readonly parts: FieldParts
  readonly kind: 'radio' | 'checkbox'
  readonly isChosen: (value: Json) => boolean
  readonly onPick: (value: Json, on: boolean) => void
}

/** Choices in sight, as round or square boxes or as chips. */
export function ChoiceRow({ state, parts, kind, isChosen, onPick }: Props) {
  const { options } = state
  const vertical = options.direction === 'vertical' || options.displayStyle === 'block'
  const look = options.buttonStyle === true ? 'vf-choice-chip' : 'vf-choice'
  const role = kind === 'radio' ? 'radiogroup' : 'group'
  const { 'aria-describedby': describedBy, 'aria-invalid': invalid, 'aria-required': required } = parts.aria
  return (
    <div
      role={role}
      className={`vf-choices${vertical ? ' vf-vertical' : ''}`}
      {...parts.naming}
      aria-describedby={describedBy}
      {...(kind === 'radio' ? { 'aria-invalid': invalid, 'aria-required': required } : {})}
    >
      <ItemsNote state={state} />
      {state.items.map((item) => (
        <label key={JSON.stringify(item.value)} className={look}>
          <input
            type={kind}
            name={parts.id}
            checked={isChosen(item.value)}
            disabled={!parts.open || item.disabled === true}
            onChange={(event) => onPick(item.value, event.target.checked)}
          />
          <i aria-hidden="true" />
          <span>{item.label}</span>
        </label>
      ))}
    </div>
  )
}

/** More chips than stand well beside a label go below it. */
export const isRoomy = (state: NodeState): boolean =>
  state.options.buttonStyle === true && state.items.length > BESIDE

const BESIDE = 3
