import { useId, useState } from 'react'
import { itemsOf } from '../../core/model/items.ts'
import { type ChartData, isFlat, readChart } from '../../core/widgets/chart-data.ts'
import { labelsOf, plainText } from '../../core/widgets/values.ts'
import { ChartPicture } from '../charts/chart-picture.tsx'
import { numberOf, textOf } from '../page/options.ts'
import { useEngine, useText } from '../page/page-context.ts'
import { useScope } from '../page/use-node.ts'
import type { ViewProps } from '../page/view.ts'
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
  const waiting = data.series.every(({ values }) => values.every((value) => value === null))
  const ring = options.kind === 'ring'
  return (
    <section className="vf-chart-box" aria-label={label || undefined}>
      <header>
        {label === '' ? null : <h3>{label}</h3>}
        <span className="vf-quiet">{textOf(options.note)}</span>
        <button
          type="button"
          className="vf-link"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {t(open ? 'chart.close' : 'chart.open')}
        </button>
      </header>
      {isFlat(data) && !waiting && !ring ? (
        <p className="vf-quiet vf-chart-empty">{textOf(options.empty) || t('chart.empty')}</p>
      ) : (
        <ChartPicture
          kind={textOf(options.kind)}
          data={data}
          height={Math.max(80, numberOf(options.height, 220))}
          alt={t('chart.alt', { label })}
          onFail={() => setOpen(true)}
        />
      )}
      <Table data={data} id={id} caption={label} hidden={!open} />
    </section>
  )
}

interface TableProps {
  readonly data: ChartData
  readonly id: string
  readonly caption: string
  readonly hidden: boolean
}

/** The numbers themselves; there for screen readers also while it is not in sight. */
function Table({ data: { labels, series }, id, caption, hidden }: TableProps) {
  const engine = useEngine()
  const write = (value: number | null | undefined, filter: string) =>
    value === null || value === undefined
      ? '—'
      : filter === ''
        ? String(value)
        : engine.fill(`{{ row.n | ${filter} }}`, { n: value })
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
              {series.map(({ name: column, values, filter }) => (
                <td key={column}>{write(values[at], filter)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
