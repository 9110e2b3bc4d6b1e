import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../runtime/core/json.ts'
import { cutText, textWidth } from '../../../../runtime/core/text/length.ts'
import { isLocked } from '../../../../runtime/core/widgets/check-limits.ts'
import { ratingAt, snapRating } from '../../../../runtime/core/widgets/rating.ts'
import { nestRows, pathAlong, pathToValue } from '../../../../runtime/core/widgets/tree.ts'
import { trimMode, trimText, trimWhileTyping } from '../../../../runtime/core/widgets/trim.ts'

describe('the width of a text', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['星海', 4],
    ['A星1', 4],
    ['é', 1],
    ['😀', 2],
  ])('of %j is %d', (text, width) => expect(textWidth(text)).toBe(width))

  it('is limited to 8 by default', () => {
    expect(cutText('杭州星海科技')).toBe('杭州星海')
    expect(cutText('abcdefghij')).toBe('abcdefgh')
    expect(cutText('a杭州星海')).toBe('a杭州星')
    expect(cutText('星海', 1)).toBe('')
  })

  it('never exceeds the limit, and one more character would', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 0, max: 20 }), (text, limit) => {
        const cut = cutText(text, limit)
        expect(text.startsWith(cut)).toBe(true)
        expect(textWidth(cut)).toBeLessThanOrEqual(limit)
        const [next] = text.slice(cut.length)
        if (next !== undefined) expect(textWidth(cut + next)).toBeGreaterThan(limit)
      }),
    )
  })
})

describe('trimming', () => {
  const text = '  a b  '

  it.each([
    [true, 'a b'],
    ['both', 'a b'],
    ['left', 'a b  '],
    ['start', 'a b  '],
    ['right', '  a b'],
    ['end', '  a b'],
    ['all', 'ab'],
    [false, text],
    ['none', text],
    [null, text],
  ])('by %j gives %j', (mode, trimmed) => expect(trimText(text, trimMode(mode))).toBe(trimmed))

  it('keeps a trailing blank until the next word is typed', () => {
    expect(trimWhileTyping('a ', 'both')).toBe('a ')
    expect(trimWhileTyping(' a', 'both')).toBe('a')
    expect(trimWhileTyping(' a b', 'all')).toBe('ab')
  })

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('both', 'left', 'right', 'all', 'none'), (given, option) => {
        const once = trimText(given, trimMode(option))
        expect(trimText(once, trimMode(option))).toBe(once)
      }),
    )
  })
})

describe('stars under a finger', () => {
  it.each([
    [0, 5, false, 1],
    [0.19, 5, false, 1],
    [0.21, 5, false, 2],
    [1, 5, false, 5],
    [0.05, 5, true, 0.5],
    [0.15, 5, true, 1],
    [0.49, 5, true, 2.5],
    [0.55, 5, true, 3],
    [-1, 5, true, 0.5],
    [2, 3, false, 3],
  ])('at %d of %d (halves: %s) are %d', (share, max, half, stars) =>
    expect(ratingAt(share, { max, half })).toBe(stars),
  )

  it('are stored as halves or integers', () => {
    expect(snapRating(3.3, { max: 5, half: false })).toBe(3)
    expect(snapRating(3.3, { max: 5, half: true })).toBe(3.5)
    expect(snapRating(9, { max: 5, half: true })).toBe(5)
  })
})

describe('a checklist with limits', () => {
  const items = ['a', 'b', 'c', 'd'].map((value) => ({ label: value, value }))
  const open = (chosen: readonly Json[], limits: { min: number; max: number }) =>
    items.filter((item) => !isLocked(item, chosen, limits)).map((item) => item.value)

  it('locks the chosen items at the minimum and the others at the maximum', () => {
    expect(open(['a'], { min: 1, max: 3 })).toEqual(['b', 'c', 'd'])
    expect(open(['a', 'b', 'c'], { min: 1, max: 3 })).toEqual(['a', 'b', 'c'])
    expect(open(['a', 'b'], { min: 0, max: 0 })).toEqual(['a', 'b', 'c', 'd'])
  })

  it('never goes below the minimum or above the maximum by taps', () => {
    const taps = fc.array(fc.constantFrom(...items))
    fc.assert(
      fc.property(
        taps,
        fc.integer({ min: 0, max: 2 }),
        fc.integer({ min: 2, max: 4 }),
        (tapped, min, max) => {
          let chosen: Json[] = items.slice(0, min).map(({ value }) => value)
          for (const item of tapped) {
            if (isLocked(item, chosen, { min, max })) continue
            chosen = chosen.includes(item.value)
              ? chosen.filter((one) => one !== item.value)
              : [...chosen, item.value]
            expect(chosen.length).toBeGreaterThanOrEqual(min)
            expect(chosen.length).toBeLessThanOrEqual(max)
          }
        },
      ),
    )
  })

  it('leaves a disabled item disabled', () => {
    expect(isLocked({ label: 'x', value: 'x', disabled: true }, ['x', 'y'], { min: 0, max: 0 })).toBe(true)
  })
})

describe('a tree of rows', () => {
  const rows = [
    { label: '浙江', value: 'zj' },
    { label: '杭州', value: 'hz', parent: 'zj' },
    { label: '西湖区', value: 'xh', parent: 'hz' },
    { label: '上海', value: 'sh', parent: null },
  ]

  it('is nested by parent, in the order of the rows', () => {
    expect(nestRows(rows)).toEqual([
      {
        label: '浙江',
        value: 'zj',
        children: [{ label: '杭州', value: 'hz', children: [{ label: '西湖区', value: 'xh' }] }],
      },
      { label: '上海', value: 'sh' },
    ])
  })

  it('terminates even if a row is its own ancestor', () => {
    const ring = [
      { label: 'root', value: 'r' },
      { label: 'a', value: 'r', parent: 'r' },
    ]
    expect(JSON.stringify(nestRows(ring)).length).toBeLessThan(2000)
  })

  it('is found from the value and from the path', () => {
    const items = nestRows(rows)
    expect(pathToValue(items, 'xh').map(({ label }) => label)).toEqual(['浙江', '杭州', '西湖区'])
    expect(pathToValue(items, 'nowhere')).toEqual([])
    expect(pathAlong(items, ['zj', 'hz', 'gone']).map(({ label }) => label)).toEqual(['浙江', '杭州'])
  })
})
