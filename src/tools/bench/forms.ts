import { loadavg } from 'node:os'
import { launchChromium } from '../browser.ts'
import type { Costs } from './budgets.ts'
import { buildPages } from './build-pages.ts'
import { measure, type Setting, type Subject } from './measure.ts'
import { servePages } from './serve-pages.ts'
import { type Cell, cellsOf, type Measured, tablesOf } from './table.ts'

const BASE = 'hand-written React'

/** What to measure: numbers of fields, numbers of rows, factors the processor is slowed down by. */
export interface FormsScope {
  readonly fields: readonly number[]
  readonly rows: readonly number[]
  readonly cpu: readonly number[]
  readonly rounds: number
}

/**
 * The same forms and tasks for our page, hand-written React and plain DOM, measured in turn.
 *
 * @returns the tables as Markdown, and the costs of our page by cell
 */
export async function benchForms(
  root: string,
  scope: FormsScope,
): Promise<{ readonly tables: string; readonly costs: Costs }> {
  const server = await servePages(await buildPages(root))
  const subject = (id: string, title: string, variant: Subject['variant'] = 'rule'): Subject => ({
    id,
    title,
    url: `${server.origin}/${id}/index.html`,
    variant,
  })
  const subjects = [
    subject('hand', BASE),
    subject('dom', 'plain DOM'),
    subject('ours', 'ours, by rules'),
    subject('ours', 'ours, by hooks', 'hook'),
  ]
  const browser = await launchChromium()
  const measured: Measured[] = []
  for (let round = 0; round < scope.rounds; round += 1) {
    for (const setting of settingsOf(scope)) {
      for (const one of subjects.filter((one) => isFor(one, setting)))
        measured.push({ subject: one, setting, values: await measure(browser, one, setting) })
      console.error(
        `round ${round + 1}: ${setting.kind}(${setting.size}) at ${setting.cpu}×, load ${loadavg()[0]?.toFixed(1)}`,
      )
    }
  }
  const version = browser.version()
  await browser.close()
  server.close()

  const cells = cellsOf(measured, BASE)
  const head = `${new Date().toISOString().slice(0, 10)}, Chromium ${version}, Node ${process.version}, ${scope.rounds} rounds, load ${loadavg()[0]?.toFixed(1)}`
  return { tables: `${head}\n\n${tablesOf(cells)}`, costs: costsOf(cells) }
}

/** The costs of our page by the name of the cell, such as `mount(50) 4× rule`. */
export function costsOf(cells: readonly Cell[]): Costs {
  return Object.fromEntries(
    cells
      .filter(({ subject }) => subject.id === 'ours')
      .map(({ metric, setting: { size, cpu }, subject, value, ratio }) => [
        `${metric}(${size}) ${cpu}× ${subject.variant}`,
        { ratio, ms: value },
      ]),
  )
}

/** True if a run with this scope measures the cell. */
export function isInScope(cell: string, { fields, rows, cpu }: FormsScope): boolean {
  const [, metric = '', size, factor] = /^(\w+)\((\d+)\) (\d+)×/.exec(cell) ?? []
  return (metric.startsWith('rows') ? rows : fields).includes(Number(size)) && cpu.includes(Number(factor))
}

/** Only S has a field that appears and disappears; in H other fields are written by a hook or by hand. */
function isFor({ id, variant }: Subject, { kind }: Setting): boolean {
  if (id !== 'ours') return true
  return variant === 'hook' ? kind !== 'T' : kind !== 'H'
}

function settingsOf({ fields, rows, cpu }: FormsScope): readonly Setting[] {
  const each = (kind: Setting['kind'], sizes: readonly number[]): readonly Setting[] =>
    sizes.flatMap((size) => cpu.map((factor) => ({ kind, size, cpu: factor })))
  return [...each('S', fields), ...each('V', fields), ...each('H', fields), ...each('T', rows)]
}
