import { describe, expect, it } from 'vitest'
import { createBudget, spending } from '../../../runtime/core/budget.ts'
import { formatPhrase } from '../../../runtime/core/errors.ts'
import { matchPattern, patternFault } from '../../../runtime/core/rules/pattern.ts'

/** The native engine's answer. */
function native(source: string, flags: string, text: string): 'match' | 'no-match' {
  return new RegExp(source, flags).test(text) ? 'match' : 'no-match'
}

/** Each row: a pattern, its flags, texts. The native engine decides whether they match. */
const CASES: readonly (readonly [string, string, readonly string[]])[] = [
  // Quantifiers: greedy, lazy, bounded; backtracking, and its lower bound.
  ['^a*$', '', ['', 'a', 'aa', 'ab']],
  ['^a+$', '', ['', 'a', 'aa', 'ab']],
  ['^a?$', '', ['', 'a', 'aa']],
  ['^a{2}$', '', ['a', 'aa', 'aaa']],
  ['^a{2,}$', '', ['a', 'aa', 'aaaa']],
  ['^a{1,2}$', '', ['', 'a', 'aa', 'aaa']],
  ['^a{0}$', '', ['', 'a']],
  ['^a{12}$', '', ['a'.repeat(11), 'a'.repeat(12), 'a'.repeat(13)]],
  ['^a{10,12}$', '', ['a'.repeat(9), 'a'.repeat(10), 'a'.repeat(12), 'a'.repeat(13)]],
  ['^a*a$', '', ['', 'a', 'aaa']],
  ['^a+a$', '', ['a', 'aa', 'aaa']],
  ['^a{2,3}a$', '', ['aa', 'aaa', 'aaaa', 'aaaaa']],
  ['^a?a$', '', ['', 'a', 'aa', 'aaa']],
  ['^a*?$', '', ['', 'aaa', 'ab']],
  ['^a*?b$', '', ['b', 'aab', 'aac']],
  ['^a+?b$', '', ['b', 'ab', 'aab']],
  ['^a{1,2}?b$', '', ['b', 'ab', 'aab', 'aaab']],
  ['^a{2,3}?b$', '', ['ab', 'aab', 'aaab', 'aaaab']],
  ['^a??b$', '', ['b', 'ab', 'aab']],
  ['^a{2}?b$', '', ['ab', 'aab', 'aaab']],
  ['^[ab]{2,}c$', '', ['abc', 'ac', 'c', 'babac']],
  ['^a{', '', ['a{', 'a']],
  ['^a{,2}$', '', ['a{,2}', 'aa']],
  ['^{a}$', '', ['{a}', 'a']],
  ['^}]$', '', ['}]', '}']],
  // Repeated groups.
  ['^(ab)*$', '', ['', 'ab', 'abab', 'aba']],
  ['^(?:ab)+$', '', ['', 'ab', 'abab', 'aba']],
  ['^(?:ab){2}$', '', ['ab', 'abab', 'ababab']],
  ['^(?:ab){2,3}$', '', ['ab', 'abab', 'ababab', 'abababab']],
  ['^(?:ab){1,2}?(ab)$', '', ['ab', 'abab', 'ababab', 'abababab']],
  ['^(?:ab)*?(ab)b$', '', ['abb', 'ababb', 'ab']],
  ['^(?:a|ab)(?:c|bcd)(?:d*)$', '', ['abcd', 'ac', 'abcdd', 'abd']],
  ['^(a?)*$', '', ['', 'a', 'aaa', 'b']],
  ['^(a?)+b$', '', ['b', 'aab', 'a']],
  ['^(a*)*b$', '', ['b', 'aab', 'a']],
  ['^(a?){2}$', '', ['', 'a', 'aa', 'aaa']],
  ['^(a?){3,}$', '', ['', 'a', 'aaaa', 'b']],
  ['^(a?)??$', '', ['', 'a', 'aa']],
  ['^(|a)+$', '', ['', 'a', 'aa']],
  ['^(?:|a)*?$', '', ['', 'a', 'aa']],
  ['^(a|b|c)d$', '', ['ad', 'bd', 'cd', 'dd', 'd']],
  ['a|b|', '', ['', 'c']],
  ['^(?:a|b)|c$', '', ['a', 'xc', 'xa', 'bx']],
  // Backreferences, also to groups that did not match, come later, or are reset in each iteration.
  ['^(a|b)\\1$', '', ['aa', 'bb', 'ab', 'a']],
  ['^(ab)\\1$', '', ['abab', 'aba', 'abaB', 'ab']],
  ['^(ab)\\1$', 'i', ['abAB', 'abAC']],
  ['^(a)?\\1b$', '', ['b', 'aab', 'ab']],
  ['^\\1(a)$', '', ['a', 'aa']],
  ['^(?:(a)|b)*\\1$', '', ['ab', 'ba', 'baa', 'aba']],
  ['^(?:(a)|(b)\\1)*$', '', ['ab', 'aba', 'abab']],
  ['^(?<x>a|b)\\k<x>$', '', ['aa', 'bb', 'ab']],
  ['^(?<x>a)(?<y>b)\\k<y>\\k<x>$', '', ['abba', 'abab']],
  ['^(?:(?<x>a)|(?<y>b))\\k<y>$', '', ['a', 'bb', 'b']],
  ['^\\k<x>$', '', ['k<x>', 'x']],
  ['^(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)\\10$', '', ['abcdefghijj', 'abcdefghija0', 'abcdefghija']],
  ['^(a)\\2$', '', ['a\u0002', 'aa']],
  ['^(中)\\1$', '', ['中中', '中']],
  ['^(😀)\\1$', 'u', ['😀😀', '😀']],
  ['^(.)\\1$', 'iu', ['ſs', 'Kk', 'ab']],
  ['(a*)\\1b', '', ['aaaab', 'b', 'ab']],
  // Lookahead and lookbehind; captures of a positive one are kept, those of a negative one are not.
  ['^(?=a)[ab]b$', '', ['ab', 'bb']],
  ['^(?!a)[ab]b$', '', ['ab', 'bb']],
  ['(?<=a)b', '', ['ab', 'bb', 'b']],
  ['(?<!a)b', '', ['ab', 'b', 'cb']],
  ['(?<=ab)c', '', ['abc', 'bac', 'c']],
  ['(?<=a{2})b', '', ['aab', 'ab']],
  ['(?<=^a+)b', '', ['aab', 'b', 'cab']],
  ['(?<=(a|bc))d', '', ['ad', 'bcd', 'cd']],
  ['(?<=\\1(a))b', '', ['aab', 'ab', 'bb']],
  ['(?<=(a)\\1)b', '', ['aab', 'ab']],
  ['(?<=([ab]+)([bc]+))$', '', ['abc', 'bc', 'c']],
  ['(?<=😀)a', 'u', ['😀a', 'a']],
  ['(?<=.)😀', 'u', ['a😀', '😀']],
  ['(?<=^.)b', 'u', ['😀b', 'ab', 'aab']],
  ['(?<=^.)b', '', ['😀b', 'ab']],
  ['(?<=^.{2})b', 'u', ['😀😀b', '😀b', 'aab']],
  ['(?=(a+))a*b\\1', '', ['baaabac', 'aaab', 'aabaa']],
  ['(?=(a+)).*\\1$', '', ['aba', 'ab', 'aabaa']],
  ['^(?=(a))?\\1b$', '', ['b', 'ab']],
  ['^(?!(a))\\1b$', '', ['b', 'ab']],
  ['^(?:(?=(a))a|b)+\\1$', '', ['aba', 'ab', 'aa', 'ba']],
  ['^(?=.*\\d)(?=.*[a-z]).{3,}$', '', ['a1b', 'abc', '123', 'a1']],
  // Boundaries and words.
  ['^a$', 'm', ['b\na\nc', 'ba', 'a\r', 'b\u2028a', 'b\u2029a\u2028']],
  ['^a$', '', ['b\na\nc', 'a', 'a\n']],
  ['a^', '', ['a', 'aa']],
  ['$a', 'm', ['\na', 'a']],
  ['\\bab\\b', '', ['ab', 'ab c', 'c ab', 'cab', 'abc', '中ab中']],
  ['\\Bb\\B', '', ['abc', 'b', 'ab', 'bc']],
  ['^\\b', '', ['', 'a', ' ']],
  ['^\\B', '', ['', 'a', ' ']],
  ['\\bſ', 'iu', ['ſ', 'aſ']],
  ['\\bſ', 'i', ['ſ', 'aſ']],
  // Characters, classes, escapes.
  ['^.$', '', ['a', '\n', '\r', '😀', '']],
  ['^.$', 's', ['\n', '😀']],
  ['^.$', 'u', ['😀', '\ud83d', 'ab']],
  ['^😀$', '', ['😀', '\ud83d']],
  ['^😀+$', 'u', ['😀😀', '😀\ude00']],
  ['^[😀a]$', 'u', ['😀', 'a', '\ud83d']],
  ['^[\\]a]$', '', [']', 'a', '\\']],
  ['^[^\\]a]$', '', [']', 'b']],
  ['^[]$', '', ['', 'a']],
  ['^[^]$', '', ['', 'a', '\n']],
  ['^[(]$', '', ['(', ')']],
  ['^[(?<x>]\\k<x>$', '', ['(k<x>', '((']],
  ['^\\((a)\\)\\1$', '', ['(a)a', '(a)']],
  ['^[\\ (]\\1$', '', ['(\u0001', ' \u0001', '(']],
  ['^\\4$', '', ['\u0004', '4']],
  ['^][b]$', '', [']b', ']', 'b']],
  ['^[a-c\\d]$', 'i', ['B', '5', 'd']],
  ['^\\u4e2d\\x61\\cJ$', '', ['中a\n', '中a']],
  ['^\\c$', '', ['\\c', 'c']],
  ['^\\c1$', '', ['\\c1', 'c1']],
  ['^\\u4e2$', '', ['u4e2', '中']],
  ['^\\x6$', '', ['x6', '\u0006']],
  ['^\\ud83d\\ude00$', 'u', ['😀', '\ud83d']],
  ['^\\ud83d\\ude00+$', 'u', ['😀😀', '😀\ude00']],
  ['^\\ud83d\\ude00+$', '', ['😀\ude00', '😀😀']],
  ['^\\u{1f600}$', 'u', ['😀', 'u']],
  ['^\\u{3}$', '', ['uuu', '\u0003']],
  ['^\\p{L}+$', 'u', ['中a', '1']],
  ['^\\P{L}+$', 'u', ['1', 'a']],
  ['^\\p{2}$', '', ['pp', 'p']],
  ['^\\0$', '', ['\0', '0']],
  ['^\\01$', '', ['\u0001', '1']],
  ['^\\141$', '', ['a', '\\141']],
  ['^\\400$', '', [' 0', '\u0100']],
  ['^\\8$', '', ['8', '\b']],
  ['^\\a\\-\\/\\.$', '', ['a-/.', 'a-/x']],
  ['^a/b$', '', ['a/b', 'ab']],
  ['^\\w\\W\\s\\S\\d\\D$', '', ['a- b1c', 'a-b b1c']],
  ['^ſ$', 'iu', ['s', 'S', 'ſ']],
  ['^ſ$', 'i', ['s', 'ſ']],
  ['^\\😀$', '', ['😀', '\\😀']],
  ['^(?:)$', '', ['', 'a']],
  // Consecutive escapes: each is read from where it begins.
  ['^(?<x>b)\\.\\k<x>$', '', ['b.b', 'b.a', 'b.']],
  ['^(?<xy>a)\\k<xy>$', '', ['aa', 'a']],
  ['^\\.\\ud83d\\ude00$', 'u', ['.😀', '😀']],
  ['^\\.\\u{1f600}$', 'u', ['.😀', '😀']],
  ['^\\.\\141$', '', ['.a', 'a']],
  ['^\\.\\x61$', '', ['.a', 'a']],
  ['^\\.\\c$', '', ['.\\c', '.c']],
  ['^\\4\\41$', '', ['\u0004!', '4!']],
  // What counts as a group, and so the meaning of a number after a backslash.
  ['^\\((a)\\2$', '', ['(a\u0002', '(a', '(aa']],
  ['^[\\](](a)\\2$', '', ['(a\u0002', '](', '(aa']],
  ['^\\k<x>(a)$', '', ['k<x>a', 'a']],
  ['^(a)(?:(b)|c)*\\1$', '', ['abca', 'abcb', 'aca']],
  ['^(?:(a)|b)*?\\1c$', '', ['abc', 'ac', 'aac', 'baac']],
  ['^\uffff+$', 'u', ['\uffff\uffff', '\uffff']],
  ['^.\uffff$', 'u', ['😀\uffff']],
  ['^()$', '', ['', 'a']],
]

describe('a pattern of a page', () => {
  it.each(CASES)('/%s/%s matches what the native engine matches', (source, flags, texts) => {
    for (const text of texts)
      expect([text, matchPattern(`/${source}/${flags}`, text)]).toEqual([text, native(source, flags, text)])
  })
})

describe('the notation of a pattern', () => {
  it('may have slashes at both ends, at one, or at none; flags only count after both', () => {
    expect(['/^a$/', '^a$', '/^a$', '^a$/'].map((pattern) => matchPattern(pattern, 'a'))).toEqual(
      Array(4).fill('match'),
    )
    expect(matchPattern('/^a$/i', 'A')).toBe('match')
    expect(matchPattern('^a$/i', 'A')).toBe('no-match')
    expect(matchPattern('/a/b/', 'a/b')).toBe('match')
    expect(matchPattern('x/a/i', 'x/a/i')).toBe('match')
    expect(matchPattern('x/a/i', 'xA')).toBe('no-match')
    expect(matchPattern('^a/b$', 'a/b')).toBe('match')
    expect(matchPattern('^a/b/', 'a/b')).toBe('match')
    expect(matchPattern('/a\n/', 'a\n')).toBe('match')
  })

  it('may repeat flags, and contain those that do not affect a single match', () => {
    expect(matchPattern('/^a$/iigdy', 'A')).toBe('match')
    expect(matchPattern('/^a$/x', 'a')).toBe('no-match')
  })

  it('is invalid if it is empty, longer than 2,000 characters, nested deeper than 100 levels, or refused by the native engine', () => {
    const deep = (levels: number): string => `${'('.repeat(levels)}a${')'.repeat(levels)}`
    for (const pattern of ['', '//', '(', 'a'.repeat(2001), deep(101)])
      expect([pattern.slice(0, 9), matchPattern(pattern, 'a')]).toEqual([pattern.slice(0, 9), 'invalid'])
    expect(matchPattern('a'.repeat(2000), 'a')).toBe('no-match')
    expect(matchPattern(deep(100), 'a')).toBe('match')
  })

  it('is cached between matches, and still correct after hundreds of others', () => {
    for (let i = 0; i < 450; i++) expect(matchPattern(`^${i}$`, `${i}`)).toBe('match')
    expect(matchPattern('^7$', '7')).toBe('match')
    expect(matchPattern('(', '7')).toBe('invalid')
    expect(matchPattern('(', '7')).toBe('invalid')
  })
})

describe('the reason why a pattern cannot be used', () => {
  const told = (pattern: string): string | null => {
    const fault = patternFault(pattern)
    return fault === null ? null : formatPhrase(fault)
  }

  it('is reported to its author, and is absent for a valid pattern', () => {
    expect(told('^a$')).toBeNull()
    expect(told('a'.repeat(2001))).toBe('longer than 2000 characters')
    expect(told('a'.repeat(2000))).toBeNull()
    expect(told(`${'('.repeat(101)}a${')'.repeat(101)}`)).toBe(
      'it is nested too deeply or uses syntax that is not supported',
    )
    expect(told('(')).toMatch(/unterminated group/i)
    expect(told('')).not.toBeNull()
    expect(told(`(${'a'.repeat(1999)}`)).toMatch(/unterminated group/i)
  })
})

describe('the steps of a match', () => {
  const steps = (pattern: string, text: string): number => {
    let most = 1
    while (matchPattern(pattern, text, most) === 'too-slow') most += 1
    return most
  }

  it('count each step of the machine, each deferred step, and each eighth character of a run', () => {
    expect(steps('^abc$', 'abc')).toBe(6)
    expect(steps('^abc', 'xabc')).toBe(2)
    expect(steps('a|b', 'b')).toBe(5)
    expect(steps('^a*', 'a'.repeat(80))).toBe(3 + 1 + 10)
    expect(steps('^(ab)\\1', 'abab')).toBe(10)
    expect(steps(`^(${'a'.repeat(16)})\\1`, 'a'.repeat(32))).toBe(10 + 14 + 2)
  })

  it('also count for the whole turn', () => {
    const budget = createBudget(30)
    const answers = spending(budget, () => [1, 2, 3].map(() => matchPattern('^(?:a|b)*$', 'abababab')))
    expect(answers).toEqual(['match', 'too-slow', 'too-slow'])
  })

  it('are reported when they run out, not treated as a mismatch', () => {
    expect(matchPattern('(a+)+$', `${'a'.repeat(5000)}!`)).toBe('too-slow')
    expect(matchPattern('^(a?)*$', 'aaaaaaaa', 5)).toBe('too-slow')
  })
})
