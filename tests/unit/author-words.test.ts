import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { PROBLEMS } from '../../runtime/core/errors.ts'
import { HOOKS_NOT_RUN } from '../../runtime/core/hooks/catalogue-hooks.ts'
import { REFUSED } from '../../runtime/core/hooks/script-catalogue.ts'
import { createRegistry } from '../../runtime/core/index.ts'
import type { Json } from '../../runtime/core/json.ts'
import { parsePage } from '../../runtime/core/parse-page.ts'
import { patternFault } from '../../runtime/core/rules/pattern.ts'
import words from '../../schemas/text/zh-hans.author.json'
import { FIELD_ATTRIBUTES, MODULE_ATTRIBUTES } from '../../src/model/attributes.ts'
import { checkModule } from '../../src/model/check-module.ts'
import { checkStrictly } from '../../src/server/kernel/pages/check.ts'
import { shownProblem } from '../../src/server/kernel/text/author.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const sources = ['runtime/core', 'src'].flatMap((room) =>
  readdirSync(`${ROOT}/${room}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(`${ROOT}/${room}/${path}`, 'utf8')),
)
/** Every sentence of the checker: those at the place where an error is found, the catalogue, the descriptions of attributes, and the replacements for unsupported features. */
const said = new Set<string>([
  ...sources.flatMap((code) =>
    [...code.matchAll(/\bphrase\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/g)].map(
      ([, single, double]) => single ?? double ?? '',
    ),
  ),
  ...Object.values(HOOKS_NOT_RUN),
  ...REFUSED.map(({ note }) => note),
  ...Object.values(PROBLEMS).flatMap(({ message, hint }) => [message, hint]),
  ...[...Object.values(FIELD_ATTRIBUTES), ...Object.values(MODULE_ATTRIBUTES)].flatMap(({ description }) =>
    typeof description === 'string' ? [description] : [],
  ),
])
const placesOf = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1] ?? '').sort()

describe('the checker’s messages', () => {
  it('exist in Chinese', () => {
    expect([...said].filter((english) => !(english in words))).toEqual([])
  })

  it('keep their placeholders in translation', () => {
    const other = Object.entries(words).filter(
      ([english, chinese]) => placesOf(english).join() !== placesOf(chinese).join(),
    )

    expect(other).toEqual([])
  })

  it('of a page contain its names, including the nearest one', () => {
    const page = {
      formConfig: { jsonVersion: -3, page: { title: 'T', permision: 'x' } },
      widgetList: [
        {
          type: 'input',
          formItemFlag: true,
          options: { name: 'a', label: 'A', placehoder: 'B', on: { change: [{ do: 'tost' }] } },
        },
      ],
    }

    const told = checkStrictly(page).map((one) => shownProblem(one))

    expect(told.map(({ message, hint }) => `${message} ${hint}`)).toEqual([
      expect.stringContaining('没有“tost”这个动作；可以用：'),
      'input 的选项中没有“placehoder” 是不是“placeholder”？',
      '页面的键中没有“permision” 是不是“permission”？',
    ])
  })

  it('of a module explain the attribute', () => {
    const checked = checkModule({
      name: 'ticket',
      label: '工单',
      title: 'title',
      behaviours: [],
      fields: [{ name: 'title', kind: 'text', label: '标题', max: 'ten', filtre: true }],
      groups: [{ name: 'basic', label: '基本', fields: ['titel'] }],
    })

    const told = checked.ok ? [] : checked.problems.map((one) => shownProblem(one))

    expect(told.map(({ at, message, hint }) => `${at} ${message} ${hint}`)).toEqual([
      '/fields/0/max 应为数字 最多字符数，或最大的数（含）',
      '/fields/0/filtre text 字段没有“filtre”这一项 是不是“filter”？',
      '/groups/0/fields/0 模块没有“titel”这个字段 是不是“title”？',
    ])
  })
})

describe('messages of the script engine', () => {
  const registry = createRegistry()
  it.each([
    ['{ "a": 1, }', '第 1 行第 11 列：键名要加双引号'],
    ['{\n  "a": 1\n  "b": 2\n}', '第 3 行第 3 列：值的后面应有“,”或“}”'],
    ['[1 2]', '第 1 行第 4 列：这一项的后面应有“,”或“]”'],
    ['{"a" 1}', '第 1 行第 6 列：键名的后面应有“:”'],
    ['{a: 1}', '第 1 行第 2 列：这里应有键名或“}”'],
    ['{"a": "b\n"}', '第 1 行第 9 列：文本里有换行等控制字符'],
    ['{"a": "b', '第 1 行第 9 列：文本没有收尾的引号'],
    ['{"a": "\\x"}', '第 1 行第 9 列：反斜杠后面的字符不对'],
    ['{"a": hello}', '第 1 行第 7 列：这里不该有“h”'],
    ['{} {}', '第 1 行第 4 列：JSON 已经结束，后面还有内容'],
    ['{', '第 1 行第 2 列：这里应有键名或“}”'],
    ['', '内容没有写完'],
  ])('about the text %j include the position', (text, reason) => {
    const parsed = parsePage(text, { registry })
    const [first] = parsed.ok ? [] : parsed.problems

    expect(first && shownProblem(first).message).toContain(reason)
  })

  it.each([
    ['(', '括号没有配对'],
    [')', '多了一个“)”'],
    ['[', '“[”没有配对的“]”'],
    ['*', '重复符号前面没有内容'],
    ['[b-a]', '字符范围写反了'],
    ['a{2,1}', '次数范围写反了'],
    ['\\', '最后的反斜杠后面没有内容'],
    ['(?x)', '分组的写法不对'],
  ])('about the pattern %j are translated', (pattern, reason) => {
    const fault = patternFault(pattern)

    expect(fault && words[fault.words as keyof typeof words]).toBe(reason)
  })

  it.each(['return )', 'foo(', "let a = '", 'const 1 = 2'])('about the code %j are translated', (code) => {
    const page: Json = {
      formConfig: { jsonVersion: -3 },
      widgetList: [{ type: 'input', options: { name: 'a', onChange: code } }],
    }
    const found = checkStrictly(page).find((one) => one.code === 'CODE_INVALID')

    expect(found && shownProblem(found).message).toMatch(/^代码读不懂：[^a-z]*(?:“\S+”)?$/)
  })
})

it('have no translation without a message of the checker or the engine', () => {
  const engine = Object.keys(words).filter((english) => !said.has(english))

  expect(engine.filter((english) => !/^(?:[A-Z\\]|missing|numbers)/.test(english))).toEqual([])
})
