import { describe, expect, it } from 'vitest'
import type { Json } from '../../../runtime/core/json.ts'
import { sampleAnswer } from '../../../src/workbench/canvas/sample-answer.ts'
import { aPage, aWidget } from '../../support/a-page.ts'

const source = (uniqueName: string, more = {}) => ({
  uniqueName,
  requestURL: `/mini/${uniqueName}`,
  requestMethod: 'post',
  ...more,
})
const choices = (dict: string): readonly Json[] => (dict === 'level' ? ['key', 'usual'] : [])

describe('sample data for a page without any', () => {
  it('has rows with the values that the cards of a list read, and dictionary words', () => {
    const card = aWidget('static-text', 'line', {
      textContent: '{{ row.title }} {{ row.level | dict:level }} {{ row.amount }}',
      visibleOn: { '!!': { var: 'row.owner.name' } },
    })
    const list = {
      ...aWidget('list', 'rows', { dsName: 'deals' }),
      category: 'container',
      widgetList: [card],
    }
    const page = aPage([list], { dataSources: [source('deals', { paging: { items: 'data.rows' } })] })

    const answer = sampleAnswer(page, '/mini/deals?x=1', choices) as { data: { rows: Json[] } }

    expect(answer.data.rows).toHaveLength(3)
    expect(answer.data.rows[0]).toMatchObject({
      id: '1',
      title: '示例名称 1',
      level: 'key',
      amount: 128_000,
      owner: { name: '示例名称 1' },
    })
    expect(answer.data.rows[1]).toMatchObject({ id: '2', title: '示例名称 2' })
  })

  it('has the record that details read below their bind, and that fills a form', () => {
    const facts = aWidget('descriptions', 'facts', {
      bind: 'data.detail.record',
      items: [
        { label: '电话', bind: 'phone' },
        { label: '主人', text: '{{ data.detail.record.owner_name }}' },
      ],
    })
    const level = aWidget('select', 'level', { dict: 'level' })
    const name = aWidget('input', 'name', { label: '名称' })
    const page = aPage([facts, level, name], { dataSources: [source('detail', { fill: 'record' })] })

    expect(sampleAnswer(page, '/mini/detail', choices)).toEqual({
      record: { phone: '13800138000', owner_name: '张明', level: 'key', name: '示例名称 1' },
    })
  })

  it('is empty for an address that the page does not use, and contains no invalid names', () => {
    const text = aWidget('static-text', 'bad', {
      textContent: '{{ data.detail.__proto__.x }} {{ data.detail.constructor }}',
    })
    const page = aPage([text], { dataSources: [source('detail')] })

    expect(sampleAnswer(page, '/mini/other', choices)).toBeNull()
    expect(sampleAnswer(page, '/mini/detail', choices)).toEqual({})
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })
})
