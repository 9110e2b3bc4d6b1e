import { expect, it } from 'vitest'
import {
  functionsIn,
  type ScriptNames,
  signatureOf,
  wordsAfter,
} from '../../../src/workbench/code/script-words.ts'

const NAMES: ScriptNames = {
  hook: 'onChange',
  fields: [{ name: 'mobile', label: '手机' }],
  sources: [{ name: 'detail', label: '/mini/customer/detail' }],
  functions: ['total'],
}
const labels = (line: string, names = NAMES) => wordsAfter(line, names)?.list.map(({ label }) => label)

it('inside quotes, completion offers fields of this page or its data sources', () => {
  expect(wordsAfter("this.getFormRef().getFieldValue('mo", NAMES)).toEqual({
    from: 33,
    list: [{ label: 'mobile', detail: '手机' }],
  })
  expect(labels('VFR.executeDataSource("')).toEqual(['detail'])
})

it('after a dot, completion offers the members of the object, except refused ones', () => {
  expect(labels('this.getFormRef().')).toEqual(expect.arrayContaining(['setFieldValue', 'validateForm']))
  expect(labels('this.')).toEqual(expect.arrayContaining(['getFormRef', 'setValue']))
  expect(labels('this.')).not.toContain('$router')
  const fields = [
    { name: 'mobile', label: '手机', owner: 'field' as const },
    { name: 'lines', label: '明细', owner: 'subForm' as const },
  ]
  const of = (line: string) => labels(line, { ...NAMES, fields })
  expect(of("this.getWidgetRef('lines').")).toContain('getSubFormValues')
  expect(of("this.getWidgetRef('mobile').")).not.toContain('getSubFormValues')
  expect(of('this.getWidgetRef(name).')).toContain('getSubFormValues')
  expect(of('if (formModel.')).toEqual(['mobile', 'lines'])
  expect(labels('this.', { ...NAMES, hook: 'onFormMounted' })).toContain('setFormData')
})

it('at a bare word, completion offers the parameters of the hook and functions of the page', () => {
  expect(labels('if (va')).toEqual(expect.arrayContaining(['value', 'oldValue', 'this', 'total']))
  expect(labels('')).toBeUndefined()
  expect(signatureOf('onChange')).toBe('onChange(value, oldValue, subFormData, rowId)')
  expect(functionsIn('function total(a) {}\nasync function b() {}')).toEqual(['total', 'b'])
})
