import { expect, it } from 'vitest'
import type { Json } from '../../../../runtime/core/json.ts'
import { asMerged } from '../../../../src/model/merge-module.ts'
import { changesBetween, referenceLabels } from '../../../../src/server/flows/pages/changes.ts'

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

it('a field of a module, a module and a shared part are called by their labels; by their names where nothing gives one', () => {
  const labels = referenceLabels(
    new Map([
      [
        'customer',
        asMerged(
          {
            name: 'customer',
            label: '客户',
            title: 'name',
            behaviours: [],
            fields: [
              { name: 'name', kind: 'text', label: '客户名称' },
              { name: 'level', kind: 'text', label: { 'zh-Hans': '客户级别', en: 'Level' } },
            ],
          },
          'vendor',
        ),
      ],
    ]),
    new Map([['form/more', { widgetList: [{ type: 'button', options: { label: '更多信息' } }] }]]),
  )
  const page = (...widgetList: Json[]): Json => ({ formConfig: {}, widgetList })
  const before = page(
    { field: 'customer.name', options: { placeholder: '全称' } },
    { field: 'customer.level' },
    { field: 'customer.gone' },
  )
  const after = page(
    { field: 'customer.name', options: { placeholder: '公司全称' } },
    { fields: 'customer', id: 'rest' },
    { fragment: 'form/more' },
    { fragment: 'form/away' },
    {
      type: 'button',
      options: { name: 'fill', label: '填上', onClick: "this.getFormRef().setFieldValue('name', 'x')" },
    },
  )

  expect(changesBetween(before, after, labels).map(({ text }) => text)).toEqual([
    '删除“客户级别”',
    '删除“gone”',
    '客户名称：占位提示 “全称” → “公司全称”',
    '新增“客户”',
    '新增“更多信息”',
    '新增“form/away”',
    '新增“填上”，会写入 客户名称',
  ])
})
