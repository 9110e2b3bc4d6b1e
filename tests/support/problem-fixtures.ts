import type { ProblemCode } from '../../runtime/core/errors.ts'
import type { Json } from '../../runtime/core/json.ts'

/** A small failing page for a rule of the format, named after it. */
export interface ProblemFixture {
  readonly name: string
  readonly code: ProblemCode
  readonly at: string
  readonly input: unknown
  readonly fragments?: Readonly<Record<string, Json>>
}

const page = (widgetList: Json, formConfig: Readonly<Record<string, Json>> = {}): Json => ({
  widgetList,
  formConfig: { jsonVersion: -3, page: { title: '例' }, ...formConfig },
})
const field = (name: string, options: Readonly<Record<string, Json>> = {}, type = 'input'): Json => ({
  type,
  formItemFlag: true,
  options: { name, ...options },
})
const nested = (levels: number): Json => {
  let list: Json = [field('a')]
  for (let i = 0; i < levels; i += 1)
    list = [{ type: 'cell-group', options: { name: `g${i}` }, widgetList: list }]
  return list
}
const deep = (levels: number): Json => {
  let value: Json = 1
  for (let i = 0; i < levels; i += 1) value = [value]
  return value
}
const click = (action: Json): Json =>
  page([{ type: 'button', options: { name: 'b', on: { click: [action] } } }])
const AT_ACTION = '/widgetList/0/options/on/click/0'

export const PROBLEM_FIXTURES: readonly ProblemFixture[] = [
  {
    name: 'text-missing',
    code: 'TEXT_MISSING',
    at: '/widgetList/0/options/label',
    input: page([field('a', { label: '{{ text.name }}' })], {
      page: { title: '例', texts: { 'zh-Hans': { name: '姓名' }, en: {} } },
    }),
  },
  { name: 'widget-list-missing', code: 'DOCUMENT_INVALID', at: '', input: { formConfig: {} } },
  { name: 'form-config-missing', code: 'DOCUMENT_INVALID', at: '', input: { widgetList: [] } },
  {
    name: 'widget-without-type',
    code: 'DOCUMENT_INVALID',
    at: '/widgetList/0',
    input: page([{ options: {} }]),
  },
  {
    name: 'function-in-options',
    code: 'DOCUMENT_INVALID',
    at: '/widgetList/0/options/onClick',
    input: { widgetList: [{ type: 'input', options: { onClick: () => 0 } }], formConfig: {} },
  },
  {
    name: 'document-too-large',
    code: 'DOCUMENT_TOO_LARGE',
    at: '',
    input: page([field('a', { label: 'x'.repeat(2_200_000) })]),
  },
  {
    name: 'widgets-too-deep',
    code: 'DOCUMENT_TOO_DEEP',
    at: '/widgetList/0'.repeat(65),
    input: page(nested(64)),
  },
  {
    name: 'options-too-deep',
    code: 'DOCUMENT_TOO_DEEP',
    at: '',
    input: page([field('a', { x: deep(500) })]),
  },
  {
    name: 'too-many-widgets',
    code: 'TOO_MANY_WIDGETS',
    at: '',
    input: page(Array.from({ length: 5001 }, (_, i) => field(`f${i}`))),
  },
  {
    name: 'name-of-a-prototype',
    code: 'NAME_FORBIDDEN',
    at: '/widgetList/0/options/name',
    input: page([field('constructor')]),
  },
  { name: 'field-without-name', code: 'NAME_MISSING', at: '/widgetList/0', input: page([field('')]) },
  {
    name: 'field-name-repeated',
    code: 'NAME_REPEATED',
    at: '/widgetList/1/options/name',
    input: page([field('a'), field('a')]),
  },
  {
    name: 'setting-of-the-wrong-type',
    code: 'OPTION_INVALID',
    at: '/formConfig/page/needLogin',
    input: { widgetList: [], formConfig: { page: { needLogin: 'yes' } } },
  },
  {
    name: 'data-source-repeated',
    code: 'OPTION_INVALID',
    at: '/formConfig/dataSources/1/uniqueName',
    input: page([], { dataSources: [{ uniqueName: 'a' }, { uniqueName: 'a' }] }),
  },
  {
    name: 'operation-unknown',
    code: 'RULE_INVALID',
    at: '/widgetList/0/options/visibleOn/and/1',
    input: page([field('a', { visibleOn: { and: [true, { log: 1 }] } })]),
  },
  {
    name: 'rule-reads-no-field',
    code: 'RULE_UNKNOWN_NAME',
    at: '/widgetList/0/options/requiredOn',
    input: page([field('a', { requiredOn: { '==': [{ var: 'form.b' }, 1] } })]),
  },
  {
    name: 'text-reads-no-field',
    code: 'RULE_UNKNOWN_NAME',
    at: '/widgetList/0/options/label',
    input: page([field('a', { label: '{{ b }}' })]),
  },
  {
    name: 'values-computed-from-each-other',
    code: 'RULE_CYCLE',
    at: '/widgetList/0/options/valueOn',
    input: page([field('a', { valueOn: { var: 'b' } }), field('b', { valueOn: { '+': [{ var: 'a' }, 1] } })]),
  },
  {
    name: 'value-computed-from-itself',
    code: 'RULE_CYCLE',
    at: '/widgetList/0/options/valueOn',
    input: page([field('a', { valueOn: { var: 'a' } })]),
  },
  {
    name: 'pattern-unreadable',
    code: 'PATTERN_INVALID',
    at: '/widgetList/0/options/validation',
    input: page([field('a', { validation: '/(/' })]),
  },
  {
    name: 'pattern-of-file-names-unreadable',
    code: 'PATTERN_INVALID',
    at: '/widgetList/0/options/customRule',
    input: page([field('a', { customRule: '/^[\\w-a]+$/u' })]),
  },
  {
    name: 'place-unclosed',
    code: 'TEMPLATE_INVALID',
    at: '/widgetList/0/options/label',
    input: page([field('a', { label: '{{ a' })]),
  },
  {
    name: 'filter-unknown',
    code: 'FILTER_UNKNOWN',
    at: '/formConfig/page/title',
    input: page([field('a')], { page: { title: '{{ a | upper }}' } }),
  },
  {
    name: 'items-from-no-source',
    code: 'DATA_SOURCE_UNKNOWN',
    at: '/widgetList/0/options/dsName',
    input: page([field('a', { dsEnabled: true, dsName: 'none' }, 'select')]),
  },
  {
    name: 'request-of-no-source',
    code: 'DATA_SOURCE_UNKNOWN',
    at: `${AT_ACTION}/dsName`,
    input: click({ do: 'request', dsName: 'none' }),
  },
  {
    name: 'action-unknown',
    code: 'ACTION_INVALID',
    at: `${AT_ACTION}/do`,
    input: click({ do: 'navgate', url: '/' }),
  },
  { name: 'action-key-missing', code: 'ACTION_INVALID', at: AT_ACTION, input: click({ do: 'navigate' }) },
  {
    name: 'action-key-unknown',
    code: 'ACTION_INVALID',
    at: `${AT_ACTION}/target`,
    input: click({ do: 'back', target: 1 }),
  },
  {
    name: 'set-of-no-field',
    code: 'ACTION_INVALID',
    at: `${AT_ACTION}/field`,
    input: click({ do: 'set', field: 'x', value: 1 }),
  },
  {
    name: 'action-inside-invalid',
    code: 'ACTION_INVALID',
    at: `${AT_ACTION}/then/0/do`,
    input: click({ do: 'confirm', content: '?', then: [{ do: 'nope' }] }),
  },
  {
    name: 'fragment-unknown',
    code: 'FRAGMENT_UNKNOWN',
    at: '/widgetList/0',
    input: page([{ fragment: 'none' }]),
  },
  {
    name: 'fragments-in-a-circle',
    code: 'FRAGMENT_CYCLE',
    at: '/widgetList/0',
    input: page([{ type: 'fragment', ref: 'a' }]),
    fragments: { a: [{ fragment: 'b' }], b: [{ fragment: 'a' }] },
  },
  { name: 'text-that-is-no-json', code: 'JSON_INVALID', at: '', input: '{ "widgetList": [], }' },
]
