import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseStrictly } from '../../../../runtime/core/check/parse-strictly.ts'
import { precisionOf, readDate, writeDate } from '../../../../runtime/core/dates/date-text.ts'
import { isReadable, momentFormats } from '../../../../runtime/core/dates/moment-format.ts'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { checkField } from '../../../../runtime/core/rules/check-field.ts'
import { scaleOf } from '../../../../runtime/core/widgets/scale.ts'
import { aDocument, aPage, aWidget, registry } from '../../../support/a-page.ts'

const nodeOf = (type: string, options: JsonObject) => {
  const node = aPage([aWidget(type, 'f', options)]).nodes.get('f')
  if (node === undefined) throw new Error('the field is not there')
  return node
}
const told = (type: string, options: JsonObject, page?: JsonObject): readonly string[] => {
  const parsed = parseStrictly(aDocument([aWidget(type, 'f', options)], page === undefined ? {} : { page }), {
    registry,
  })
  return (parsed.ok ? parsed.warnings : parsed.problems).map(
    ({ severity, code, at, message }) => `${severity} ${code} ${at} ${message}`,
  )
}

const DEFAULTS = [
  ['date', 'YYYY-MM-DD'],
  ['datetime', 'YYYY-MM-DD HH:mm'],
  ['date-range', 'YYYY-MM-DD'],
  ['calendar', 'YYYY-MM-DD'],
  ['time', 'HH:mm'],
  ['time-range', 'HH:mm:ss'],
] as const

describe('the format of a date or a time', () => {
  it.each(DEFAULTS)('of %s is %s if it is empty, null, or cannot be read back', (type, usual) => {
    const week = type.startsWith('time') ? 'HH 时 ww' : 'YYYY 第 ww 周'
    for (const format of ['', null, 'x', 'X', 'timestamp', week, '日期', 7]) {
      const both = { format, valueFormat: format }
      expect(momentFormats(nodeOf(type, both).options), String(format)).toEqual({
        shown: usual,
        stored: usual,
      })
      expect(nodeOf(type, both).option('format')).toBe(usual)
    }
  })

  it('is what is stored if the format for storing cannot be read back', () => {
    const { options } = nodeOf('date', { format: 'yyyy/MM/dd', valueFormat: 'timestamp' })
    expect(momentFormats(options)).toEqual({ shown: 'yyyy/MM/dd', stored: 'yyyy/MM/dd' })
  })

  it.each([
    ['YYYY', false],
    ['yyyy年MM月', false],
    ['M月D日', false],
    ['YY/M/D h:mm a', false],
    ['MMM D, YYYY hh A', false],
    ['[第]D[天] YYYY-MM', false],
    ['YYYYMMDDHHmmss', false],
    ['YYYY-MM-DDTHH:mm:ss.SSSZ', false],
    ['{{ data.format }}', false],
    ['mm:ss', true],
    ['HH点', true],
    ['A h:mm', true],
  ])('may be %s', (format, isTime) => expect(isReadable(format, isTime)).toBe(true))

  it.each([
    ['HH:mm', false],
    ['YYYY DD', false],
    ['YYYY-MM-DD hh:mm', false],
    ['YYYY-MM-DD mm', false],
    ['YYYY-[MM]-DD', false],
    ['YYYY [Q]Q', false],
    ['YYYY-MM-DD HH:mm', true],
    ['hh:mm', true],
    ['HH:ss', true],
  ])('may not be %s, which leaves a part out', (format, isTime) =>
    expect(isReadable(format, isTime)).toBe(false),
  )

  it('is readable only if a date can be read in it again to its finest unit', () => {
    const words = ['YYYY', 'MM', 'DD', 'HH', 'hh', 'mm', 'ss', 'A', '-', '年', ':', 'w', 'x', '[第]', 'Q']
    const date = new Date(2026, 10, 23, 14, 35, 46)
    const finest = { year: 4, month: 7, day: 10, hour: 13, minute: 16, second: 19 }
    const wire = 'YYYY-MM-DD HH:mm:ss'
    let readable = 0
    fc.assert(
      fc.property(fc.shuffledSubarray(words, { minLength: 1 }), (parts) => {
        const format = parts.join(' ')
        if (!isReadable(format, false)) return
        readable += 1
        const read = readDate(writeDate(date, format), format, 2026)
        const length = finest[precisionOf(format)]
        expect(read && writeDate(read, wire).slice(0, length)).toBe(writeDate(date, wire).slice(0, length))
      }),
      { numRuns: 3000 },
    )
    expect(readable).toBeGreaterThan(20)
  })

  it('is told to the author if it cannot be read back, not if it is empty', () => {
    const at = (name: string) =>
      `warning OPTION_INVALID /widgetList/0/options/${name} "${name}" cannot be read back: the default is used`
    expect(told('date', { valueFormat: 'x' })).toEqual([at('valueFormat')])
    expect(told('date', { format: 'YYYY 第 ww 周' }, {})).toEqual([at('format')])
    expect(told('time', { format: 'x', valueFormat: 'timestamp' })).toEqual([at('format'), at('valueFormat')])
    expect(told('date', { format: '', valueFormat: null })).toEqual([])
    expect(told('date', { format: 'YYYY年M月D日', valueFormat: 'YYYY-MM-DD HH:mm:ss' })).toEqual([])
  })
})

describe('a default value that is no date', () => {
  const at =
    'warning OPTION_INVALID /widgetList/0/options/defaultValue "defaultValue" cannot be read in the format of the field'

  it.each<[string, Json]>([
    ['date', 'garbage'],
    ['date', '2025-02-30'],
    ['datetime', '2025-02-28 25:00'],
    ['calendar', '明天'],
    ['time', '25:61:00'],
    ['date-range', ['2025-02-01', '2025-02-30']],
    ['date-range', '2025-02-01'],
    ['time-range', ['08:00', '8点']],
  ])('(%s, %j) stays, and is told to the author', (type, defaultValue) => {
    expect(told(type, { defaultValue })).toEqual([at])
    if (typeof defaultValue === 'string' && type !== 'date-range')
      expect(nodeOf(type, { defaultValue }).spec.text?.(defaultValue, nodeOf(type, {}).options, [])).toBe(
        defaultValue,
      )
  })

  it.each<[string, JsonObject]>([
    ['date', { defaultValue: '' }],
    ['date', { defaultValue: null }],
    ['date', { defaultValue: '2025-02-28' }],
    ['date', { defaultValue: '2025年2月28日', format: 'YYYY年M月D日' }],
    ['date', { defaultValue: '2025-02-28 00:00:00', format: 'M月D日', valueFormat: 'YYYY-MM-DD HH:mm:ss' }],
    ['time', { defaultValue: '08:30' }],
    ['date', { defaultValue: '{{ user.day }}' }],
    ['date-range', { defaultValue: ['2025-02-01', '2025-02-28'] }],
    ['date-range', { defaultValue: ['2025-02-01', ''] }],
    ['time-range', { defaultValue: ['22:00', '06:00'] }],
  ])('is another thing than the one of a %s with %j', (type, options) => {
    expect(told(type, options)).toEqual([])
  })
})

describe('a scale', () => {
  it.each<[JsonObject, JsonObject]>([
    [
      { min: 10, max: 5 },
      { min: 5, max: 10, step: 1 },
    ],
    [
      { min: '10', max: '5', step: '0' },
      { min: 5, max: 10, step: 1 },
    ],
    [{ step: 0 }, { min: 0, max: 100, step: 1 }],
    [
      { step: -5, range: true },
      { min: 0, max: 1000, step: 50 },
    ],
    [{ min: 200 }, { min: 200, max: 300, step: 1 }],
    [{ max: -5 }, { min: -105, max: -5, step: 1 }],
    [
      { min: 5, max: null },
      { min: 5, max: 100, step: 1 },
    ],
    [
      { min: 3, max: 3 },
      { min: 3, max: 3, step: 1 },
    ],
  ])('of a slider with %j is %j', (options, scale) => {
    expect(scaleOf(nodeOf('slider', options).options)).toEqual(scale)
  })

  it.each([['stepper'], ['number'], ['slider']])(
    'of a %s has its bounds in order, and is checked so',
    (type) => {
      const { options } = nodeOf(type, { min: 10, max: 5, step: 0 })
      const check = (value: number) =>
        checkField({ label: 'f', options, required: false, value }, (code) => code)

      expect(options).toMatchObject({ min: 5, max: 10, step: type === 'slider' ? null : 1 })
      expect([4, 5, 7, 10, 11].map(check)).toEqual(['rule.minimum', null, null, null, 'rule.maximum'])
    },
  )

  it('is not what the entries of a choice are counted by: there 0 is no bound', () => {
    expect(nodeOf('checkbox', { min: 1, max: 0 }).options).toMatchObject({ min: 1, max: 0 })
  })

  it.each([['stepper'], ['number'], ['slider']])(
    'of a %s that makes no sense is told to the author',
    (type) => {
      const at = '/widgetList/0/options'
      expect(told(type, { min: 10, max: 5, step: -1 })).toEqual([
        `warning OPTION_INVALID ${at}/step "step" is above 0`,
        `warning OPTION_INVALID ${at}/min "min" is above "max": the two are swapped`,
      ])
      expect(told(type, { min: 5, max: 10, step: 0.5 })).toEqual([])
      expect(told(type, { min: 5, max: null, step: null })).toEqual([])
    },
  )
})

describe('a range', () => {
  const shaped = (type: string, options: JsonObject, value: Json): Json => {
    const node = nodeOf(type, options)
    return node.spec.normalize?.(value, node.options) ?? null
  }

  it.each<[string, JsonObject, Json, Json]>([
    ['date-range', {}, ['2026-11-20', '2026-11-10'], ['2026-11-10', '2026-11-20']],
    ['date-range', { format: 'DD/MM/YYYY' }, ['02/03/2024', '28/02/2024'], ['28/02/2024', '02/03/2024']],
    ['slider', { range: true }, [900, 100], [100, 900]],
    ['slider', { range: true }, ['900', '1000'], ['900', '1000']],
  ])('of a %s with %j is in order: %j is %j', (type, options, value, ordered) => {
    expect(shaped(type, options, value)).toEqual(ordered)
    expect(shaped(type, options, ordered)).toEqual(ordered)
  })

  it.each<[string, JsonObject, Json]>([
    ['date-range', {}, ['2026-11-20', '']],
    ['date-range', {}, ['2026-11-20', null]],
    ['date-range', {}, ['年底', '2026-11-10']],
    ['date-range', {}, ['2026-11-20', '年底']],
    ['time-range', {}, ['22:00', '06:00']],
    ['slider', { range: true }, [500, null]],
    ...['date-range', 'time-range', 'slider'].map((type): [string, JsonObject, Json] => [
      type,
      { range: true },
      [{ toString: 0 }, '5'],
    ]),
  ])('of a %s with %j stays as it is if it has no order: %j', (type, options, value) => {
    expect(shaped(type, options, value)).toEqual(value)
  })
})
