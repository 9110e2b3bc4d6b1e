import type { Json, JsonObject } from '../../runtime/core/json.ts'

type Open = { [key: string]: Open } & Json[] & Json

/** A valid page: sources, rules, rows, rights, dictionaries, addresses. */
export const rightPage = (): JsonObject => ({
  formConfig: {
    jsonVersion: -3,
    layoutType: 'H5',
    page: {
      title: '试',
      permission: 'customer:view',
      params: [{ name: 'id', type: 'String', required: false }],
      on: { load: [{ do: 'refresh', dsName: 'rows' }] },
    },
    dataSources: [
      {
        uniqueName: 'rows',
        requestURL: '/mini/customer/list',
        requestMethod: 'post',
        auto: true,
        paging: { items: 'list' },
        data: [{ name: 'keyword', type: 'Variable', value: 'form.level' }],
        body: { limit: 20, name: '{{ form.name }}' },
      },
    ],
  },
  widgetList: [
    {
      type: 'input',
      formItemFlag: true,
      options: { name: 'name', label: '名称', required: true, validation: 'mobilePhone', maxLength: 20 },
    },
    {
      type: 'select',
      formItemFlag: true,
      options: {
        name: 'level',
        label: '级别',
        dict: 'customer_level',
        optionItems: [{ label: '甲', value: 'a' }],
      },
    },
    { type: 'sheet', category: 'container', options: { name: 'editSheet', label: '改' }, widgetList: [] },
    {
      type: 'list',
      category: 'container',
      options: {
        name: 'rows',
        dsName: 'rows',
        columns: [{ name: 'name', label: '名称', text: '{{ row.name }}' }],
        on: {
          rowClick: [{ do: 'navigate', url: '/pages/customer/my/detail', query: { id: '{{ row.id }}' } }],
        },
      },
      widgetList: [{ type: 'static-text', options: { name: 't', textContent: '{{ row.name }}' } }],
    },
    {
      type: 'descriptions',
      options: { name: 'facts', bind: 'data.rows', items: [{ label: '名称', bind: 'name' }] },
    },
    {
      type: 'button',
      options: {
        name: 'go',
        label: '去',
        type: 'primary',
        visibleOn: { '==': [{ var: 'form.name' }, 'x'] },
        on: {
          click: [
            { do: 'request', dsName: 'rows', then: [{ do: 'toast', text: '好', icon: 'success' }] },
            { do: 'openSheet', name: 'editSheet' },
            { do: 'set', field: 'name', value: 'x' },
          ],
        },
      },
    },
  ],
})

/** Mistakes of authors: the position, the wrong value, and the suggested word (or the beginning of the answer, if there is none). */
export const WRONG: readonly (readonly [what: string, at: string, value: Json, meant: string])[] = [
  ['an option', '/widgetList/0/options/placehoder', 'x', '是不是“placeholder”'],
  ['an option of any widget', '/widgetList/0/options/visbleOn', true, '是不是“visibleOn”'],
  ['a key of a widget', '/widgetList/3/widgtList', [], '是不是“widgetList”'],
  ['an event', '/widgetList/5/options/on/clik', [], '是不是“click”'],
  ['an event of the page', '/formConfig/page/on/laod', [], '是不是“load”'],
  ['a key of the page', '/formConfig/page/permision', 'x:y', '是不是“permission”'],
  ['a key of formConfig', '/formConfig/layoutTyp', 'H5', '是不是“layoutType”'],
  ['a layout', '/formConfig/layoutType', 'H6', '是不是“H5”'],
  ['a key of a source', '/formConfig/dataSources/0/requestUrl', '/x', '是不是“requestURL”'],
  ['a method', '/formConfig/dataSources/0/requestMethod', 'pots', '是不是“post”'],
  ['a key of an entry of a source', '/formConfig/dataSources/0/data/0/vaule', 'x', '是不是“value”'],
  ['the type of an entry', '/formConfig/dataSources/0/data/0/type', 'Variabel', '是不是“Variable”'],
  ['the field an entry reads', '/formConfig/dataSources/0/data/0/value', 'form.levle', '是不是“form.level”'],
  ['the root an entry reads', '/formConfig/dataSources/0/data/0/value', 'from.name', '是不是“form.name”'],
  ['the field a body reads', '/formConfig/dataSources/0/body/name', '{{ form.nmae }}', '是不是“form.name”'],
  ['a key of paging', '/formConfig/dataSources/0/paging/item', 'list', '是不是“items”'],
  ['a source without an address', '/formConfig/dataSources/0/requestURL', '', '数据源没有 requestURL'],
  ['a source that loads by a text', '/formConfig/dataSources/0/auto', 'yes', '应为规则，不是文本'],
  ['a dictionary', '/widgetList/1/options/dict', 'customer_levle', '是不是“customer_level”'],
  ['a filter', '/widgetList/3/widgetList/0/options/textContent', '{{ row.a | mony }}', '是不是“money”'],
  ['a right', '/formConfig/page/permission', 'customer:veiw', '是不是“customer:view”'],
  [
    'an address',
    '/widgetList/3/options/on/rowClick/0/url',
    '/pages/customer/my/detial',
    '是不是“/pages/customer/my/detail”',
  ],
  [
    'an address without its slash',
    '/widgetList/3/options/on/rowClick/0/url',
    'pages/customer/my/detail',
    '是不是“/pages/customer/my/detail”',
  ],
  ['a named validation', '/widgetList/0/options/validation', 'moblePhone', '是不是“mobilePhone”'],
  ['a pattern', '/widgetList/0/options/validation', '/[b-a]/', '字符范围写反了'],
  ['a text for true or false', '/widgetList/0/options/required', 'yes', '应为 true 或 false'],
  ['a word for a number', '/widgetList/0/options/maxLength', 'many', '应为数字'],
  ['a word of an enumeration', '/widgetList/5/options/type', 'primry', '是不是“primary”'],
  [
    'a row where there is none',
    '/widgetList/5/options/label',
    '{{ row.name }}',
    '规则读取的“row.name”不存在',
  ],
  ['a root', '/widgetList/5/options/label', '{{ from.name }}', '是不是“form.name”'],
  [
    'a field in a rule',
    '/widgetList/5/options/visibleOn',
    { '!!': { var: 'form.nmae' } },
    '是不是“form.name”',
  ],
  ['what a text says of the user', '/widgetList/5/options/label', '{{ user.nmae }}', '是不是“user.name”'],
  [
    'the answer of a source',
    '/widgetList/5/options/label',
    '{{ data.rwos.total }}',
    '是不是“data.rows.total”',
  ],
  ['the answer a widget shows', '/widgetList/4/options/bind', 'data.rwos', '是不是“data.rows”'],
  ['a rule as a text', '/widgetList/5/options/visibleOn', 'form.name == 1', '应为规则，不是文本'],
  [
    'a condition of an action as a text',
    '/widgetList/5/options/on/click/0/if',
    'form.name',
    '应为规则，不是文本',
  ],
  ['an operation', '/widgetList/5/options/visibleOn', { misssing: ['form.name'] }, '是不是“missing”'],
  ['an action', '/widgetList/5/options/on/click/0/do', 'requst', '是不是“request”'],
  ['a key of an action', '/widgetList/5/options/on/click/0/silnt', true, '是不是“silent”'],
  ['the source of an action', '/widgetList/5/options/on/click/0/dsName', 'rwos', '是不是“rows”'],
  ['the sheet of an action', '/widgetList/5/options/on/click/1/name', 'editShet', '是不是“editSheet”'],
  ['the field of an action', '/widgetList/5/options/on/click/2/field', 'nmae', '是不是“name”'],
  ['the icon of a toast', '/widgetList/5/options/on/click/0/then/0/icon', 'sucess', '是不是“success”'],
  ['the source of a widget', '/widgetList/3/options/dsName', 'rwos', '是不是“rows”'],
  ['a key of a column', '/widgetList/3/options/columns/0/lable', 'x', '是不是“label”'],
  ['a key of a row', '/widgetList/4/options/items/0/bnd', 'x', '是不是“bind”'],
  ['a key of a choice', '/widgetList/1/options/optionItems/0/lable', 'x', '是不是“label”'],
  ['a hook that cannot be read', '/widgetList/0/options/onChange', 'if (', '代码读不懂'],
  ['the name of a hook', '/widgetList/0/options/onChnage', 'return 1', '是不是“onChange”'],
]

/** The valid page with one mistake. */
export function wrongPage(at: string, value: Json): JsonObject {
  const page = rightPage() as Open
  const steps = at.slice(1).split('/')
  const last = steps.pop() ?? ''
  const place = steps.reduce<Open>((here, step) => here[step] as Open, page)
  ;(place as Record<string, Json>)[last] = value
  return page
}
