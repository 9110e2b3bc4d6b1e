import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { textOf } from '../page/options.ts'
import { useText } from '../page/page-context.ts'
import type { Entry } from './entries.ts'

interface Props {
  readonly entries: readonly Entry[]
  readonly kinds: Json | undefined
  readonly empty: string
  readonly onOpen: (row: JsonObject) => void
}

/** The entries of a day; a tap opens the page of an entry. */
export function DayEntries({ entries, kinds, empty, onOpen }: Props) {
  const t = useText()
  if (entries.length === 0) return <p className="vf-quiet vf-agenda-none">{empty}</p>
  const kindOptions = (Array.isArray(kinds) ? kinds : []).filter(isObject)
  return (
    <ul>
      {entries.map(({ row, key, time, title, note, kind, done, overdue }) => {
        const of = kindOptions.find(({ value }) => value === kind)
        const state = `${done ? ' vf-agenda-done' : ''}${overdue ? ' vf-agenda-late' : ''}`
        return (
          <li key={key}>
            <button
              type="button"
              className={`vf-agenda-entry${state}`}
              data-tone={textOf(of?.tone)}
              onClick={() => onOpen(row)}
            >
              <time>{time === '' ? t('agenda.allDay') : time}</time>
              <span>
                <b>{title}</b>
                <small>
                  {[textOf(of?.label), note, done ? t('agenda.done') : overdue ? t('agenda.late') : '']
                    .filter(Boolean)
                    .join(' · ')}
                </small>
              </span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
