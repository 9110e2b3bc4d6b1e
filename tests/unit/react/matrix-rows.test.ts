import { expect, it } from 'vitest'
import type { NodeState } from '../../../runtime/core/engine.ts'
import type { Json } from '../../../runtime/core/json.ts'
import { chosenOf, columnsOf, countOf, openItems, withItems } from '../../../runtime/react/matrix/rows.ts'

const ticks = (labels: readonly string[], value: Json = [], more: Partial<NodeState> = {}): NodeState =>
  ({
    items: labels.map((label) => ({ label, value: `m:${label}` })),
    value,
    disabled: false,
    readonly: false,
    ...more,
  }) as NodeState

it('a choice has a column if a fifth of the groups contain it, in the groups’ order', () => {
  const rows = [
    ['view', 'add', 'lock'],
    ['view', 'claim'],
    ['add', 'view', 'submit'],
    ['self', 'team'],
    ['view', 'submit'],
    ['view'],
  ].map((labels) => ({ ticks: ticks(labels) }))

  expect(columnsOf(rows)).toEqual(['view', 'add', 'submit'])
  expect(columnsOf([...rows, ...rows.map(() => ({ ticks: ticks(['else']) }))])).toEqual(
    ['view', 'add', 'submit', 'else'].filter((label) => label === 'view' || label === 'else'),
  )
  expect(columnsOf([])).toEqual([])
})

it('selecting a whole group keeps the other chosen values, including those that the field no longer offers', () => {
  const field = ticks(['view', 'add'], ['m:view', 'm:gone'])

  expect(withItems(field, field.items, true)).toEqual(['m:gone', 'm:view', 'm:add'])
  expect(withItems(field, field.items, false)).toEqual(['m:gone'])
})

it('a group is chosen completely, partly or not at all; counts include only offered choices', () => {
  const parts = [ticks(['view', 'add'], ['m:view', 'm:add']), ticks(['view', 'add'], ['m:add', 'm:gone'])]
  const none = ticks(['view'], null)

  expect([...parts, none].map((one) => chosenOf(one, one.items))).toEqual(['all', 'some', 'none'])
  expect(countOf([...parts, none].map((one) => ({ ticks: one })))).toEqual({ n: 3, all: 5 })
})

it('locked choices are not selected with the others', () => {
  const field = ticks(['view', 'add'])
  const half = { ...field, items: field.items.map((item, at) => ({ ...item, disabled: at === 0 })) }

  expect(openItems(half).map(({ label }) => label)).toEqual(['add'])
  expect(openItems({ ...field, readonly: true })).toEqual([])
  expect(openItems({ ...field, disabled: true })).toEqual([])
})
