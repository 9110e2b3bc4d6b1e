import { describe, expect, it } from 'vitest'
import { createBudget, isOver, STEP_BUDGET, spending } from '../../../../runtime/core/budget.ts'
import { createEngine } from '../../../../runtime/core/create-engine.ts'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { applyRule } from '../../../../runtime/core/logic/rule.ts'
import { checkFields } from '../../../../runtime/core/model/check-fields.ts'
import { createModel } from '../../../../runtime/core/model/model.ts'
import { valueCell } from '../../../../runtime/core/state/cells.ts'
import { aPage, aWidget, registry } from '../../../support/a-page.ts'
import { aScope } from '../../../support/a-scope.ts'
import { memoryWorld } from '../../../support/memory-ports.ts'

const TEN: readonly Json[] = [...'0123456789']
const LONG = 'x'.repeat(80_000)
/** Searches a text of 80,000 characters `n` times a hundred times. */
const longTexts = (n: number): Json => ({
  map: [TEN, { map: [Array.from({ length: n * 10 }, () => 1), { length: [{ cat: [LONG, 'y'] }] }] }],
})
const HUNDRED: readonly Json[] = Array.from({ length: 100 }, () => 1)
const MANY_STEPS: Json = { map: [TEN, { map: [HUNDRED, { map: [HUNDRED, { '+': [1, 2] }] }] }] }
const SOME_STEPS: Json = { map: [HUNDRED, { map: [HUNDRED, { '+': [1, 2] }] }] }
const modelOf = (widgets: Parameters<typeof aPage>[0], values: JsonObject = {}) =>
  createModel({ page: aPage(widgets), text: (code) => code, now: () => 0, newRowId: () => 'r', values })
const astray = (n: number) =>
  modelOf(
    Array.from({ length: n }, (_, at) => aWidget('input', `f${at}`, { validation: '/^(a+)+$/' })),
    Object.fromEntries(Array.from({ length: n }, (_, at) => [`f${at}`, `${'a'.repeat(60)}!`])),
  )
function took(task: () => unknown): number {
  const begin = performance.now()
  task()
  return performance.now() - begin
}

function spentOn(rule: Json): number {
  const budget = createBudget()
  spending(budget, () => applyRule(rule, aScope()))
  return STEP_BUDGET - budget.left
}

describe('the cost of a rule', () => {
  it('counts its steps and the length of the texts and lists that it passes on', () => {
    expect(spentOn({ '+': [1, 2] })).toBeLessThan(10)
    expect(spentOn({ length: [{ cat: [LONG, 'y'] }] })).toBeGreaterThan(4_000)
    expect(spentOn({ '==': [{ var: 'form.long' }, 'x'] })).toBeLessThan(10)
    expect(spentOn({ merge: [Array.from({ length: 8_000 }, () => 1)] })).toBeGreaterThan(1_000)
  })

  it('counts the characters that a search may compare, and the lists in a list', () => {
    const doubled = (n: number, part: Json): Json => ({
      reduce: [Array.from({ length: n }, () => 1), part, 'a'],
    })
    const both: Json = [{ var: 'accumulator' }, { var: 'accumulator' }]
    const text = (n: number) => doubled(n, { cat: both })
    const list = (n: number): Json => doubled(n, both)
    const costly: readonly Json[] = [
      { in: [{ cat: [text(14), 'b', text(14)] }, text(16)] },
      { in: [{ cat: [text(16), 'b'] }, { merge: Array(5_000).fill(LONG) }] },
      { '==': [list(22), 'x'] },
      { max: [list(22), 1] },
      list(22),
      { '==': [{ merge: Array(5_000).fill(LONG) }, 'x'] },
    ]

    for (const [at, rule] of costly.entries()) {
      let error: Error | undefined
      const ms = took(() => applyRule(rule, aScope(), (it) => (error = it)))
      expect(error, `rule ${at}`).toBeInstanceOf(RangeError)
      expect(ms).toBeLessThan(300)
    }
    expect(spentOn({ in: ['海淀区', '北京市海淀区中关村大街一号'] })).toBeLessThan(10)
    expect(spentOn({ in: ['b', HUNDRED] })).toBeLessThan(130)
  })

  it('is bounded: texts of a hundred times the length cost at most ten times as much', () => {
    expect(applyRule(longTexts(1), aScope())).toBeNull()

    const few = took(() => applyRule(longTexts(1), aScope()))

    expect(took(() => applyRule(longTexts(100), aScope()))).toBeLessThan(Math.max(200, 10 * few))
  })
})

describe('one budget', () => {
  it('covers all patterns of a page: five hundred expensive ones cost as much as a few', () => {
    const budget = createBudget()
    const few = astray(8)
    const many = astray(500)
    const aFew = took(() => checkFields(few, (code) => code))

    const all = took(() => {
      const errors = spending(budget, () => checkFields(many, (code) => code))
      expect(new Set(errors.map(({ message }) => message))).toEqual(new Set(['rule.patternTooSlow']))
      expect(errors).toHaveLength(500)
    })

    expect(isOver(budget)).toBe(true)
    expect(all).toBeLessThan(Math.max(300, 8 * aFew))
  })

  it('covers all rules of a keystroke: once it is spent, the remaining rules fail at once', () => {
    const page = (n: number) =>
      modelOf([
        aWidget('input', 'a'),
        ...Array.from({ length: n }, (_, at) =>
          aWidget('input', `f${at}`, { valueOn: { cat: [{ var: 'form.a' }, MANY_STEPS] } }),
        ),
      ])
    const key = (model: ReturnType<typeof page>, value: string) =>
      took(() => model.apply([{ cell: valueCell('a'), value }]))
    const few = page(4)
    const many = page(200)
    key(few, 'w')
    const aFew = key(few, 'x')

    expect(key(many, 'x')).toBeLessThan(Math.max(300, 8 * aFew))
  })

  it('is renewed at each keystroke: a cheap rule works again after a turn that spent the budget', () => {
    const model = modelOf([
      aWidget('input', 'a'),
      aWidget('input', 'sum', { valueOn: { cat: [{ var: 'form.a' }, '!'] } }),
      ...Array.from({ length: 20 }, (_, at) =>
        aWidget('input', `f${at}`, { valueOn: { if: [{ '==': [{ var: 'form.b' }, 1] }, longTexts(1)] } }),
      ),
      aWidget('input', 'b'),
    ])
    model.apply([{ cell: valueCell('b'), value: 1 }])

    model.apply([{ cell: valueCell('a'), value: 'x' }])

    expect(model.form.sum).toBe('x!')
  })
})

describe('a rule without a result', () => {
  /** The reports to the page's author while somebody types that many letters into the field `a`. */
  const told = (widgets: readonly JsonObject[], letters: readonly string[]) => {
    const { ports } = memoryWorld()
    const engine = createEngine({ page: aPage([aWidget('input', 'a'), ...widgets]), registry, ports })
    const heard: string[] = []
    const type = (letter: string) => {
      engine.change('a', letter)
      for (const { name } of widgets.map(({ options }) => options as { name: string })) engine.node(name)
    }
    letters.slice(0, 1).forEach(type)
    engine.onReport(({ hook, key, code, message }) => heard.push(`${code} ${hook} ${key}: ${message}`))
    letters.slice(1).forEach(type)
    engine.dispose()
    return heard
  }

  it('is reported to the author once, even if it failed before anybody listened', () => {
    const rule = { if: [{ var: 'form.a' }, { map: [TEN, MANY_STEPS] }, 1] }

    expect(told([aWidget('input', 'sum', { valueOn: rule })], ['x', 'y', 'z'])).toEqual([
      'RULE_BUDGET valueOn sum: the rule takes more than 100000 steps',
    ])
    expect(told([aWidget('input', 'sum', { visibleOn: rule })], ['x', 'y'])).toEqual([
      'RULE_BUDGET visibleOn sum: the rule takes more than 100000 steps',
    ])
  })

  it('is also reported for an action, an automatic source, and a part of a body', async () => {
    const heavy = { map: [TEN, MANY_STEPS] }
    const source = (uniqueName: string, more: JsonObject): JsonObject => ({
      uniqueName,
      requestURL: `/${uniqueName}`,
      requestMethod: 'post',
      ...more,
    })
    const page = aPage(
      [
        aWidget('button', 'b', {
          on: {
            click: [
              { do: 'toast', if: heavy, text: '好' },
              { do: 'set', data: 'n', value: { rule: heavy } },
              { do: 'request', dsName: 'send' },
            ],
          },
        }),
      ],
      {
        dataSources: [source('rows', { auto: heavy }), source('send', { body: { a: { $if: heavy, b: 1 } } })],
      },
    )
    const { ports } = memoryWorld()
    const engine = createEngine({ page, registry, ports })
    const heard: string[] = []
    engine.onReport(({ hook, key, code }) => heard.push(`${code} ${hook} ${key}`))

    engine.sourceKey('rows')
    await engine.event('b', 'click')
    engine.dispose()

    expect(heard).toEqual([
      'RULE_BUDGET auto rows',
      'RULE_BUDGET if action toast',
      'RULE_BUDGET value action set',
      'RULE_BUDGET $if send',
    ])
  })

  it('is named first among rules without steps if the whole turn exceeded the budget', () => {
    const heavy = Array.from({ length: 200 }, (_, at) =>
      aWidget('input', `f${at}`, { valueOn: { cat: [{ var: 'form.a' }, SOME_STEPS] } }),
    )

    expect(told(heavy, ['x', 'y', 'z'])).toEqual([
      expect.stringMatching(
        /^RULE_BUDGET valueOn f\d+: the rules of one turn of the page take more than 200000 steps$/,
      ),
    ])
  })

  it('does not occur on a normal page', () => {
    expect(
      told([aWidget('input', 'sum', { valueOn: { cat: [{ var: 'form.a' }, '!'] } })], ['x', 'y']),
    ).toEqual([])
  })
})
