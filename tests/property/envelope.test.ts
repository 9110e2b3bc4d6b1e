import fc from 'fast-check'
import { expect, it } from 'vitest'
import { refusalOf, unwrapEnvelope } from '../../runtime/core/data/envelope.ts'
import { isObject, type Json } from '../../runtime/core/json.ts'

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>

it('a body without an envelope is passed on unchanged', () => {
  fc.assert(
    fc.property(json, (body) => {
      fc.pre(!(isObject(body) && isObject(body.meta)))
      expect(unwrapEnvelope(body)).toBe(body)
      expect(refusalOf(body)).toBeNull()
    }),
  )
})

it('our own envelope is unwrapped to its data, and is a refusal exactly if its code is not 200', () => {
  fc.assert(
    fc.property(json, fc.constantFrom(200, 400, 403, 404, 409, 500), fc.string(), (data, code, message) => {
      const body = { meta: { code, message }, data }
      expect(unwrapEnvelope(body)).toEqual(data)
      const refusal = refusalOf(body)
      if (code === 200) expect(refusal).toBeNull()
      else expect(refusal).toMatchObject({ code: 'REFUSED', status: code, message, data })
    }),
  )
})
