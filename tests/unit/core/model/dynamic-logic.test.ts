import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../../runtime/core/create-engine.ts'
import type { JsonObject } from '../../../../runtime/core/json.ts'
import { checkFields } from '../../../../runtime/core/model/check-fields.ts'
import { submittedModel } from '../../../../runtime/core/model/submitted-model.ts'
import { aPage, aSubForm, aWidget, registry } from '../../../support/a-page.ts'
import { memoryWorld } from '../../../support/memory-ports.ts'

const ITEMS = [
  { label: '一', value: 1 },
  { label: '二', value: 2, disabled: true },
  { label: '三', value: 3 },
]
const rule = (actions: readonly JsonObject[], elseActions: readonly JsonObject[] = []): JsonObject => ({
  triggerFieldName: 'trigger',
  triggerFieldValues: [1, 2],
  actions: actions as JsonObject[],
  elseActions: elseActions as JsonObject[],
})
const act = (type: string, targetFieldName: string | string[], value: JsonObject['x']): JsonObject => ({
  type,
  targetFieldName,
  value: value ?? null,
})

describe('dynamic logic', () => {
  it('acts on a change of its trigger, compared strictly by value, and undoes nothing by itself', () => {
    const engine = open([rule([act('setVisibility', ['a', 'b'], false), act('setEnable', 'c', false)])])

    const seen = ['1', 1, 3].map((value) => {
      engine.change('trigger', value)
      return [engine.node('a').hidden, engine.node('b').hidden, engine.node('c').disabled]
    })

    expect(seen).toEqual([
      [false, false, false],
      [true, true, true],
      [true, true, true],
    ])
  })

  it('runs its else actions if the value is not listed', () => {
    const engine = open([rule([act('setVisibility', 'a', false)], [act('setVisibility', 'a', true)])])

    engine.change('trigger', 2)
    const during = engine.node('a').hidden
    engine.change('trigger', 3)

    expect([during, engine.node('a').hidden]).toEqual([true, false])
  })

  it('accepts a single value, and runs once at the start', () => {
    const engine = open([{ ...rule([act('setVisibility', 'a', false)]), triggerFieldValues: 7 }], {
      trigger: 7,
    })

    expect(engine.node('a').hidden).toBe(true)
  })

  it('hides, disables and enables choices by value, in either notation of the values', () => {
    const engine = open([
      rule([
        act('setOptionVisibility', 'pick', { optionValue: 1, state: false }),
        act('setOptionEnable', 'pick', [
          { optionValue: '2', state: true },
          { optionValue: '3', state: false },
        ]),
      ]),
    ])

    engine.change('trigger', 1)

    expect(engine.node('pick').items).toEqual([
      { label: '二', value: 2 },
      { label: '三', value: 3, disabled: true },
    ])
  })

  it('reaches every row of a sub-form, including later rows; a trigger in a row affects only its row', () => {
    const engine = open([
      rule([act('setVisibility', 'rows.x', false)]),
      {
        triggerFieldName: 'kind',
        triggerFieldValues: ['closed'],
        actions: [act('setEnable', 'rows.y', false)],
      },
    ])
    engine.addRow('rows')

    engine.change('trigger', 1)
    engine.addRow('rows')
    const [first, second, third] = engine.node('rows').rows ?? []
    engine.change(`kind@row${second?.id}`, 'closed')

    const at = (name: string, id: string | undefined) => engine.node(`${name}@row${id}`)
    expect([first, second, third].map((row) => at('x', row?.id).hidden)).toEqual([true, true, true])
    expect([first, second, third].map((row) => at('y', row?.id).disabled)).toEqual([false, true, false])
  })

  it('judges posted values alike: a field that it hides is not required', () => {
    const page = aPage([aWidget('number', 'trigger'), aWidget('input', 'a', { required: true })], {
      dynamicLogicList: [rule([act('setVisibility', 'a', false)])],
    })
    const text = (code: string) => code
    const judge = (values: JsonObject) =>
      checkFields(submittedModel({ page, values, text, now: () => 0 }), text)

    expect(judge({ trigger: 3 })).toHaveLength(1)
    expect(judge({ trigger: 1 })).toEqual([])
  })

  it('tolerates invalid rules', () => {
    const engine = open([
      { triggerFieldName: 'trigger' },
      { triggerFieldName: 5, actions: 'x' },
      rule([act('setVisibility', ['nobody'], false), act('explode', 'a', true), { type: 'setEnable' }]),
      rule([act('setOptionEnable', 'pick', [{ optionValue: '__proto__', state: false }])]),
    ])

    engine.change('trigger', 1)

    expect(engine.node('a').hidden).toBe(false)
    expect(engine.node('pick').items).toHaveLength(3)
  })
})

function open(dynamicLogicList: readonly JsonObject[], values: JsonObject = {}) {
  const page = aPage(
    [
      aWidget('radio', 'trigger', { optionItems: ITEMS }),
      aWidget('input', 'a'),
      aWidget('input', 'b'),
      aWidget('input', 'c'),
      aWidget('select', 'pick', { optionItems: ITEMS }),
      aSubForm('rows', [aWidget('input', 'kind'), aWidget('input', 'x'), aWidget('input', 'y')]),
    ],
    { dynamicLogicList: dynamicLogicList as JsonObject[] },
  )
  return createEngine({ page, registry, ports: memoryWorld().ports, values })
}
