import { describe, expect, it } from 'vitest'
import {
  type Clash,
  type Depth,
  mergeKeys,
  mergeOrder,
  mergeValues,
  type Taken,
} from '../../../../runtime/core/edit/merge-values.ts'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'

/** The merged value, and the conflicts that were told. */
function merged(
  base: Json | undefined,
  mine: Json | undefined,
  theirs: Json | undefined,
  depth?: Depth,
  choice?: Taken,
) {
  const clashes: (Clash & { otherwise?: Taken })[] = []
  const value = mergeValues({ base, mine, theirs }, depth, 'at', (clash, otherwise) => {
    clashes.push({ ...clash, ...(otherwise === undefined ? {} : { otherwise }) })
    return choice ?? otherwise ?? 'mine'
  })
  return { value, clashes }
}

describe('three versions of a value', () => {
  it.each<[string, Json | undefined, Json | undefined, Json | undefined, Json | undefined]>([
    ['one side’s change counts: mine', 1, 2, 1, 2],
    ['one side’s change counts: theirs', 1, 1, 2, 2],
    ['the same change', 1, 2, 2, 2],
    ['my addition', undefined, 1, undefined, 1],
    ['their addition', undefined, undefined, 1, 1],
    ['my removal', 1, undefined, 1, undefined],
    ['their removal', 1, 1, undefined, undefined],
    ['both removals', 1, undefined, undefined, undefined],
    ['what is equal in content', { a: 1, b: 2 }, { b: 2, a: 1 }, 3, 3],
  ])('are merged: %s', (_, base, mine, theirs, value) => {
    expect(merged(base, mine, theirs)).toStrictEqual({ value, clashes: [] })
  })

  it('conflict if both sides changed them, and mine wins unless it is a removal', () => {
    expect(merged(1, 2, 3)).toStrictEqual({
      value: 2,
      clashes: [{ what: 'at', base: 1, mine: 2, theirs: 3, otherwise: 'mine' }],
    })
    expect(merged(1, 2, 3, undefined, 'theirs').value).toBe(3)
    expect(merged(1, undefined, 3)).toStrictEqual({
      value: 3,
      clashes: [{ what: 'at', base: 1, theirs: 3, otherwise: 'theirs' }],
    })
    expect(merged(1, 2, undefined)).toStrictEqual({
      value: 2,
      clashes: [{ what: 'at', base: 1, mine: 2, otherwise: 'mine' }],
    })
    expect(merged(undefined, 2, 3).clashes).toStrictEqual([
      { what: 'at', mine: 2, theirs: 3, otherwise: 'mine' },
    ])
  })

  it('are merged key by key only to the given depth', () => {
    const [base, mine, theirs] = [
      { a: 1, b: 1 },
      { a: 2, b: 1 },
      { a: 1, b: 2 },
    ]
    expect(merged(base, mine, theirs)).toMatchObject({ value: mine, clashes: [{ what: 'at' }] })
    expect(merged(base, mine, theirs, {})).toStrictEqual({ value: { a: 2, b: 2 }, clashes: [] })
    expect(merged(undefined, { a: 1 }, { b: 2 }, {})).toStrictEqual({ value: { a: 1, b: 2 }, clashes: [] })
    expect(merged('x', { a: 1 }, { b: 2 }, {})).toStrictEqual({ value: { a: 1, b: 2 }, clashes: [] })
    expect(merged(base, { a: 1 }, [], {}).clashes).toHaveLength(1)
    expect(merged(base, 'x', { b: 2 }, {}).clashes).toHaveLength(1)
    expect(merged(base, { a: 1 }, { a: 1, b: 3 }, {})).toMatchObject({
      value: { a: 1, b: 3 },
      clashes: [{ what: 'at.b' }],
    })
  })

  it('take the depth of a key by its name, else the default depth', () => {
    const inner = (x: number, y: number): JsonObject => ({ k: { x, y }, other: { x, y } })
    const whats = (depth: Depth): string[] => {
      const clashes: string[] = []
      mergeKeys(inner(0, 0), inner(1, 0), inner(0, 1), depth, '', ({ what }) => {
        clashes.push(what)
        return 'mine'
      })
      return clashes
    }
    expect(whats({})).toStrictEqual(['k', 'other'])
    expect(whats({ k: {} })).toStrictEqual(['other'])
    expect(whats({ '*': {} })).toStrictEqual([])
  })
})

describe('the order of a merged list', () => {
  const merge = (base: string, mine: string, theirs: string, left = [...new Set(mine + theirs)].join('')) => {
    const { order, clash } = mergeOrder([...base], [...mine], [...theirs], new Set(left))
    return `${order.join('')}${clash ? '!' : ''}`
  }

  it.each<[string, string, string, string, string?]>([
    ['abc', 'abc', 'abc', 'abc'],
    ['abc', 'cab', 'abc', 'cab'],
    ['abc', 'abc', 'cab', 'cab'],
    ['abc', 'cab', 'cab', 'cab'],
    ['abc', 'cab', 'bac', 'cab!'],
    ['ab', 'abx', 'aby', 'abxy'],
    ['ab', 'xab', 'ab', 'xab'],
    ['ab', 'ab', 'axb', 'axb'],
    ['ab', 'ba', 'axb', 'bax'],
    ['ab', 'xba', 'ayzb', 'xbayz'],
    ['abc', 'ac', 'abc', 'ac', 'ac'],
    ['abc', 'abc', 'ab', 'abc', 'cba'],
    ['ab', 'ab', 'ab', 'abz', 'zab'],
    ['ab', 'b', 'ab', 'ab', 'ab'],
  ])('of %s, mine %s and theirs %s is %s', (base, mine, theirs, order, left) => {
    expect(merge(base, mine, theirs, left)).toBe(order)
  })
})
