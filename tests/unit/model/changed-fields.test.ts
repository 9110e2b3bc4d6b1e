import { expect, it } from 'vitest'
import type { Json } from '../../../runtime/core/json.ts'
import { changedFieldProblems, dividesByZero } from '../../../src/model/changed-fields.ts'

const told = (fields: Json, before?: Json) =>
  changedFieldProblems({ fields }, before === undefined ? undefined : { fields: before }).map(
    ({ at, message }) => `${at}: ${message}`,
  )
const CHOICE = {
  name: 'state',
  kind: 'choice',
  label: '状态',
  options: [
    { value: 'a', label: '待办' },
    { value: 'b', label: { 'zh-Hans': '待办', en: 'Later' } },
  ],
}

it('two options of one choice with the same text are refused, in rows too; old ones stay', () => {
  expect(told([CHOICE])).toEqual(['/fields/0/options/1/label: another option is called "待办"'])
  expect(told([{ name: 'rows', kind: 'lines', label: '明细', fields: [CHOICE] }])).toEqual([
    '/fields/0/fields/0/options/1/label: another option is called "待办"',
  ])
  expect(told([{ ...CHOICE, label: '进展' }], [CHOICE])).toEqual([])
  expect(told([{ ...CHOICE, options: CHOICE.options.slice(1) }])).toEqual([])
})

it('a rule that divides by 0 is refused wherever it stands; an old one stays', () => {
  const half = {
    name: 'half',
    kind: 'formula',
    label: '一半',
    result: 'number',
    formula: { '/': [{ var: 'a' }, 0] },
  }
  expect(told([half])).toEqual(['/fields/0/formula: it divides by 0'])
  expect(told([{ ...half, label: '半' }], [half])).toEqual([])
  const usual = {
    name: 'b',
    kind: 'number',
    label: '乙',
    default: { rule: { '+': [1, { '%': [{ var: 'a' }, 0] }] } },
  }
  expect(told([usual])).toEqual(['/fields/0/default/rule: it divides by 0'])
  expect(dividesByZero({ '/': [0, { var: 'a' }] })).toBe(false)
  expect(dividesByZero({ '/': [{ var: 'a' }, 10] })).toBe(false)
})
