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

  it('prefers the hint of the field to its default text', () => {
    expect(check({ validation: 'number', validationHint: '只要数字' }, 'x')).toBe('只要数字')
    expect(check({ validation: '/^a/', validationHint: '以 a 开头' }, 'x')).toBe('以 a 开头')
  })

  it('applies the special rule of uploads, cascaders and long texts, with its hint; files are checked by name', () => {
    const rule = { customRule: '/^[a-z]+\\.pdf$/', customRuleHint: '只收 pdf' }
    const file = (name: string) => ({ name, url: '/f' })
    expect(check(rule, [file('a.pdf'), file('b.pdf')])).toBeNull()
    expect(check(rule, [file('a.pdf'), file('b.doc')])).toBe('只收 pdf')
    expect(check({ customRule: 'number' }, 'x')).toBe('[金额]包含非数字字符')
    expect(check({ customRule: '^zj,hz$' }, ['zj', 'nb'])).toBe('金额格式不匹配')
    expect(check({ ...rule, validation: 'letter' }, '1')).toBe('[金额]包含非字母字符')
  })

  it('names the label if a free pattern has no hint', () => {
    expect(check({ validation: '/^\\d{6}$/' }, '12')).toBe('金额格式不匹配')
    expect(check({ validation: '^\\d{6}$' }, '123456')).toBeNull()
  })

  it('reports a pattern that is invalid or takes too long', () => {
    expect(check({ validation: '(' }, 'x')).toBe('金额的校验规则有误，请联系管理员')
    expect(check({ validation: '(a+)+$' }, `${'a'.repeat(4000)}!`)).toBe(
      '金额的校验规则过于复杂，无法完成校验',
    )
  })

  it('counts characters, not UTF-16 code units, against the length', () => {
    expect(check({ maxLength: 2 }, '😀😀')).toBeNull()
    expect(check({ maxLength: 2 }, '😀😀😀')).toBe('金额长度不能超过2')
    expect(check({ minLength: 2, maxLength: 4 }, '一')).toBe('金额长度必须介于2和4之间')
  })

  it('compares numbers, also as text, with included bounds', () => {
    expect(check({ min: 1, max: 5 }, '5')).toBeNull()
    expect(check({ min: 1, max: 5 }, 6)).toBe('金额不能大于5')
    expect(check({ min: '1' }, 0.5)).toBe('金额不能小于1')
  })

  it('counts choices if the bounds limit the number of choices, whatever the values are', () => {
    const chosen = (options: JsonObject, value: Json) =>
      checkField({ label: '标签', options, required: false, value, bounded: 'count' }, text)
    expect(chosen({ min: 1, max: 2 }, [1001, 1002])).toBeNull()
    expect(chosen({ min: '2', max: 3 }, [1001])).toBe('标签至少选择2项')
    expect(chosen({ max: 1 }, ['a', 'b'])).toBe('标签最多选择1项')
    expect(chosen({ max: 0 }, ['a', 'b'])).toBeNull()
    expect(chosen({ min: 2 }, [])).toBeNull()
  })
})

describe('the bounds of a text', () => {
  it.each<[JsonObject, Json, string | null]>([
    [{ minLength: 2 }, '一', '金额长度不能少于2'],
    [{ minLength: 2 }, '一二', null],
    [{ maxLength: 2 }, '一二', null],
    [{ minLength: 2, maxLength: 4 }, '一二', null],
    [{ minLength: 2, maxLength: 4 }, '一二三四', null],
    [{ minLength: 2, maxLength: 4 }, '一二三四五', '金额长度必须介于2和4之间'],
    [{ minLength: 0, maxLength: 2 }, '一二三', '金额长度不能超过2'],
    [{ minLength: '', maxLength: '2' }, '一二三', '金额长度不能超过2'],
    [{ minLength: 3 }, 12, null],
    [{ minLength: 3 }, ['一'], null],
    [{ maxLength: 1 }, 1234, null],
    [{ maxLength: 0 }, '一', '金额长度不能超过0'],
  ])('are applied as %j: %j gives %j', (options, value, told) => {
    expect(check(options, value)).toBe(told)
  })
})

describe('the bounds of a number', () => {
  it.each<[JsonObject, Json, string | null]>([
    [{ min: 1 }, 1, null],
    [{ max: 5 }, 5, null],
    [{ min: 1, max: 5 }, '5.01', '金额不能大于5'],
    [{ min: 1 }, ' 0.5 ', '金额不能小于1'],
    [{ max: -1 }, 0, '金额不能大于-1'],
    [{ min: 1 }, -1, '金额不能小于1'],
    [{ max: 5 }, -6, null],
    [{ min: 1 }, 6, null],
    [{ min: 1 }, ' ', null],
    [{ min: 1 }, 'x', null],
    [{ min: 1 }, false, null],
    [{ min: 1 }, { a: 1 }, null],
    [{ max: 1 }, true, null],
    [{ min: 1, max: 5 }, [2, 6], '金额不能大于5'],
    [{ min: 1, max: 5 }, [0, 6], '金额不能小于1'],
    [{ min: 1, max: 5 }, [1, 5], null],
    [{ min: '', max: null }, 1e9, null],
    [{ min: 'x', max: ' ' }, -1e9, null],
  ])('are applied as %j: %j gives %j', (options, value, told) => {
    expect(check(options, value)).toBe(told)
  })
})

describe('the bounds of a choice', () => {
  const chosen = (options: JsonObject, value: Json) =>
    checkField({ label: '标签', options, required: false, value, bounded: 'count' }, text)

  it.each<[JsonObject, Json, string | null]>([
    [{ min: 2 }, ['a', 'b'], null],
    [{ max: 2 }, ['a', 'b'], null],
    [{ min: 2 }, ['a', 'b', 'c'], null],
    [{ max: 2 }, ['a'], null],
    [{ min: 2, max: 2 }, ['a'], '标签至少选择2项'],
    [{ min: 2, max: 2 }, ['a', 'b', 'c'], '标签最多选择2项'],
    [{ min: 3 }, 'ab', null],
  ])('are applied as %j: %j gives %j', (options, value, told) => {
    expect(chosen(options, value)).toBe(told)
  })
})

describe('the value that a rule checks', () => {
  it('is each file by its name, and every file must be valid', () => {
    const named = (...names: string[]) => names.map((name) => ({ name }))
    expect(check({ validation: 'letter' }, named('a', 'b'))).toBeNull()
    expect(check({ validation: 'letter' }, named('a', '1'))).toBe('[金额]包含非字母字符')
    expect(check({ validation: '/^a/' }, named('a', 'b'))).toBe('金额格式不匹配')
    expect(check({ validation: '/^a/' }, [...named('a'), 'b'])).toBeNull()
  })

  it('is one text for any value: a list by its entries, an object as JSON', () => {
    expect(check({ validation: '/^a,b$/' }, ['a', 'b'])).toBeNull()
    expect(check({ validation: '/^\\{"x":2\\}$/' }, { x: 2 })).toBeNull()
    expect(check({ validation: '/^12$/' }, 12)).toBeNull()
    expect(check({ validation: '/^true$/' }, true)).toBeNull()
    expect(check({ validation: '/^null$/' }, [null])).toBeNull()
  })

  it('is checked by every rule in turn: a passing rule does not skip the next', () => {
    expect(check({ validation: 'number', max: 5 }, '6', true)).toBe('金额不能大于5')
    expect(check({ minLength: 1, maxLength: 3, max: 5 }, '99', true)).toBe('金额不能大于5')
    expect(check({ onValidate: 'return false' }, 'x')).toBeNull()
  })

  it('may be any object or list', () => {
    expect(check({}, { a: 1 }, true)).toBeNull()
    expect(check({}, [0], true)).toBeNull()
    expect(check({}, [], true)).toBe('金额必填')
    expect(check({}, {}, true)).toBe('金额必填')
  })
})

describe('fieldRules', () => {
  it.each<[JsonObject, string[]]>([
    [{}, []],
    [{ minLength: 0 }, ['length']],
    [{ maxLength: '3' }, ['length']],
    [{ minLength: ' ', maxLength: null }, []],
    [{ min: 0 }, ['range']],
    [{ max: '0' }, ['range']],
    [{ min: Number.NaN, max: {} }, []],
    [{ onValidate: ' \n ' }, []],
    [{ onValidate: 'x' }, ['custom']],
    [{ validation: '', customRule: 'x' }, ['pattern']],
    [{ validation: 'noBlankStart' }, ['named']],
    [{ validation: 'regExp' }, ['named']],
    [{ validation: 7 as unknown as string }, []],
  ])('of %j are %j', (options, kinds) => {
    expect(fieldRules(options, false).map(({ kind }) => kind)).toEqual(kinds)
  })

  it('counts choices if the widget declares it; a maximum of 0 means no maximum', () => {
    expect(fieldRules({ min: 1, max: 0 }, false, 'count')).toEqual([{ kind: 'count', min: 1, max: null }])
    expect(fieldRules({ max: 0 }, false, 'count')).toEqual([])
    expect(fieldRules({ max: 0 }, false, 'value')).toEqual([{ kind: 'range', min: null, max: 0 }])
    expect(fieldRules({ max: 0 }, false)).toEqual([{ kind: 'range', min: null, max: 0 }])
  })

  it('puts required first, then validation, then bounds, then the code of the page', () => {
    const options = { onValidate: 'return true', max: 3, maxLength: 4, validation: 'number' }

    const kinds = fieldRules(options, true).map((rule) => rule.kind)

    expect(kinds).toEqual(['required', 'named', 'length', 'range', 'custom'])
  })

  it.each(['noBlankStart', 'noBlankEnd'])('derives no rule from %s', (validation) => {
    expect(check({ validation }, '  x  ')).toBeNull()
  })
})

function check(options: JsonObject, value: Json | undefined, required = false): string | null {
  return checkField({ label: '金额', options, required, value }, text)
}
