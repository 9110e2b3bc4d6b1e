import { BarChart, LineChart, PieChart } from 'echarts/charts'
import { GridComponent, LegendComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import type { ChartData } from '../../core/widgets/chart-data.ts'
import { DRAWN } from './chart-option.ts'
import type { Look } from './look.ts'

use([BarChart, LineChart, PieChart, GridComponent, LegendComponent, SVGRenderer])

interface DrawRequest {
  readonly kind: string
  readonly data: ChartData
  readonly look: Look
  /** px */
  readonly width: number
  readonly height: number
}

/** A picture of a chart, and a function that finds the point at a position in px. */
export interface Drawn {
  readonly src: string
  readonly pointAt: (place: Place) => Point | null
}

type Place = Readonly<Record<'x' | 'y', number>>

/** A value of a chart: its index in the series, and the index of the series. */
interface Point {
  readonly at: number
  readonly series: number
}

/** A chart as a data URL. It is rendered to SVG text and shown as an image: echarts would write HTML into the page, which Trusted Types forbid. */
export function drawChart({ kind, data, look, width, height }: DrawRequest): Drawn {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
  try {
    chart.setOption({
      animation: false,
      textStyle: { fontFamily: look.fontFamily },
      ...(DRAWN[kind] ?? DRAWN.bar)?.(data, look, width),
    })
    const src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(chart.renderToSVGString())}`
    const axis = kind === 'funnel' ? 'y' : 'x'
    // A ring has no axis, so no point is found in it.
    const middles = (kind === 'ring' ? [] : data.labels).map((_, at) =>
      Number(chart.convertToPixel({ [`${axis}AxisIndex`]: 0 }, at)),
    )
    const heights = (kind === 'line' ? data.series : []).map(({ values }, seriesIndex) =>
      values.map((value, at) => Number([chart.convertToPixel({ seriesIndex }, [at, value ?? 0])].flat()[1])),
    )
    const seriesAt = (at: number, { x, y }: Place): number => {
      const count = data.series.length
      if (count === 1) return 0
      if (kind === 'line')
        return nearest(
          heights.map((values) => values[at] ?? 0),
          y,
        )
      // The bars of one point are side by side.
      const band = middles.length > 1 ? Number(middles[1]) - Number(middles[0]) : width
      const along = (x - Number(middles[at])) / band + 0.5
      return Math.min(count - 1, Math.max(0, Math.floor(along * count)))
    }
    return {
      src,
      pointAt(place) {
        const at = nearest(middles, place[axis])
        const series = at === -1 ? -1 : seriesAt(at, place)
        return typeof data.series[series]?.values[at] === 'number' ? { at, series } : null
      },
    }
  } finally {
    chart.dispose()
  }
}

/** The index of the nearest one; -1 if there are none. */
function nearest(places: readonly number[], target: number): number {
  const distances = places.map((place) => Math.abs(place - target))
  return distances.indexOf(Math.min(...distances))
}
