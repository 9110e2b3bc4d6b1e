import { describe, expect, it } from 'vitest'
import { type Advice, advise } from '../../../../runtime/core/check/advise.ts'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { parsePage } from '../../../../runtime/core/parse-page.ts'
import { createRegistry } from '../../../../runtime/core/widgets/index.ts'

const registry = createRegistry()

function adviceOn(widgetList: JsonObject[], dataSources: JsonObject[] = []): readonly Advice[] {
  const document: Json = { formConfig: { page: { title: '页' }, dataSources }, widgetList }
  const parsed = parsePage(document, { registry })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return advise(parsed.page)
}
const namesOf = (list: readonly Advice[]) => list.map(({ name, at }) => `${name} ${at}`)
const field = (name: string, options: JsonObject = {}, type = 'input'): JsonObject => ({
  type,
  formItemFlag: true,
  options: { name, label: name, ...options },
})

describe('advice on a page', () => {
  it('is empty for a complete page', () => {
    const list = {
      type: 'list',
      category: 'container',
      options: { name: 'l', dsName: 'rows', empty: '没有' },
      widgetList: [field('a', { readonly: true })],
    }
    const data = [{ name: 'q', type: 'Variable', value: 'form.b' }]
    const source = { uniqueName: 'rows', requestURL: '/mini/x/list', data }

    expect(adviceOn([field('b', { required: true }), list], [source])).toEqual([])
  })

  it('names fields that nobody can fill in, find or distinguish', () => {
    const list = adviceOn([
      field('a', { required: true, hidden: true }),
      field('b', { label: '' }),
      field('c', {}, 'select'),
      field('d', { label: '手机' }),
      field('e', { label: '手机' }),
      field('f', { label: '手机', visibleOn: { var: 'form.d' } }),
    ])

    expect(namesOf(list)).toEqual([
      'required-hidden /widgetList/0',
      'label-missing /widgetList/1',
      'choice-empty /widgetList/2',
      'label-twice /widgetList/4',
    ])
    expect(list[0]?.fix).toEqual({ do: 'option', option: 'required' })
    expect(list[3]?.words).toEqual({ label: '手机' })
  })

  it('accepts choices from a dictionary, a source or code', () => {
    const choices = [{ dict: 'level' }, { optionItems: [{ label: 'a', value: 'a' }] }, { onCreated: 'x()' }]

    expect(adviceOn(choices.map((options, i) => field(`f${i}`, options, 'select')))).toEqual([])
  })

  it('names lists without a text for their empty state, and tabs that cannot be reached', () => {
    const pane = (name: string, options: JsonObject): JsonObject => ({
      type: 'tab-pane',
      category: 'container',
      options: { name, label: name, ...options },
      widgetList: [],
    })
    const list = adviceOn(
      [
        { type: 'list', category: 'container', options: { name: 'l', dsName: 'rows' }, widgetList: [] },
        { type: 'list', category: 'container', options: { name: 'm', bind: 'data.part' }, widgetList: [] },
        {
          type: 'tab',
          category: 'container',
          options: { name: 't' },
          tabs: [pane('one', {}), pane('two', { hidden: true })],
        },
      ],
      [{ uniqueName: 'rows', requestURL: '/mini/x/list' }],
    )

    expect(namesOf(list)).toEqual(['empty-missing /widgetList/0', 'tab-hidden /widgetList/2/tabs/1'])
  })

  it('names fields that are neither read nor sent on pages that submit no form', () => {
    const click = (...actions: JsonObject[]): JsonObject => ({
      type: 'button',
      options: { name: 'go', label: '查', on: { click: actions } },
    })
    const find = {
      uniqueName: 'rows',
      requestURL: '/mini/x/list',
      data: [{ name: 'q', type: 'Variable', value: 'form.word' }],
    }
    const asked = click({ do: 'request', dsName: 'rows' })
    const fields = [
      field('word'),
      field('lost'),
      field('shown', { readonly: true }),
      field('bound', { bind: 'data.x' }),
    ]

    expect(adviceOn([...fields, asked], [find]).map(({ name, at, fix }) => [name, at, fix])).toEqual([
      ['field-dead', '/widgetList/1', { do: 'remove' }],
    ])
    expect(adviceOn([...fields, click({ do: 'submit', dsName: 'rows' })], [find])).toEqual([])
    expect(
      adviceOn([...fields, click({ do: 'set', data: 'all', value: { var: 'form' } })], [find]).map(
        ({ name }) => name,
      ),
    ).toEqual(['source-unused'])
    expect(adviceOn([...fields, asked, field('code', { onChange: 'x()' })], [find])).toEqual([])
  })

  it('names events that send a request at each keystroke', () => {
    const rows = (more: JsonObject): JsonObject => ({
      uniqueName: 'rows',
      requestURL: '/mini/x/list',
      auto: true,
      data: [{ name: 'q', type: 'Variable', value: 'form.word' }],
      ...more,
    })
    const onInput = "this.getFormRef().executeDataSource('rows')"
    const eager = adviceOn([field('word', { label: '关键词' })], [rows({})])

    expect(eager.map(({ name, at, words, fix }) => ({ name, at, words, fix }))).toEqual([
      {
        name: 'source-eager',
        at: '/formConfig/dataSources/0',
        words: { field: '关键词', source: 'rows' },
        fix: { do: 'source', source: 'rows', key: 'debounceMs', value: 300 },
      },
    ])
    expect(adviceOn([field('word')], [rows({ debounceMs: 300 })])).toEqual([])
    expect(adviceOn([field('word', {}, 'search-bar')], [rows({})])).toEqual([])
    expect(namesOf(adviceOn([field('word', { onInput })], [rows({ auto: false })]))).toEqual([
      'asks-each-letter /widgetList/0',
    ])
    expect(
      namesOf(
        adviceOn(
          [field('word', { on: { input: [{ do: 'request', dsName: 'rows' }] } })],
          [rows({ auto: false })],
        ),
      ),
    ).toEqual(['asks-each-letter /widgetList/0'])
  })

  it('names sources that send a request twice and sources that are never used', () => {
    const text = { type: 'static-text', options: { name: 't', textContent: '{{ data.a.n }} {{ data.b.n }}' } }
    const source = (uniqueName: string, requestURL: string, more: JsonObject = {}): JsonObject => ({
      uniqueName,
      requestURL,
      ...more,
    })
    const list = adviceOn(
      [text],
      [
        source('a', '/mini/x/count', { auto: true }),
        source('b', '/mini/x/count', { auto: true }),
        source('old', '/mini/x/old'),
      ],
    )
    const button = (action: JsonObject): JsonObject => ({
      type: 'button',
      options: { name: 'go', label: 'go', on: { click: [action] } },
    })
    const kept = [source('create', '/mini/x/create'), source('undo-x/back', '/mini/x/back')]

    expect(namesOf(list)).toEqual([
      'source-twice /formConfig/dataSources/1',
      'source-unused /formConfig/dataSources/2',
    ])
    expect(list[1]?.fix).toEqual({ do: 'remove-source', source: 'old' })
    expect(
      adviceOn([button({ do: 'save', then: [{ do: 'request', dsName: 'undo-x/back' }] })], kept),
    ).toEqual([])
  })
})
