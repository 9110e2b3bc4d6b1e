import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What one thing may cost, as a ratio to the hand-written code measured in the same run. */
interface Budget {
  /** The wanted ratio. */
  readonly goal?: number
  /** The wanted time in ms, where it is not compared with anything. */
  readonly goalMs?: number
  /** The ratio of the last accepted run. */
  readonly accepted: number
  /** Factor by which runs of this cell vary on an idle machine, if it is more than the usual {@link SCATTER}. */
  readonly scatter?: number
}
type CellBudgets = Readonly<Record<string, Budget>>

/** Parts of the benchmark that have budgets, with their cells by name. */
export type Budgets = Readonly<Record<'server' | 'forms', CellBudgets>>

/** The measured cost of a cell. */
interface Cost {
  readonly ratio: number
  readonly ms?: number
}
export type Costs = Readonly<Record<string, Cost>>

/** Factor by which runs vary on an idle machine. */
const SCATTER = 1.15

const fileIn = (root: string): string => join(root, 'src/bench/budgets.json')

export async function readBudgets(root: string): Promise<Budgets> {
  return JSON.parse(await readFile(fileIn(root), 'utf8')) as Budgets
}

/** @returns a sentence for each cell that costs more than accepted or was not measured, or has no budget; empty if there is none */
export function overBudget(budgets: CellBudgets, measured: Costs): readonly string[] {
  const unknown = Object.keys(measured).filter((cell) => !Object.hasOwn(budgets, cell))
  const over = Object.entries(budgets).flatMap(([cell, { accepted, scatter = SCATTER }]) => {
    const { ratio } = measured[cell] ?? { ratio: Number.NaN }
    return ratio <= accepted * scatter ? [] : [`${cell}: ${times(ratio)}, accepted was ${times(accepted)}`]
  })
  return [...over, ...unknown.map((cell) => `${cell}: it has no budget in src/bench/budgets.json`)]
}

/** @returns a sentence for each measured cell that misses its goal */
export function missedGoals(budgets: CellBudgets, measured: Costs): readonly string[] {
  return Object.entries(measured).flatMap(([cell, { ratio, ms = Number.NaN }]) => {
    const { goal, goalMs } = budgets[cell] ?? {}
    if (goal !== undefined && !(ratio <= goal)) return [`${cell}: ${times(ratio)}, goal ${times(goal)}`]
    if (goalMs !== undefined && !(ms <= goalMs)) return [`${cell}: ${ms.toFixed(0)} ms, goal ${goalMs} ms`]
    return []
  })
}

/** Stores the ratios of a run for comparison with later ones; cells that it did not measure keep theirs. */
export async function acceptCosts(root: string, part: keyof Budgets, measured: Costs): Promise<void> {
  const budgets = await readBudgets(root)
  const cells = Object.entries(measured).map(([cell, { ratio }]) => [
    cell,
    { ...budgets[part][cell], accepted: Number(ratio.toPrecision(2)) },
  ])
  const text = JSON.stringify(
    { ...budgets, [part]: { ...budgets[part], ...Object.fromEntries(cells) } },
    null,
    2,
  )
  await writeFile(fileIn(root), `${text.replace(/\{\n\s+("\w+": \d[^{}]*?)\n\s+\}/g, onOneLine)}\n`)
}

/** As the formatter writes it: short objects on one line. */
function onOneLine(object: string, inner: string): string {
  const line = `{ ${inner.replace(/\n\s+/g, ' ')} }`
  return line.length > 90 ? object : line
}

/** A ratio with at most three digits. */
const times = (ratio: number): string => `${Number(ratio.toPrecision(3))}×`
