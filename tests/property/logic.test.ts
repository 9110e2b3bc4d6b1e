import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Json } from '../../runtime/core/json.ts'
import { checkRule } from '../../runtime/core/logic/check-rule.ts'
import { applyRule, dependenciesOf } from '../../runtime/core/logic/rule.ts'
import { aScope } from '../support/a-scope.ts'

const inherited = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'length',
  'map',
]
const step = fc.oneof(fc.constantFrom(...inherited), fc.constantFrom('form', 'row', 'a', 'b', '0'))
const path = fc.array(step, { minLength: 1, maxLength: 6 }).map((steps) => steps.join('.'))

/** A value that came from a prototype is a function or an object that JSON cannot represent. */
function isPlain(value: unknown): boolean {
  return value === undefined || JSON.stringify(JSON.parse(JSON.stringify(value))) === JSON.stringify(value)
}

it('no path of a rule reaches a prototype', () => {
  const scope = aScope({ form: { a: [1, 'x'], b: { a: null } } })
  fc.assert(
    fc.property(path, (at) => {
      for (const rule of [
        { var: at },
        { var: [at] },
        { map: [{ var: 'form.a' }, { var: at }] },
        { missing: [at] },
      ]) {
        const value = applyRule(rule, scope)
        expect(typeof value).not.toBe('function')
        expect(isPlain(value)).toBe(true)
      }
      const own = { var: `form.b.${at}` }
      if (inherited.includes(at.split('.')[0] ?? '')) expect(applyRule(own, scope)).toBeNull()
    }),
    { numRuns: 500 },
  )
})

it('any JSON is checked, read and run without an exception', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (rule) => {
      const problems = checkRule(rule, '/x')
      const paths = dependenciesOf(rule)
      const value = applyRule(rule as Json, aScope())

      expect(Array.isArray(problems) && Array.isArray(paths)).toBe(true)
      expect(isPlain(value)).toBe(true)
    }),
  )
})

it('a value that a rule does not name cannot change its result', () => {
  const names = ['a', 'b', 'c', 'd']
  const { rule } = fc.letrec<{ rule: Json }>((tie) => ({
    rule: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<Json>(...names.map((name) => ({ var: name })), 0, 1, 'x'),
      fc
        .tuple(fc.constantFrom('and', '==', 'if', '<', 'cat', '+'), tie('rule'), tie('rule'))
        .map(([op, left, right]): Json => ({ [op]: [left, right] })),
    ),
  }))
  fc.assert(
    fc.property(rule, fc.dictionary(fc.constantFrom(...names), fc.nat()), fc.nat(), (given, form, other) => {
      const named = new Set(dependenciesOf(given))
      const rest = names.filter((name) => !named.has(`form.${name}`)).map((name) => [name, other])
      const changed = { ...form, ...Object.fromEntries(rest) }

      expect(applyRule(given, aScope({ form: changed }))).toEqual(applyRule(given, aScope({ form })))
    }),
  )
})
