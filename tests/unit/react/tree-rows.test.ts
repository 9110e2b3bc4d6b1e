import { expect, it } from 'vitest'
import { mayGo, shownRows, treeRows } from '../../../runtime/react/side-tree/tree-rows.ts'

const DEPTS = [
  {
    id: 'root',
    name: '总经办',
    children: [{ id: 'sales', children: [{ id: 'one' }, { id: 'two' }] }, { id: 'money' }],
  },
  { id: 'else', children: 'odd' },
  { name: '没有编号' },
  'odd',
]

it('a nested list becomes rows from top to bottom, each below its ancestors; items without an id are omitted', () => {
  const rows = treeRows(DEPTS, 'id')

  expect(rows.map(({ id, level }) => `${level} ${id}`)).toEqual([
    '1 root',
    '2 sales',
    '3 one',
    '3 two',
    '2 money',
    '1 else',
  ])
  expect(rows.filter(({ hasChildren }) => hasChildren).map(({ id }) => id)).toEqual(['root', 'sales'])
  expect(shownRows(rows, new Set(['sales'])).map(({ id }) => id)).toEqual(['root', 'sales', 'money', 'else'])
  expect(treeRows(null, 'id')).toEqual([])
})

it('a row below itself ends the branch', () => {
  const circle = { id: 'a', children: [] as unknown[] }
  circle.children.push(circle)

  expect(treeRows([circle] as never, 'id').map(({ id }) => id)).toEqual(['a'])
})

it('a row can be moved anywhere except below itself, to its current place, or to a missing row', () => {
  const rows = treeRows(DEPTS, 'id')
  const goals = ['', 'root', 'sales', 'one', 'two', 'money', 'else', 'gone']

  expect(goals.filter((to) => mayGo(rows, 'sales', to))).toEqual(['', 'money', 'else'])
  expect(goals.filter((to) => mayGo(rows, 'root', to))).toEqual(['else'])
  expect(mayGo(rows, 'gone', 'root')).toBe(false)
})
