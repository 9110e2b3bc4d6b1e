import { describe, expect, it } from 'vitest'
import type { Json } from '../../../runtime/core/json.ts'
import { checkRule } from '../../../runtime/core/logic/check-rule.ts'
import { applyRule, dependenciesOf } from '../../../runtime/core/logic/rule.ts'
import { aScope } from '../../support/a-scope.ts'

const scope = aScope({
  form: {
    zero: 0,
    one: 1,
    text: 'abc',
    empty: '',
    none: null,
    list: [3, 1, 2],
    rows: [{ n: 1 }, { n: 2 }],
    no: false,
  },
  row: { n: 5 },
  data: { a: { list: [{ v: 7 }] } },
})
const run = (rule: Json): Json => applyRule(rule, scope)

/** Every operation compared with the documentation of JSON-Logic (jsonlogic.com) and, for ours, of PAGE-FORMAT. */
describe('operations', () => {
  it.each<[Json, Json]>([
    [{ var: 'text' }, 'abc'],
    [{ var: ['text'] }, 'abc'],
    [{ var: 'list.1' }, 1],
    [{ var: 'data.a.list.0.v' }, 7],
    [{ var: ['none', 'x'] }, null],
    [{ var: ['absent', 'x'] }, 'x'],
    [{ var: 'absent' }, null],
    [{ var: '' }, null],
    [{ var: null }, null],
    [{ map: [{ var: 'rows' }, { var: '' }] }, [{ n: 1 }, { n: 2 }]],
    [{ map: [{ var: 'rows' }, { var: null }] }, [{ n: 1 }, { n: 2 }]],
    [{ map: [{ var: 'rows' }, { var: [] }] }, [{ n: 1 }, { n: 2 }]],
    [{ map: [[[4, 5]], { var: 1 }] }, [5]],
    [{ map: [[[4, 5]], { var: true }] }, [null]],
    // Inside an item a bare name refers to a part of the item, never to the form.
    [{ map: [{ var: 'rows' }, { var: 'text' }] }, [null, null]],

    [{ missing: ['text', 'empty', 'none', 'absent', 'zero', 'no'] }, ['empty', 'none', 'absent']],
    [{ missing: [['text', 'absent']] }, ['absent']],
    [{ missing: 'absent' }, ['absent']],
    [{ missing: [] }, []],
    [{ missing_some: [1, ['absent', 'empty']] }, ['absent', 'empty']],
    [{ missing_some: [2, ['text', 'absent']] }, ['absent']],
    [{ missing_some: [1, ['text', 'absent']] }, []],
    [{ missing_some: [2, ['text', 'one']] }, []],
    [{ missing_some: [0, ['absent']] }, []],
    [{ missing_some: [1, 'absent'] }, []],

    [{ if: [true, 'a', 'b'] }, 'a'],
    [{ if: [false, 'a', 'b'] }, 'b'],
    [{ if: [false, 'a'] }, null],
    [{ if: [false, 'a', true, 'b', 'c'] }, 'b'],
    [{ if: [false, 'a', 0, 'b', 'c'] }, 'c'],
    [{ if: ['only'] }, 'only'],
    [{ if: [] }, null],
    [{ '?:': [1, 'a', 'b'] }, 'a'],
    [{ and: [1, 'x', 3] }, 3],
    [{ and: [1, '', 3] }, ''],
    [{ or: [0, 'x', 3] }, 'x'],
    [{ or: [0, '', null] }, null],
    [{ '!': [true] }, false],
    [{ '!': [[]] }, true],
    [{ '!': ['0'] }, false],
    [{ '!!': [[]] }, false],
    [{ '!!': ['0'] }, true],

    [{ '==': [1, '1'] }, true],
    [{ '===': [1, '1'] }, false],
    [{ '===': [1, 1] }, true],
    [{ '!=': [1, '1'] }, false],
    [{ '!=': [1, 2] }, true],
    [{ '!==': [1, '1'] }, true],
    [{ '!==': [1, 1] }, false],
    [{ '<': [1, 2] }, true],
    [{ '<': [2, 2] }, false],
    [{ '<': [1, 2, 3] }, true],
    [{ '<': [1, 1, 3] }, false],
    [{ '<': [1, 3, 3] }, false],
    [{ '<=': [2, 2] }, true],
    [{ '<=': [3, 2] }, false],
    [{ '<=': [1, 1, 1] }, true],
    [{ '<=': [1, 4, 3] }, false],
    [{ '>': [3, 2] }, true],
    [{ '>': [2, 2] }, false],
    [{ '>=': [2, 2] }, true],
    [{ '>=': [1, 2] }, false],
    [{ '<': ['2026-09-01', '2026-10-01'] }, true],

    [{ min: [3, 1, 2] }, 1],
    [{ max: [3, 1, 2] }, 3],
    // The minimum of nothing is infinite, which JSON cannot represent.
    [{ min: [] }, null],
    [{ '+': [1, '2', 3] }, 6],
    [{ '+': ['3.5'] }, 3.5],
    [{ '+': [] }, 0],
    [{ '+': [[2], 1] }, 3],
    [{ '+': [true, 1] }, null],
    [{ '-': [5, 3] }, 2],
    [{ '-': [5] }, -5],
    [{ '*': [2, '3', 4] }, 24],
    [{ '*': [] }, 1],
    [{ '*': [{ var: 'empty' }, 2] }, null],
    [{ '/': [7, 2] }, 3.5],
    [{ '%': [7, 4] }, 3],

    [{ map: [{ var: 'list' }, { '*': [{ var: '' }, 2] }] }, [6, 2, 4]],
    [{ map: [{ var: 'absent' }, 1] }, []],
    [{ filter: [{ var: 'rows' }, { '>': [{ var: 'n' }, 1] }] }, [{ n: 2 }]],
    [{ all: [{ var: 'list' }, { '>': [{ var: '' }, 0] }] }, true],
    [{ all: [{ var: 'list' }, { '>': [{ var: '' }, 1] }] }, false],
    [{ all: [[], true] }, false],
    [{ some: [{ var: 'list' }, { '>': [{ var: '' }, 2] }] }, true],
    [{ some: [[], true] }, false],
    [{ none: [{ var: 'list' }, { '>': [{ var: '' }, 3] }] }, true],
    [{ none: [[], true] }, true],
    [{ reduce: [{ var: 'list' }, { '+': [{ var: 'current' }, { var: 'accumulator' }] }, 10] }, 16],
    [{ reduce: [{ var: 'absent' }, 1, 'kept'] }, 'kept'],
    [{ merge: [1, [2, [3]]] }, [1, 2, [3]]],
    [{ merge: [] }, []],

    [{ in: ['b', 'abc'] }, true],
    [{ in: ['z', 'abc'] }, false],
    [{ in: [1, '215'] }, true],
    [{ in: [2, [1, 2]] }, true],
    [{ in: ['2', [1, 2]] }, false],
    [{ in: ['a', null] }, false],
    [{ in: [1, 12] }, false],
    [{ cat: [] }, ''],
    [{ cat: ['a', 1.5, false, [1, ['b', null]], { var: 'rows' }] }, 'a1.5false1,b,,'],
    [{ substr: ['abcdef', 2] }, 'cdef'],
    [{ substr: ['abcdef', -2] }, 'ef'],
    [{ substr: ['abcdef', -9] }, 'abcdef'],
    [{ substr: ['abcdef', 0] }, 'abcdef'],
    [{ substr: ['abcdef', 1, 3] }, 'bcd'],
    [{ substr: ['abcdef', 1, 0] }, ''],
    [{ substr: ['abcdef', 1, -2] }, 'bcd'],
    [{ substr: ['abcdef', 4, -5] }, ''],
    [{ substr: ['abcdef', 1, null] }, 'bcdef'],
    [{ substr: [12345, 1, 2] }, '23'],
    [{ length: ['中文😀'] }, 3],
    [{ length: [[1, 2]] }, 2],
    [{ length: [7] }, 0],
    [{ length: [null] }, 0],
    [{ startsWith: ['abc', 'ab'] }, true],
    [{ startsWith: ['abc', 'b'] }, false],
    [{ startsWith: [123, 1] }, true],
    [{ startsWith: [null, ''] }, true],
    [{ round: ['2.345', 1] }, 2.3],
    [{ round: [-1.005] }, -1.01],
    [{ round: ['x'] }, null],

    [{ daysBetween: ['2026-03-01', '2026-02-27'] }, -2],
    [{ daysBetween: ['2024-02-28 23:00:00', '2024-03-01'] }, 2],
    [{ daysBetween: ['2026-03-01', 'x2026-03-02'] }, null],
    [{ daysBetween: [20260301, '2026-03-02'] }, null],
    [{ addMonths: ['2026-03-31', -1] }, '2026-02-28'],
    [{ addMonths: ['2024-01-31 10:00:00', 1] }, '2024-02-29'],
    [{ addMonths: ['2026-05-15', '1'] }, '2026-06-15'],
    [{ addMonths: ['2026-05-15', 1.9] }, '2026-06-15'],
    [{ addMonths: ['2026-05-15', 'x'] }, null],
    [{ addMonths: ['2026-05-15', 1e9] }, null],
    [{ addMonths: ['on 2026-05-15', 1] }, null],
    [{ addMonths: [20260515, 1] }, null],
  ])('evaluate %j to %j', (rule, answer) => {
    expect(run(rule)).toEqual(answer)
  })

  it.each<[Json, string[]]>([
    [{ map: [{ var: 'a' }, { var: 'b' }] }, ['form.a']],
    [{ filter: [{ var: 'a' }, { var: 'b' }] }, ['form.a']],
    [{ all: [{ var: 'a' }, { var: 'b' }] }, ['form.a']],
    [{ some: [{ var: 'a' }, { var: 'b' }] }, ['form.a']],
    [{ none: [{ var: 'a' }, { var: 'b' }] }, ['form.a']],
    [{ reduce: [{ var: 'a' }, { var: 'b' }, { var: 'c' }] }, ['form.a', 'form.c']],
    [{ cat: [{ var: 'a' }, { var: 'b' }] }, ['form.a', 'form.b']],
    [{ '!': { var: 'a' } }, ['form.a']],
    [{ var: '' }, []],
    [{ var: 3 }, []],
    [{ var: ['a', { var: 'b' }] }, ['form.a', 'form.b']],
    [{ missing: 'a' }, ['form.a']],
    [{ missing: [['a', 'row.b'], 'c'] }, ['form.a', 'row.b', 'form.c']],
    [{ missing: [{ var: 'a' }] }, []],
    [{ missing_some: [{ var: 'n' }, ['a']] }, ['form.n', 'form.a']],
    [{ missing_some: [1, 'a'] }, ['form.a']],
    [{ var: 'a', cat: [] }, []],
    [{}, []],
    ['var', []],
    [null, []],
  ])('of %j read %j', (rule, paths) => {
    expect(dependenciesOf(rule)).toEqual(paths)
  })
})

/** Names, and the minimum and maximum number of arguments; null for any number. */
const ARITY: readonly (readonly [string, number, number | null])[] = [
  ...(['missing', 'if', '?:', 'and', 'or', 'min', 'max', '+', '*', 'merge', 'cat'] as const).map(
    (name) => [name, 0, null] as const,
  ),
  ...(['!', '!!', 'length'] as const).map((name) => [name, 1, 1] as const),
  ...(
    ['==', '===', '!=', '!==', '>', '>=', '/', '%', 'in', 'startsWith', 'daysBetween', 'addMonths'] as const
  ).map((name) => [name, 2, 2] as const),
  ...(['map', 'filter', 'all', 'some', 'none'] as const).map((name) => [name, 2, 2] as const),
  ...(['<', '<=', 'reduce', 'substr'] as const).map((name) => [name, 2, 3] as const),
  ...(['-', 'round'] as const).map((name) => [name, 1, 2] as const),
]

describe('checkRule', () => {
  const of = (name: string, count: number): Json => ({ [name]: Array.from({ length: count }, () => 'x') })

  it.each(ARITY)('"%s" takes from %i arguments to %s', (name, min, max) => {
    for (const count of [min, max ?? 40]) expect(checkRule(of(name, count), '/r')).toEqual([])
    const others = [...(min > 0 ? [min - 1] : []), ...(max === null ? [] : [max + 1])]
    for (const count of others)
      expect(checkRule(of(name, count), '/r')).toMatchObject([
        { code: 'RULE_INVALID', at: '/r', message: expect.stringContaining(`"${name}"`) },
      ])
  })

  it.each<[Json, string, string]>([
    [{ var: [] }, 'RULE_INVALID', '/r'],
    [{ var: ['a', 1, 2] }, 'RULE_INVALID', '/r'],
    [{ var: ['a', { nope: 1 }] }, 'RULE_INVALID', '/r/var/1'],
    [{ var: 0 }, 'RULE_INVALID', '/r/var'],
    [{ var: 'a..b' }, 'RULE_INVALID', '/r/var'],
    [{ var: 'a.' }, 'RULE_INVALID', '/r/var'],
    [{ missing: [['a', '']] }, 'RULE_INVALID', '/r/missing/0/1'],
    [{ missing: ['a', '__proto__'] }, 'NAME_FORBIDDEN', '/r/missing/1'],
    [{ missing_some: [{ nope: 1 }, ['a']] }, 'RULE_INVALID', '/r/missing_some/0'],
    [{ missing_some: [1, 'a'] }, 'RULE_INVALID', '/r/missing_some/1'],
    [{ missing_some: [1, ['a', 2]] }, 'RULE_INVALID', '/r/missing_some/1/1'],
    [{ map: [{ var: '' }, 1] }, 'RULE_INVALID', '/r/map/0/var'],
    [{ reduce: [[], 1, { var: '' }] }, 'RULE_INVALID', '/r/reduce/2/var'],
    [{ cat: ['a', { var: '' }] }, 'RULE_INVALID', '/r/cat/1/var'],
    [{ map: [[], { var: 1.5 }] }, 'RULE_INVALID', '/r/map/1/var'],
    [[1, { nope: 1 }], 'RULE_INVALID', '/r/1'],
    [{ '!': { nope: 1 } }, 'RULE_INVALID', '/r/!'],
  ])('%j: %s at %s', (rule, code, at) => {
    expect(checkRule(rule, '/r')).toMatchObject([{ code, at }])
  })

  it.each<[Json]>([
    [{ map: [{ var: 'rows' }, { var: '' }] }],
    [{ map: [{ var: 'rows' }, { var: 1 }] }],
    [{ map: [{ var: 'rows' }, { filter: [{ var: 'x' }, { missing: ['', 'y'] }] }] }],
    [{ map: [{ var: 'rows' }, { missing_some: [1, ['']] }] }],
    [{ map: [{ var: 'rows' }, { var: ['', { var: '' }] }] }],
    [null],
    [[]],
  ])('%j is valid', (rule) => {
    expect(checkRule(rule, '/r')).toEqual([])
  })

  it('reports every fault, and shortens an invalid name', () => {
    const long = 'x'.repeat(61)
    const problems = checkRule({ and: [{ [long]: 1 }, { ['y'.repeat(60)]: 1 }, { var: `.${long}` }] }, '')

    expect(problems.map(({ at }) => at)).toEqual(['/and/0', '/and/1', '/and/2/var'])
    expect(problems[0]?.message).toContain(`"${'x'.repeat(60)}…"`)
    expect(problems[1]?.message).toContain(`"${'y'.repeat(60)}"`)
    expect(problems[2]?.message).toContain(`".${'x'.repeat(59)}…"`)
  })

  it('accepts 32 levels and 500 parts, and rejects more', () => {
    const deep = (levels: number): Json => (levels === 1 ? 1 : { '!': deep(levels - 1) })
    expect(checkRule(deep(32), '')).toEqual([])
    expect(checkRule(deep(33), '')).toMatchObject([
      { code: 'RULE_INVALID', message: expect.stringContaining('32') },
    ])

    const wide = (parts: number): Json => ({ cat: Array.from({ length: parts - 1 }, () => 'x') })
    expect(checkRule(wide(500), '')).toEqual([])
    expect(checkRule(wide(501), '/r')).toMatchObject([
      { at: '/r/cat/499', message: expect.stringContaining('500') },
    ])

    const names = (count: number): Json => ({ missing: Array.from({ length: count }, (_, i) => `a${i}`) })
    expect(checkRule(names(499), '')).toEqual([])
    expect(checkRule(names(500), '/r')).toMatchObject([{ at: '/r/missing/499' }])
  })
})

describe('bounds of a run', () => {
  const bound = (rule: Json): readonly [Json, string | null] => {
    let told: string | null = null
    const answer = applyRule(rule, scope, ({ message }) => {
      told = message
    })
    return [answer, told]
  }
  const times = (count: number) => Array.from({ length: count }, () => 0)

  it('a text of 100,000 characters is allowed, a longer one not', () => {
    const [made] = bound({ cat: ['x'.repeat(50_000), 'y'.repeat(50_000)] })
    expect(made).toHaveLength(100_000)
    expect(bound({ cat: ['x'.repeat(50_000), 'y'.repeat(50_001)] })).toEqual([
      null,
      expect.stringContaining('text'),
    ])
    expect(bound({ startsWith: [['x'.repeat(100_001)], 'x'] })).toEqual([
      null,
      expect.stringContaining('text'),
    ])
  })

  it('a list of 10,000 items is allowed, a longer one not', () => {
    const [made] = bound({ merge: [times(5_000), times(5_000)] })
    expect(made).toHaveLength(10_000)
    expect(bound({ merge: [times(5_000), times(5_001)] })).toEqual([null, expect.stringContaining('list')])
  })

  it('a step is counted for each part, and for each 32 characters and 8 items that are passed on, in lists too', () => {
    // A literal list has as many parts as items.
    expect(bound({ '!!': [{ map: [times(99), { map: [times(400), 1] }] }] })[0]).toBe(true)
    expect(bound({ '!!': [{ map: [times(99), { map: [times(460), 1] }] }] })).toEqual([
      null,
      'the rule takes more than 100000 steps',
    ])
    const long = 'x'.repeat(32_000)
    expect(bound({ '!!': [{ map: [times(40), long] }] })[0]).toBe(true)
    expect(bound({ '!!': [{ map: [times(101), long] }] })[0]).toBeNull()
    const wide = times(8_000)
    expect(bound({ '!!': [{ map: [times(10), { var: 'list' }] }] })[0]).toBe(true)
    expect(bound({ '!!': [{ map: [times(101), { merge: [wide] }] }] })[0]).toBeNull()
  })

  it('other failures do not report a bound', () => {
    expect(bound({ nope: [1] })).toEqual([null, null])
  })

  it('a rule begins with its full budget, whatever ran before it', () => {
    const most = { '!!': [{ map: [times(99), { map: [times(400), 1] }] }] }
    expect([bound(most)[0], bound(most)[0]]).toEqual([true, true])
  })

  it('numbers that JSON cannot represent become null, within lists too', () => {
    expect(run({ map: [[0, 2], { '/': [1, { var: '' }] }] })).toEqual([null, 0.5])
    expect(run({ merge: [{ map: [[0], { '/': [1, { var: '' }] }] }, 1] })).toEqual([null, 1])
  })
})
