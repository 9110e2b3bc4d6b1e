import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Json, JsonObject } from '../../runtime/core/json.ts'
import { createModel, type Model } from '../../runtime/core/model/model.ts'
import type { Page } from '../../runtime/core/page/page.ts'
import { optionCell } from '../../runtime/core/state/cells.ts'
import { aPage, aSubForm, aWidget } from '../support/a-page.ts'

const SUM: Json = {
  reduce: [{ var: 'form.rows' }, { '+': [{ var: 'accumulator' }, { var: 'current.r1' }] }, 0],
}
/** A rule over fields with a lower number, so that no cycle can arise. */
const ruleOver = (below: number, root = 'form'): fc.Arbitrary<Json> => {
  const field = fc
    .nat({ max: Math.max(0, below - 1) })
    .map((i): Json => ({ var: root === 'row' ? 'row.r0' : `form.f${i}` }))
  return fc.oneof(
    field.map((f): Json => ({ '!!': [f] })),
    fc.tuple(field, field).map(([a, b]): Json => ({ '+': [a, b] })),
    fc
      .tuple(field, field, fc.integer({ min: 0, max: 3 }))
      .map(([a, b, n]): Json => ({ if: [{ '>': [a, n] }, b, n] })),
    fc.constant<Json>(root === 'row' ? { var: 'form.f0' } : SUM),
  )
}
const field = (i: number, prefix = 'f', root = 'form'): fc.Arbitrary<JsonObject> =>
  fc
    .record({
      valueOn: i > 0 ? fc.option(ruleOver(i, root)) : fc.constant(null),
      visibleOn: fc.option(ruleOver(Math.max(1, i), root)),
      requiredOn: fc.option(ruleOver(Math.max(1, i))),
    })
    .map((rules) =>
      aWidget(
        'number',
        `${prefix}${i}`,
        Object.fromEntries(Object.entries(rules).filter(([, rule]) => rule !== null)),
      ),
    )

const page = fc
  .tuple(...Array.from({ length: 8 }, (_, i) => field(i)), field(1, 'r', 'row'))
  .map((widgets) =>
    aPage([
      ...widgets.slice(0, 8),
      aSubForm('rows', [aWidget('number', 'r0', { defaultValue: 1 }), widgets[8] as JsonObject]),
    ]),
  )

type Step = {
  readonly act: 'value' | 'row' | 'insert' | 'delete' | 'hide'
  readonly at: number
  readonly value: number
}
const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom('value', 'row', 'insert', 'delete', 'hide'),
  at: fc.nat({ max: 7 }),
  value: fc.integer({ min: 0, max: 4 }),
})

it('incremental computation equals a complete one', () => {
  fc.assert(
    fc.property(page, fc.array(step, { maxLength: 20 }), (made, steps) => {
      const model = aModel(made)
      for (const key of made.nodes.keys()) model.node(key) // every state is cached, so that a missed invalidation shows

      for (const each of steps) take(model, each)

      const fresh = createModel({ ...base(made), writes: model.snapshot() })
      expect(drawn(model)).toEqual(drawn(fresh))
      expect(JSON.stringify(model.form)).toBe(JSON.stringify(fresh.form))
    }),
    { numRuns: 300 },
  )
})

function take(model: Model, { act, at, value }: Step): void {
  const rows = model.rowIds('rows').length
  if (act === 'value') model.apply([model.valueWrite(`f${at}`, value)])
  else if (act === 'hide') model.apply([{ cell: optionCell(`f${at}`, 'hidden'), value: value > 2 }])
  else if (act === 'insert') model.apply(model.insertRow('rows', at % (rows + 1), { r0: value }).writes)
  else if (rows > 0 && act === 'delete') model.apply(model.deleteRow('rows', at % rows))
  else if (rows > 0) model.apply([model.valueWrite(model.find(`rows.${at % rows}.r0`) ?? '', value)])
  for (const key of model.fieldKeys()) model.node(key)
}
const drawn = (model: Model): unknown =>
  [...model.page.nodes.keys(), ...model.fieldKeys()]
    .filter((key) => model.pageNode(key)?.subForm === null || model.fieldKeys().includes(key))
    .map((key) => {
      const { value, hidden, required, disabled, address } = model.node(key)
      return { key, value, hidden, required, disabled, address }
    })
let ids = 0
const base = (made: Page) => ({
  page: made,
  text: (code: string) => code,
  now: () => 0,
  newRowId: () => `id${++ids}`,
})
const aModel = (made: Page): Model => createModel(base(made))
