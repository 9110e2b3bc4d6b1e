import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../runtime/core/json.ts'
import type { Field } from '../../src/model/description.ts'
import { type Codes, INVALID, type Words } from '../../src/model/kind.ts'
import { KIND_NAMES, kindOf } from '../../src/model/kinds/index.ts'
import { readField, readRecord, requiredCode } from '../../src/model/read-record.ts'

/** One field of each kind, and valid values for it. */
const SAMPLES: Readonly<
  Record<string, { readonly field: Partial<Field>; readonly takes: fc.Arbitrary<Json> }>
> = {
  text: {
    field: { max: 30 },
    takes: fc
      .string({ minLength: 1, maxLength: 30 })
      .map((it) => it.trim())
      .filter((it) => it !== '' && !it.includes('\0')),
  },
  'long-text': { field: {}, takes: fc.constantFrom('一行', '两行\n文字') },
  texts: { field: {}, takes: fc.uniqueArray(fc.constantFrom('甲', '乙', '丙'), { minLength: 1 }) },
  phone: { field: {}, takes: fc.constantFrom('13800138000', '010-87654321', '400-800-1234') },
  email: { field: {}, takes: fc.constantFrom('a@b.cn', 'x.y@mail.example.com') },
  url: { field: {}, takes: fc.constantFrom('https://a.cn/b?c=d', 'a.cn') },
  number: { field: { decimals: 3 }, takes: fc.integer({ min: -9e8, max: 9e8 }).map((it) => it / 1000) },
  integer: { field: {}, takes: fc.integer() },
  money: { field: { min: 0 }, takes: fc.integer({ min: 0, max: 9e8 }).map((it) => it / 100) },
  percent: { field: {}, takes: fc.integer({ min: 0, max: 100 }) },
  day: { field: {}, takes: fc.constantFrom('2026-02-28', '2024-02-29') },
  moment: { field: {}, takes: fc.constantFrom('2026-02-28 08:30:00', '2024-02-29 23:59:59') },
  flag: { field: {}, takes: fc.boolean() },
  choice: {
    field: {
      options: [
        { value: 'a', label: '甲' },
        { value: 'b', label: '乙' },
      ],
    },
    takes: fc.constantFrom('a', 'b'),
  },
  choices: {
    field: {
      options: [
        { value: 'a', label: '甲' },
        { value: 'b', label: '乙' },
      ],
    },
    takes: fc.uniqueArray(fc.constantFrom('a', 'b'), { minLength: 1 }),
  },
  ref: { field: { module: 'customer' }, takes: fc.uuid() },
  refs: { field: { module: 'customer' }, takes: fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 5 }) },
  user: { field: {}, takes: fc.uuid() },
  users: { field: {}, takes: fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 5 }) },
  dept: { field: {}, takes: fc.uuid() },
  region: { field: {}, takes: fc.constantFrom(['11'], ['11', '1101', '110101']) },
  location: { field: {}, takes: fc.constant({ lng: 116.4, lat: 39.9, address: '北京' }) },
  files: {
    field: {},
    takes: fc.constant([{ name: 'a.pdf', url: '/engine/web/file/1', size: 3, ext: 'pdf' }]),
  },
  pictures: {
    field: {},
    takes: fc.constant([{ name: 'a.png', url: '/engine/web/file/1', size: 3, ext: 'png' }]),
  },
  lines: {
    field: { fields: [{ name: 'n', kind: 'integer', label: 'N', required: true }] },
    takes: fc.array(fc.record({ n: fc.integer() }), { minLength: 1, maxLength: 5 }),
  },
  'auto-number': { field: { number: 'A{000}' }, takes: fc.constant('A001') },
  formula: { field: { formula: { '+': [1, 2] } }, takes: fc.constant(3) },
  rollup: { field: { rollup: { module: 'plan', by: 'contract_id', of: 'count' } }, takes: fc.constant(3) },
}
const LABELS: Readonly<Record<string, string>> = { a: '甲', b: '乙' }
const WORDS: Words = {
  labelOf: (_, code) => LABELS[code],
  regionOf: (codes) => codes.join('/'),
  yes: '是',
  no: '否',
}
const CODES: Codes = {
  codeOf: (_, word) => Object.keys(LABELS).find((code) => LABELS[code] === word),
  regionCalled: (words) => words.split('/'),
  yes: ['是'],
  no: ['否'],
}
const WRITTEN = KIND_NAMES.filter((name) => !kindOf(name).derived)

const aField = (name: string): Field => ({
  name: 'f',
  label: 'F',
  kind: name as Field['kind'],
  ...SAMPLES[name]?.field,
})

it('every kind has a sample in this file', () => {
  expect(Object.keys(SAMPLES).sort()).toEqual([...KIND_NAMES].sort())
})

describe.each(WRITTEN)('a field of kind %s', (name) => {
  const field = aField(name)
  const takes = SAMPLES[name]?.takes ?? fc.constant(null)

  it('accepts its values, and parsing them again returns the same values', () => {
    fc.assert(
      fc.property(takes, (value) => {
        const read = readField(value, field)

        expect(read).not.toBe(INVALID)
        expect(readField(read as Json, field)).toEqual(read)
      }),
    )
  })

  it('never throws and never accepts JSON of another shape', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const read = readField(value as Json, field)
        if (read !== INVALID && read !== null) expect(readField(read, field)).toEqual(read)
      }),
    )
  })

  it('is empty for null and for an empty string, which are faults of a required field', () => {
    for (const nothing of [null, '']) {
      const { values, faults } = readRecord({ f: nothing }, [{ ...field, required: true }], true)
      expect([null, []]).toContainEqual(values.f)
      expect(faults.get('f')).toEqual({ code: requiredCode(field.kind) })
    }
  })
})

describe.each(KIND_NAMES.filter((name) => kindOf(name).derived))('a field of kind %s', (name) => {
  it('cannot be written', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { faults } = readRecord({ f: value as Json }, [aField(name)], false)
        expect(faults.get('f')).toEqual({ code: 'record.unknown-field' })
      }),
    )
  })
})

/** Kinds that can be imported; the others have no column in an import. */
const IN_SHEETS = WRITTEN.filter(
  (name) =>
    !['location', 'files', 'pictures', 'lines', 'ref', 'refs', 'user', 'users', 'dept'].includes(name),
)

describe.each(IN_SHEETS)('a cell of kind %s', (name) => {
  it('survives a round trip through a sheet', () => {
    const field = aField(name)
    const { write, parse } = kindOf(field.kind)
    fc.assert(
      fc.property(SAMPLES[name]?.takes ?? fc.constant(null), (value) => {
        const stored = readField(value, field)
        if (stored === INVALID || stored === null) return
        const cell = write(stored, field, WORDS)

        const back = readField(parse(cell, field, CODES), field)

        // A cell shows a time without its seconds.
        const same = name === 'moment' ? `${String(stored).slice(0, 16)}:00` : stored
        expect(back).toEqual(same)
      }),
    )
  })
})
