import type { EChartsCoreOption } from 'echarts/core'
import type { ChartData } from '../../core/widgets/chart-data.ts'
import { colourOf, type Look } from './look.ts'

/** @param width width of the picture in px */
type Draw = (data: ChartData, look: Look, width: number) => EChartsCoreOption

/** Short numbers for an axis, in the notation of the language (12万). */
const short = (look: Look) => {
  const format = new Intl.NumberFormat(look.language, { notation: 'compact', maximumFractionDigits: 1 })
  return (value: number) => format.format(value)
}

const cartesian =
  (type: 'bar' | 'line'): Draw =>
  ({ labels, series }, look, width) => ({
    grid: {
      left: 8,
      right: 12,
      top: series.length > 1 ? look.fontSize * 2.6 : 12,
      bottom: 4,
      containLabel: true,
    },
    legend: {
      show: series.length > 1,
      top: 0,
      right: 0,
      itemWidth: 10,
      itemHeight: 10,
      icon: 'roundRect',
      textStyle: { color: look.text, fontSize: look.fontSize },
    },
    xAxis: {
      type: 'category',
      data: labels,
      axisTick: { show: false },
      axisLine: { lineStyle: { color: look.line } },
      axisLabel: {
        color: look.quiet,
        fontSize: look.fontSize,
        hideOverlap: true,
        ...(type === 'bar' && wrapped(labels, look, width)),
      },
    },
    yAxis: {
      type: 'value',
      // Larger labels are fewer.
      splitNumber: Math.ceil(48 / look.fontSize),
      // An axis of integers has no ticks in between.
      minInterval: series.every(({ values }) => values.every(isWhole)) ? 1 : 0,
      splitLine: { lineStyle: { color: look.line } },
      axisLabel: { color: look.quiet, fontSize: look.fontSize, formatter: short(look) },
    },
    series: series.map(({ name, tone, values }, at) => ({
      type,
      name,
      data: [...values],
      barMaxWidth: 18,
      smooth: type === 'line',
      // The curve stays between two neighbouring points, so that it does not show amounts below zero.
      smoothMonotone: 'x',
      symbolSize: 6,
      lineStyle: { width: 2 },
      itemStyle: { color: colourOf(look, tone, at), borderRadius: type === 'bar' ? [4, 4, 0, 0] : 0 },
    })),
  })

/** A day, a month or a year; names of products may contain digits too. */
const TIME = /^\d+(?:[-/.年月]|$)/
/** Maximum number of lines of a name under a bar. */
const NAME_LINES = 4

/**
 * Names cannot be left out like days and months, which a reader can infer from their neighbours: each is wrapped to the width of its bar. So are
 * months with their year if the year fits on a line.
 */
function wrapped(labels: readonly string[], { fontSize }: Look, width: number) {
  const time = labels.find((label) => TIME.test(label))
  const room = Math.floor((width - fontSize * 4) / labels.length) - 2
  if (room < fontSize * (time ? (/年/.test(time) ? 3.5 : 99) : 1)) return {}
  const maxCharacters = Math.floor(room / fontSize) * NAME_LINES
  return {
    interval: 0,
    hideOverlap: false,
    width: room,
    overflow: 'break' as const,
    formatter: (name: string) =>
      name.length > maxCharacters ? `${name.slice(0, maxCharacters - 1)}…` : name,
  }
}

const isWhole = (value: number | null): boolean => Number.isInteger(value ?? 0)

/** Centred bars, one below the other; values need not decrease. */
const funnel: Draw = ({ labels, series: [first] }, look) => {
  const values = labels.map((_, at) => first?.values[at] ?? 0)
  const maximum = Math.max(1, ...values)
  const bar = { type: 'bar', stack: 'all', barCategoryGap: '28%', silent: true } as const
  return {
    grid: { left: 0, right: 4, top: 0, bottom: 0, containLabel: true },
    xAxis: { type: 'value', show: false, max: maximum * 1.25 },
    yAxis: {
      type: 'category',
      inverse: true,
      data: labels,
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: {
        color: look.text,
        fontSize: look.fontSize,
        width: look.fontSize * 7,
        overflow: 'truncate',
      },
    },
    series: [
      { ...bar, data: values.map((value) => (maximum - value) / 2), itemStyle: { color: 'transparent' } },
      {
        ...bar,
        data: values.map((value, at) => ({
          value,
          itemStyle: {
            color: look.palette[0],
            opacity: 1 - (at / labels.length) * 0.6,
            borderRadius: 4,
          },
        })),
      },
      {
        ...bar,
        data: values.map(() => maximum * 0.02),
        itemStyle: { color: 'transparent' },
        label: {
          show: true,
          position: 'insideLeft',
          color: look.text,
          fontSize: look.fontSize,
          formatter: ({ dataIndex }: { readonly dataIndex: number }) => String(values[dataIndex] ?? 0),
        },
      },
    ],
  }
}

const ring: Draw = ({ series }, look) => ({
  series: series.map(({ name, tone, values: [value = null] }, at) => {
    const done = Math.min(100, Math.max(0, value ?? 0))
    const share = 100 / series.length
    return {
      type: 'pie',
      radius: ['62%', '80%'],
      center: [`${share * (at + 0.5)}%`, '50%'],
      silent: true,
      label: {
        show: true,
        position: 'center',
        formatter: `{n|${value === null ? '—' : `${value}%`}}\n{t|${name.replace(/[{}|]/g, '')}}`,
        rich: {
          n: {
            fontSize: look.fontSize * 1.5,
            fontWeight: 600,
            color: look.text,
            lineHeight: look.fontSize * 2,
          },
          t: { fontSize: look.fontSize, color: look.quiet, lineHeight: look.fontSize * 1.5 },
        },
      },
      data: [
        { value: done, itemStyle: { color: colourOf(look, tone, at), borderRadius: 8 } },
        { value: 100 - done, itemStyle: { color: look.fill }, label: { show: false } },
      ],
    }
  }),
})

/** How each type of chart is drawn. */
export const DRAWN: Readonly<Record<string, Draw>> = {
  bar: cartesian('bar'),
  line: cartesian('line'),
  funnel,
  ring,
}
