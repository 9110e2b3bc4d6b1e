import { type ComponentType, useId } from 'react'
import { type Json, type JsonObject, ownValue } from '../../../runtime/core/json.ts'
import { ACTIONS } from '../../../runtime/core/page/actions.ts'
import { useCanvas } from '../canvas/use-drawn.ts'
import { t, wordOr } from '../context.ts'
import { JsonEditor } from '../panels/json-editor.tsx'
import { PlaceField } from '../places/place-field.tsx'
import { RuleEditor } from '../rules/rule-editor.tsx'
import { type ActionKey, blankOf, convertAction, keysOf, namesFor } from './model.ts'

/** A list of actions, such as a branch of an action. */
export interface ListProps {
  readonly list: readonly Json[]
  /** What triggers them: an event, a branch. */
  readonly within: string
  readonly onChange: (list: readonly Json[], isTyped: boolean) => void
}

interface Props {
  readonly action: JsonObject & { readonly do: string }
  /** Draws the actions of a branch. */
  readonly List: ComponentType<ListProps>
  readonly onChange: (action: JsonObject, isTyped: boolean) => void
}

/** One action, key by key; missing keys are offered below. */
export function ActionForm({ action, List, onChange }: Props) {
  const id = useId()
  const keys = keysOf(action.do)
  const shown = keys.filter(({ name, isAlwaysShown }) => isAlwaysShown || action[name] !== undefined)
  const unusedKeys = keys.filter((key) => !shown.includes(key))
  const setKey = (name: string, value: Json | undefined, isTyped: boolean) => {
    const { [name]: _, ...more } = action
    onChange(value === undefined ? more : { ...action, [name]: value }, isTyped)
  }
  return (
    <div className="wb-action-form">
      <label htmlFor={id}>{t('workbench.action.what')}</label>
      <select
        id={id}
        value={action.do}
        onChange={(event) => onChange(convertAction(event.target.value, action), false)}
      >
        {Object.keys(ACTIONS).map((name) => (
          <option key={name} value={name}>
            {t(`workbench.action.${name}`)}
          </option>
        ))}
      </select>
      {shown.map((one) => (
        <KeyRow key={`${action.do} ${one.name}`} action={action} of={one} List={List} setKey={setKey} />
      ))}
      {unusedKeys.length > 0 && (
        <select
          className="wb-action-more"
          value=""
          aria-label={t('workbench.action.more')}
          onChange={({ target }) => {
            const one = unusedKeys.find(({ name }) => name === target.value)
            if (one !== undefined) setKey(one.name, blankOf(one.kind) ?? null, false)
          }}
        >
          <option value="">{t('workbench.action.more')}</option>
          {unusedKeys.map(({ name }) => (
            <option key={name} value={name}>
              {keyWord(name)}
            </option>
          ))}
        </select>
      )}
    </div>
  )
}

const keyWord = (name: string): string => wordOr(`workbench.actionKey.${name}`, name)

interface RowProps extends Pick<Props, 'action' | 'List'> {
  readonly of: ActionKey
  readonly setKey: (name: string, value: Json | undefined, isTyped: boolean) => void
}

function KeyRow({ action, of: { name, kind, isAlwaysShown }, List, setKey }: RowProps) {
  const id = useId()
  const word = keyWord(name)
  const value = ownValue(action, name)
  const isOne = kind !== 'rule' && kind !== 'actions'
  return (
    <fieldset className="wb-action-key" aria-label={word}>
      <div className="wb-row-head">
        {isOne ? <label htmlFor={id}>{word}</label> : <span>{word}</span>}
        {!isAlwaysShown && (
          <button type="button" className="wb-reset" onClick={() => setKey(name, undefined, false)}>
            {t('workbench.action.without', { key: word })}
          </button>
        )}
      </div>
      <KeyEditor
        id={id}
        action={action.do}
        name={name}
        kind={kind}
        List={List}
        value={value ?? null}
        onChange={(next, isTyped) => setKey(name, next, isTyped)}
      />
    </fieldset>
  )
}

interface EditorProps extends Omit<ActionKey, 'isAlwaysShown'>, Pick<Props, 'List'> {
  readonly id: string
  readonly action: string
  readonly value: Json
  readonly onChange: (value: Json | undefined, isTyped: boolean) => void
}

function KeyEditor({ id, action, name, kind, List, value, onChange }: EditorProps) {
  if (kind === 'rule')
    return <RuleEditor id={id} name={keyWord(name)} rule={value} onChange={(rule) => onChange(rule, false)} />
  if (kind === 'actions')
    return <List list={Array.isArray(value) ? value : []} onChange={onChange} within={keyWord(name)} />
  if (kind === 'boolean')
    return (
      <button
        id={id}
        type="button"
        role="switch"
        aria-checked={value === true}
        className="wb-switch"
        onClick={() => onChange(value !== true, false)}
      >
        <span />
      </button>
    )
  if (kind === 'object' || kind === 'query' || kind === 'choices' || typeof value === 'object')
    return (
      <JsonEditor id={id} label={keyWord(name)} value={value} onChange={(next) => onChange(next, false)} />
    )
  return <Text id={id} action={action} name={name} kind={kind} value={value} onChange={onChange} />
}

/** A line of text, with suggestions of names from the page. */
function Text({ id, action, name, kind, value, onChange }: Omit<EditorProps, 'List'>) {
  const list = useId()
  const { drawn } = useCanvas()
  const names = namesFor(action, name, drawn?.engine ?? null)
  if (names.length === 0)
    return (
      <PlaceField
        id={id}
        value={String(value)}
        inputMode={kind === 'number' ? 'decimal' : undefined}
        onChange={(text) => onChange(kind === 'number' ? read(text) : text, true)}
      />
    )
  return (
    <>
      <input
        id={id}
        value={String(value)}
        list={list}
        onChange={({ target }) => onChange(target.value, true)}
      />
      <datalist id={list}>
        {names.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  )
}

/** A text that is not a number yet is kept as typed; the check reports it. */
const read = (typed: string): Json =>
  typed.trim() === '' || Number.isNaN(Number(typed)) ? typed : Number(typed)
