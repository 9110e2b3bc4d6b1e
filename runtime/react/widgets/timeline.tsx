import { useState } from 'react'
import { addressOfFile } from '../../core/data/stored-file.ts'
import type { NodeState } from '../../core/engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { Avatar } from '../kit/avatar.tsx'
import { dayOf, timeOf } from '../kit/day-text.ts'
import { Pressable } from '../kit/pressable.tsx'
import { safePicture } from '../kit/safe-url.ts'
import { uniqueKeys } from '../kit/unique-keys.ts'
import { layerPart } from '../layers/layer-part.tsx'
import { objectsOf, textOf } from '../page/options.ts'
import { useEngine } from '../page/page-context.ts'
import { useAddresses } from '../page/use-address.ts'
import { listensTo, useFire } from '../page/use-fire.ts'
import { useScope } from '../page/use-node.ts'
import type { ViewProps } from '../page/view.ts'
import { TemplateViews } from '../page/widget-view.tsx'
import { EmptyNote } from '../rows/empty-note.tsx'
import { FailedRows } from '../rows/failed-rows.tsx'
import { RowsEnd } from '../rows/rows-end.tsx'
import { Skeletons } from '../rows/skeletons.tsx'
import { type Rows, rowsIn, useRows } from '../rows/use-rows.ts'
import '../styles/extra.css'

const Preview = layerPart(() => import('../pickers/preview.tsx'))

export function View({ state }: ViewProps) {
  return textOf(state.options.dsName) === '' ? (
    <Days state={state} rows={rowsIn(state.value, 'list')} />
  ) : (
    <SourceTimeline state={state} />
  )
}

function SourceTimeline({ state }: { readonly state: NodeState }) {
  const rows = useRows(useEngine(), textOf(state.options.dsName))
  if (rows.state === 'loading') return <Skeletons count={3} />
  if (rows.state === 'failed') return <FailedRows state={state} rows={rows} />
  return <Days state={state} rows={rows.rows} paging={rows} />
}

interface DaysProps {
  readonly state: NodeState
  readonly rows: readonly JsonObject[]
  readonly paging?: Rows
}

function Days({ state, rows, paging }: DaysProps) {
  const engine = useEngine()
  const t = engine.ports.text
  const fire = useFire(state)
  useScope()
  const { options } = state
  if (rows.length === 0) {
    const action = textOf(options.emptyAction)
    return (
      <EmptyNote
        text={textOf(options.empty) || t('list.empty')}
        action={action}
        onAction={() => void fire('emptyClick')}
      />
    )
  }
  const timeKey = textOf(options.time)
  const days = byDay(rows, timeKey, options.groupByDay !== false)
  const today = new Date(engine.ports.clock.now())
  return (
    <div className="vf-timeline">
      {days.map(([day, entries]) => (
        <section key={day}>
          {day === '' ? null : <h4>{dayOf(day, today, t)}</h4>}
          <ol>
            {entries.map((row, i) => (
              <Entry key={textOf(row[textOf(options.rowKey)]) || `${day}${i}`} state={state} row={row} />
            ))}
          </ol>
        </section>
      ))}
      {paging ? <RowsEnd rows={paging} end={textOf(options.end)} /> : null}
    </div>
  )
}

function byDay(
  rows: readonly JsonObject[],
  key: string,
  grouped: boolean,
): readonly (readonly [string, JsonObject[]])[] {
  const days = new Map<string, JsonObject[]>()
  for (const row of rows) {
    const day = grouped ? textOf(row[key]).slice(0, 10) : ''
    const group = days.get(day)
    if (group) group.push(row)
    else days.set(day, [row])
  }
  return [...days]
}

function Entry({ state, row }: { readonly state: NodeState; readonly row: JsonObject }) {
  const engine = useEngine()
  const fire = useFire(state, row)
  const [shown, setShown] = useState<number | null>(null)
  const { options } = state
  const raw = state.node.options
  const read = (key: string) => textOf(row[textOf(options[key])])
  const fill = (name: string) => engine.fill(textOf(raw[name]), row)
  const quiet = Boolean(row[textOf(options.quiet)])
  const images = objectsOf(row[textOf(options.images)]).map((image) => safePicture(addressOfFile(image)))
  const addresses = useAddresses(images)
  const keys = uniqueKeys(images)
  const tag = fill('tag')
  const who = read('who')
  const title = fill('title')
  const content = fill('content')
  const inner = (
    <>
      <div className="vf-entry-head">
        {who === '' ? null : <b>{who}</b>}
        {title === '' ? null : <span>{title}</span>}
        {tag === '' ? null : <span className="vf-tag vf-tone-primary">{tag}</span>}
        <time>{timeOf(read('time'), options.groupByDay !== false)}</time>
      </div>
      {content === '' ? null : <p className="vf-entry-text">{content}</p>}
      <TemplateViews nodes={engine.template(state.key, row)} row={row} />
    </>
  )
  return (
    <li className={`vf-entry${quiet ? ' vf-entry-quiet' : ''}`}>
      {quiet ? <i className="vf-entry-dot" /> : <Avatar src={read('avatar')} name={who || '·'} size={32} />}
      <div className="vf-entry-body">
        {listensTo(state, 'rowClick') ? (
          <Pressable role="link" onPress={() => void fire('rowClick', [row])}>
            {inner}
          </Pressable>
        ) : (
          inner
        )}
        {images.length === 0 ? null : (
          <div className="vf-pictures">
            {images.map((_, i) => (
              <div key={keys[i]} className="vf-picture">
                <button
                  type="button"
                  aria-label={engine.ports.text('upload.preview', { name: String(i + 1) })}
                  onClick={() => setShown(i)}
                >
                  <img src={addresses[i] || undefined} alt="" loading="lazy" />
                </button>
              </div>
            ))}
          </div>
        )}
      </div>
      {shown === null ? null : <Preview images={images} at={shown} onClose={() => setShown(null)} />}
    </li>
  )
}
