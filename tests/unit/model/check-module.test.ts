import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { checkModule } from '../../../src/model/check-module.ts'

const FOLDER = new URL('../../../schemas/modules/', import.meta.url)

describe('the vendor’s modules', () => {
  it.each(readdirSync(FOLDER))('%s is valid', (file) => {
    const checked = checkModule(JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')))

    expect(checked.ok ? [] : checked.problems).toEqual([])
    expect(checked.ok && `${checked.module.name}.json`).toBe(file)
  })
})

it('the fields that a record passes on exist in the other module, and are writable', () => {
  const read = (name: string) => JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8'))
  const wrong = readdirSync(FOLDER).flatMap((file) =>
    Object.entries<JsonObject>(read(file.replace('.json', '')).convert ?? {}).flatMap(([module, taken]) => {
      const written = read(module).fields.filter(({ readonly }: JsonObject) => readonly !== 'always')
      const names = written.map(({ name }: JsonObject) => name)
      return Object.keys(taken).filter((name) => !names.includes(name))
    }),
  )

  expect(wrong).toEqual([])
})

describe('an invalid module', () => {
  it.each<[string, JsonObject, string]>([
    [
      'a key nobody knows',
      { lable: 'x' },
      'KEY_UNKNOWN at /lable: a module has no "lable" — did you mean "label"?',
    ],
    ['no fields', { fields: [] }, 'VALUE_INVALID at /fields'],
    [
      'a number that does not count: a second record would get the same one',
      { number: 'XJ{bad}' },
      'VALUE_INVALID at /number: "XJ{bad}" is no pattern of a number',
    ],
    [
      'a title that is no field',
      { title: 'nmae' },
      'FIELD_UNKNOWN at /title: the module has no field "nmae" — did you mean "name"?',
    ],
    [
      'a group of a field that is not there',
      { groups: [{ name: 'a', label: 'A', fields: ['gone'] }] },
      'FIELD_UNKNOWN at /groups/0/fields/0',
    ],
    [
      'a conversion of a field that is not there',
      { convert: { customer: { mobile: 'mobil' } } },
      'FIELD_UNKNOWN at /convert/customer/mobile: the module has no field "mobil"',
    ],
    ['a last day that is no day', { until: 'name' }, 'VALUE_INVALID at /until: "name" is no day'],
    ['a last day that is not there', { until: 'end' }, 'FIELD_UNKNOWN at /until'],
    [
      'a step that asks by a field that is not there',
      { approval: { steps: [{ kind: 'superior', mode: 'any', when: [{ field: 'gone', is: 'x' }] }] } },
      'FIELD_UNKNOWN at /approval/steps/0/when/0/field',
    ],
    [
      'a step that asks a field for nothing',
      { approval: { steps: [{ kind: 'superior', mode: 'any', when: [{ field: 'name' }] }] } },
      'VALUE_INVALID at /approval/steps/0/when/0',
    ],
    [
      'a tree without the field that makes it one',
      { store: 'record', behaviours: ['owned', 'tree'] },
      'FIELD_UNKNOWN at /fields: the module has no field "parent_id" — "parent_id" is a ref to this module',
    ],
    [
      'an approval that nothing is said of',
      { store: 'record', behaviours: ['owned', 'approval'] },
      'KEY_MISSING at /behaviours/1: the module does not say how its records are approved — say it in approval: {',
    ],
    ['a behaviour nobody knows', { behaviours: ['owned', 'fly'] }, 'VALUE_INVALID at /behaviours/1'],
    [
      'a status that is no option',
      { statuses: { field: 'state', moves: { open: ['dne'] } } },
      'STATUS_UNKNOWN at /statuses/moves/open: "dne" is no option',
    ],
  ])('is reported: %s', (_, over, said) => {
    expect(problemsOf({ ...aModule(), ...over })).toContain(said)
  })

  it.each<[string, Json, string]>([
    [
      'a kind nobody knows',
      { kind: 'txt' },
      'KIND_UNKNOWN at /fields/2/kind: no kind of field is called "txt" — did you mean "text"?',
    ],
    [
      'an attribute of another kind',
      { kind: 'day', max: 3 },
      'KEY_UNKNOWN at /fields/2/max: a field of kind day has no "max"',
    ],
    [
      'a misspelled attribute',
      { kind: 'text', filtr: true },
      'KEY_UNKNOWN at /fields/2/filtr: a field of kind text has no "filtr" — did you mean "filter"?',
    ],
    [
      'a choice without values',
      { kind: 'choice' },
      'KEY_MISSING at /fields/2: this field has no dict / options',
    ],
    [
      'a choice with two sources of values',
      { kind: 'choice', dict: 'gender', options: [{ value: 'a', label: 'A' }] },
      'VALUE_INVALID at /fields/2/options',
    ],
    [
      'bounds the wrong way round',
      { kind: 'number', min: 3, max: 1 },
      'VALUE_INVALID at /fields/2/min: min 3 is above max 1',
    ],
    [
      'a pattern that cannot be read',
      { kind: 'text', pattern: '(' },
      'VALUE_INVALID at /fields/2/pattern: the pattern cannot be read',
    ],
    ['a default the field refuses', { kind: 'integer', default: 1.5 }, 'VALUE_INVALID at /fields/2/default'],
    ['a text longer than texts are', { kind: 'text', max: 501 }, 'VALUE_INVALID at /fields/2/max'],
    ['an order files do not have', { kind: 'files', sort: true }, 'VALUE_INVALID at /fields/2/sort'],
    [
      'a default by a rule nobody knows',
      { kind: 'number', name: 'x', default: { rule: { plus: [1, 2] } } },
      'VALUE_INVALID at /fields/2/default/rule',
    ],
    [
      'a default that is no rule and no value',
      { kind: 'number', name: 'x', default: { rul: { '+': [1, 2] } } },
      'VALUE_INVALID at /fields/2/default',
    ],
    [
      'a requirement that reaches for a prototype',
      { kind: 'number', name: 'x', required: { var: '__proto__.x' } },
      'VALUE_INVALID at /fields/2/required',
    ],
    [
      'a formula that reads itself',
      { kind: 'formula', name: 'x', formula: { '+': [{ var: 'form.x' }, 1] } },
      'VALUE_INVALID at /fields/2: rules in a ring: Extra → Extra',
    ],
    ['a reserved name', { kind: 'text', name: 'version' }, 'NAME_RESERVED at /fields/2/name'],
    ['a name that is used', { kind: 'text', name: 'name' }, 'NAME_REPEATED at /fields/2/name'],
    ['no name', { kind: 'text', name: 'Größe' }, 'NAME_INVALID at /fields/2/name'],
    ['a name of a prototype', { kind: 'text', name: 'constructor' }, 'NAME_INVALID at /fields/2/name'],
    [
      'a wrong kind of value',
      { kind: 'text', required: 'yes' },
      'VALUE_INVALID at /fields/2/required: must be true or false or an object',
    ],
    [
      'a row with a faulty field',
      { kind: 'lines', fields: [{ name: 'a', kind: 'txt', label: 'A' }] },
      'KIND_UNKNOWN at /fields/2/fields/0/kind',
    ],
    ['no object', 7, 'VALUE_INVALID at /fields/2: a field is an object'],
  ])('is reported with a field of %s', (_, over, said) => {
    const field = typeof over === 'object' ? { name: 'extra', label: 'Extra', ...over } : over
    const module = aModule()

    expect(problemsOf({ ...module, fields: [...(module.fields as Json[]), field] })).toContain(said)
  })

  it('with more fields than one may have is told this, and nothing else of them', () => {
    const checked = checkModule({ ...aModule(), title: 'c0', fields: aRing(9000) })

    expect(checked).toMatchObject({ ok: false, problems: [{ code: 'VALUE_INVALID', at: '/fields' }] })
    expect(problemsOf({ ...aModule(), fields: aRing(9000) })).toMatch(
      /^VALUE_INVALID at \/fields[^\n]*200[^\n]*$/,
    )
  })

  it.each([null, 7, 'x', []])('is rejected: %j', (given) => {
    expect(problemsOf(given)).toContain('MODULE_INVALID')
  })
})

/** Formulas that read each other in a ring. */
const aRing = (n: number): JsonObject[] =>
  Array.from({ length: n }, (_, i) => ({
    name: `c${i}`,
    kind: 'formula',
    label: `C${i}`,
    formula: { var: `c${(i + 1) % n}` },
  }))

function aModule(): JsonObject {
  return {
    name: 'ticket',
    label: '工单',
    title: 'name',
    behaviours: ['owned'],
    fields: [
      { name: 'name', kind: 'text', label: '标题', required: true },
      {
        name: 'state',
        kind: 'choice',
        label: '状态',
        options: [
          { value: 'open', label: '待处理' },
          { value: 'done', label: '完成' },
        ],
      },
    ],
  }
}

function problemsOf(given: unknown): string {
  const checked = checkModule(given)
  return checked.ok
    ? ''
    : checked.problems
        .map(({ code, at, message, hint }) => `${code} at ${at}: ${message} — ${hint}`)
        .join('\n')
}
