import { describe, expect, it } from 'vitest'
import { changeText, labelsIn, optionLabel } from '../../../../runtime/core/edit/change-text.ts'
import { effectsOf, newEffects } from '../../../../runtime/core/edit/code-effects.ts'
import { diffPages, type PageChange } from '../../../../runtime/core/edit/diff-pages.ts'
import { fillPlaces } from '../../../../runtime/core/errors.ts'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import panel from '../../../../schemas/text/zh-hans.workbench.json'

const WORDS: Readonly<Record<string, string>> = panel

/** What is different, in words. */
function told(before: Json, after: Json): readonly string[] {
  const labels = labelsIn(after)
  return diffPages(before, after).map((change) =>
    changeText(change, {
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

it('describes a value by its old and new value, and a field as required or optional', () => {
  expect(told(page({ required: true }), page({}))).toEqual(['手机：必填 → 选填'])
  expect(told(page({ required: true }), page({ required: false }))).toEqual(['手机：必填 → 选填'])
  expect(told(page({ placeholder: '号码' }), page({ placeholder: '11 位' }))).toEqual([
    '手机：占位提示 “号码” → “11 位”',
  ])
  expect(told(page({}), page({}, { page: { title: '新' } }))).toEqual(['页面：标题 “页” → “新”'])
})

it('describes code by the powers it has gained', () => {
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

it('describes a source by its target: the product, a connection, or another host', () => {
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

it('describes a new item by what it does', () => {
  const button = {
    type: 'button',
    options: { name: 'go', label: '提交', on: { click: [{ do: 'submit', dsName: 'save' }] } },
  }
  const before = page({}) as JsonObject
  expect(told(before, { ...before, widgetList: [...(before.widgetList as Json[]), button] })).toEqual([
    '新增“提交”，会请求 save',
  ])
})

/** A change in codes, so that each part of the sentence can be seen. */
function coded(change: Partial<PageChange>): string {
  const whole: PageChange = { kind: 'changed', id: '/a', title: 'A', at: '', what: 'options.x', ...change }
  return changeText(whole, {
    say: (code, places) =>
      ['comma', 'and'].includes(code)
        ? { comma: '; ', and: ' & ' }[code as 'comma' | 'and']
        : [code, ...(places === undefined ? [] : [JSON.stringify(Object.values(places))])].join(''),
    option: (name) => ({ onClick: 'clicked', onBare: 'onBare', title: 'Title', label: 'Label' })[name] ?? '',
    called: (name) => `<${name}>`,
  })
}

describe('one change', () => {
  const source = { id: 'source:s', title: 's' }

  it.each<[Partial<PageChange>, string]>([
    [{ kind: 'removed' }, 'removed["A"]'],
    [{ kind: 'moved' }, 'moved["A"]'],
    [{ kind: 'moved', id: '', title: '', what: 'source' }, 'source-order'],
    [{ kind: 'added', title: '', to: {} }, 'added["page"]'],
    [{ kind: 'added', what: 'source', to: { requestURL: '/a' } }, 'source-added["A"]; address["/a"]'],
    [{ kind: 'removed', ...source, from: { requestURL: '/a' } }, 'source-removed["s"]'],
    [{ kind: 'added', to: { requestURL: '/a' } }, 'added["A"]'],
    [{ kind: 'added', ...source, to: { requestURL: '' } }, 'source-added["s"]'],
    [{ kind: 'added', ...source, to: { requestURL: 5 } }, 'source-added["s"]'],
    [{ kind: 'added', ...source, to: {} }, 'source-added["s"]'],
    [
      { kind: 'added', ...source, to: { requestURL: 'conn:or-ders/all' } },
      'source-added["s"]; connection["or-ders"]',
    ],
    [{ kind: 'added', ...source, to: { requestURL: 'HTTP://a.b:1?x' } }, 'source-added["s"]; host["a.b:1"]'],
    [{ kind: 'added', ...source, to: { requestURL: 'https://a.b#x' } }, 'source-added["s"]; host["a.b"]'],
    [
      { kind: 'added', ...source, to: { requestURL: '/to?u=http://a.b' } },
      'source-added["s"]; address["/to?u=http://a.b"]',
    ],
    [{ kind: 'added', ...source, to: { requestURL: '/conn:x' } }, 'source-added["s"]; address["/conn:x"]'],
    [
      { kind: 'added', to: { options: { onClick: "setFieldValue('f', 1); this.setValue(2); resetForm()" } } },
      'added["A"]; writes["<f> & whole-form & A"]',
    ],
    [{ kind: 'removed', from: { onClick: 'resetForm()' } }, 'removed["A"]'],
    [
      {
        what: 'options.onClick',
        from: 'resetForm()',
        to: "resetForm(); executeDataSource('s'); executeDataSource('t')",
      },
      'code["A","hook[\\"clicked\\",\\"onClick\\"]"]; now-asks["s & t"]',
    ],
    [{ what: 'options.onOther', to: 'x' }, 'code["A","onOther"]'],
    [{ what: 'options.onBare', to: 'x' }, 'code["A","onBare"]'],
    [{ ...source, what: 'dataHandlerCode', to: 'x' }, 'code["source[\\"s\\"]","dataHandlerCode"]'],
    [{ title: '', what: 'functions', to: 'x' }, 'code["page","functions"]'],
    [
      { what: 'options.on', to: { click: [{ do: 'set', field: 'f' }] } },
      'actions["A","on"]; now-writes["<f>"]',
    ],
    [{ what: 'options.required', from: true, to: null }, 'requiredness["A","required","optional"]'],
    [{ what: 'options.required', to: true }, 'requiredness["A","optional","required"]'],
    [{ what: 'options.required', from: 'x', to: true }, 'value["A","required","quoted[\\"x\\"]","yes"]'],
    [{ what: 'options.required', from: true, to: 'x' }, 'value["A","required","yes","quoted[\\"x\\"]"]'],
    [{ what: 'options.label', from: null, to: false }, 'value["A","Label","nothing","no"]'],
    [{ from: '', to: 0 }, 'value["A","x","nothing","0"]'],
    [{ from: undefined, to: 'y'.repeat(60) }, `value["A","x","nothing","quoted[\\"${'y'.repeat(60)}\\"]"]`],
    [{ from: 1, to: 'y'.repeat(61) }, 'changed["A","x"]'],
    [{ from: [], to: 1 }, 'changed["A","x"]'],
    [
      { ...source, what: 'requestURL', from: 'https://a.b/1', to: 'https://a.b/2' },
      'value["source[\\"s\\"]","requestURL","quoted[\\"https://a.b/1\\"]","quoted[\\"https://a.b/2\\"]"]',
    ],
    [
      { ...source, what: 'requestURL', from: 'https://a.b/1', to: 'conn:c/1' },
      'value["source[\\"s\\"]","requestURL","quoted[\\"https://a.b/1\\"]","quoted[\\"conn:c/1\\"]"]; connection["c"]',
    ],
    [
      { what: 'options.link', from: 'https://a.b', to: '/x' },
      'value["A","link","quoted[\\"https://a.b\\"]","quoted[\\"/x\\"]"]',
    ],
  ])('is described: %j', (change, words) => {
    expect(coded(change)).toBe(words)
  })

  it('names an option by its path, else by its last step, else as it is written', () => {
    const option = (name: string) =>
      ({ label: 'L', 'a.label': 'AL', title: 'T', 'page.label': 'wrong' })[name] ?? ''
    for (const [what, word] of [
      ['options.label', 'L'],
      ['page.title', 'T'],
      ['formConfig.page.title', 'T'],
      ['formConfig.title', 'T'],
      ['options.a.label', 'AL'],
      ['options.b.label', 'L'],
      ['options.b.c', 'b.c'],
      ['my.options.c', 'my.options.c'],
      ['my.page.c', 'my.page.c'],
    ] as const)
      expect(optionLabel(what, { option }), what).toBe(word)
  })
})

describe('the labels of a page', () => {
  it('are taken from its widgets, the first of each name', () => {
    const of = (name: Json, label: Json): JsonObject => ({ options: { name, label } })
    const labels = labelsIn({
      widgetList: [
        of('a', '甲'),
        { rows: [[of('b', '乙'), null, 'text']] },
        of('a', '二'),
        of('c', ''),
        of(1, 'x'),
        of('d', 5),
        { options: null },
      ],
      formConfig: of('e', '外'),
    })
    expect([...labels]).toEqual([
      ['a', '甲'],
      ['b', '乙'],
    ])
    expect(labelsIn(null).size).toBe(0)
  })
})

describe('the effects of code and actions', () => {
  const effects = (writes: string[], asks: string[] = []) => ({ writes, asks })

  it.each<[Json, string, ReturnType<typeof effects>]>([
    ['setFieldValue(\'a\', 1); setSubFormValues( "b.c-d", [])', 'onChange', effects(['a', 'b.c-d'])],
    ["myset.setFieldValue('a'); xsetFieldValue('b'); setFieldValue(name)", 'onChange', effects(['a'])],
    [
      'getWidgetRef(\'a\').setValue(1); getWidgetRef( "b" , 1 ) . setSubFormValues([])',
      'functions',
      effects(['a', 'b']),
    ],
    ["xgetWidgetRef('a').setValue(1); getWidgetRef('b').getValue()", 'onChange', effects([])],
    ['f.setFormData(x)', 'onChange', effects(['*'])],
    ['f.resetForm()', 'onChange', effects(['*'])],
    ['f.clearFormDataModel()', 'onChange', effects(['*'])],
    ['f.xresetForm(); resetForms(); other.this.setValue', 'onChange', effects([])],
    [
      "x.executeDataSource( 'a' ); executeDataSource(\"a\"); executeDataSource('b')",
      'dataHandlerCode',
      effects([], ['a', 'b']),
    ],
    ["setFieldValue('a', 1)", 'label', effects([])],
    [{ do: 'set', field: 'a', dsName: 's' }, '', effects(['a'])],
    [{ do: 'set', field: '', fields: true, value: { a: 1, b: 2 } }, '', effects(['a', 'b'])],
    [{ do: 'set', fields: 'yes', value: { a: 1 } }, '', effects([])],
    [{ do: 'set', fields: true, value: ['a'] }, '', effects([])],
    [{ do: 'request', dsName: 'a', field: 'f' }, '', effects([], ['a'])],
    [{ do: 'submit', dsName: '', create: 'b', update: 'c' }, '', effects([], ['b', 'c'])],
    [{ do: 'save', dsName: 5, update: 'c' }, '', effects([], ['c'])],
    [{ do: 'open', dsName: 'a' }, '', effects([])],
    [{ do: ['set'], field: 'a' }, '', effects([])],
    [[{ do: 'set', field: 'a' }, [{ do: 'when', then: { do: 'set', field: 'a' } }]], '', effects(['a'])],
    [null, '', effects([])],
    [5, 'onChange', effects([])],
  ])('of %j include %s', (value, key, found) => {
    expect(effectsOf(value, key)).toEqual(found)
  })

  it('are new if the other version has none of them', () => {
    expect(newEffects(effects(['a'], ['s']), effects(['a', 'b'], ['s', 't']))).toEqual(effects(['b'], ['t']))
  })
})
