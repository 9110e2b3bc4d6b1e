import fc from 'fast-check'

const alphabet = ['a', 'b', 'A', '1', '_', '-', ' ', '\n', '中', '😀', '\ud83d']
const atom = fc.constantFrom(
  ...[
    'a',
    'b',
    'A',
    '1',
    '-',
    '中',
    '😀',
    '.',
    '\\d',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    '[ab]',
    '[^a]',
    '[A-z]',
    '[中-龥]',
  ],
  ...['\\u4e2d', '\\x61', '\\n', '\\.', '[\\]a]', '[\\w-]', '^', '$', '\\b', '\\B'],
)
const quantifier = fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{0,1}', '{2,}', '*?', '+?', '??', '{1,3}?')
const fixed = new Set(['^', '$', '\\b', '\\B'])

const { piece } = fc.letrec<{ piece: string; choice: string; sequence: string }>((tie) => ({
  piece: fc.oneof(
    { maxDepth: 2 },
    atom,
    fc.tuple(atom, quantifier).map(([a, q]) => (fixed.has(a) ? a : a + q)),
    fc.tuple(tie('choice'), quantifier).map(([body, q]) => `(${body})${q}`),
    fc.tuple(tie('choice'), quantifier).map(([body, q]) => `(?:${body})${q}`),
    tie('choice').map((body) => `(${body})`),
    fc
      .tuple(fc.constantFrom('(?=', '(?!', '(?<=', '(?<!'), tie('choice'))
      .map(([head, body]) => `${head}${body})`),
    fc.constantFrom('\\1', '\\2', '\\1+'),
  ),
  sequence: fc.array(tie('piece'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
  choice: fc.array(tie('sequence'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('|')),
}))

/** Pattern sources, nearly all of them valid. */
export const patternSource = fc
  .array(piece, { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('').slice(0, 120))

/** Flags that a pattern can have. */
export const patternFlags = fc.subarray(['i', 'm', 's', 'u']).map((flags) => flags.join(''))

/** Short texts of the characters that occur in the patterns. */
export const patternText = fc
  .array(fc.constantFrom(...alphabet), { maxLength: 10 })
  .map((characters) => characters.join(''))
