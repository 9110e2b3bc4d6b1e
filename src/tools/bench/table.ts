import { type Metric, median, type Setting, type Subject, type Values } from './measure.ts'

export interface Measured {
  readonly subject: Subject
  readonly setting: Setting
  readonly values: Values
}

/** The median of one metric over the pages of one subject at one setting. */
export interface Cell {
  readonly metric: Metric
  readonly setting: Setting
  readonly subject: Subject
  readonly value: number
  /** To the same cell of the base; NaN where the base has none. */
  readonly ratio: number
}

const TITLES: Readonly<Record<Metric, readonly [title: string, unit: 'ms' | 'MB']>> = {
  mount: ['Mount of S(n)', 'ms'],
  mountWork: ['Mount of S(n), main-thread work', 'ms'],
  heap: ['JS heap after the mount of S(n)', 'MB'],
  reach: ['Last field of S(n) brought on the screen', 'ms'],
  key: ['Keystroke in the middle of S(n)', 'ms'],
  keyWork: ['Keystroke in the middle of S(n), main-thread work', 'ms'],
  show: ['Conditional field of S(n) appears', 'ms'],
  validate: ['Validation of the empty S(n)', 'ms'],
  link: ['Keystroke that writes 20 fields of H(n)', 'ms'],
  linkWork: ['Keystroke that writes 20 fields of H(n), main-thread work', 'ms'],
  rowsMount: ['Mount of T(n)', 'ms'],
  rowsReach: ['Last row of T(n) brought on the screen', 'ms'],
  rowsKey: ['Keystroke in the middle row of T(n)', 'ms'],
  rowsKeyWork: ['Keystroke in the middle row of T(n), main-thread work', 'ms'],
}

const METRICS = Object.keys(TITLES) as readonly Metric[]

/**
 * The cells of a run, by metric, then in the order they were measured. A metric that no page of a subject gave has no cell.
 *
 * @param base  the title of the subject that ratios refer to
 */
export function cellsOf(measured: readonly Measured[], base: string): readonly Cell[] {
  const valuesOf = (metric: Metric, title: string, setting: Setting): readonly number[] =>
    measured
      .filter(
        ({ subject, setting: { size, cpu } }) =>
          subject.title === title && size === setting.size && cpu === setting.cpu,
      )
      .flatMap(({ values }) => values[metric] ?? [])
  return METRICS.flatMap((metric) => {
    const cells = new Map<string, Cell>()
    for (const { subject, setting, values } of measured) {
      const key = `${subject.title}, ${columnOf(setting)}`
      if (values[metric] === undefined || cells.has(key)) continue
      const value = median(valuesOf(metric, subject.title, setting))
      cells.set(key, {
        metric,
        setting,
        subject,
        value,
        ratio: value / median(valuesOf(metric, base, setting)),
      })
    }
    return [...cells.values()]
  })
}

/** The cells as Markdown, one table per metric. */
export function tablesOf(cells: readonly Cell[]): string {
  return METRICS.map((metric) => [metric, cells.filter((cell) => cell.metric === metric)] as const)
    .filter(([, subjectValue]) => subjectValue.length > 0)
    .map(([metric, subjectValue]) => tableOf(metric, subjectValue))
    .join('\n\n')
}

function tableOf(metric: Metric, cells: readonly Cell[]): string {
  const columns = unique(cells.map(({ setting }) => columnOf(setting)))
  const [title, unit] = TITLES[metric]
  const rows = unique(cells.map(({ subject }) => subject.title)).map((subject) => [
    subject,
    ...columns.map((column) => {
      const cell = cells.find((one) => one.subject.title === subject && columnOf(one.setting) === column)
      if (cell === undefined) return '–'
      return `${rounded(cell.value)}${Number.isNaN(cell.ratio) ? '' : ` (${cell.ratio.toFixed(2)}×)`}`
    }),
  ])
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    `### ${title}, ${unit}`,
    '',
    line(['', ...columns]),
    line(['---', ...columns.map(() => '---')]),
    ...rows.map(line),
  ].join('\n')
}

const columnOf = ({ size, cpu }: Setting): string => `n = ${size}, ${cpu}× CPU`
const unique = (list: readonly string[]): readonly string[] => [...new Set(list)]
const rounded = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(1))
