import { describe, expect, it } from 'vitest'
import { PAGE_EVENTS } from '../../../runtime/core/check/known-words.ts'
import { ACTIONS } from '../../../runtime/core/page/actions.ts'
import { CATALOGUE } from '../../../runtime/core/widgets/index.ts'
import words from '../../../schemas/text/zh-hans.workbench.json'
import { actionSentence, convertAction, isAction, keysOf } from '../../../src/workbench/actions/model.ts'
import type { Readable } from '../../../src/workbench/rules/fields-of.ts'

const FIELDS: readonly Readable[] = [
  { path: 'form.level', label: '客户级别', kind: 'choice', choices: [{ label: '重点', value: 'key' }] },
]

describe('the actions of an event', () => {
  it('are described as a sentence, with their condition', () => {
    const only = { do: 'toast', text: '记得回访', if: { '==': [{ var: 'form.level' }, 'key'] } }

    expect(actionSentence(only, FIELDS)).toBe('提示：记得回访（仅当客户级别 等于 重点）')
    expect(actionSentence({ do: 'back' }, FIELDS)).toBe('返回')
    expect(actionSentence({ fragment: 'act/open-view' }, FIELDS)).toBe(
      '其他动作 {"fragment":"act/open-view"}',
    )
    expect(isAction({ do: 'toString' })).toBe(false)
  })

  it('become another action with the common arguments, and fields for its others', () => {
    const before = { do: 'confirm', title: '确定', content: '删除吗', then: [{ do: 'back' }] }

    expect(convertAction('choose', before)).toEqual({ do: 'choose', title: '确定', items: [] })
    expect(convertAction('request', before)).toEqual({ do: 'request', dsName: '', then: [{ do: 'back' }] })
    expect(convertAction('set', {})).toEqual({ do: 'set', field: '', value: '' })
    expect(convertAction('navigate', { do: 'toast', if: true, text: '好' })).toEqual({
      do: 'navigate',
      url: '',
      if: true,
    })
  })

  it('ask for required arguments first', () => {
    expect(keysOf('confirm').map(({ name, isAlwaysShown }) => [name, isAlwaysShown])[0]).toEqual([
      'content',
      true,
    ])
    expect(keysOf('when').filter(({ name }) => name === 'if')).toEqual([
      { name: 'if', kind: 'rule', isAlwaysShown: true },
    ])
  })
})

it('have a Chinese label for every action, argument and event', () => {
  const specs = Object.values(CATALOGUE).flat()
  const codes = [
    ...Object.keys(ACTIONS).map((name) => `workbench.action.${name}`),
    ...Object.keys(ACTIONS).flatMap((name) => keysOf(name).map((key) => `workbench.actionKey.${key.name}`)),
    ...[...PAGE_EVENTS, ...specs.flatMap(({ events }) => events)].map((name) => `workbench.event.${name}`),
  ]

  expect(
    [...new Set(codes)].filter(
      (code) => !/[\u4e00-\u9fff]/.test((words as Record<string, string>)[code] ?? ''),
    ),
  ).toEqual([])
})
