import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import type { Json } from '../../../runtime/core/json.ts'
import { Glyph } from '../../../runtime/react/kit/glyph.tsx'
import { useCanvas } from '../canvas/use-drawn.ts'
import { t } from '../context.ts'
import { JsonEditor } from '../panels/json-editor.tsx'
import { RemoveButton } from '../remove-button.tsx'
import { comparisonWord, reasonOf, sentenceOf } from './explain.ts'
import { fieldsOf, type Readable } from './fields-of.ts'
import {
  COMPARISONS,
  type Comparison,
  type Condition,
  type Group,
  isGroup,
  isUnary,
  readRule,
  writeRule,
} from './model.ts'
import { ValueEditor } from './value-editor.tsx'

interface Props {
  readonly id: string
  readonly name: string
  readonly rule: Json
  readonly onChange: (rule: Json | undefined) => void
}

const NONE: readonly Readable[] = []

/** A rule as conditions on fields of the page, as a sentence, and as JSON below. */
export function RuleEditor({ id, name, rule, onChange }: Props) {
  const { drawn } = useCanvas()
  const engine = drawn?.engine ?? null
  const fields = engine === null ? NONE : fieldsOf(engine)
  const read = readRule(rule)
  const [group, setGroup] = useState<{ readonly of: string; readonly now: Group } | null>(null)
  const printed = JSON.stringify(rule)
  // Keeps incomplete input; a rule changed elsewhere replaces it.
  const shown = group?.of === printed ? group.now : read
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const focus = useFocusNext(box)
  const change = (next: Group) => {
    const written = writeRule(next)
    setGroup({ of: JSON.stringify(written), now: next })
    // After removing the last condition, the focus moves here.
    setOpen(true)
    if (JSON.stringify(written) !== printed) onChange(written ?? undefined)
  }
  if (rule === null && !isOpen)
    return (
      <button
        id={id}
        type="button"
        className="wb-link"
        onClick={() => {
          change({ join: 'and', not: false, parts: [blankOn(fields)] })
          focus(FIRST)
        }}
      >
        <Glyph name="plus" size={12} />
        {t('workbench.rule.add')}
      </button>
    )
  if (typeof rule === 'boolean' || shown === null)
    return (
      <div className="wb-rule">
        {engine !== null && <p className="wb-quiet">{reasonOf(rule, engine.scope(), fields)}</p>}
        <JsonEditor id={id} label={name} value={rule} onChange={onChange} />
      </div>
    )
  return (
    <div className="wb-rule" id={id} ref={box}>
      {shown.parts.length > 0 && <p className="wb-sentence">{sentenceOf(shown, fields)}</p>}
      {engine !== null && rule !== null && (
        <p className="wb-quiet">{reasonOf(rule, engine.scope(), fields)}</p>
      )}
      <GroupEditor group={shown} fields={fields} onChange={change} />
      <details className="wb-rule-json">
        <summary>{t('workbench.rule.json')}</summary>
        <JsonEditor label={`${name} JSON`} value={rule} onChange={onChange} />
      </details>
    </div>
  )
}

/** The element to focus after the next render: the pressed button no longer exists, or the new input is to be filled in. */
function useFocusNext(box: RefObject<HTMLElement | null>): (selector: string) => void {
  const pending = useRef('')
  useEffect(() => {
    if (pending.current === '') return
    const found = box.current?.querySelectorAll<HTMLElement>(pending.current)
    pending.current = ''
    found?.[found.length - 1]?.focus()
  })
  return (selector) => {
    pending.current = selector
  }
}

const ADD = '.wb-rule-add'
const FIRST = '.wb-rule-part :is(select, input)[data-first]'
const LAST = ':scope > .wb-rule-part :is(select, input)[data-first]'

interface GroupProps {
  readonly group: Group
  readonly fields: readonly Readable[]
  readonly onChange: (group: Group) => void
}

function GroupEditor({ group, fields, onChange }: GroupProps) {
  const { join, not, parts } = group
  const replace = (index: number, part: Condition | Group) =>
    onChange({ ...group, parts: parts.with(index, part) })
  const box = useRef<HTMLDivElement>(null)
  const focus = useFocusNext(box)
  const blank = blankOn(fields)
  return (
    <div className="wb-rule-group" ref={box}>
      <div className="wb-rule-head">
        <select
          value={`${not ? 'not-' : ''}${join}`}
          aria-label={t('workbench.rule.join')}
          onChange={(event) =>
            onChange({
              ...group,
              join: event.target.value.endsWith('or') ? 'or' : 'and',
              not: event.target.value.startsWith('not'),
            })
          }
        >
          {['and', 'or', 'not-and', 'not-or'].map((one) => (
            <option key={one} value={one}>
              {t(`workbench.join.${one}`)}
            </option>
          ))}
        </select>
      </div>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity but their place
        <div key={index} className="wb-rule-part">
          {isGroup(part) ? (
            <GroupEditor group={part} fields={fields} onChange={(next) => replace(index, next)} />
          ) : (
            <ConditionEditor condition={part} fields={fields} onChange={(next) => replace(index, next)} />
          )}
          <RemoveButton
            label={t('workbench.rule.remove', { n: index + 1 })}
            onClick={() => {
              onChange({ ...group, parts: parts.toSpliced(index, 1) })
              focus(`:scope > ${ADD}`)
            }}
          />
        </div>
      ))}
      <button
        type="button"
        className="wb-link wb-rule-add"
        onClick={() => {
          onChange({ ...group, parts: [...parts, blank] })
          focus(LAST)
        }}
      >
        <Glyph name="plus" size={12} />
        {t('workbench.rule.condition')}
      </button>
      <button
        type="button"
        className="wb-link"
        onClick={() => {
          onChange({ ...group, parts: [...parts, { join: 'or', not: false, parts: [blank] }] })
          focus(LAST)
        }}
      >
        {t('workbench.rule.group')}
      </button>
    </div>
  )
}

interface ConditionProps {
  readonly condition: Condition
  readonly fields: readonly Readable[]
  readonly onChange: (condition: Condition) => void
}

function ConditionEditor({ condition, fields, onChange }: ConditionProps) {
  const list = useId()
  const { path, comparison } = condition
  const field = fields.find((one) => one.path === path)
  const isKnown = field !== undefined
  const kind = field?.kind ?? 'any'
  // The current value stays selectable.
  const offered = [...new Set([...COMPARISONS[kind], comparison])]
  const [isTyped, setTyped] = useState(!isKnown && path !== '')
  return (
    <div className="wb-condition">
      {isTyped ? (
        <input
          className="wb-code"
          data-first
          value={path}
          list={list}
          aria-label={t('workbench.rule.path')}
          onChange={(event) => onChange({ ...condition, path: event.target.value })}
        />
      ) : (
        <select
          value={path}
          data-first
          aria-label={t('workbench.rule.field')}
          onChange={(event) =>
            event.target.value === OTHER
              ? setTyped(true)
              : onChange(aboutPath(condition, event.target.value, fields))
          }
        >
          {fields.map((one) => (
            <option key={one.path} value={one.path}>
              {one.label}
            </option>
          ))}
          <option value={OTHER}>{t('workbench.rule.other')}</option>
        </select>
      )}
      <select
        value={comparison}
        aria-label={t('workbench.rule.comparison')}
        onChange={(event) => onChange(comparedBy(condition, event.target.value as Comparison))}
      >
        {offered.map((one) => (
          <option key={one} value={one}>
            {comparisonWord('comparison', one, kind)}
          </option>
        ))}
      </select>
      {isUnary(comparison) ? null : (
        <ValueEditor
          condition={condition}
          field={field}
          onChange={(next) => onChange({ ...condition, value: next })}
        />
      )}
    </div>
  )
}

const OTHER = '…'

/** An initial condition: on the first field. */
const blankOn = ([first]: readonly Readable[]): Condition => ({ path: first?.path ?? '', ...firstOf(first) })

/** The default of a new condition on a field. */
function firstOf(field: Readable | undefined): Pick<Condition, 'comparison' | 'value'> {
  const [comparison = 'filled'] = COMPARISONS[field?.kind ?? 'any']
  return { comparison, value: isUnary(comparison) ? null : (field?.choices[0]?.value ?? null) }
}

/** The condition with another field: keeps the comparison if it applies there, but not the value. */
function aboutPath(condition: Condition, path: string, fields: readonly Readable[]): Condition {
  const field = fields.find((one) => one.path === path)
  return COMPARISONS[field?.kind ?? 'any'].includes(condition.comparison)
    ? { ...condition, path, value: null }
    : { path, ...firstOf(field) }
}

/** The condition with another comparison: with one or several values. */
function comparedBy(condition: Condition, comparison: Comparison): Condition {
  const { value } = condition
  if (isUnary(comparison)) return { ...condition, comparison, value: null }
  if (comparison === 'in') return { ...condition, comparison, value: Array.isArray(value) ? value : [value] }
  return { ...condition, comparison, value: Array.isArray(value) ? (value[0] ?? null) : value }
}
