import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldText } from '../../../src/server/kernel/words/fold-text.ts'
import { grams } from '../../../src/server/kernel/words/grams.ts'
import { maskName, maskPhone } from '../../../src/server/kernel/words/mask.ts'
import { normaliseName } from '../../../src/server/kernel/words/normalise-name.ts'
import { normalisePhone } from '../../../src/server/kernel/words/normalise-phone.ts'
import { readingOf } from '../../../src/server/kernel/words/pinyin.ts'
import { SIMILAR_FROM, selectiveGrams, similarity } from '../../../src/server/kernel/words/similar-names.ts'
import { creditCodeCheckDigit, isCreditCode } from '../../../src/server/modules/customers/credit-code.ts'

const chineseText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '有限公司',
        '集团',
        '公司',
        '股份有限公司',
        '广东省',
        '深圳市',
        '大超市',
        '（',
        ')',
        '　',
        'ａ',
        'ß',
        '·',
      ),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''))

describe('normaliseName', () => {
  it.each([
    ['深圳市华信科技有限公司', '华信科技'],
    ['广东省深圳市华信科技股份有限公司', '华信科技'],
    ['华信（集团）有限责任公司', '华信'],
    ['Ｈｕａｘｉｎ Tech', 'HUAXINTECH'],
    ['大超市连锁有限公司', '大超市连锁'],
    ['有限公司', '有限公司'],
  ])('converts %s to %s', (name, norm) => expect(normaliseName(name)).toBe(norm))

  it('is idempotent', () => {
    fc.assert(
      fc.property(chineseText, (name) => {
        expect(normaliseName(normaliseName(name))).toBe(normaliseName(name))
      }),
    )
  })

  it('ignores spaces, width, case, brackets and the legal form', () => {
    fc.assert(
      fc.property(chineseText, fc.constantFrom('有限公司', '有限责任公司', '集团公司'), (name, form) => {
        fc.pre(foldText(name) !== '')

        const disguised = ` ${name.toLowerCase()}（）　${form}`

        expect(normaliseName(disguised)).toBe(normaliseName(name.toLowerCase()))
      }),
    )
  })

  it('keeps a character of every name that has a letter', () => {
    fc.assert(
      fc.property(chineseText, (name) => {
        expect(normaliseName(name) === '').toBe(foldText(name) === '')
      }),
    )
  })
})

describe('normalisePhone', () => {
  it.each([
    ['+86 138-0000-1234', '13800001234'],
    ['8613800001234', '13800001234'],
    ['0755-8888 6666', '075588886666'],
    ['86123456', '86123456'],
    ['１３８００００１２３４', '13800001234'],
    ['无', ''],
  ])('converts %s to %s', (phone, norm) => expect(normalisePhone(phone)).toBe(norm))

  it('returns the same mobile number with and without country code and separators', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^1[3-9]\d{9}$/),
        fc.constantFrom('', '+86', '86 ', '+86-'),
        (mobile, code) => {
          const written = `${code}${mobile.slice(0, 3)} ${mobile.slice(3)}`

          expect(normalisePhone(written)).toBe(mobile)
        },
      ),
    )
  })
})

describe('similarity', () => {
  it('is symmetric, between 0 and 1, and 1 for equal texts', () => {
    fc.assert(
      fc.property(chineseText, chineseText, (a, b) => {
        expect(similarity(a, b)).toBe(similarity(b, a))
        expect(similarity(a, b)).toBeGreaterThanOrEqual(0)
        expect(similarity(a, b)).toBeLessThanOrEqual(1)
        expect(similarity(a, a)).toBe(a === '' ? 0 : 1)
      }),
    )
  })

  it('is found for every similar name by one of the chosen trigrams, about two in five of a long name', () => {
    const name = fc.array(fc.constantFrom(...'甲乙丙丁戊己庚辛'), { minLength: 2, maxLength: 14 })
    const change = fc.tuple(fc.nat(13), fc.constantFrom('子', '丑', ''))
    let similar = 0
    fc.assert(
      fc.property(name, fc.array(change, { maxLength: 3 }), (chars, changes) => {
        const other = [...chars]
        for (const [at, char] of changes) if (at < other.length) other[at] = char
        const [a, b] = [chars.join(''), other.join('')]
        if (similarity(a, b) < SIMILAR_FROM) return
        similar += 1

        expect(selectiveGrams(a).some((gram) => grams(b, 2).includes(gram))).toBe(true)
      }),
      { numRuns: 2000 },
    )
    expect(similar).toBeGreaterThan(300)
    expect(selectiveGrams('甲乙丙丁戊己庚辛壬癸子')).toHaveLength(5)
  })

  it('counts characters outside the basic plane as one', () => {
    expect(grams('𠮷野家', 2)).toEqual(['𠮷野', '野家'])
  })
})

describe('masks', () => {
  it('keep the length and hide a part of every name', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('华', '信', '科', '𠮷', 'A'), { minLength: 1, maxLength: 40 }),
        (chars) => {
          const masked = Array.from(maskName(chars.join('')))

          expect(masked).toHaveLength(chars.length)
          expect(masked).toContain('*')
        },
      ),
    )
  })

  it('show three and four digits of a mobile number', () => {
    expect(maskPhone('13800001234')).toBe('138****1234')
    expect(maskPhone('1234')).toBe('****')
  })
})

describe('credit code', () => {
  it('accepts a real code and detects each single-character fault', () => {
    const code = '91440300708461136T'

    expect(isCreditCode(code)).toBe(true)
    for (let i = 0; i < 18; i++) {
      const wrong = code.slice(0, i) + (code[i] === '2' ? '3' : '2') + code.slice(i + 1)
      expect(isCreditCode(wrong), wrong).toBe(false)
    }
  })

  it('accepts its own check digit', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^9[1-3]\d{6}[0-9A-HJ-NPQRTUWXY]{9}$/), (first17) => {
        expect(isCreditCode(first17 + creditCodeCheckDigit(first17))).toBe(true)
      }),
    )
  })
})

describe('pinyin', () => {
  it.each([
    ['单田芳', 'shantianfang', 'stf'],
    ['曾国庆', 'zengguoqing', 'zgq'],
    ['解晓东', 'xiexiaodong', 'xxd'],
    ['查良镛', 'zhaliangyong', 'zly'],
  ])('uses the surname reading of %s', (name, py, py_initial) => {
    expect(readingOf(name, 'person')).toEqual({ py, py_initial })
  })
})
