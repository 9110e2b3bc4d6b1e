import { BarChart, LineChart, PieChart } from 'echarts/charts'
import { GridComponent, LegendComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import type { ChartData } from '../../core/widgets/chart-data.ts'
import { DRAWN } from './chart-option.ts'
import type { Look } from './look.ts'

use([BarChart, LineChart, PieChart, GridComponent, LegendComponent, SVGRenderer])

interface Asked {
  readonly kind: string
  readonly data: ChartData
  readonly look: Look
  /** px */
  readonly width: number
  readonly height: number
}

/** A picture of a chart, and which point of it lies under a place in px. */
export interface Drawn {
  readonly src: string
  readonly pointAt: (place: Readonly<Record<'x' | 'y', number>>) => number
}

/**
 * A chart as the address of a picture. It is drawn to text and shown as an image: echarts on the page itself would write html
 * as text, which Trusted Types refuse.
 */
export function drawChart({ kind, data, look, width, height }: Asked): Drawn {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
  try {
    chart.setOption({
      animation: false,
      textStyle: { fontFamily: look.fontFamily },
      ...(DRAWN[kind] ?? DRAWN.bar)?.(data, look),
    })
    const src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(chart.renderToSVGString())}`
    const axis = kind === 'funnel' ? 'y' : 'x'
    const middles = data.labels.map((_, at) => Number(chart.convertToPixel({ [`${axis}AxisIndex`]: 0 }, at)))
    return {
      src,
      pointAt(place) {
        const far = middles.map((middle) => Math.abs(middle - place[axis]))
        return far.indexOf(Math.min(...far))
      },
    }
  } finally {
    chart.dispose()
  }
}
