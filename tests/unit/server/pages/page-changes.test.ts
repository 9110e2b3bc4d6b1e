import { expect, it } from 'vitest'
import { changesBetween } from '../../../../src/server/flows/pages/changes.ts'

it('a changed piece of code is described by its label and its name', () => {
  const page = (code: string, click: string) => ({
    formConfig: { page: { title: '客户' }, onFormMounted: code },
    widgetList: [{ type: 'button', options: { name: 'go', label: '保存', onClick: click } }],
  })

  expect(changesBetween(page('a()', 'b()'), page('c()', 'd()')).map(({ text }) => text)).toEqual(
    expect.arrayContaining([
      '页面：修改脚本 “页面就绪时的代码”onFormMounted',
      '保存：修改脚本 “点击时”onClick',
    ]),
  )
})

it('an option with a label in the panel is described by that label', () => {
  const page = (trim: boolean) => ({
    formConfig: {},
    widgetList: [{ type: 'input', options: { name: 'a', label: '姓名', clearable: trim } }],
  })

  expect(changesBetween(page(false), page(true)).map(({ text }) => text)).toEqual(['姓名：可清空 否 → 是'])
})
