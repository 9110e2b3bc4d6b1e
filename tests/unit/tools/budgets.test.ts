import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { acceptCosts, missedGoals, overBudget, readBudgets } from '../../../src/tools/bench/budgets.ts'
import { isInScope } from '../../../src/tools/bench/forms.ts'

const ROOT = join(import.meta.dirname, '../../..')
const budgets = {
  list: { goal: 2, accepted: 3 },
  lead: { goal: 10, accepted: 12 },
  reach: { goalMs: 60, accepted: 2, scatter: 2 },
}
const costs = (list: number, lead: number, reach: number, ms: number) => ({
  list: { ratio: list },
  lead: { ratio: lead },
  reach: { ratio: reach, ms },
})

it('a cell passes with its accepted cost, within the usual variation or its own', () => {
  expect(overBudget(budgets, costs(3.4, 6, 4, 50))).toEqual([])
  expect(overBudget(budgets, costs(3.5, 12, 4.1, 50))).toEqual([
    'list: 3.5×, accepted was 3×',
    'reach: 4.1×, accepted was 2×',
  ])
})

it('a cell without a measurement fails, and one without a budget is reported', () => {
  const { lead: _, ...rest } = costs(1, 1, 1, 1)
  expect(overBudget(budgets, { ...rest, more: { ratio: 1 } })).toEqual([
    'lead: NaN×, accepted was 12×',
    'more: it has no budget in src/bench/budgets.json',
  ])
})

it('a goal is a ratio or a time, and cells that miss theirs are listed', () => {
  expect(missedGoals(budgets, costs(2, 10, 9, 60))).toEqual([])
  expect(missedGoals(budgets, costs(2.12, 11, 1, 61))).toEqual([
    'list: 2.12×, goal 2×',
    'lead: 11×, goal 10×',
    'reach: 61 ms, goal 60 ms',
  ])
})

it('the costs of a run are accepted into the file as it is formatted', async () => {
  const root = await mkdtemp(join(tmpdir(), 'budgets-'))
  await mkdir(join(root, 'src/bench'), { recursive: true })
  const file = join(root, 'src/bench/budgets.json')
  await cp(join(ROOT, 'src/bench/budgets.json'), file)
  const before = await readFile(file, 'utf8')
  for (const part of ['server', 'forms'] as const) {
    const all = Object.entries((await readBudgets(root))[part])
    await acceptCosts(
      root,
      part,
      Object.fromEntries(all.map(([cell, { accepted }]) => [cell, { ratio: accepted }])),
    )
  }
  expect(await readFile(file, 'utf8')).toBe(before)

  await acceptCosts(root, 'server', { list: { ratio: 1.26 } })
  const { server } = await readBudgets(root)
  expect(server.list).toEqual({ goal: 2, accepted: 1.3 })
  expect(server.lead?.goal).toBe(10)
  await rm(root, { recursive: true })
})

it('a run of some sizes and speeds is compared with the budgets of these', () => {
  const scope = { fields: [50], rows: [20], cpu: [4], rounds: 1 }
  const cells = [
    'key(50) 4× rule',
    'key(50) 1× rule',
    'key(20) 4× rule',
    'rowsKey(20) 4× rule',
    'rowsKey(50) 4× rule',
  ]
  expect(cells.filter((cell) => isInScope(cell, scope))).toEqual(['key(50) 4× rule', 'rowsKey(20) 4× rule'])
})

it('each cell of the forms that has a budget is one that a run measures', async () => {
  const scope = { fields: [50, 200, 1000], rows: [20], cpu: [1, 4], rounds: 1 }
  const { forms } = await readBudgets(ROOT)
  expect(Object.keys(forms).filter((cell) => !isInScope(cell, scope))).toEqual([])
})
