import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A ratio to the hand-written code, both measured in one run. */
interface Budget {
  readonly goal: number
  /** The ratio of the last accepted run. */
  readonly accepted: number
}

/** Parts of the benchmark that have budgets, with their cells by name. */
export type Budgets = Readonly<Record<'server', Readonly<Record<string, Budget>>>>
export type Ratios = Readonly<Record<string, number>>

/** Factor by which runs vary on an idle machine. */
const SCATTER = 1.15

const fileIn = (root: string): string => join(root, 'src/bench/budgets.json')

export async function readBudgets(root: string): Promise<Budgets> {
  return JSON.parse(await readFile(fileIn(root), 'utf8')) as Budgets
}

/** @returns a sentence for each cell that costs more than accepted; empty if there is none */
export function overBudget(budgets: Readonly<Record<string, Budget>>, taken: Ratios): readonly string[] {
  const unknown = Object.keys(taken).filter((cell) => !Object.hasOwn(budgets, cell))
  const over = Object.entries(budgets).flatMap(([cell, { accepted }]) => {
    const ratio = taken[cell] ?? Number.NaN
    if (ratio <= accepted * SCATTER) return []
    return [`${cell}: ${ratio.toFixed(1)}×, accepted was ${accepted.toFixed(1)}×`]
  })
  return [...over, ...unknown.map((cell) => `${cell}: it has no budget in src/bench/budgets.json`)]
}

/** Stores the ratios of a run for comparison with later ones. */
export async function acceptRatios(root: string, part: keyof Budgets, taken: Ratios): Promise<void> {
  const budgets = await readBudgets(root)
  const cells = Object.entries(taken).map(([cell, ratio]) => [
    cell,
    { ...budgets[part][cell], accepted: Number(ratio.toFixed(1)) },
  ])
  const text = JSON.stringify({ ...budgets, [part]: Object.fromEntries(cells) }, null, 2)
  // As the formatter writes it: short objects on one line.
  await writeFile(
    fileIn(root),
    `${text.replace(/\{\n\s+("\w+": \d[^{}]*?)\n\s+\}/g, (_, inner: string) => `{ ${inner.replace(/\n\s+/g, ' ')} }`)}\n`,
  )
}
