import { expect, it } from 'vitest'
import { meaningInJson, meaningInScript } from '../../../src/workbench/code/meaning.ts'

const PAGE = '{"widgetList": [{"type": "list", "options": {"name": "rows", "itemHeight": 80, "mystery": 1}}]}'
const inPage = (word: string) => meaningInJson(PAGE, PAGE.indexOf(word) + 1, 'page')
const NAMES = {
  hook: 'onChange',
  fields: [{ name: 'mobile', label: '手机' }],
  sources: [],
  functions: [],
}

it('an option and a type in a page’s text have a description; other words have none', () => {
  const height = PAGE.indexOf('itemHeight')
  expect(inPage('itemHeight')).toMatchObject({ from: height, to: height + 'itemHeight'.length })
  expect(inPage('itemHeight')?.description).not.toBe('')
  expect(inPage('list"')?.description).not.toBe('')
  for (const word of ['mystery', 'rows']) expect(inPage(word)).toBeNull()
  expect(inPage('widgetList')?.description).toContain('组件')
})

it('parameters of a shared part are described', () => {
  const page =
    '{"widgetList": [{"fragment": "a/b", "with": {"after": [{"type": "list", "options": {"empty": "x"}}]}}]}'
  const at = (word: string) => meaningInJson(page, page.indexOf(word) + 1, 'page')?.description
  expect(at('list"')).toBe('列表')
  expect(at('empty')).toBeTruthy()
})

it('a name in a script resolves to its field, or its label', () => {
  const code = "this.getWidgetRef('mobile').setValue(value)"
  const at = (word: string) => meaningInScript(code, code.indexOf(word) + 2, NAMES)?.description
  expect(at('mobile')).toBe('手机')
  expect(at('getWidgetRef')).toMatch(/^getWidgetRef\(.+\)$/)
  expect(at('value)')).toBeUndefined()
})
