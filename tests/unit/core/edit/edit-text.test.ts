import { describe, expect, it } from 'vitest'
import {
  applyTextEdits,
  editText,
  inverseTextEdits,
  pathAt,
  printLike,
  rangeAt,
  textBetween,
  textWith,
} from '../../../../runtime/core/edit/edit-text.ts'
import { placeOf, readLoosely } from '../../../../runtime/core/edit/json-place.ts'
import type { Patch } from '../../../../runtime/core/edit/patch.ts'
import type { Json } from '../../../../runtime/core/json.ts'

/** The text with the content of `after`. */
const changed = (text: string, after: Json): string => textWith(text, JSON.parse(text) as Json, after)
const patched = (text: string, ...patches: Patch[]): string => applyTextEdits(text, editText(text, patches))
const X = 'x'.repeat(80)
const Y = 'y'.repeat(80)

describe('edits of a text', () => {
  const edits = [
    { offset: 1, length: 1, content: 'XY' },
    { offset: 0, length: 2, content: '' },
  ]

  it('are applied one after the other, and undone in reverse order', () => {
    expect(applyTextEdits('abc', edits)).toBe('Yc')
    const back = inverseTextEdits('abc', edits)
    expect(back).toEqual([
      { offset: 0, length: 0, content: 'aX' },
      { offset: 1, length: 2, content: 'b' },
    ])
    expect(applyTextEdits('Yc', back)).toBe('abc')
  })

  it.each([
    ['abc', 'axc', 1, 1, 'x'],
    ['aa', 'aaa', 2, 0, 'a'],
    ['aaa', 'aa', 2, 1, ''],
    ['same', 'same', 4, 0, ''],
    ['', 'x', 0, 0, 'x'],
    ['abab', 'ab', 2, 2, ''],
    ['xab', 'yab', 0, 1, 'y'],
  ])('between %s and %s are as short as possible', (from, to, offset, length, content) => {
    expect(textBetween(from, to)).toEqual({ offset, length, content })
  })
})

describe('a new value takes the format of its surroundings', () => {
  it.each<[string, string, Json, string]>([
    ['without spaces', '{"a":1}', { a: 1, b: { c: [1, 2] } }, '{"a":1,"b":{"c":[1,2]}}'],
    ['on one line', '{"a": 1}', { a: 1, b: { c: [1, 2] } }, '{"a": 1, "b": { "c": [1, 2] }}'],
    [
      'on one line, however long',
      '{"a": 1}',
      { a: 1, b: { X, Y } },
      `{"a": 1, "b": { "X": "${X}", "Y": "${Y}" }}`,
    ],
    ['in lines', '{\n  "a": 1\n}\n', { a: 1, b: { c: 2 } }, '{\n  "a": 1,\n  "b": { "c": 2 }\n}\n'],
    [
      'on a line of its own among lines',
      '{\n  "l": { "a": 1 }\n}',
      { l: { a: 1, on: { c: [1] } } },
      '{\n  "l": { "a": 1, "on": { "c": [1] } }\n}',
    ],
    [
      'in lines of four spaces',
      '{\n    "a": 1\n}',
      { a: 1, b: { X, Y } },
      `{\n    "a": 1,\n    "b": {\n        "X": "${X}",\n        "Y": "${Y}"\n    }\n}`,
    ],
    [
      'with tabs and Windows line ends',
      '{\r\n\t"a": 1\r\n}',
      { a: 1, b: { X, Y } },
      `{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"X": "${X}",\r\n\t\t"Y": "${Y}"\r\n\t}\r\n}`,
    ],
    ['in an empty object', '{"a":{}}', { a: { b: 1 } }, '{"a":{"b":1}}'],
    ['in an empty object with a space', '{"a": { }}', { a: { b: 1 } }, '{"a": {"b": 1}}'],
    ['in an empty object among lines', '{\n  "a": {}\n}', { a: { b: 1 } }, '{\n  "a": {\n    "b": 1\n  }\n}'],
    [
      'in an empty list among lines',
      '{\r\n\t"a": [ ]\r\n}',
      { a: [1, 2] },
      '{\r\n\t"a": [\r\n\t\t1,\r\n\t\t2\r\n\t]\r\n}',
    ],
    [
      'one tab deeper, where the first line is indented by two',
      '{"a": {\n\t\t"b": {}\n\t}}',
      { a: { b: { c: 1 } } },
      '{"a": {\n\t\t"b": {\n\t\t\t"c": 1\n\t\t}\n\t}}',
    ],
    [
      'one tab deeper, where the first line is indented by a tab and a space',
      '{"a": {\n\t "b": {}\n}}',
      { a: { b: { c: 1 } } },
      '{"a": {\n\t "b": {\n\t \t"c": 1\n\t }\n}}',
    ],
    ['in front of others', '{"b":1}', { a: 0, b: 1 }, '{"a":0,"b":1}'],
    ['in front of others, in lines', '{\n  "b": 1\n}', { a: 0, b: 1 }, '{\n  "a": 0,\n  "b": 1\n}'],
    ['in the middle of a list', '{"x": [1, 3]}', { x: [1, 2, 3] }, '{"x": [1, 2, 3]}'],
    ['in the middle of a list in lines', '[\n  1,\n  3\n]', [1, 2, 3], '[\n  1,\n  2,\n  3\n]'],
    ['instead of another', '{"a": 1, "b": 2}', { a: [1, { c: 2 }], b: 2 }, '{"a": [1, { "c": 2 }], "b": 2}'],
    [
      'instead of another, in lines',
      '{\n  "a": {\n    "b": 1\n  }\n}',
      { a: { b: { X, Y } } },
      `{\n  "a": {\n    "b": {\n      "X": "${X}",\n      "Y": "${Y}"\n    }\n  }\n}`,
    ],
    ['between others', '{"a":1,"c":3}', { a: 1, b: 2, c: 3 }, '{"a":1,"b":2,"c":3}'],
    ['in an empty object of two lines', '{\n}\n', { a: 1 }, '{\n  "a": 1\n}\n'],
    [
      'in lines of its own where its object has one among lines, if it is too long',
      '{\n  "l": { "a": 1 }\n}',
      { l: { a: 1, b: { X, Y } } },
      `{\n  "l": { "a": 1, "b": {\n    "X": "${X}",\n    "Y": "${Y}"\n  } }\n}`,
    ],
    [
      'in lines of its own where its list has one among lines, if it is too long',
      '{\n  "l": [1]\n}',
      { l: [1, { X, Y }] },
      `{\n  "l": [1, {\n    "X": "${X}",\n    "Y": "${Y}"\n  }]\n}`,
    ],
    [
      'several levels deep',
      '{\n\t"a": 1\n}',
      { a: 1, b: { c: { X, Y } } },
      `{\n\t"a": 1,\n\t"b": {\n\t\t"c": {\n\t\t\t"X": "${X}",\n\t\t\t"Y": "${Y}"\n\t\t}\n\t}\n}`,
    ],
    ['with a name that needs escapes', '{"a":1}', { a: 1, 'q"\n': 2 }, '{"a":1,"q\\"\\n":2}'],
  ])('%s', (_, text, after, expected) => {
    expect(changed(text, after)).toBe(expected)
  })
})

describe('a removed value leaves no gap', () => {
  it.each<[string, Json, string]>([
    ['[1, 2,  3]', [2, 3], '[2,  3]'],
    ['[1, 2,  3]', [1, 3], '[1,  3]'],
    ['[1, 2,  3]', [1, 2], '[1, 2]'],
    ['[ 1 ]', [], '[]'],
    ['{ "a": 1 }', {}, '{}'],
    ['{\n  "a": 1,\n  "b": 2\n}', { b: 2 }, '{\n  "b": 2\n}'],
    ['{\n  "a": 1,\n  "b": 2\n}', { a: 1 }, '{\n  "a": 1\n}'],
  ])('%s', (text, after, expected) => {
    expect(changed(text, after)).toBe(expected)
  })

  it('of a key that occurs twice removes both; a change affects the last one', () => {
    expect(patched('{"a":1,"b":0,"a":2}', { do: 'drop', path: ['a'] })).toBe('{"b":0}')
    expect(changed('{"a":1,"a":2}', { a: 3 })).toBe('{"a":1,"a":3}')
  })

  it('of a missing key changes nothing', () => {
    expect(editText('{}', [{ do: 'drop', path: ['a'] }])).toEqual([])
    expect(patched('[1]', { do: 'take', list: [], index: 5 })).toBe('[1]')
    expect(() => editText('{"a":{}}', [{ do: 'put', path: ['a', 'b', 'c'], value: 1 }])).toThrow(
      new RangeError('the text has nothing at a.b'),
    )
  })
})

describe('a moved item keeps its formatting', () => {
  const text =
    '{\n  "l": [\n    {\n      "a":   1,\n "b": 2\n    }\n  ],\n  "m": {\n    "n": [\n      0\n    ]\n  }\n}'
  const move = (value: Json): string =>
    patched(text, { do: 'take', list: ['l'], index: 0 }, { do: 'insert', list: ['m', 'n'], index: 1, value })

  it('with the indentation of its new container', () => {
    expect(move({ a: 1, b: 2 })).toBe(
      '{\n  "l": [],\n  "m": {\n    "n": [\n      0,\n      {\n        "a":   1,\n "b": 2\n      }\n    ]\n  }\n}',
    )
  })

  it('but a value inserted in its place does not take it', () => {
    expect(move({ a: 1, b: 3 })).toBe(
      '{\n  "l": [],\n  "m": {\n    "n": [\n      0,\n      { "a": 1, "b": 3 }\n    ]\n  }\n}',
    )
  })

  it('on a single line', () => {
    expect(
      patched(
        '[{"a":  1}, {"b": 2}]',
        { do: 'take', list: [], index: 0 },
        { do: 'insert', list: [], index: 1, value: { a: 1 } },
      ),
    ).toBe('[{"b": 2}, {"a":  1}]')
  })
})

describe('a whole document', () => {
  it.each<[string, Json, string]>([
    ['', { a: 1 }, '{ "a": 1 }\n'],
    [' \n ', { a: 1 }, '{ "a": 1 }\n'],
    ['\uFEFF', 1, '\uFEFF1\n'],
    ['\uFEFF{"a":1}\n\n', { b: [1, 2] }, '\uFEFF{"b":[1,2]}\n\n'],
    ['{"a": 1}', { b: [1, 2] }, '{ "b": [1, 2] }'],
    ['{\r\n\t"a": 1\r\n}\r\n', { X, Y }, `{\r\n\t"X": "${X}",\r\n\t"Y": "${Y}"\r\n}\r\n`],
  ])('that replaces %j takes its format', (text, value, expected) => {
    expect(printLike(text, value)).toBe(expected)
  })

  it('replaces the text if nothing of it can be kept', () => {
    expect(patched('\uFEFF{"a":1}\n', { do: 'put', path: [], value: [1, 2] })).toBe('\uFEFF[1,2]\n')
    expect(editText('[1]', [{ do: 'put', path: [], value: [2] }])).toEqual([
      { offset: 1, length: 1, content: '2' },
    ])
  })
})

describe('positions in a text', () => {
  const text = '{"a": [1, 22], "b": null}'

  it.each<[(string | number)[], string]>([
    [[], text],
    [['a'], '[1, 22]'],
    [['a', 1], '22'],
    [['a', 5], '[1, 22]'],
    [['a', 1, 'x'], '22'],
    [['c', 'd'], text],
  ])('are found for %j, or for its nearest ancestor', (path, found) => {
    const { from, to } = rangeAt(text, path)
    expect(text.slice(from, to)).toBe(found)
  })

  it.each<[number, (string | number)[]]>([
    [0, []],
    [1, ['a']],
    [2, ['a']],
    [5, ['a']],
    [6, ['a']],
    [7, ['a', 0]],
    [9, ['a']],
    [10, ['a', 1]],
    [12, ['a', 1]],
    [13, ['a']],
    [14, []],
    [22, ['b']],
    [25, []],
  ])('are resolved: offset %i is at %j', (offset, path) => {
    expect(pathAt(text, offset)).toEqual(path)
  })

  it('are found in lists of lists', () => {
    expect([2, 5, 9].map((offset) => pathAt('[[1, 2], 3]', offset))).toEqual([[0, 0], [0, 1], [1]])
  })

  it('do not exist in an empty text', () => {
    expect(rangeAt('', ['a'])).toEqual({ from: 0, to: 0 })
    expect(pathAt('', 0)).toEqual([])
  })

  it('distinguish a key from its value, even while the text is unfinished', () => {
    const unfinished = '{"a": [{"b'
    expect(placeOf(unfinished, unfinished.length)).toEqual({ path: ['a', 0, 'b'], isKey: true })
    expect(placeOf('{"a": [1,', 9)).toEqual({ path: ['a', 1], isKey: false })
    expect(readLoosely('{"a": [1')?.children?.[0]?.children?.[0]?.value).toBe('a')
  })
})
