import { describe, expect, it } from 'vitest'
import type { Json } from '../../../runtime/core/json.ts'
import { checkRule } from '../../../runtime/core/logic/check-rule.ts'
import { applyRule, dependenciesOf, isTruthy } from '../../../runtime/core/logic/rule.ts'
import { aScope } from '../../support/a-scope.ts'

describe('checkRule', () => {
  it.each<[string, Json]>([
    ['a comparison', { '>=': [{ var: 'form.amount' }, 3] }],
    ['a unary var', { var: 'amount' }],
    ['a default', { var: ['row.a', 0] }],
    ['an item inside a filter', { filter: [{ var: 'data.rows' }, { '>': [{ var: '' }, 1] }] }],
    ['missing names', { missing: ['a', 'b'] }],
    ['missing names in one list', { missing: [['a', 'b']] }],
    ['a literal', true],
    ['our own operations', { round: [{ length: [{ var: 'a' }] }, 2] }],
  ])('accepts %s', (_name, rule) => {
    expect(checkRule(rule, '')).toEqual([])
  })

  it.each<[string, Json, string]>([
    ['method', { method: [{ var: 'a' }, 'toString'] }, '/options/visibleOn'],
    ['log', { log: 'x' }, '/options/visibleOn'],
    ['a dotted operation', { 'Math.max': [1] }, '/options/visibleOn'],
    ['an inherited name', { toString: [1] }, '/options/visibleOn'],
    ['two keys', { '>': [1, 2], '<': [1, 2] }, '/options/visibleOn'],
    ['no key', {}, '/options/visibleOn'],
    ['a path that is computed', { var: { cat: ['a', 'b'] } }, '/options/visibleOn/var'],
    ['a path of the whole scope', { var: '' }, '/options/visibleOn/var'],
    ['a computed name in missing', { missing: [{ var: 'a' }] }, '/options/visibleOn/missing/0'],
    ['too few arguments', { '==': [1] }, '/options/visibleOn'],
    ['an unknown operation inside', { and: [true, { nope: 1 }] }, '/options/visibleOn/and/1'],
  ])('refuses %s and points at it', (_name, rule, at) => {
    const problems = checkRule(rule, '/options/visibleOn')

    expect(problems).toMatchObject([{ code: 'RULE_INVALID', at, severity: 'error' }])
  })

  it.each(['constructor', 'form.__proto__.x', 'a.prototype'])('forbids the path %s', (path) => {
    expect(checkRule({ var: path }, '')).toMatchObject([{ code: 'NAME_FORBIDDEN', at: '/var' }])
  })

  it('rejects a rule that is too deep', () => {
    let rule: Json = 1
    for (let i = 0; i < 5000; i += 1) rule = { '!': [rule] }

    expect(checkRule(rule, '')).toMatchObject([{ code: 'RULE_INVALID' }])
  })

  it('rejects a rule that is too large', () => {
    const rule = { and: Array.from({ length: 501 }, () => ({ foo: 1 })) }

    expect(checkRule(rule, '').at(-1)?.message).toContain('500')
  })
})

describe('dependenciesOf', () => {
  it('returns full paths once, in order', () => {
    const rule = {
      and: [
        { var: 'a' },
        { '>': [{ var: 'row.b' }, { var: 'params.id' }] },
        { var: ['form.a', { var: 'c' }] },
      ],
    }

    expect(dependenciesOf(rule)).toEqual(['form.a', 'row.b', 'params.id', 'form.c'])
  })

  it('omits paths that read the item of a list', () => {
    const rule = {
      reduce: [{ var: 'items' }, { '+': [{ var: 'current.x' }, { var: 'accumulator' }] }, { var: 'start' }],
    }

    expect(dependenciesOf(rule)).toEqual(['form.items', 'form.start'])
  })

  it('counts the literal names of missing and missing_some', () => {
    expect(dependenciesOf({ or: [{ missing: ['a', 'user.id'] }, { missing_some: [1, ['b']] }] })).toEqual([
      'form.a',
      'user.id',
      'form.b',
    ])
  })
})

describe('applyRule', () => {
  const scope = aScope({
    form: { a: 1, name: '中文😀', items: [{ x: 1 }, { x: 2.5 }] },
    row: { a: 9 },
    user: { permissions: ['customer:add'] },
  })

  it.each<[Json, Json]>([
    [{ '==': [{ var: 'a' }, { var: 'form.a' }] }, true],
    [{ var: 'row.a' }, 9],
    [{ var: ['form.none', 7] }, 7],
    [{ var: 'form.none.deeper' }, null],
    [{ in: ['customer:add', { var: 'user.permissions' }] }, true],
    [{ missing: ['a', 'b'] }, ['b']],
    [{ missing_some: [1, ['a', 'b']] }, []],
    [{ map: [{ var: 'items' }, { var: 'x' }] }, [1, 2.5]],
    [{ filter: [[1, 2, 3], { '>': [{ var: '' }, 1] }] }, [2, 3]],
    [{ reduce: [{ var: 'items' }, { '+': [{ var: 'current.x' }, { var: 'accumulator' }] }, 0] }, 3.5],
    [{ length: { var: 'name' } }, 3],
    [{ length: { var: 'items' } }, 2],
    [{ startsWith: [{ var: 'name' }, '中'] }, true],
    [{ round: [1.005, 2] }, 1.01],
    [{ round: 2.675 }, 2.68],
    [{ daysBetween: ['2026-02-27', '2026-03-01 08:00:00'] }, 2],
    [{ daysBetween: ['', '2026-03-01'] }, null],
    [{ addMonths: ['2026-01-31', 1] }, '2026-02-28'],
    [{ addMonths: ['2026-12-05', 2] }, '2027-02-05'],
    [{ addMonths: [null, 1] }, null],
    [{ substr: ['abcdef', -3, -1] }, 'de'],
    [{ cat: ['a', 1, null, true] }, 'a1true'],
    [{ merge: [[1], 2, [3]] }, [1, 2, 3]],
    [{ '/': [1, 0] }, null],
    [{ '+': [{ var: 'form.none' }, 1] }, null],
    [{ nope: [1] }, null],
    ['literal', 'literal'],
  ])('evaluates %j to %j', (rule, answer) => {
    expect(applyRule(rule, scope)).toEqual(answer)
  })

  it('aborts a rule that multiplies its work', () => {
    const hundred = Array.from({ length: 100 }, (_, i) => i)
    const rule = { map: [hundred, { map: [hundred, { map: [hundred, { map: [hundred, 1] }] }] }] }

    expect(applyRule(rule, scope)).toBeNull()
  })

  it('aborts a text that doubles without end', () => {
    const forty = Array.from({ length: 40 }, () => 1)
    const doubled = { cat: [{ var: 'accumulator' }, { var: 'accumulator' }] }

    expect(applyRule({ reduce: [forty, doubled, 'x'] }, scope)).toBeNull()
  })
})

describe('isTruthy', () => {
  it.each([[0], [''], [null], [false], [[]], [undefined]])('%j is false', (value) => {
    expect(isTruthy(value)).toBe(false)
  })

  it.each([[1], ['0'], [true], [[0]], [{}]])('%j is true', (value) => {
    expect(isTruthy(value)).toBe(true)
  })
})
