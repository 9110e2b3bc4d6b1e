import { expect, it } from 'vitest'
import { subscriber } from '../../../../runtime/core/state/listeners.ts'
import { createStore } from '../../../../runtime/core/state/store.ts'

it('a write returns the changed cells with their previous values', () => {
  const store = createStore()

  expect(
    store.write([
      { cell: 'v/a', value: 1 },
      { cell: 'v/b', value: { x: [1] } },
    ]),
  ).toEqual([
    { cell: 'v/a', before: undefined },
    { cell: 'v/b', before: undefined },
  ])
  expect(
    store.write([
      { cell: 'v/a', value: 2 },
      { cell: 'v/b', value: { x: [1] } },
    ]),
  ).toEqual([{ cell: 'v/a', before: 1 }])
  expect([store.get('v/a'), store.get('v/b'), store.get('v/c')]).toEqual([2, { x: [1] }, undefined])
})

it('the first write of null to a cell is a change; a second one is not', () => {
  const store = createStore()

  expect(store.write([{ cell: 'v/a', value: null }])).toEqual([{ cell: 'v/a', before: undefined }])
  expect(store.write([{ cell: 'v/a', value: null }])).toEqual([])
})

it('within one write the last value of a cell wins, and each change is reported', () => {
  const store = createStore()
  const changed = store.write([
    { cell: 'v/a', value: 1 },
    { cell: 'v/a', value: 2 },
  ])

  expect(changed).toEqual([
    { cell: 'v/a', before: undefined },
    { cell: 'v/a', before: 1 },
  ])
  expect(store.get('v/a')).toBe(2)
})

it('a snapshot written into a new store gives the same store', () => {
  const store = createStore()
  store.write([
    { cell: 'v/a', value: 1 },
    { cell: 'r/lines', value: ['1', '2'] },
  ])
  const copy = createStore()
  copy.write(store.snapshot())

  expect(copy.snapshot()).toEqual([
    { cell: 'v/a', value: 1 },
    { cell: 'r/lines', value: ['1', '2'] },
  ])
})

it('a listener is called until it unsubscribes, and unsubscribing twice has no effect', () => {
  const listeners = new Set<() => void>()
  const join = subscriber(listeners)
  const one = () => {}
  const leave = join(one)
  join(() => {})

  expect(listeners.has(one)).toBe(true)
  expect(leave()).toBeUndefined()
  leave()
  expect([listeners.has(one), listeners.size]).toEqual([false, 1])
})
