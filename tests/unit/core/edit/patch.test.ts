import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyPatch, atPath, type Patch, patchesBetween } from '../../../../runtime/core/edit/patch.ts'
import type { Json } from '../../../../runtime/core/json.ts'

const written = (value: Json) => JSON.stringify(value)

describe('the value at a path', () => {
  const root: Json = { a: [{ b: null }, 'x'], t: { c: false } }

  it.each<[Json | undefined, (string | number)[]]>([
    [root, []],
    [null, ['a', 0, 'b']],
    ['x', ['a', 1]],
    [false, ['t', 'c']],
    [undefined, ['a', 2]],
    [undefined, ['a', 0, 'b', 'c']],
    [undefined, ['a', 1, 'x']],
    [undefined, ['a', 1, 'length']],
    [undefined, ['t', 'toString']],
    [undefined, ['t', '__proto__']],
  ])('is read: %j at %j', (value, path) => {
    expect(atPath(root, path)).toBe(value)
  })
})

describe('a patch', () => {
  it.each<[string, Json, Patch, Json]>([
    ['the whole', { a: 1 }, { do: 'put', path: [], value: 2 }, 2],
    ['a new key is the last', { a: 1 }, { do: 'put', path: ['b'], value: 2 }, { a: 1, b: 2 }],
    [
      'a new key has its place',
      { a: 1, c: 3 },
      { do: 'put', path: ['b'], value: 2, place: 1 },
      { a: 1, b: 2, c: 3 },
    ],
    ['a key keeps its place', { a: 1, c: 3 }, { do: 'put', path: ['c'], value: 2, place: 0 }, { a: 1, c: 2 }],
    ['an item of a list', { a: [1, 2] }, { do: 'put', path: ['a', 1], value: 3 }, { a: [1, 3] }],
    ['a value has no keys', { a: 'text' }, { do: 'put', path: ['a', 'b'], value: 1 }, { a: 'text' }],
    ['nothing on the way', { a: 1 }, { do: 'put', path: ['x', 'y'], value: 1 }, { a: 1 }],
    ['a key less', { t: { a: 1, b: 2 } }, { do: 'drop', path: ['t', 'a'] }, { t: { b: 2 } }],
    ['a number as key', { 1: 'a', 2: 'b' }, { do: 'drop', path: [1] }, { 2: 'b' }],
    ['a list has no keys', { t: [1, 2] }, { do: 'drop', path: ['t', 0] }, { t: [1, 2] }],
    ['an item more', { t: [1, 3] }, { do: 'insert', list: ['t'], index: 1, value: 2 }, { t: [1, 2, 3] }],
    [
      'only lists get items',
      { t: { a: 1 } },
      { do: 'insert', list: ['t'], index: 0, value: 2 },
      { t: { a: 1 } },
    ],
    ['an item less', { t: [1, 2, 3] }, { do: 'take', list: ['t'], index: 1 }, { t: [1, 3] }],
    ['only lists lose items', { t: 'text' }, { do: 'take', list: ['t'], index: 0 }, { t: 'text' }],
  ])('is applied: %s', (_, before, patch, after) => {
    expect(written(applyPatch(before, patch))).toBe(written(after))
  })

  it('shares every part that it does not change', () => {
    const before = { a: { b: {} }, c: [{}] }
    const after = applyPatch(before, { do: 'put', path: ['a', 'x'], value: 1 }) as typeof before

    expect(after.c).toBe(before.c)
    expect(after.a.b).toBe(before.a.b)
    expect(applyPatch(before, { do: 'put', path: ['x', 'y'], value: 1 })).toBe(before)
  })
})

describe('the patches between two values', () => {
  const put = (path: (string | number)[], value: Json, more = {}): Patch => ({
    do: 'put',
    path,
    value,
    ...more,
  })
  const take = (index: number): Patch => ({ do: 'take', list: [], index })
  const insert = (index: number, value: Json): Patch => ({ do: 'insert', list: [], index, value })

  it.each<[Json, Json, readonly Patch[]]>([
    [{ a: [1] }, { a: [1] }, []],
    [{ a: 1, b: { c: 1, d: 2 } }, { a: 1, b: { c: 1, d: 3 } }, [put(['b', 'd'], 3)]],
    [{ a: 1, c: 1 }, { a: 1, b: 2, c: 1 }, [put(['b'], 2, { place: 1 })]],
    [{ a: 1, b: 2 }, { b: 2 }, [{ do: 'drop', path: ['a'] }]],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, [put([], { b: 2, a: 1 })]],
    [{ toString: 1 }, {}, [{ do: 'drop', path: ['toString'] }]],
    [{}, { toString: 1 }, [put(['toString'], 1, { place: 0 })]],
    [{}, [], [put([], [])]],
    [[], {}, [put([], {})]],
    [null, {}, [put([], {})]],
    [{}, null, [put([], null)]],
    [[1, 2, 3], [1, 9, 3], [put([1], 9)]],
    [[1, { a: 1 }, 3], [1, { a: 2 }, 3], [put([1, 'a'], 2)]],
    [[1, 2, 3], [1, 3], [take(1)]],
    [[1, 1], [1], [take(1)]],
    [[1], [1, 1], [insert(1, 1)]],
    [[1, 2, 3], [2, 3], [take(0)]],
    [[2, 3], [1, 2, 3], [insert(0, 1)]],
    [
      [{ a: 1 }, { a: 1 }],
      [{ a: 2 }, { a: 2 }],
      [put([0, 'a'], 2), put([1, 'a'], 2)],
    ],
    [[1, 3], [1, 2, 3], [insert(1, 2)]],
    [[], [1, 2], [insert(0, 1), insert(1, 2)]],
    [
      [1, 2],
      [3, 4, 5],
      [put([0], 3), put([1], 4), insert(2, 5)],
    ],
    [
      [1, 2, 3, 4],
      [1, 9],
      [put([1], 9), take(2), take(2)],
    ],
  ])('are computed: %j → %j', (before, after, patches) => {
    expect(patchesBetween([], before, after)).toEqual(patches)
    const moved = patchesBetween(['x', 0], before, after)
    expect(moved).toEqual(
      patches.map((patch) =>
        'path' in patch
          ? { ...patch, path: ['x', 0, ...patch.path] }
          : { ...patch, list: ['x', 0, ...patch.list] },
      ),
    )
  })

  it('turn one value into the other, including the order of keys', () => {
    const { value } = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.nat({ max: 2 }),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
      ),
    }))
    fc.assert(
      fc.property(value, value, (before, after) => {
        expect(written(patchesBetween([], before, after).reduce(applyPatch, before))).toBe(written(after))
      }),
    )
  })
})
