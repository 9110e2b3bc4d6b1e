import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fillJson, joinRequest } from '../../runtime/core/data/build-request.ts'
import { asText, evaluateVariable } from '../../runtime/core/data/variables.ts'
import { isObject, isSafeName, type Json, type JsonObject } from '../../runtime/core/json.ts'

/** Also halves of a surrogate pair: what `cut` leaves of an emoji. */
const anyText = fc.string({
  unit: fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    fc.constantFrom('\ud83d', '\ude00'),
  ),
  maxLength: 12,
})
const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>
const name = fc.constantFrom('a', 'b', 'c d', '中', '__proto__', 'constructor', 'toString', '0')
const values = fc.dictionary(name, json, { maxKeys: 4 }) as fc.Arbitrary<JsonObject>

describe('the request of a data source', () => {
  it('has a query that parses to its parameters, whatever they contain', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(anyText, fc.oneof(anyText, json)), { maxLength: 5 }),
        fc.constantFrom('/list', '/list?of=1'),
        (params, url) => {
          const sent = joinRequest({ url, method: 'GET', headers: {}, params, data: undefined }).url
          const read = [...new URL(sent, 'http://h').searchParams]

          expect(sent.startsWith(url)).toBe(true)
          expect(read.slice(url.includes('?') ? 1 : 0)).toEqual(
            params.map(([key, value]) => [wellFormed(key), wellFormed(asText(value))]),
          )
        },
      ),
    )
  })

  it('has a body exactly if its method sends one', () => {
    fc.assert(
      fc.property(fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'), json, (method, data) => {
        const sent = joinRequest({ url: '/x', method, headers: {}, params: [], data })
        if (method === 'GET' || method === 'HEAD') expect(sent).not.toHaveProperty('body')
        else expect(sent.body).toEqual(data)
      }),
    )
  })
})

describe('a body template', () => {
  const scope = { form: {}, params: {}, user: {}, dict: {}, data: {} }
  const at = { fill: (): Json => 'filled', scope }

  it('without placeholders and rules does not change, except for forbidden names', () => {
    fc.assert(
      fc.property(json, (template) => {
        fc.pre(!/\{\{|\$if|\$without/.test(JSON.stringify(template)))
        const before = JSON.stringify(template)

        expect(fillJson(template, at)).toEqual(safe(template))
        expect(JSON.stringify(template)).toBe(before)
      }),
    )
  })

  it('loses exactly the parts whose rule is false', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat())), (parts) => {
        const marked = parts.map(([holds, n]): JsonObject => ({ $if: { '==': [1, holds ? 1 : 2] }, n }))
        const left = parts.flatMap(([holds, n]) => (holds ? [{ n }] : []))

        expect(fillJson(marked, at)).toEqual(left)
        expect(fillJson(Object.fromEntries(marked.map((part, i) => [`k${i}`, part])), at)).toEqual(
          Object.fromEntries(parts.flatMap(([holds, n], i) => (holds ? [[`k${i}`, { n }]] : []))),
        )
      }),
    )
  })

  it('loses the parts to omit, and keeps the others unchanged', () => {
    fc.assert(
      fc.property(values, fc.subarray(['a', 'b', 'c d', '中', '0']), (template, names) => {
        const $without = { var: 'user.hidden' }
        const with_ = { ...at, scope: { ...scope, user: { hidden: names } } }
        const expected = Object.entries(safe(template) as JsonObject).filter(([key]) => !names.includes(key))

        fc.pre(!/\{\{|\$if|\$without/.test(JSON.stringify(template)))
        expect(fillJson({ ...template, $without }, with_)).toEqual(Object.fromEntries(expected))
      }),
    )
  })
})

describe('a variable', () => {
  const scope = {
    form: { f: 1, text: 'a+b' },
    params: { id: 'p' },
    user: { id: 7 },
    dict: {},
    data: { x: [1, { y: 2 }] },
  }
  const at = { scope, dsv: { s: 'word', deep: { er: true } } }
  const quoted = fc
    .tuple(fc.constantFrom("'", '"'), fc.string({ maxLength: 8 }))
    .map(([quote, text]) => ({
      code: `${quote}${text.replace(/[\\'"]/g, '\\$&')}${quote}`,
      value: text as Json | undefined,
    }))
    .filter(({ value }) => !/[\n\r]/.test(String(value)))
  const part = fc.oneof(
    quoted,
    fc.integer().map((n) => ({ code: String(n), value: n as Json | undefined })),
    fc.constantFrom<{ code: string; value: Json | undefined }>(
      { code: 'form.f', value: 1 },
      { code: 'f', value: 1 },
      { code: 'DSV.s', value: 'word' },
      { code: "DSV['s']", value: 'word' },
      { code: 'deep.er', value: true },
      { code: 'data.x[1].y', value: 2 },
      { code: "dsv('none', 'other')", value: 'other' },
      { code: "VFR.getFieldValue('text')", value: 'a+b' },
      { code: 'params.none', value: undefined },
    ),
  )

  it('is the value of its only part, or the joined texts of its parts', () => {
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('+', ' + '),
        (parts, plus) => {
          const expected =
            parts.length === 1 ? parts[0]?.value : parts.map(({ value }) => asText(value)).join('')

          expect(evaluateVariable(parts.map(({ code }) => code).join(plus), at)).toEqual(expected)
        },
      ),
    )
  })

  it('never throws and reads nothing outside the scope', () => {
    const step = fc.constantFrom('constructor', '__proto__', 'prototype', 'toString', 'f', 'length', 'x', '0')
    const path = fc
      .tuple(
        fc.constantFrom('form', 'DSV', 'VFR', 'data', 'window', 'globalThis'),
        fc.array(step, { maxLength: 3 }),
      )
      .map(([root, steps]) => [root, ...steps].join('.'))
    fc.assert(
      fc.property(fc.oneof(anyText, path), (expression) => {
        const value = evaluateVariable(expression, at)
        expect(['function', 'symbol']).not.toContain(typeof value)
        if (value !== undefined) expect(JSON.parse(JSON.stringify(value))).toEqual(value)
      }),
      { numRuns: 500 },
    )
  })
})

/** A half of a surrogate pair is sent as the replacement character. */
const wellFormed = (text: string): string => Buffer.from(text, 'utf8').toString('utf8')

/** The value without forbidden names. */
function safe(value: Json): Json {
  if (Array.isArray(value)) return value.map(safe)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]): [string, Json][] =>
      isSafeName(key) && one !== undefined ? [[key, safe(one)]] : [],
    ),
  )
}
