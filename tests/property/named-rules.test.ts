import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NAMED_RULES, type NamedRuleName, satisfies } from '../../runtime/core/rules/named-rules.ts'

/* The definitions, told character by character. */
const isDigit = (c: string) => c >= '0' && c <= '9' && c.length === 1
const isLetter = (c: string) => c.length === 1 && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
const isHan = (c: string) => c.length === 1 && c.charCodeAt(0) >= 0x4e00 && c.charCodeAt(0) <= 0x9fa5
const units = (text: string) => text.split('')
const all = (text: string, test: (c: string) => boolean) => text !== '' && units(text).every(test)
const word = (extra: string) => (c: string) => isLetter(c) || isDigit(c) || extra.includes(c)

const definitions: Record<Exclude<NamedRuleName, 'regExp'>, (text: string) => boolean> = {
  number: (text) => {
    const parts = (text.startsWith('-') ? text.slice(1) : text).split('.')
    return parts.length <= 2 && parts.every((part) => all(part, isDigit))
  },
  letter: (text) => all(text, isLetter),
  letterAndNumber: (text) => all(text, word('')),
  mobilePhone: (text) => text.length === 11 && all(text, isDigit) && text[0] === '1' && Number(text[1]) >= 3,
  letterStartNumberIncluded: (text) => all(text, word('')) && isLetter(text[0] ?? ''),
  noChinese: (text) => all(text, (c) => !isHan(c)),
  chinese: (text) => all(text, isHan),
  email: (text) => {
    const [local = '', host = '', ...more] = text.split('@')
    const parts = host.split('.')
    const ending = parts.pop() ?? ''
    const ends = [2, 3].includes(ending.length) && all(ending, word(''))
    return (
      more.length === 0 &&
      all(local, word('-_.')) &&
      parts.length > 0 &&
      parts.every((p) => all(p, word('_'))) &&
      ends
    )
  },
  url: (text) => {
    const head = ['http://', 'https://'].find(
      (scheme) => text.slice(0, scheme.length).toLowerCase() === scheme,
    )
    if (head === undefined || !/^[ -~]*$/.test(text.slice(0, head.length))) return false
    const parts = text.slice(head.length).split('.')
    const rest = parts.pop() ?? ''
    return parts.length > 0 && parts.every((p) => all(p, word('-~'))) && all(rest, word('-~/'))
  },
  noBlankStart: () => true,
  noBlankEnd: () => true,
}

const characters = fc.constantFrom(
  ...[
    '0',
    '1',
    '3',
    '9',
    'a',
    'Z',
    '-',
    '_',
    '.',
    '@',
    '/',
    ':',
    '~',
    ' ',
    '\n',
    '龥',
    '龦',
    '一',
    '丂',
    '中',
  ],
  ...['１', 'ａ', '．', '＠', '😀', '\ud83d', 'é', 'e\u0301', '\u200d', '\u4dff', '٣', 'K', 'ſ'],
)
const seeds = [
  '13800138000',
  '-12.50',
  'a.b-c@d_e.f.com',
  'https://a-b.c~d.cn/x/y',
  'HTTP://a.b',
  'abc123',
  '中文',
]
const edge = [
  '12.',
  '.5',
  '-',
  '--1',
  '1.2.3',
  'a@b-c.com',
  'a@b.comm',
  'a@b.c',
  'a@.com',
  'a@b@c.com',
  'http://a.b:80',
  'http://a',
]
const near = fc
  .tuple(
    fc.constantFrom(...seeds),
    fc.array(fc.tuple(fc.nat(), fc.nat(2), fc.oneof(characters, fc.constant(''))), { maxLength: 3 }),
  )
  .map(([seed, edits]) =>
    edits.reduce((text, [n, cut, add]) => {
      const at = n % (text.length + 1)
      return text.slice(0, at) + add + text.slice(at + cut)
    }, seed),
  )
const anyText = fc.oneof(
  { weight: 4, arbitrary: near },
  { weight: 1, arbitrary: fc.string({ unit: characters, maxLength: 14 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
)

describe.each(Object.entries(definitions))('the named rule %s', (name, definition) => {
  it('equals its definition, for any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(satisfies(name as NamedRuleName, text)).toBe(definition(text))
      }),
      { numRuns: 3000, examples: [...seeds, ...edge].map((seed): [string] => [seed]) },
    )
  })

  it.each(['1', 'a', 'a.', 'a@', '中', '😀', '-', '.', 'http://a.', ' '])(
    'accepts 50,000 characters of %j in linear time',
    (piece) => {
      const long = piece.repeat(Math.ceil(50_000 / piece.length))
      const before = performance.now()

      for (const text of [long, `${long}!`, `a@${long}`, `http://${long}`, `-${long}.`])
        satisfies(name as NamedRuleName, text)

      expect(performance.now() - before).toBeLessThan(150)
    },
  )
})

it('leaves no named rule undefined except the one with the field’s own pattern', () => {
  expect(
    Object.keys(NAMED_RULES)
      .filter((name) => name !== 'regExp')
      .sort(),
  ).toEqual(Object.keys(definitions).sort())
})
