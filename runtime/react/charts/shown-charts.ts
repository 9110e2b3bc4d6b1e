import { useEffect } from 'react'
import type { Engine } from '../../core/engine.ts'
import type { ChartData } from '../../core/widgets/chart-data.ts'

/** A chart that is shown on a page. */
export interface ShownChart {
  readonly label: string
  readonly kind: string
  readonly data: ChartData
  /** px */
  readonly height: number
  /** Formats a number for people. */
  readonly write: (value: number | null, filter: string) => string
}

const shown = new WeakMap<Engine, Map<string, ShownChart>>()

/** Registers a chart with its page while it is mounted. */
export function useShownChart(engine: Engine, key: string, chart: ShownChart): void {
  useEffect(() => {
    const charts = shown.get(engine) ?? new Map<string, ShownChart>()
    shown.set(engine, charts.set(key, chart))
    return () => void charts.delete(key)
  })
}

/** The charts of a page that have numbers, in page order. */
export function shownCharts(engine: Engine): readonly ShownChart[] {
  const charts = shown.get(engine) ?? new Map<string, ShownChart>()
  return [...engine.page.nodes.keys()].flatMap((key) => charts.get(key) ?? [])
}
