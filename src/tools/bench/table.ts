import { type Metric, median, type Setting, type Subject, type Values } from './measure.ts'

export interface Measured {
  readonly subject: Subject
  readonly setting: Setting
  readonly values: Values
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
  rowsMount: ['Mount of T(n)', 'ms'],
  rowsReach: ['Last row of T(n) brought on the screen', 'ms'],
  rowsKey: ['Keystroke in the middle row of T(n)', 'ms'],
  rowsKeyWork: ['Keystroke in the middle row of T(n), main-thread work', 'ms'],
}

/**
 * The medians as Markdown, one table per metric.
 *
 * @param base  the subject that ratios refer to
 */
export function tablesOf(taken: readonly Measured[], base: string): string {
  const metrics = (Object.keys(TITLES) as Metric[]).filter((metric) =>
    taken.some(({ values }) => values[metric] !== undefined),
  )
  return metrics.map((metric) => tableOf(metric, taken, base)).join('\n\n')
}

function tableOf(metric: Metric, taken: readonly Measured[], base: string): string {
  const having = taken.filter(({ values }) => values[metric] !== undefined)
  const columns = unique(having.map(({ setting }) => columnOf(setting)))
  const subjects = unique(having.map(({ subject }) => subject.title))
  const value = (title: string, column: string): number =>
    median(
      having
        .filter(({ subject, setting }) => subject.title === title && columnOf(setting) === column)
        .map(({ values }) => values[metric] ?? Number.NaN),
    )
  const [title, unit] = TITLES[metric]
  const rows = subjects.map((subject) => [
    subject,
    ...columns.map((column) => {
      const own = value(subject, column)
      const ratio = own / value(base, column)
      return Number.isNaN(own)
        ? '–'
        : `${rounded(own)}${Number.isNaN(ratio) ? '' : ` (${ratio.toFixed(2)}×)`}`
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
