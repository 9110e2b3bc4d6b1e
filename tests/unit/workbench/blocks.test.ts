import { expect, it } from 'vitest'
import { blocksIn, withBlock } from '../../../src/workbench/blocks.ts'
import { fromClipboard } from '../../../src/workbench/selection.ts'

const items = [{ type: 'input', options: { name: 'a' } }]

it('a block whose title is taken gets another title, and comes first', () => {
  const two = withBlock(withBlock([], { title: '地址', items }), { title: '地址', items: [] })
  expect(two.map(({ title }) => title)).toEqual(['地址 2', '地址'])
  expect(two[1]?.items).toEqual(items)
})

it('invalid stored blocks are ignored', () => {
  expect(blocksIn([{ title: '地址', items: [...items, 7] }, { title: 3 }, null])).toEqual([
    { title: '地址', items },
  ])
  expect(blocksIn(undefined)).toEqual([])
})

it('a line of a card can be pasted, like a field or a part', () => {
  for (const one of [{ card: 'customer.name' }, { field: 'customer.name' }, { filters: 'customer' }])
    expect(fromClipboard(JSON.stringify([one]))).toEqual([one])
})
