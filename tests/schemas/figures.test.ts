import { expect, it } from 'vitest'
import { createEngine } from '../../runtime/core/create-engine.ts'
import { parsePage } from '../../runtime/core/parse-page.ts'
import { registry } from '../support/a-page.ts'
import { memoryWorld } from '../support/memory-ports.ts'
import { readProduct, textsIn } from './product-pages.ts'

const { pages } = await readProduct()

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
