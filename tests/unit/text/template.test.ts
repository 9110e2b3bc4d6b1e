import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fillPlaces } from '../../../runtime/core/errors.ts'
import type { Json } from '../../../runtime/core/json.ts'
import { checkTemplate, fillText, pathsOf, templateValue } from '../../../runtime/core/text/template.ts'
import texts from '../../../schemas/text/zh-hans.json'
import { aScope } from '../../support/a-scope.ts'

const services = {
  now: Date.parse('2026-03-10T12:00:00+08:00'),
  dict: {
    customer_level: [
      { label: '重点', value: 'A' },
      { label: '普通', value: 2 },
    ],
    region: [{ label: '浙江', value: 'zj', children: [{ label: '杭州', value: 'hz' }] }],
  },
  text: (code: string, params?: Readonly<Record<string, string | number>>) =>
    fillPlaces((texts as Record<string, string>)[code] ?? `?${code}`, params),
}
const fill = (text: string, form: Record<string, Json> = {}) => fillText(text, aScope({ form }), services)

describe('fillText', () => {
  it.each<[string, Json, string]>([
    ['{{ a }}', 'x', 'x'],
    ['{{a}}', 0, '0'],
    ['客户：{{ form.a }}，共 {{ a }} 家', 3, '客户：3，共 3 家'],
    ['{{ a | count }}', ['甲', '乙'], '2'],
    ['{{ a | date }}', '2026-01-31 08:05:09', '2026-01-31'],
    ['{{ a | date:yyyy年MM月dd日 HH:mm }}', '2026-01-31 08:05:09', '2026年01月31日 08:05'],
    ['{{ a | date:MM-DD }}', '2026-01-31T23:30:00Z', '02-01'],
    ['{{ a | date }}', '不定', '不定'],
    ['{{ a | money }}', 1234567.005, '¥1,234,567.01'],
    ['{{ a | money }}', -0.005, '-¥0.01'],
    ['{{ a | money }}', '99', '¥99.00'],
    ['{{ a | percent }}', 12.5, '12.5%'],
    ['{{ a | percent }}', 0, '0%'],
    ['{{ a | percent }}', null, ''],
    ['{{ a | percent }}', '***', '***'],
    ['{{ a | number }}', 12345.678, '12,345.678'],
    ['{{ a | number:1 }}', 0.05, '0.1'],
    ['{{ a | dict:customer_level }}', 'A', '重点'],
    ['{{ a | dict:customer_level }}', '2', '普通'],
    ['{{ a | dict:customer_level }}', ['A', 2, 'Z'], '重点、普通、Z'],
    ['{{ a | dict:region }}', 'hz', '杭州'],
    ['{{ a | dict:none }}', 'A', 'A'],
    ['{{ a | ago }}', '2026-03-10 11:59:40', '刚刚'],
    ['{{ a | ago }}', '2026-03-10 11:15:00', '45分钟前'],
    ['{{ a | ago }}', '2026-03-10 00:00:00', '12小时前'],
    ['{{ a | ago }}', '2026-03-07 12:00:00', '3天前'],
    ['{{ a | ago }}', '2025-03-07 12:00:00', '2025-03-07'],
    ['{{ a | ago }}', '2026-03-12 09:30:00', '2026-03-12 09:30'],
    ['{{ a | mask }}', '13812345678', '138****5678'],
    ['{{ a | mask }}', '王小明', '王*明'],
    ['{{ a | mask }}', '王明', '王*'],
    ['{{ a | count }}', 1000, '999+'],
    ['{{ a | count:99 }}', 99, '99'],
    ['{{ a | default:未填写 }}', '', '未填写'],
    ['{{ a | default:未填写 }}', 0, '0'],
    ['{{ a | join:/ }}', ['x', 'y'], 'x/y'],
    ['{{ a }}', ['x', 'y'], 'x、y'],
    ['{{ a | days }}', '2026-03-13', '3'],
    ['{{ a | days }}', '2026-03-10 23:59:59', '0'],
    ['{{ a | label:name }}', { id: '1', name: '张三' }, '张三'],
    ['{{ a | ago | default:从未 }}', null, '从未'],
  ])('turns %s of %j into %s', (text, a, answer) => {
    expect(fill(text, { a })).toBe(answer)
  })

  it('uses the second path if the first has no value, and reads both', () => {
    const text = '{{ a | or:b | or:form.c | default:无 }}'
    expect(fill(text, { a: '甲', b: '乙' })).toBe('甲')
    expect(fill(text, { a: null, b: '', c: '丙' })).toBe('丙')
    expect(fill(text)).toBe('无')
    expect(pathsOf(text)).toEqual(['form.a', 'form.b', 'form.c'])
    expect(checkTemplate('{{ a | or: }}', '/x').map(({ code }) => code)).toEqual(['TEMPLATE_INVALID'])
    expect(checkTemplate('{{ a | or:form.constructor }}', '/x').map(({ code }) => code)).toEqual([
      'NAME_FORBIDDEN',
    ])
  })

  it('writes nothing for a missing value and keeps an unclosed placeholder', () => {
    expect(fill('[{{ none.deeper }}]')).toBe('[]')
    expect(fill('a {{ b')).toBe('a {{ b')
  })

  it('reads no prototype', () => {
    expect(fill('{{ constructor.name }}{{ a.constructor.name }}{{ toString }}', { a: {} })).toBe('')
  })

  it('never throws, whatever the text and the value', () => {
    const filter = fc.constantFrom(
      'date',
      'money',
      'number',
      'percent',
      'dict',
      'ago',
      'mask',
      'cut',
      'count',
      'days',
      'label',
      'join',
    )
    fc.assert(
      fc.property(fc.string(), filter, fc.string(), fc.jsonValue(), (text, name, arg, a) => {
        const filled = fill(`${text}{{ a | ${name}:${arg} }}`, { a: a as Json })

        expect(typeof filled).toBe('string')
      }),
    )
  })
})

describe('templateValue', () => {
  const scope = aScope({ form: { list: [1, 2], n: 5 } })

  it('keeps the type of a single placeholder', () => {
    expect(templateValue('{{ list }}', scope, services)).toEqual([1, 2])
    expect(templateValue('{{ n }}', scope, services)).toBe(5)
    expect(templateValue('{{ none }}', scope, services)).toBeUndefined()
  })

  it('converts anything more to text', () => {
    expect(templateValue(' {{ n }}', scope, services)).toBe(' 5')
  })
})

describe('pathsOf', () => {
  it('returns each full path once', () => {
    expect(pathsOf('{{ a }} {{ row.b | money }} {{ form.a }}')).toEqual(['form.a', 'row.b'])
  })
})

describe('checkTemplate', () => {
  it.each([
    ['{{ }}', 'TEMPLATE_INVALID'],
    ['{{ a + b }}', 'TEMPLATE_INVALID'],
    ['{{ a', 'TEMPLATE_INVALID'],
    ['{{ a..b }}', 'TEMPLATE_INVALID'],
    ['{{ a | upper }}', 'FILTER_UNKNOWN'],
    ['{{ a | constructor }}', 'FILTER_UNKNOWN'],
    ['{{ a.__proto__ }}', 'NAME_FORBIDDEN'],
  ])('refuses %s as %s', (text, code) => {
    expect(checkTemplate(text, '/x')).toMatchObject([{ code, at: '/x' }])
  })

  it.each(['plain', '{ a }', '{{ row.a | date:YYYY-MM-DD HH:mm | default:— }}', '100% }}'])(
    'accepts %s',
    (text) => {
      expect(checkTemplate(text, '')).toEqual([])
    },
  )
})
