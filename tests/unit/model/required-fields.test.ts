import { describe, expect, it } from 'vitest'
import { type Json, type JsonObject, objectsIn } from '../../../runtime/core/json.ts'
import { applyRule } from '../../../runtime/core/logic/apply-rule.ts'
import { checkField } from '../../../runtime/core/rules/check-field.ts'
import { createRegistry } from '../../../runtime/core/widgets/index.ts'
import type { Field, KindName } from '../../../src/model/description.ts'
import { fieldWidgets } from '../../../src/model/form-fields.ts'
import { KIND_NAMES, kindOf } from '../../../src/model/kinds/index.ts'
import { readRecord, requiredCode } from '../../../src/model/read-record.ts'
import { pageWords } from '../../../src/server/kernel/pages/referred.ts'
import { text } from '../../../src/server/kernel/text/text.ts'

const WRITTEN = KIND_NAMES.filter((name) => kindOf(name).derived !== true)
const aField = (kind: KindName): Field => ({
  name: 'one',
  kind,
  label: '一项',
  help: '照实写',
  ...(kind === 'lines' ? { fields: [{ name: 'part', kind: 'text', label: '配件' }] } : {}),
})
const optionsOf = (field: Field): JsonObject =>
  (fieldWidgets(field, pageWords())[0]?.options ?? {}) as JsonObject
const asks = ({ required, requiredOn }: JsonObject, form: Json): boolean =>
  required === true || (requiredOn !== undefined && applyRule(requiredOn as Json, { form } as never) === true)

it.each([
  ['最多十二个字的名称放左边', undefined],
  ['很长的字段名称很长的字段名称', 'top'],
])('the label %s stands beside its control or, if it is long, above', (label, labelAlign) => {
  expect(optionsOf({ ...aField('text'), label }).labelAlign).toBe(labelAlign)
})

describe.each(WRITTEN)('a field of kind %s', (kind) => {
  it('is required on its form if it is mandatory, with the server’s text', () => {
    const options = optionsOf({ ...aField(kind), required: true })
    const { faults } = readRecord({}, [{ ...aField(kind), required: true }], true)

    expect(asks(options, { one_lng: null })).toBe(true)
    expect(faults.get('one')).toEqual({ code: requiredCode(kind) })
    expect(options.requiredHint).toBe(text(requiredCode(kind), { label: '一项' }))
  })

  it('is required while a rule demands it, with the same text', () => {
    const options = optionsOf({ ...aField(kind), required: { '==': [{ var: 'form.state' }, 'done'] } })

    expect(asks(options, { state: 'done', one_lng: null })).toBe(true)
    expect(asks(options, { state: 'open', one_lng: null })).toBe(false)
    expect(options.requiredHint).toBe(text(requiredCode(kind), { label: '一项' }))
  })

  it('shows help on its form', () => {
    const [widget] = fieldWidgets(aField(kind), pageWords())

    expect(optionsOf(aField(kind)).hint).toBe('照实写')
    expect(createRegistry().get(String(widget?.type))?.options).toHaveProperty('hint')
  })
})

it.each([
  ['money', '元'],
  ['percent', '%'],
  ['number', undefined],
] as const)('a field of kind %s says its unit on the form: %s', (kind, unit) => {
  const inRows: Field = { ...aField('lines'), fields: [{ ...aField(kind), name: 'part' }] }
  const [rows] = fieldWidgets(inRows, pageWords())

  expect(optionsOf(aField(kind)).unit).toBe(unit)
  expect([objectsIn(rows?.widgetList)[0]?.options]).toEqual([
    unit === undefined
      ? expect.not.objectContaining({ unit: expect.anything() })
      : expect.objectContaining({ unit }),
  ])
})

it('needs no address for a position from the device', () => {
  expect(asks(optionsOf({ ...aField('location'), required: true }), { one_lng: 113.95 })).toBe(false)
})

describe('an optional field', () => {
  const said = (more: Partial<Field>) => optionsOf({ ...aField('text'), ...more }).placeholder

  it('is marked as optional if it can be typed, a required one by what it asks for, and none that is computed', () => {
    const formula: Field = { name: 'one', kind: 'formula', label: '一项', formula: { var: 'two' } }

    expect(said({})).toBe(pageWords().optional)
    expect(said({ required: true })).toBe('请填写一项')
    expect(said({ required: { var: 'form.two' } })).toBeUndefined()
    expect(said({ worked: { var: 'two' } })).toBeUndefined()
    expect(optionsOf(formula).placeholder).toBeUndefined()
  })

  it('names the value that the server fills in if the user leaves it empty', () => {
    const usual = (kind: Field['kind'], value: string) =>
      optionsOf({ ...aField(kind), default: value, required: true }).placeholder

    expect([usual('day', 'now'), usual('moment', 'now'), usual('user', 'me')]).toEqual([
      '新建时默认今天',
      '新建时默认现在',
      '新建时默认本人',
    ])
  })
})

it.each([
  ['phone', { form: 'mobile' }],
  ['phone', { form: 'landline' }],
  ['phone', {}],
  ['email', {}],
  ['url', {}],
  ['text', { pattern: '^[A-Z]+$' }],
] as const)(
  'a %s field (%j) that is filled in wrongly says so on its form as the server does',
  (kind, more) => {
    const options = optionsOf({ ...aField(kind), ...more })
    const said = checkField({ label: '一项', options, required: false, value: '1' }, (code) => code)

    expect(said).toBe(text('record.format', { label: '一项' }))
  },
)
