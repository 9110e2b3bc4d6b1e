import { expect, it } from 'vitest'
import { formatPhrase } from '../../../runtime/core/errors.ts'
import { checkStrictly } from '../../../src/server/kernel/pages/check.ts'
import { checkCode } from '../../../src/server/kernel/pages/check-code.ts'
import { chinese } from '../../../src/server/kernel/text/author.ts'
import { aWidget } from '../../support/a-page.ts'

/** Advice on a page with this hook. */
const adviceOn = (onClick: string) =>
  checkStrictly({
    widgetList: [aWidget('input', 'name'), aWidget('button', 'go', { onClick })],
    formConfig: {},
  })
    .filter(({ code }) => code === 'WORD_UNKNOWN')
    .map(({ severity, at, said }) => [
      severity,
      at,
      formatPhrase(said.message, chinese),
      formatPhrase(said.hint, chinese),
    ])

it('a name in code that no widget has is advised against where another was meant', () => {
  const said = ['warning', '/widgetList/1/options/onClick', '页面上的组件中没有“nmae”', '是不是“name”？']
  expect(adviceOn(`this.getWidgetRef('nmae').setValue(1)`)).toEqual([said])
  expect(adviceOn(`this.setFieldValue("nmae", 1)\nthis.getFieldValue('nmae')`)).toEqual([said])
  expect(
    adviceOn(`this.setFieldValue('name', 1)\nthis.getWidgetRef(n + 'ame')\nthis.getWidgetRef('other')`),
  ).toEqual([])
})

/** Mistakes in code, and what their author is told of them: the place is in the code as they wrote it. */
const FAULTS: readonly (readonly [code: string, told: string])[] = [
  [`if (a === 'name') { this.set('remark', b.foo.bar)`, '第 1 行第 50 列：少了“}”，代码到这里就结束了'],
  [`if (a) {\n  b()\n`, '第 2 行第 6 列：少了“}”，代码到这里就结束了'],
  ['b(1', '第 1 行第 3 列：参数后面缺“)”'],
  ['if (a) {\n  b(1\n}', '第 3 行第 1 列：这前面少了“)”'],
  ['const a = [1, 2', '第 1 行第 16 列：少了“]”，代码到这里就结束了'],
  ['b([1, 2)', '第 1 行第 8 列：这前面少了“]”'],
  [`b('one)`, '第 1 行第 3 列：文本没有收尾的引号'],
  [`const a = 1\nb("one)\nc()`, '第 2 行第 3 列：文本没有收尾的引号'],
  ['const a = `one', '第 1 行第 11 列：模板文本没有收尾'],
  ['const a = 1\nconst b = `one ${a\nc()`', '第 3 行第 4 列：模板文本没有收尾'],
  ['a() }', '第 1 行第 5 列：多了“}”'],
  ['if (a) {\n  b()\n}}\nc()', '第 3 行第 2 列：多了“}”'],
  ['b(1))', '第 1 行第 5 列：多了“)”'],
  ['a()\nb(1))\nc()', '第 2 行第 5 列：多了“)”'],
  ['const a = # 1', '第 1 行第 11 列：有不认识的字符'],
  ['a()\nconst = 1', '第 2 行第 7 列：这里不该有“=”'],
  [`// it's }\nconst a = '}' + /[)}]/.source\nif (a) {`, '第 3 行第 9 列：少了“}”，代码到这里就结束了'],
]

it.each(FAULTS)('%j', (code, told) => {
  const [fault] = checkCode({ onClick: code })
  expect(fault && formatPhrase(fault.said.message, chinese)).toContain(told)
})

it('code without a mistake has none', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the code that is checked
  expect(checkCode({ onClick: 'const a = `${[1].map((b) => `<${b}>`)}`\nreturn await a' })).toEqual([])
})
