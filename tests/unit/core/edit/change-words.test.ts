import { expect, it } from 'vitest'
import { changeWords, labelsIn } from '../../../../runtime/core/edit/change-words.ts'
import { effectsOf } from '../../../../runtime/core/edit/code-effects.ts'
import { diffPages } from '../../../../runtime/core/edit/diff-pages.ts'
import { fillPlaces } from '../../../../runtime/core/errors.ts'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import panel from '../../../../schemas/text/zh-hans.workbench.json'

const WORDS: Readonly<Record<string, string>> = panel

/** What is different, in words. */
function told(before: Json, after: Json): readonly string[] {
  const labels = labelsIn(after)
  return diffPages(before, after).map((change) =>
    changeWords(change, {
      say: (code, places = {}) => fillPlaces(WORDS[`workbench.change.${code}`] ?? `?${code}`, places),
      option: (name) =>
        WORDS[`workbench.option.${name}`] ??
        WORDS[`workbench.page.${name}`] ??
        WORDS[`workbench.key.${name}`] ??
        '',
      called: (name) => labels.get(name) ?? name,
    }),
  )
}

const field = (name: string, options: JsonObject): JsonObject => ({
  type: 'input',
  options: { name, ...options },
})
const page = (mobile: JsonObject, formConfig: JsonObject = {}): Json => ({
  widgetList: [field('mobile', { label: '手机', ...mobile }), field('amount', { label: '金额' })],
  formConfig: { page: { title: '页' }, ...formConfig },
})

it('a value is described with its old and new value, a field as required or not', () => {
  expect(told(page({ required: true }), page({}))).toEqual(['手机：必填 → 选填'])
  expect(told(page({ required: true }), page({ required: false }))).toEqual(['手机：必填 → 选填'])
  expect(told(page({ placeholder: '号码' }), page({ placeholder: '11 位' }))).toEqual([
    '手机：占位提示 “号码” → “11 位”',
  ])
  expect(told(page({}), page({}, { page: { title: '新' } }))).toEqual(['页面：标题 “页” → “新”'])
})

it('code is described with the powers it has gained', () => {
  const onChange = "this.getFormRef().setFieldValue('amount', 1)"
  expect(told(page({}), page({ onChange }))).toEqual(['手机：修改脚本 “改变后”onChange，现在会写入 金额'])
  expect(told(page({ onChange }), page({ onChange: `${onChange}; // again` }))).toEqual([
    '手机：修改脚本 “改变后”onChange',
  ])
  expect(told(page({ onChange }), page({ onChange: `${onChange}; VFR.executeDataSource('send')` }))).toEqual([
    '手机：修改脚本 “改变后”onChange，现在会请求 send',
  ])
  const on = {
    change: [
      {
        do: 'when',
        then: [
          { do: 'request', dsName: 'send' },
          { do: 'set', field: 'amount' },
        ],
      },
    ],
  }
  expect(told(page({}), page({ on }))).toEqual(['手机：修改动作，现在会写入 金额，现在会请求 send'])
  expect(
    effectsOf({ onClick: "this.setValue(1); this.getWidgetRef('a').setValue(2); f.setFormData({})" }),
  ).toEqual({
    writes: ['a', '*', 'this'],
    asks: [],
  })
})

it('a source is described with its target: the product, a connection, or another host', () => {
  const asks = (requestURL: string) => page({}, { dataSources: [{ uniqueName: 'rows', requestURL }] })
  expect(told(page({}), asks('/mini/customer/list'))).toEqual(['新增数据源 rows，请求 /mini/customer/list'])
  expect(told(page({}), asks('conn:orders/all'))).toEqual(['新增数据源 rows，请求连接 orders'])
  expect(told(page({}), asks('https://api.example.com/v1'))).toEqual([
    '新增数据源 rows，请求外部地址 api.example.com',
  ])
  expect(told(asks('/mini/a'), asks('https://evil.example/x'))).toEqual([
    '数据源 rows：请求的地址 “/mini/a” → “https://evil.example/x”，请求外部地址 evil.example',
  ])
  expect(told(asks('https://a.example/1'), asks('https://a.example/2'))[0]).not.toContain('外部')
})

it('a new item is described by what it does', () => {
  const button = {
    type: 'button',
    options: { name: 'go', label: '提交', on: { click: [{ do: 'submit', dsName: 'save' }] } },
  }
  const before = page({}) as JsonObject
  expect(told(before, { ...before, widgetList: [...(before.widgetList as Json[]), button] })).toEqual([
    '新增“提交”，会请求 save',
  ])
})
