import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import { t, wordOr } from '../context.ts'
import { JsonEditor } from '../panels/json-editor.tsx'
import { ActionList } from './action-list.tsx'
import './actions.css'

interface Props {
  readonly id: string
  readonly label: string
  /** The available events. */
  readonly events: readonly string[]
  readonly value: Json
  readonly onChange: (value: Json | undefined, isTyped: boolean) => void
}

/** The actions of events: a list for each event, and all of it as JSON below. */
export function EventsEditor({ id, label, events, value, onChange }: Props) {
  const handlers: JsonObject = isObject(value) ? value : {}
  const unused = events.filter((name) => !Object.hasOwn(handlers, name))
  const setActions = (name: string, list: readonly Json[], isTyped: boolean) => {
    const { [name]: _, ...more } = handlers
    const next = list.length === 0 ? more : { ...handlers, [name]: list }
    onChange(Object.keys(next).length === 0 ? undefined : next, isTyped)
  }
  return (
    <div className="wb-events">
      {Object.entries(handlers).map(([name, list]) => (
        <section key={name} aria-label={eventWord(name)}>
          <h3>{eventWord(name)}</h3>
          <ActionList
            list={Array.isArray(list) ? list : []}
            within={eventWord(name)}
            onChange={(next, isTyped) => setActions(name, next, isTyped)}
          />
        </section>
      ))}
      {unused.length > 0 && (
        <select
          id={id}
          value=""
          aria-label={t('workbench.events.add')}
          onChange={({ target }) => target.value !== '' && setActions(target.value, FIRST, false)}
        >
          <option value="">{t('workbench.events.add')}</option>
          {unused.map((name) => (
            <option key={name} value={name}>
              {eventWord(name)}
            </option>
          ))}
        </select>
      )}
      <details className="wb-rule-json">
        <summary>{t('workbench.rule.json')}</summary>
        <JsonEditor label={`${label} JSON`} value={value} onChange={(next) => onChange(next, false)} />
      </details>
    </div>
  )
}

/** The first action of an event: something visible when it is tried. */
const FIRST: readonly Json[] = [{ do: 'toast', text: t('workbench.action.first') }]

const eventWord = (name: string): string => wordOr(`workbench.event.${name}`, name)
