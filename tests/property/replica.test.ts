import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../runtime/core/json.ts'
import { createModel, type Model } from '../../runtime/core/model/model.ts'
import type { Batch, Write } from '../../runtime/core/ports.ts'
import { createReplicaState } from '../../runtime/core/scripts/replica-state.ts'
import { errorCell, formCell, optionCell, rowKey, valueCell } from '../../runtime/core/state/cells.ts'
import { aPage, aSubForm, aWidget } from '../support/a-page.ts'

/** Possible actions of either side; `at` and `row` are taken modulo the number of items. */
type Act =
  | { readonly kind: 'value'; readonly at: number; readonly value: number }
  | { readonly kind: 'option'; readonly at: number; readonly on: boolean }
  | { readonly kind: 'error'; readonly at: number; readonly text: string | null }
  | { readonly kind: 'readMode'; readonly on: boolean }
  | { readonly kind: 'rowValue'; readonly row: number; readonly value: number }
  | { readonly kind: 'addRow'; readonly row: number }
  | { readonly kind: 'deleteRow'; readonly row: number }

/** One step: somebody acts, or the oldest message on its way to a side arrives. */
interface Step {
  readonly who: 'page' | 'script' | 'failing script' | 'to page' | 'to script'
  readonly acts: readonly Act[]
}

const FIELDS = ['a', 'b', 'c']

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ kind: fc.constant('value' as const), at: fc.nat(9), value: fc.nat(5) }),
  fc.record({ kind: fc.constant('option' as const), at: fc.nat(9), on: fc.boolean() }),
  fc.record({ kind: fc.constant('error' as const), at: fc.nat(9), text: fc.constantFrom('错', null) }),
  fc.record({ kind: fc.constant('readMode' as const), on: fc.boolean() }),
  fc.record({ kind: fc.constant('rowValue' as const), row: fc.nat(9), value: fc.nat(5) }),
  fc.record({ kind: fc.constant('addRow' as const), row: fc.nat(9) }),
  fc.record({ kind: fc.constant('deleteRow' as const), row: fc.nat(9) }),
)
const acts = fc.array(act, { minLength: 1, maxLength: 4 })
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({ who: fc.constantFrom('page' as const, 'script' as const, 'failing script' as const), acts }),
    fc.record({ who: fc.constantFrom('to page' as const, 'to script' as const), acts: fc.constant([]) }),
  ),
  { maxLength: 40 },
)

describe('a page and its script replica', () => {
  it('are equal once all messages have arrived, in whatever order the two channels ran', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const world = aWorld()

        for (const step of taken) world.take(step)
        world.deliverAll()

        expect(stateOf(world.replica())).toEqual(stateOf(world.page))
      }),
      { numRuns: 500 },
    )
  })

  it('let the user win: the last value typed on the page stays', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const world = aWorld()
        for (const step of taken) world.take(step)

        world.take({ who: 'page', acts: [{ kind: 'value', at: 0, value: 77 }] })
        world.deliverAll()

        expect(world.page.value('a')).toBe(77)
        expect(world.replica().value('a')).toBe(77)
      }),
    )
  })
})

/** A page, its replica, and the two ordered channels between them, under the rule of HOOKS 1.1. */
function aWorld() {
  const widgets = [
    aWidget('number', 'a', { defaultValue: 0 }),
    aWidget('number', 'b', { defaultValue: 0 }),
    aWidget('number', 'c', { defaultValue: 0 }),
    aWidget('number', 'sum', { valueOn: { '+': [{ var: 'form.a' }, { var: 'form.b' }] } }),
    aSubForm('s', [
      aWidget('number', 'x', { defaultValue: 1 }),
      aWidget('number', 'y', { valueOn: { '*': [{ var: 'row.x' }, 2] } }),
    ]),
  ]
  const definition = aPage(widgets, {
    dynamicLogicList: [
      {
        triggerFieldName: 'c',
        triggerFieldValues: [1, 2],
        actions: [{ type: 'setVisibility', targetFieldName: ['b', 's.x'], value: false }],
        elseActions: [{ type: 'setVisibility', targetFieldName: ['b', 's.x'], value: true }],
      },
    ],
  })
  const ids = (prefix: string) => {
    let count = 0
    return () => `id${prefix}${++count}`
  }
  const page = createModel({ page: definition, text: (code) => code, now: () => 0, newRowId: ids('p') })
  const replica = createReplicaState({
    page: definition,
    start: { turn: 0, writes: page.snapshot() },
    now: () => 0,
    newRowId: ids('s'),
  })
  const toScript: { turn: number; writes: readonly Write[] }[] = []
  const toPage: Batch[] = []
  const written = new Map<string, number>()
  let turn = 0

  function arriveAtPage(): void {
    const batch = toPage.shift()
    if (batch) page.apply(batch.writes.filter(({ cell }) => (written.get(cell) ?? 0) <= batch.base))
  }
  function arriveAtScript(): void {
    const message = toScript.shift()
    if (message) replica.turn(message.turn, message.writes)
  }
  return {
    page,
    replica: () => replica.model,
    take(step: Step): void {
      if (step.who === 'to page') arriveAtPage()
      else if (step.who === 'to script') arriveAtScript()
      else if (step.who === 'page') {
        const acted = writesOf(page, step.acts)
        page.apply(acted)
        const writes = [...acted, ...page.logic.after(acted)]
        turn += 1
        for (const { cell } of writes) written.set(cell, turn)
        page.apply(writes)
        toScript.push({ turn, writes })
      } else {
        for (const one of step.acts) replica.write(writesOf(replica.model, [one]))
        if (step.who === 'failing script') replica.rollBack()
        const batch = replica.take()
        if (batch) toPage.push(batch)
      }
    },
    deliverAll(): void {
      while (toScript.length > 0 || toPage.length > 0) {
        arriveAtPage()
        arriveAtScript()
      }
    },
  }
}

function writesOf(model: Model, list: readonly Act[]): readonly Write[] {
  return list.flatMap((one): readonly Write[] => {
    const rows = model.rowIds('s')
    const row = 'row' in one ? one.row % (rows.length + (one.kind === 'addRow' ? 1 : 0) || 1) : 0
    const field = 'at' in one ? (FIELDS[one.at % FIELDS.length] as string) : ''
    switch (one.kind) {
      case 'value':
        return [{ cell: valueCell(field), value: one.value }]
      case 'option':
        return [{ cell: optionCell(field, 'hidden'), value: one.on }]
      case 'error':
        return [{ cell: errorCell(field), value: one.text }]
      case 'readMode':
        return [{ cell: formCell('readMode'), value: one.on }]
      case 'rowValue':
        return rows[row] === undefined ? [] : [{ cell: valueCell(rowKey('x', rows[row])), value: one.value }]
      case 'addRow':
        return model.insertRow('s', row, {}).writes
      default:
        return rows.length === 0 ? [] : model.deleteRow('s', row)
    }
  })
}

/** The observable state of a page. Cells of deleted rows may remain on one side: nobody sees them. */
function stateOf(model: Model): Json {
  const keys = ['a', 'b', 'c', 'sum', 's']
  return JSON.parse(
    JSON.stringify({
      form: model.form,
      rows: model.rowIds('s'),
      nodes: [...keys, ...model.fieldKeys()].map((key) => {
        const { value, hidden, error, readMode } = model.node(key)
        return { key, value, hidden, error, readMode }
      }),
    }),
  )
}
