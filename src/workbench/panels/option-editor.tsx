import { useEffect, useState } from 'react'
import { isObject, type Json } from '../../../runtime/core/json.ts'
import { EventsEditor } from '../actions/events-editor.tsx'
import { hookWord, t, wordOr } from '../context.ts'
import { PlaceField } from '../places/place-field.tsx'
import { RuleEditor } from '../rules/rule-editor.tsx'
import { ChoicesEditor } from './choices-editor.tsx'
import { CodeBox } from './code-box.tsx'
import { JsonEditor } from './json-editor.tsx'
import type { Option } from './option-groups.ts'

interface Props {
  readonly id: string
  readonly option: Option
  /** The value on the page; undefined if not set. */
  readonly value: Json | undefined
  /** The effective value: the default, or that of the module's description. */
  readonly effective: Json
  /** The widget has its own choices. */
  readonly items: boolean
  /** The widget's events. */
  readonly events: readonly string[]
  /** @param isTyped  one of several changes that are undone together */
  readonly onChange: (value: Json | undefined, isTyped: boolean) => void
}

/** The control for the kind of an option. */
export function OptionEditor(props: Props) {
  const { id, option, value, effective, items, events, onChange } = props
  const { name, spec } = option
  const shown = value ?? effective
  if (spec.type === 'rule')
    return <RuleEditor id={id} name={name} rule={value ?? null} onChange={(rule) => onChange(rule, false)} />
  if (name === 'on' && (value === undefined || isObject(value)))
    return <EventsEditor id={id} label={name} events={events} value={value ?? {}} onChange={onChange} />
  if (spec.type === 'boolean' && typeof shown !== 'string') return <Flag {...props} />
  if (spec.enum !== undefined)
    return (
      <select id={id} value={String(shown ?? '')} onChange={(event) => onChange(event.target.value, false)}>
        {spec.enum.map((one) => (
          <option key={String(one)} value={String(one)}>
            {one === '' ? t('workbench.props.byForm') : wordOr(`workbench.value.${one}`, String(one))}
          </option>
        ))}
      </select>
    )
  if (name === 'optionItems' && items && isChoices(shown))
    return <ChoicesEditor list={shown} onChange={(list) => onChange(list, true)} />
  if (spec.type === 'code') return <Code {...props} />
  if (typeof shown === 'object' && shown !== null)
    return (
      <JsonEditor
        id={id}
        label={name}
        value={value ?? (Array.isArray(shown) ? [] : {})}
        onChange={(next) => onChange(next, false)}
      />
    )
  if (spec.type === 'array' || spec.type === 'object')
    return (
      <JsonEditor id={id} label={name} value={value ?? null} onChange={(next) => onChange(next, false)} />
    )
  return name === 'name' ? <Name {...props} /> : <Line {...props} />
}

const isChoices = (value: Json): value is readonly Json[] =>
  Array.isArray(value) && value.every((one) => isObject(one) && !('children' in one))

function Flag({ id, option, value, effective, onChange }: Props) {
  const isOn = (value ?? effective) === true
  return (
    <button
      id={id}
      type="button"
      role="switch"
      aria-checked={isOn}
      className="wb-switch"
      onClick={() => onChange(!isOn === (option.spec.default === true) ? undefined : !isOn, false)}
    >
      <span />
    </button>
  )
}

const NUMBER = /^-?\d+(?:\.\d+)?$/

function Line({ id, option, value, effective, onChange }: Props) {
  const { type } = option.spec
  const text = value === undefined || value === null ? '' : String(value)
  const hint = value === undefined && effective !== null && effective !== '' ? String(effective) : ''
  const apply = (typed: string) => {
    if (typed === '') return onChange(undefined, true)
    const isNumber = (type === 'number' || typeof value === 'number') && NUMBER.test(typed)
    onChange(isNumber ? Number(typed) : typed, true)
  }
  // While typing, the same control is kept, because another one would not have the cursor.
  const [isLong] = useState(text.length > 28 || text.includes('\n'))
  return (
    <PlaceField
      id={id}
      value={text}
      {...(isLong ? { rows: Math.min(8, 1 + Math.ceil(text.length / 24)) } : { placeholder: hint })}
      inputMode={type === 'number' ? 'decimal' : undefined}
      onChange={apply}
    />
  )
}

/** Others refer to the name, so it changes as a whole when the field loses focus. */
function Name({ id, value, effective, onChange }: Props) {
  const now = typeof value === 'string' ? value : ''
  const [text, setText] = useState(now)
  useEffect(() => setText(now), [now])
  const apply = () => {
    if (text.trim() !== '' && text !== now) onChange(text.trim(), false)
    else setText(now)
  }
  return (
    <input
      id={id}
      className="wb-code"
      value={text}
      placeholder={String(effective ?? '')}
      spellCheck={false}
      onChange={(event) => setText(event.target.value)}
      onBlur={apply}
      onKeyDown={(event) => event.key === 'Enter' && apply()}
    />
  )
}

function Code({ option, value, effective, onChange }: Props) {
  return (
    <CodeBox
      hook={option.name}
      label={hookWord(option.name)}
      code={String(value ?? effective ?? '')}
      onChange={(code) => onChange(code === '' ? undefined : code, true)}
    />
  )
}
