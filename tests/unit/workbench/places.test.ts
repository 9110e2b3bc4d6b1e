import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../runtime/core/create-engine.ts'
import { placed, placeWords, wordsOf } from '../../../src/workbench/places/places.ts'
import { aPage, aWidget, registry } from '../../support/a-page.ts'
import { memoryWorld } from '../../support/memory-ports.ts'

const KNOWN = [
  { word: 'form.level', label: '客户级别' },
  { word: 'data.detail.level', label: 'A' },
  { word: 'user.name', label: '张三' },
]
const words = (before: string) => placeWords(before, KNOWN)?.list.map(({ word }) => word)

describe('placeholders for a text', () => {
  it('are offered only inside the braces', () => {
    expect(words('客户 ')).toBeUndefined()
    expect(words('{{ user.name }} 的')).toBeUndefined()
    expect(words('{{')).toEqual(['form.level', 'data.detail.level', 'user.name'])
    expect(words('{{ user.name }} {{ us')).toEqual(['user.name'])
  })

  it('are found by label and by path, those that begin with the text first', () => {
    expect(words('{{ 级别')).toEqual(['form.level'])
    expect(words('{{ d')).toEqual(['data.detail.level'])
    expect(words('{{ e')).toEqual(['form.level', 'data.detail.level', 'user.name'])
  })

  it('offer filters after the bar', () => {
    expect(words('{{ form.level | di')).toEqual(['dict'])
    expect(words('{{ form.at | dat')?.[0]).toBe('date')
  })

  it('close an open placeholder, and never close it twice', () => {
    expect(placed('你好 {{ us', { from: 6, to: 8 }, 'user.name')).toEqual({
      text: '你好 {{ user.name }}',
      at: 15,
    })
    expect(placed('{{ us }}！', { from: 3, to: 5 }, 'user.name').text).toBe('{{ user.name }}！')
  })
})

it('of a page are its fields and parameters, the answers of its sources, and their rows', () => {
  const page = aPage([aWidget('input', 'name', { label: '名称' })], {
    page: { params: [{ name: 'id' }] },
    dataSources: [{ uniqueName: 'deals', requestURL: '/x', requestMethod: 'get' }],
  })
  const engine = createEngine({ page, registry, ports: memoryWorld().ports, user: { name: '张三' } })
  engine.setData('deals', { total: 2, list: [{ title: '年度框架' }] })

  expect(wordsOf(engine)).toEqual(
    expect.arrayContaining([
      { word: 'form.name', label: '名称' },
      { word: 'params.id', label: 'id' },
      { word: 'data.deals.total', label: '2' },
      { word: 'user.name', label: '张三' },
      { word: 'row.title', label: '年度框架' },
    ]),
  )
})
