import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../runtime/core/json.ts'
import { createTypedStorage } from '../../../src/app/storage/typed-storage.ts'

describe('typed storage', () => {
  it('stores strings as they are and everything else with its type', () => {
    const { storage, raw } = aStorage()

    storage.set('text', '中文')
    storage.set('number', 5)
    storage.set('object', { a: [1] })

    expect(raw.get('text')).toBe('中文')
    expect(raw.get('number')).toBe('{"type":"number","data":5}')
    expect(raw.get('object')).toBe('{"type":"object","data":{"a":[1]}}')
  })

  it('reads values of another version that have no wrapper', () => {
    const { storage, raw } = aStorage()
    raw.set('a', '{"foo":1}')
    raw.set('b', '{"type":"string"}')
    raw.set('date', '{"type":"object","data":"2026-11-20T09:00:00.000Z"}')

    expect(storage.get('a')).toBe('{"foo":1}')
    expect(storage.get('b')).toBe('')
    expect(storage.get('date')).toBe('2026-11-20T09:00:00.000Z')
    expect(storage.get('missing')).toBeUndefined()
  })

  it('returns any value unchanged, including strings that look like a wrapper', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.json().map((data) => `{"type":"string","data":${data}}`),
      fc.constantFrom(
        '{"type":"undefined"}',
        '{"type":"number","data":1}',
        '{"type":"object","data":null}',
        '{"type":"object","data":"2026-11-20T09:00:00.000Z"}',
      ),
    )
    fc.assert(
      fc.property(fc.oneof(text, fc.jsonValue()), (value) => {
        const { storage } = aStorage()
        storage.set('key', value as Json)
        expect(storage.get('key')).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('survives a store that throws', () => {
    const refuse = (): never => {
      throw new Error('quota')
    }
    const storage = createTypedStorage({ getItem: refuse, setItem: refuse, removeItem: refuse })

    storage.set('a', 1)
    storage.remove('a')

    expect(storage.get('a')).toBeUndefined()
  })
})

function aStorage() {
  const raw = new Map<string, string>()
  const storage = createTypedStorage({
    getItem: (key) => raw.get(key) ?? null,
    setItem: (key, value) => raw.set(key, value),
    removeItem: (key) => raw.delete(key),
  })
  return { storage, raw }
}
