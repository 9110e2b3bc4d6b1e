import { expect, it } from 'vitest'
import { searchProblems } from '../../../src/model/indexed-fields.ts'

const NOTE = { name: 'note', kind: 'long-text', label: '说明', search: true }
const module = (...fields: readonly Record<string, string | boolean>[]) => ({
  name: 'ticket',
  title: 'title',
  fields: [...fields],
})
const places = (given: Parameters<typeof searchProblems>[0], before?: typeof given, isOwn = () => true) =>
  searchProblems(given, before, isOwn).map(({ at }) => at)

it('a search field that no keyword would find is refused', () => {
  const title = { name: 'title', kind: 'text', label: '标题', search: true }
  expect(places(module(title, NOTE, { name: 'fee', kind: 'money', label: '费用', search: true }))).toEqual([
    '/fields/1/search',
    '/fields/2/search',
  ])
  expect(places(module(title, { ...NOTE, search: false }))).toEqual([])
})

it('a title field of any type is searchable, and settings of the product or of an earlier version stay', () => {
  expect(places({ ...module(NOTE), title: 'note' })).toEqual([])
  expect(places(module(NOTE), module(NOTE))).toEqual([])
  expect(places(module(NOTE), module({ ...NOTE, kind: 'text' }))).toEqual(['/fields/0/search'])
  expect(places(module(NOTE), undefined, () => false)).toEqual([])
})
