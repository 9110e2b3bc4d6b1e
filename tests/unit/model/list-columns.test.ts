import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readColumns, shownColumns, UNCHOSEN } from '../../../runtime/core/widgets/columns.ts'
import { columnsOf } from '../../../src/model/derived/columns.ts'
import type { DerivedWords } from '../../../src/model/derived/words.ts'
import { asMerged } from '../../../src/model/merge-module.ts'

const WORDS = new Proxy({}, { get: (_, name) => String(name) }) as DerivedWords
const MODULES = join(import.meta.dirname, '../../../schemas/modules')

/** The columns that a list shows where there is room for `px`, in the order in which they go as the room shrinks. */
function leavingOrder(name: string, origin: 'vendor' | 'tenant'): readonly string[] {
  const module = asMerged(JSON.parse(readFileSync(join(MODULES, `${name}.json`), 'utf8')), origin)
  const columns = readColumns(columnsOf(module, WORDS))
  const shown = (px: number) => shownColumns(columns, UNCHOSEN, px).map((column) => column.name)
  const left: string[] = []
  for (let px = 4_000; px > 0; px -= 10) {
    const now = shown(px)
    for (const column of columns)
      if (!now.includes(column.name) && !left.includes(column.name)) left.push(column.name)
  }
  return [...shown(1), ...left.toReversed()]
}

it.each([
  ['contract', 'vendor', ['name', 'amount', 'approval_status', 'owner_name']],
  ['bussiness', 'vendor', ['name', 'amount', 'stage_id', 'owner_name']],
  ['lead', 'vendor', ['name', 'status', 'owner_name']],
  ['customer', 'vendor', ['name', 'deal_amount', 'owner_name']],
  ['sales_order', 'tenant', ['title', 'amount', 'status', 'owner_name']],
] as const)('the list of %s keeps its title, amount, status and owner longest', (name, origin, kept) => {
  expect(leavingOrder(name, origin).slice(0, kept.length)).toEqual(kept)
})

it('a code that no two records share is not cut, and the number that a list is ordered by comes last', () => {
  const module = asMerged(JSON.parse(readFileSync(join(MODULES, 'product.json'), 'utf8')), 'vendor')
  const columns = readColumns(columnsOf(module, WORDS))

  expect(columns.find(({ name }) => name === 'product_no')?.width).toBe(150)
  expect(columns.find(({ name }) => name === 'spec')?.width).toBe(130)
  expect(columns.at(-1)?.name).toBe('sort')
  expect(columns.slice(0, 3).map(({ name }) => name)).toEqual(['name', 'price', 'owner_name'])
})
