import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { acceptRatios, overBudget, readBudgets } from '../../../src/tools/bench/budgets.ts'

const ROOT = join(import.meta.dirname, '../../..')
const budgets = { list: { goal: 2, accepted: 3 }, lead: { goal: 10, accepted: 12 } }

it('a call passes with its accepted cost, within the usual variation', () => {
  expect(overBudget(budgets, { list: 3.4, lead: 6 })).toEqual([])
  expect(overBudget(budgets, { list: 3.5, lead: 12 })).toEqual(['list: 3.5×, accepted was 3.0×'])
})

it('a call without a measurement fails, and one without a budget is reported', () => {
  expect(overBudget(budgets, { list: 1, more: 1 })).toEqual([
    'lead: NaN×, accepted was 12.0×',
    'more: it has no budget in src/bench/budgets.json',
  ])
})

it('the ratios of a run are accepted into the file as it is formatted', async () => {
  const root = await mkdtemp(join(tmpdir(), 'budgets-'))
  await mkdir(join(root, 'src/bench'), { recursive: true })
  const file = join(root, 'src/bench/budgets.json')
  await cp(join(ROOT, 'src/bench/budgets.json'), file)
  const before = await readFile(file, 'utf8')
  const { server } = await readBudgets(root)
  const same = Object.fromEntries(Object.entries(server).map(([cell, { accepted }]) => [cell, accepted]))

  await acceptRatios(root, 'server', same)
  expect(await readFile(file, 'utf8')).toBe(before)
  await acceptRatios(root, 'server', { ...same, list: 1.26 })
  expect((await readBudgets(root)).server.list).toEqual({ goal: 2, accepted: 1.3 })
  await rm(root, { recursive: true })
})
