import { expect, it } from 'vitest'
import { createEngine } from '../../runtime/core/create-engine.ts'
import type { Json } from '../../runtime/core/json.ts'
import { parsePage } from '../../runtime/core/parse-page.ts'
import { registry } from '../support/a-page.ts'
import { memoryWorld } from '../support/memory-ports.ts'
import { objectsIn, pageAt, readProduct, textsIn } from './product-pages.ts'

const product = await readProduct()
const { pages } = product

it.each([
  ['2026-11-25', '2026-11-25'],
  ['2026-11-25 09:05:00', '2026-11-25 09:05'],
])('a row behind a figure shows its day, or its time: %s', (at, shown) => {
  const document = pages.find(({ path }) => path === '/pages/stats/detail')?.document ?? {}
  const parsed = parsePage(document, { registry })
  if (!parsed.ok) throw new Error('the page cannot be opened')
  const engine = createEngine({ page: parsed.page, registry, ports: memoryWorld().ports })
  const texts = [...textsIn(document)].filter((text) => text.includes('row.at'))

  expect(texts.map((text) => engine.fill(text, { at, owner_name: '刘芳' }))).toEqual([
    shown,
    `刘芳 · ${shown}`,
  ])
})

const FIGURES = [
  '/pages/index',
  '/pages/stats/index',
  '/pages/stats/team',
  '/pages/stats/person',
  '/pages/stats/target',
]

it.each([...FIGURES, '/pages/stats/detail'])('%s shows — for an amount that is not told', (path) => {
  const engine = createEngine({ page: pageAt(product, path), registry, ports: memoryWorld().ports })
  const document = pages.find((page) => page.path === path)?.document
  const empty = [...objectsIn(document)].flatMap(
    ({ textContent, text = textContent, visibleOn = null, name }) =>
      // A column of a table says nothing of a row that has no amount.
      typeof text === 'string' && name !== 'value'
        ? (text.match(/\{\{[^}]*\| (?:money|percent)\b[^}]*\}\}/g) ?? []).filter(
            (place) => !JSON.stringify(visibleOn).includes(nameIn(place)) && engine.fill(place) === '',
          )
        : [],
  )

  expect(empty).toEqual([])
})

/** `row.contract` of `{{ row.contract | money }}` */
const nameIn = (place: string): string => /[\w.]+/.exec(place)?.[0] ?? ''

/** What is said of the target of the month. */
function saidOfTarget(path: string, data: string, value: Json, names: readonly string[]): readonly string[] {
  const page = pageAt(product, path)
  const engine = createEngine({ page, registry, ports: memoryWorld().ports })
  engine.setData(data, value)
  return names.flatMap((name) => {
    const key = engine.find(name) ?? ''
    return engine.hidden(key) ? [] : [engine.fill(String(page.nodes.get(key)?.options.textContent))]
  })
}

it.each([
  [{ target: 100_000, done: 25_000, rate: 25 }, '¥25,000.00 / ¥100,000.00', '25%'],
  [{ target: 100_000, done: null, rate: null }, '— / ¥100,000.00'],
  [{ target: 0, done: 25_000, rate: null }, '未设目标'],
  [{ target: 0, done: null, rate: null }, '未设目标'],
])('a month is measured by its target, whether or not one may see what was reached: %j', (month, ...said) => {
  const alone = month.done === null ? '— · ' : '¥25,000.00 · '
  const atHome = said[0] === '未设目标' ? [`${alone}未设目标`] : said
  const home = { target: { contract: month, payment: month } }

  for (const of of ['contract', 'payment'])
    expect(
      saidOfTarget('/pages/index', 'overview', home, [`${of}Done`, `${of}Percent`, `${of}Alone`]),
    ).toEqual(atHome)
  expect(
    saidOfTarget('/pages/stats/person', 'person', { list: [month] }, [
      'targetDone',
      'targetRate',
      'targetNone',
    ]),
  ).toEqual(said)
})
