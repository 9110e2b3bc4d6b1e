import { useEffect } from 'react'
import type { Engine } from '../../core/engine.ts'
import type { ChartData } from '../../core/widgets/chart-data.ts'

/** A chart that stands on a page. */
export interface ShownChart {
  readonly label: string
  readonly kind: string
  readonly data: ChartData
  /** px */
  readonly height: number
  /** A number as a person reads it. */
  readonly write: (value: number | null, filter: string) => string
}

const shown = new WeakMap<Engine, Map<string, ShownChart>>()

/** Keeps a chart among those of its page while it is drawn. */
export function useShownChart(engine: Engine, key: string, chart: ShownChart): void {
  useEffect(() => {
    const charts = shown.get(engine) ?? new Map<string, ShownChart>()
    shown.set(engine, charts.set(key, chart))
    return () => void charts.delete(key)
  })
}

/** The charts of a page that hold numbers, in the order of the page. */
export function shownCharts(engine: Engine): readonly ShownChart[] {
  const charts = shown.get(engine) ?? new Map<string, ShownChart>()
  return [...engine.page.nodes.keys()].flatMap((key) => charts.get(key) ?? [])
}
