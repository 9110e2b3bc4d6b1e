import { describe, expect, it } from 'vitest'
import { fillPlaces } from '../../../runtime/core/errors.ts'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import type { Text } from '../../../runtime/core/ports.ts'
import { checkField, fieldRules } from '../../../runtime/core/rules/check-field.ts'
import texts from '../../../schemas/text/zh-hans.json'

const text: Text = (code, params) => fillPlaces((texts as Record<string, string>)[code] ?? `?${code}`, params)

describe('checkField', () => {
  it.each<[string, string, string]>([
    ['number', '12a', '[金额]包含非数字字符'],
    ['letter', 'a1', '[金额]包含非字母字符'],
    ['letterAndNumber', '中', '[金额]只能输入字母或数字'],
    ['mobilePhone', '12800138000', '[金额]手机号码格式有误'],
    ['letterStartNumberIncluded', '1a', '[金额]必须以字母开头，可包含数字'],
    ['noChinese', 'a中', '[金额]不可输入中文字符'],
    ['chinese', 'a', '[金额]只能输入中文字符'],
    ['email', 'a@b', '[金额]邮箱格式有误'],
    ['url', 'ftp://a.b', '[金额]URL格式有误'],
  ])('prefixes the text of %s with the label', (validation, value, message) => {
    expect(check({ validation }, value)).toBe(message)
  })

  it.each<[Json | undefined]>([[null], [undefined], ['']])(
    'skips every rule but required for %j',
    (value) => {
      expect(check({ validation: 'number', minLength: 2, min: 3 }, value)).toBeNull()
      expect(check({ validation: 'number' }, value, true)).toBe('金额必填')
    },
  )

  it.each<[Json]>([[[]], [{}]])('takes %j as missing in a required field', (value) => {
    expect(check({ requiredHint: '请填写金额' }, value, true)).toBe('请填写金额')
  })

  it.each<[Json]>([[0], [false], [' '], [[0]]])('takes %j as given in a required field', (value) => {
    expect(check({}, value, true)).toBeNull()
  })

  it('prefers the hint of the field to its own words', () => {
    expect(check({ validation: 'number', validationHint: '只要数字' }, 'x')).toBe('只要数字')
    expect(check({ validation: '/^a/', validationHint: '以 a 开头' }, 'x')).toBe('以 a 开头')
  })

  it('knows the own rule of uploads, cascaders and long texts, with its hint; files are checked by name', () => {
    const rule = { customRule: '/^[a-z]+\\.pdf$/', customRuleHint: '只收 pdf' }
    const file = (name: string) => ({ name, url: '/f' })
    expect(check(rule, [file('a.pdf'), file('b.pdf')])).toBeNull()
    expect(check(rule, [file('a.pdf'), file('b.doc')])).toBe('只收 pdf')
    expect(check({ customRule: 'number' }, 'x')).toBe('[金额]包含非数字字符')
    expect(check({ customRule: '^zj,hz$' }, ['zj', 'nb'])).toBe('金额格式不匹配')
    expect(check({ ...rule, validation: 'letter' }, '1')).toBe('[金额]包含非字母字符')
  })

  it('names the label where a free pattern has no hint', () => {
    expect(check({ validation: '/^\\d{6}$/' }, '12')).toBe('金额格式不匹配')
    expect(check({ validation: '^\\d{6}$' }, '123456')).toBeNull()
  })

  it('says so when a pattern cannot be read or takes too long', () => {
    expect(check({ validation: '(' }, 'x')).toBe('金额的校验规则有误，请联系管理员')
    expect(check({ validation: '(a+)+$' }, `${'a'.repeat(4000)}!`)).toBe(
      '金额的校验规则过于复杂，无法完成校验',
    )
  })

  it('counts characters, not code units, against the length', () => {
    expect(check({ maxLength: 2 }, '😀😀')).toBeNull()
    expect(check({ maxLength: 2 }, '😀😀😀')).toBe('金额长度不能超过2')
    expect(check({ minLength: 2, maxLength: 4 }, '一')).toBe('金额长度必须介于2和4之间')
  })

  it('compares numbers, written as text too, with included bounds', () => {
    expect(check({ min: 1, max: 5 }, '5')).toBeNull()
    expect(check({ min: 1, max: 5 }, 6)).toBe('金额不能大于5')
    expect(check({ min: '1' }, 0.5)).toBe('金额不能小于1')
  })

  it('counts what is chosen where the bounds are of the number of choices, whatever the values are', () => {
    const chosen = (options: JsonObject, value: Json) =>
      checkField({ label: '标签', options, required: false, value, bounded: 'count' }, text)
    expect(chosen({ min: 1, max: 2 }, [1001, 1002])).toBeNull()
    expect(chosen({ min: '2', max: 3 }, [1001])).toBe('标签至少选择2项')
    expect(chosen({ max: 1 }, ['a', 'b'])).toBe('标签最多选择1项')
    expect(chosen({ max: 0 }, ['a', 'b'])).toBeNull()
    expect(chosen({ min: 2 }, [])).toBeNull()
  })
})

describe('fieldRules', () => {
  it('puts required first, then validation, then bounds, then the code of the page', () => {
    const options = { onValidate: 'return true', max: 3, maxLength: 4, validation: 'number' }

    const kinds = fieldRules(options, true).map((rule) => rule.kind)

    expect(kinds).toEqual(['required', 'named', 'length', 'range', 'custom'])
  })

  it.each(['noBlankStart', 'noBlankEnd'])('%s imposes nothing', (validation) => {
    expect(check({ validation }, '  x  ')).toBeNull()
  })
})

function check(options: JsonObject, value: Json | undefined, required = false): string | null {
  return checkField({ label: '金额', options, required, value }, text)
}
