import type { HTMLInputTypeAttribute } from 'react'
import { type Json, sameJson } from '../../../runtime/core/json.ts'
import { t } from '../context.ts'
import type { Readable } from './fields-of.ts'
import type { Condition, Kind } from './model.ts'

interface Props {
  readonly condition: Condition
  /** Undefined for a path that is not a field of the page. */
  readonly field: Readable | undefined
  readonly onChange: (value: Json) => void
}

/** The operand of a comparison, with an input for its kind. */
export function ValueEditor({ condition, field, onChange }: Props) {
  const { comparison, value } = condition
  const kind = field?.kind ?? 'any'
  const label = t('workbench.rule.value')
  const choices = field?.choices ?? []
  if (choices.length > 0 && comparison === 'in')
    return <Ticks choices={choices} label={label} value={value} onChange={onChange} />
  if (choices.length > 0 && comparison !== 'starts')
    return <Choice choices={choices} kind={kind} label={label} value={value} onChange={onChange} />
  const comma = t('workbench.rule.comma')
  if (comparison === 'in')
    return (
      <input
        value={Array.isArray(value) ? value.map((one) => String(one ?? '')).join(comma) : String(value ?? '')}
        aria-label={label}
        onChange={(event) =>
          onChange(event.target.value.split(/[,，、]/).map((one) => typed(one.trim(), kind)))
        }
      />
    )
  const text = String(value ?? '')
  return (
    <input
      {...(isWritten(text, kind) ? { type: INPUTS[kind] } : {})}
      {...(kind === 'number' ? { step: 'any' } : {})}
      value={kind === 'moment' ? text.replace(' ', 'T') : text}
      aria-label={label}
      onChange={(event) => onChange(typed(event.target.value, kind))}
    />
  )
}

interface ChoiceProps {
  readonly choices: Readable['choices']
  readonly label: string
  readonly value: Json
  readonly onChange: (value: Json) => void
}

function Choice({ choices, kind, label, value, onChange }: ChoiceProps & { readonly kind: Kind }) {
  const isOwn = choices.some((choice) => sameJson(choice.value, value))
  return (
    <select
      value={JSON.stringify(value)}
      aria-label={label}
      onChange={(event) => onChange(JSON.parse(event.target.value) as Json)}
    >
      {(kind !== 'flag' || value === null) && <option value="null">{t('workbench.rule.nothing')}</option>}
      {!isOwn && value !== null && <option value={JSON.stringify(value)}>{String(value)}</option>}
      {choices.map((choice) => (
        <option key={JSON.stringify(choice.value)} value={JSON.stringify(choice.value)}>
          {choice.label}
        </option>
      ))}
    </select>
  )
}

/** Several values. */
function Ticks({ choices, label, value, onChange }: ChoiceProps) {
  const selected: readonly Json[] = Array.isArray(value) ? value : value === null ? [] : [value]
  return (
    <fieldset className="wb-ticks" aria-label={label}>
      {choices.map((choice) => {
        const isSelected = selected.some((other) => sameJson(other, choice.value))
        return (
          <label key={JSON.stringify(choice.value)}>
            <input
              type="checkbox"
              checked={isSelected}
              onChange={() =>
                onChange(
                  isSelected
                    ? selected.filter((other) => !sameJson(other, choice.value))
                    : [...selected.filter((other) => other !== null), choice.value],
                )
              }
            />
            {choice.label}
          </label>
        )
      })}
    </fieldset>
  )
}

const INPUTS: Readonly<Record<Kind, HTMLInputTypeAttribute>> = {
  text: 'text',
  number: 'number',
  day: 'date',
  moment: 'datetime-local',
  time: 'time',
  choice: 'text',
  flag: 'text',
  list: 'text',
  pair: 'text',
  any: 'text',
}

const PATTERNS: Partial<Record<Kind, RegExp>> = {
  number: /^-?\d+(?:\.\d+)?$/,
  day: /^\d{4}-\d\d-\d\d$/,
  moment: /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?$/,
  time: /^\d\d:\d\d(?::\d\d)?$/,
}

/** Whether the browser's own input can show it; a placeholder or an expression cannot. */
const isWritten = (text: string, kind: Kind): boolean =>
  text === '' || PATTERNS[kind] === undefined || PATTERNS[kind].test(text)

/** The value in the rule: for a text as typed, otherwise numbers and booleans. */
function typed(text: string, kind: Kind): Json {
  if (kind === 'text') return text
  if (kind === 'moment') return text.replace('T', ' ')
  if (kind === 'number' && text === '') return null
  if (kind === 'any' && (text === 'true' || text === 'false')) return text === 'true'
  return (kind === 'any' || kind === 'number' || kind === 'list') && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)
    ? Number(text)
    : text
}
