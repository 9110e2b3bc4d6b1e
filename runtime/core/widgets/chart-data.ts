import { isObject, type Json, type JsonObject, listOf, ownValue, valueAt } from '../json.ts'

/** A line of numbers, one per label; null where there is none. */
interface ChartSeries {
  readonly name: string
  /** A filter of texts for displaying the numbers; '' for the number itself. */
  readonly filter: string
  readonly tone: string
  readonly values: readonly (number | null)[]
}

export interface ChartData {
  readonly labels: readonly string[]
  readonly series: readonly ChartSeries[]
}

/**
 * The content of a chart, from its options and the page's data.
 *
 * @param labelOf  the name for a raw label, from the chart's dictionary
 */
export function readChart(options: JsonObject, scope: object, labelOf: (raw: Json) => string): ChartData {
  const at = (path: Json | undefined): Json | undefined =>
    typeof path === 'string' && path !== '' ? valueAt(scope, path) : undefined
  const listed = at(options.rowsBind)
  const rows = listOf(listed).filter(isObject)
  const labels =
    rows.length > 0
      ? rows.map((row) => ownValue(row, wordOf(options.labelKey)) ?? null)
      : listOf(at(options.labelsBind) ?? options.labels)
  const series = listOf(options.series)
    .filter(isObject)
    .map((raw): ChartSeries => {
      const bound = at(raw.bind)
      const values = Array.isArray(listed)
        ? rows.map((row) => ownValue(row, wordOf(raw.key)))
        : Array.isArray(bound)
          ? bound
          : [bound]
      return {
        name: wordOf(raw.name),
        filter: wordOf(raw.filter),
        tone: wordOf(raw.tone),
        values: values.map((value) => (typeof value === 'number' && Number.isFinite(value) ? value : null)),
      }
    })
  return { labels: labels.map(labelOf), series }
}

/** The objects behind the points. */
export function pointsOf({ rowsBind, pointsBind }: JsonObject, scope: object): readonly JsonObject[] {
  const path = wordOf(rowsBind) || wordOf(pointsBind)
  return path === '' ? [] : listOf(valueAt(scope, path)).filter(isObject)
}

/** True if there is nothing to show: no numbers, or only zeros. */
export function isFlat({ series }: ChartData): boolean {
  return series.every(({ values }) => values.every((value) => value === null || value === 0))
}

function wordOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
