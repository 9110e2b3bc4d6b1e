import { describe, expect, it } from 'vitest'
import { sameJson, valueAt } from '../../runtime/core/json.ts'

describe('valueAt', () => {
  it('follows own values through objects and lists', () => {
    expect(valueAt({ a: [{ b: 1 }] }, 'a.0.b')).toBe(1)
  })

  it.each(['constructor.name', '__proto__.toString', 'a.length.constructor', 'toString'])(
    'does not reach the prototype by %s',
    (path) => {
      expect(valueAt({ a: [1] }, path)).toBeUndefined()
    },
  )
})

describe('sameJson', () => {
  it('ignores the order of keys and distinguishes lists from objects', () => {
    expect(sameJson({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true)
    expect(sameJson([], {})).toBe(false)
  })
})
