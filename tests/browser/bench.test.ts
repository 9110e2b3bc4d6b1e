import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { overBudget, readBudgets } from '../../src/tools/bench/budgets.ts'
import { buildPages } from '../../src/tools/bench/build-pages.ts'
import { costsOf } from '../../src/tools/bench/forms.ts'
import { measure, type Setting, type Subject } from '../../src/tools/bench/measure.ts'
import { servePages } from '../../src/tools/bench/serve-pages.ts'
import { cellsOf, type Measured, tablesOf } from '../../src/tools/bench/table.ts'
import { launchChromium } from '../../src/tools/browser.ts'
import { long } from '../support/long.ts'

const ROOT = join(import.meta.dirname, '../..')
let folder: string
let browser: Browser
let server: Awaited<ReturnType<typeof servePages>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bench-'))
  server = await servePages(await buildPages(ROOT, folder))
  browser = await launchChromium()
})
afterAll(async () => {
  await browser.close()
  server.close()
  await rm(folder, { recursive: true })
})

const subject = (page: string, variant: Subject['variant'] = 'hook'): Subject => ({
  id: page,
  title: `${page} ${variant}`,
  url: `${server.origin}/${page}/index.html`,
  variant,
})

it.each(['ours', 'hand', 'dom'])(
  'the benchmark can mount, validate, type into and read back the page "%s"',
  { ...long, timeout: 60_000 },
  async (page) => {
    const at = (kind: Setting['kind'], size: number): Setting => ({ kind, size, cpu: 1 })

    const values = {
      ...(await measure(browser, subject(page), at('V', 40))),
      ...(await measure(browser, subject(page), at('H', 60))),
      ...(await measure(browser, subject(page), at('T', 20))),
    }

    expect(Object.keys(values).sort()).toEqual([
      'link',
      'linkWork',
      'rowsKey',
      'rowsKeyWork',
      'rowsMount',
      'rowsReach',
      'validate',
    ])
    for (const value of Object.values(values)) expect(value).toBeGreaterThan(0)
  },
)

it('a page takes no more memory beside the one written by hand than was accepted', async () => {
  const taken: Measured[] = []
  for (const size of [50, 1000])
    for (const one of [subject('hand', 'rule'), subject('ours', 'rule'), subject('ours', 'hook')]) {
      const setting: Setting = { kind: 'M', size, cpu: 1 }
      taken.push({ subject: one, setting, values: await measure(browser, one, setting) })
    }

  const isHeap = ([cell]: readonly [string, unknown]) => /^heap\((50|1000)\) 1×/.test(cell)
  const costs = costsOf(cellsOf(taken, 'hand rule'))
  const { forms } = await readBudgets(ROOT)
  const budgets = Object.fromEntries(Object.entries(forms).filter(isHeap))
  expect(Object.keys(budgets)).toHaveLength(4)
  expect(overBudget(budgets, Object.fromEntries(Object.entries(costs).filter(isHeap)))).toEqual([])
})

it('the table has the median of each page and its ratio to the base; a failure is a dash', () => {
  const setting: Setting = { kind: 'S', size: 50, cpu: 1 }
  const taken = [20, 10, 40].map((mount) => ({
    subject: subject('hand'),
    setting,
    values: { mount, heap: 1 },
  }))

  const cells = cellsOf(
    [
      ...taken,
      { subject: subject('ours'), setting, values: { mount: 5 } },
      { subject: subject('dom'), setting, values: { heap: 0.5 } },
    ],
    'hand hook',
  )

  const tables = tablesOf(cells)
  expect(tables).toContain('| hand hook | 20.0 (1.00×) |\n| ours hook | 5.0 (0.25×) |')
  expect(tables).toContain('| dom hook | 0.5 (0.50×) |')
  expect(costsOf(cells)).toEqual({ 'mount(50) 1× hook': { ratio: 0.25, ms: 5 } })
})
