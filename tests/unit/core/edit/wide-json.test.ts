import { describe, expect, it } from 'vitest'
import { wideJson } from '../../../../runtime/core/edit/wide-json.ts'

/** A text of the given width, with its quotes. */
const quoted = (width: number, letter = 'x'): string => letter.repeat(width - 2)

describe('JSON in wide lines', () => {
  it.each<[unknown, string]>([
    [null, 'null'],
    ['a"', '"a\\""'],
    [1.5, '1.5'],
    [[], '[]'],
    [{}, '{}'],
    [{ a: [1, { b: null }], c: {} }, '{ "a": [1, { "b": null }], "c": {} }'],
    [quoted(200), `"${quoted(200)}"`],
  ])('writes %j on one line', (value, text) => {
    expect(wideJson(value)).toBe(text)
  })

  it('has at most 140 characters per line, with indentation and comma', () => {
    expect(wideJson([quoted(138)])).toBe(`["${quoted(138)}"]`)
    expect(wideJson([quoted(139)])).toBe(`[\n  "${quoted(139)}"\n]`)
    expect(wideJson([quoted(134)], '    ')).toBe(`["${quoted(134)}"]`)
    expect(wideJson([quoted(135)], '    ')).toBe(`[\n      "${quoted(135)}"\n    ]`)
    expect(wideJson([quoted(136)], '', 2)).toBe(`["${quoted(136)}"]`)
    expect(wideJson([quoted(137)], '', 2)).toBe(`[\n  "${quoted(137)}"\n]`)
  })

  it('writes one entry per line for an object that is too long, with the room left by their names', () => {
    const z = quoted(60, 'z')
    expect(wideJson({ [z.repeat(3)]: null })).toBe(`{\n  "${z.repeat(3)}": null\n}`)
    expect(wideJson({ k: { s: quoted(123) }, z })).toBe(
      `{\n  "k": { "s": "${quoted(123)}" },\n  "z": "${z}"\n}`,
    )
    expect(wideJson({ k: { s: quoted(124) }, z })).toBe(
      `{\n  "k": {\n    "s": "${quoted(124)}"\n  },\n  "z": "${z}"\n}`,
    )
  })

  it('writes one item per line for a list that is too long and has nested values', () => {
    expect(wideJson([{ s: quoted(128) }, null])).toBe(`[\n  { "s": "${quoted(128)}" },\n  null\n]`)
    expect(wideJson([{ s: quoted(129) }, 1])).toBe(`[\n  {\n    "s": "${quoted(129)}"\n  },\n  1\n]`)
  })

  it('fills lines with as many plain values as fit', () => {
    const [a, b, c, d] = [quoted(69, 'a'), quoted(66, 'b'), quoted(69, 'c'), quoted(67, 'd')]
    expect(wideJson([a, b, c, d])).toBe(`[\n  "${a}", "${b}",\n  "${c}", "${d}"\n]`)
    expect(wideJson([a, `${b}b`, c, `${d}d`])).toBe(`[\n  "${a}",\n  "${b}b",\n  "${c}",\n  "${d}d"\n]`)
    expect(wideJson([quoted(150), 1, true])).toBe(`[\n  "${quoted(150)}",\n  1, true\n]`)
  })
})
