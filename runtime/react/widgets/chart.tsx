import { useId, useState } from 'react'
import type { JsonObject } from '../../core/json.ts'
import { itemsOf } from '../../core/model/items.ts'
import { type ChartData, isFlat, pointsOf, readChart } from '../../core/widgets/chart-data.ts'
import { labelsOf, plainText } from '../../core/widgets/values.ts'
import { ChartPicture } from '../charts/chart-picture.tsx'
import { useShownChart } from '../charts/shown-charts.ts'
import { numberOf, objectsOf, textOf } from '../page/options.ts'
import { useEngine, useText } from '../page/page-context.ts'
import { listensTo, useFire } from '../page/use-fire.ts'
import { useScope } from '../page/use-node.ts'
import type { ViewProps } from '../page/view.ts'
import { useBoundSource } from '../rows/bound-source.ts'
import { FailedNote } from '../rows/failed-rows.tsx'
import { Skeletons } from '../rows/skeletons.tsx'
import '../styles/chart.css'

export function View({ state }: ViewProps) {
  const t = useText()
  const scope = useScope()
  const id = useId()
  const { options, label } = state
  const [open, setOpen] = useState(options.table === true)
  const names =
    textOf(options.labelDict) === '' ? [] : itemsOf({ dict: options.labelDict ?? null }, scope.dict)
  const data = readChart(options, scope, (raw) => (names.length > 0 ? labelsOf(raw, names) : plainText(raw)))
  const waiting = data.series.every(
    ({ values }) => values.length > 0 && values.every((value) => value === null),
  )
  const engine = useEngine()
  const source = useBoundSource(engine, sourcePathOf(options))
  const fire = useFire(state)
  const write = (value: number | null | undefined, filter: string) =>
    typeof value !== 'number'
      ? '—'
      : filter === ''
        ? String(value)
        : engine.fill(`{{ row.n | ${filter} }}`, { n: value })
  const kind = textOf(options.kind)
  const height = Math.max(80, numberOf(options.height, 220))
  useShownChart(engine, state.key, { label, kind, data, height, write })
  const press = listensTo(state, 'pointClick')
    ? (at: number, series = 0) => void fire('pointClick', [at, series], pointsOf(options, scope)[at] ?? {})
    : undefined
  return (
    <section className="vf-chart-box" aria-label={label || undefined}>
      <header>
        {label === '' ? null : <h3>{label}</h3>}
        <span className="vf-quiet">{textOf(options.note)}</span>
        {source.state === 'ready' && (
          <button
            type="button"
            className="vf-link"
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
          >
            {t(open ? 'chart.close' : 'chart.open')}
          </button>
        )}
      </header>
      {source.state === 'failed' ? (
        <FailedNote refusal={source.refusal} onRetry={source.retry} />
      ) : source.state === 'loading' ? (
        <Skeletons count={1} height={height - 16} />
      ) : isFlat(data) && !waiting && kind !== 'ring' ? (
        <p className="vf-quiet vf-chart-empty">{textOf(options.empty) || t('chart.empty')}</p>
      ) : (
        <ChartPicture
          kind={kind}
          data={data}
          height={height}
          alt={t('chart.alt', { label })}
          onPoint={press}
          onFail={() => setOpen(true)}
        />
      )}
      <Table
        data={data}
        id={id}
        caption={label}
        hidden={!open || source.state !== 'ready'}
        write={write}
        press={press}
      />
    </section>
  )
}

/** The path of the numbers themselves. */
function sourcePathOf({ rowsBind, series }: JsonObject): string {
  return textOf(rowsBind) || textOf(objectsOf(series)[0]?.bind)
}

interface TableProps {
  readonly data: ChartData
  readonly id: string
  readonly caption: string
  readonly hidden: boolean
  readonly write: (value: number | null | undefined, filter: string) => string
  /** Opens the records of a point; undefined if there are none. */
  readonly press: ((at: number, series?: number) => void) | undefined
}

/** The numbers as a table; present for screen readers even if it is not visible. */
function Table({ data: { labels, series }, id, caption, hidden, write, press }: TableProps) {
  return (
    <div id={id} className={hidden ? 'vf-unseen' : 'vf-chart-table'}>
      <table>
        <caption className="vf-unseen">{caption}</caption>
        <thead>
          <tr>
            <td />
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(labels.length > 0 ? labels : [caption]).map((name, at) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {series.map(({ name: column, values, filter }, place) => (
                <td key={column}>
                  {!press || typeof values[at] !== 'number' ? (
                    write(values[at], filter)
                  ) : (
                    <button type="button" className="vf-link" onClick={() => press(at, place)}>
                      {write(values[at], filter)}
                    </button>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
