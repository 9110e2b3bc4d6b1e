import { expect, it } from 'vitest'
import { blocksIn, withBlock } from '../../../src/workbench/blocks.ts'
import { fromClipboard } from '../../../src/workbench/selection.ts'

const items = [{ type: 'input', options: { name: 'a' } }]

it('a block of a title that is taken gets one of its own, and stands first', () => {
  const two = withBlock(withBlock([], { title: '地址', items }), { title: '地址', items: [] })
  expect(two.map(({ title }) => title)).toEqual(['地址 2', '地址'])
  expect(two[1]?.items).toEqual(items)
})

it('what was stored and is no block is left out', () => {
  expect(blocksIn([{ title: '地址', items: [...items, 7] }, { title: 3 }, null])).toEqual([
    { title: '地址', items },
  ])
  expect(blocksIn(undefined)).toEqual([])
})

it('a line of a card is something to paste, as a field and a part are', () => {
  for (const one of [{ card: 'customer.name' }, { field: 'customer.name' }, { filters: 'customer' }])
    expect(fromClipboard(JSON.stringify([one]))).toEqual([one])
})
