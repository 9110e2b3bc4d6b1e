import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../runtime/core/json.ts'
import type { Field, ModuleDescription } from '../../../../src/model/description.ts'
import { withRight } from '../../../../src/model/field-rights.ts'
import { MAX_REFERENCES, resolveReferences } from '../../../../src/server/kernel/pages/references.ts'
import { pageWords } from '../../../../src/server/kernel/pages/referred.ts'

const MODULE: ModuleDescription = {
  name: 'visit',
  label: '拜访',
  title: 'title',
  behaviours: [],
  fields: [
    { name: 'title', kind: 'text', label: '标题', max: 50, required: true },
    { name: 'level', kind: 'choice', label: '级别', dict: 'customer_level' },
    { name: 'customer_id', kind: 'ref', label: '客户', module: 'customer' },
    { name: 'total', kind: 'money', label: '合计', readonly: 'always' },
    { name: 'remark', kind: 'long-text', label: '备注' },
  ],
  groups: [
    { name: 'basic', label: '拜访', fields: ['title', 'level', 'total'] },
    { name: 'more', label: '更多', fields: ['customer_id', 'remark'] },
  ],
}

/** @param tenants  the tenant's overrides of a field */
const resolve = (
  document: Json,
  fragments: Readonly<Record<string, Json>> = {},
  tenants: (field: Field) => Field = (field) => field,
) => {
  const shipped = (name: string) =>
    name === 'visit' || name === 'customer' ? { ...MODULE, name } : undefined
  return resolveReferences(document, 'page.json', {
    fragment: (name) => {
      const content = fragments[name]
      return content === undefined ? undefined : { file: `${name}.json`, content }
    },
    vendor: shipped,
    module: (name) => {
      const found = shipped(name)
      return found && { ...found, fields: found.fields.map(tenants) }
    },
    words: pageWords(),
  })
}

const widgetsOf = (document: Json) => (document as { widgetList: Json[] }).widgetList
const sourcesOf = (document: Json) =>
  (document as { formConfig: { dataSources: Json[] } }).formConfig.dataSources

describe('a fragment with parameters', () => {
  const PICK = {
    with: { name: null, label: '选择', tools: [] },
    widgetList: [
      {
        type: 'sheet',
        options: { name: '{{ with.name }}Sheet', label: '{{ with.label }}' },
        widgetList: [
          { type: 'static-text', options: { name: 't', textContent: '{{ form.x }} {{ with.label }}' } },
          '{{ with.tools }}',
        ],
      },
    ],
    dataSources: [{ uniqueName: '{{ with.name }}Rows', requestURL: '/mini/{{ with.name }}/options' }],
  }

  it('takes the given values, and its defaults for the others', () => {
    const { document, problems } = resolve(
      { widgetList: [{ fragment: 'pick', with: { name: 'parent' } }], formConfig: {} },
      { pick: PICK },
    )

    expect(problems).toEqual([])
    expect(widgetsOf(document)).toEqual([
      {
        type: 'sheet',
        options: { name: 'parentSheet', label: '选择' },
        widgetList: [{ type: 'static-text', options: { name: 't', textContent: '{{ form.x }} 选择' } }],
      },
    ])
  })

  it('keeps the type of a value that stands alone, and inserts the items of a list among the others', () => {
    const tools = [
      { type: 'button', options: { name: 'a' } },
      { type: 'button', options: { name: 'b' } },
    ]
    const { document } = resolve(
      { widgetList: [{ fragment: 'pick', with: { name: 'p', label: 7, tools } }] },
      { pick: PICK },
    )

    expect(widgetsOf(document)).toMatchObject([
      {
        options: { label: 7 },
        widgetList: [{ options: { name: 't' } }, { options: { name: 'a' } }, { options: { name: 'b' } }],
      },
    ])
  })

  it('adds its data sources once, after those of the page, which take precedence', () => {
    const own = { uniqueName: 'parentRows', requestURL: '/mini/own' }
    const both = [
      { fragment: 'pick', with: { name: 'parent' } },
      { fragment: 'pick', with: { name: 'child' } },
      { fragment: 'pick', with: { name: 'child' } },
    ]
    const { document } = resolve({ widgetList: both, formConfig: { dataSources: [own] } }, { pick: PICK })

    expect(sourcesOf(document)).toEqual([own, { uniqueName: 'childRows', requestURL: '/mini/child/options' }])
  })

  it('passes parameters on to a fragment inside it', () => {
    const { document } = resolve(
      { widgetList: [{ fragment: 'outer', with: { who: 'boss' } }] },
      {
        outer: { with: { who: null }, widgetList: [{ fragment: 'pick', with: { name: '{{ with.who }}' } }] },
        pick: PICK,
      },
    )

    expect(widgetsOf(document)).toMatchObject([{ options: { name: 'bossSheet' } }])
  })

  it('works among actions as among widgets', () => {
    const save = {
      with: { to: null },
      actions: [
        { do: 'toast', text: '好' },
        { do: 'navigate', url: '{{ with.to }}' },
      ],
    }
    const { document } = resolve(
      {
        widgetList: [
          { type: 'button', options: { on: { click: [{ fragment: 'save', with: { to: '/a' } }] } } },
        ],
      },
      { save },
    )

    expect(widgetsOf(document)).toEqual([
      {
        type: 'button',
        options: {
          on: {
            click: [
              { do: 'toast', text: '好' },
              { do: 'navigate', url: '/a' },
            ],
          },
        },
      },
    ])
  })

  it('reports an unknown parameter and a missing one at the reference', () => {
    const { problems } = resolve({ widgetList: [{ fragment: 'pick', with: { nam: 'x' } }] }, { pick: PICK })

    expect(problems).toMatchObject([
      { code: 'WORD_UNKNOWN', file: 'page.json', at: '/widgetList/0', hint: 'did you mean "name"?' },
      { code: 'OPTION_INVALID', file: 'page.json', at: '/widgetList/0' },
    ])
  })

  it('knows where each of its parts was written', () => {
    const { originOf } = resolve(
      { widgetList: [{ type: 'empty' }, { fragment: 'pick', with: { name: 'p' } }], formConfig: {} },
      { pick: PICK },
    )

    expect(originOf('/widgetList/0/type')).toEqual({ file: 'page.json', at: '/widgetList/0/type' })
    expect(originOf('/widgetList/1/options/label')).toEqual({
      file: 'pick.json',
      at: '/widgetList/0/options/label',
    })
    expect(originOf('/formConfig/dataSources/0/requestURL')).toEqual({
      file: 'pick.json',
      at: '/dataSources/0/requestURL',
    })
  })
})

describe('a field of a module', () => {
  it('becomes the widget of its description, overridden by the options of the page', () => {
    const { document } = resolve({
      widgetList: [{ field: 'visit.title', options: { placeholder: '一句话', maxLength: 20, trim: null } }],
    })

    const described = {
      type: 'input',
      formItemFlag: true,
      options: {
        name: 'title',
        label: '标题',
        required: true,
        requiredHint: '请填写标题',
        placeholder: '一句话',
        maxLength: 20,
      },
    }
    expect(widgetsOf(document)).toEqual([withRight(described, 'visit.title', false)])
  })

  it('loads a record only if the page may be opened with one', () => {
    const widgetList = [{ field: 'visit.title' }]
    const page = { params: [{ name: 'id', type: 'String' }] }

    expect(JSON.stringify(resolve({ widgetList }).document)).not.toContain('params.id')
    expect(JSON.stringify(resolve({ widgetList, formConfig: { page } }).document)).toContain('params.id')
  })

  it('can be another widget', () => {
    const { document } = resolve({
      widgetList: [{ field: 'visit.level', type: 'radio', options: { buttonStyle: true } }],
    })

    expect(widgetsOf(document)).toMatchObject([
      { type: 'radio', options: { name: 'level', dict: 'customer_level', buttonStyle: true } },
    ])
  })

  it('adds the data source of its choices', () => {
    const { document } = resolve({ widgetList: [{ field: 'visit.customer_id' }], formConfig: {} })

    expect(sourcesOf(document)).toMatchObject([
      { uniqueName: 'pick_customer_id', requestURL: '/mini/customer/options' },
    ])
  })

  it('comes with the other fields of its group, except those that users cannot fill in', () => {
    const { document } = resolve({
      widgetList: [{ fields: 'visit/basic', options: { level: { label: '等级' } } }],
    })

    expect(widgetsOf(document)).toMatchObject([
      { options: { name: 'title' } },
      { options: { name: 'level', label: '等级' } },
    ])
    expect(widgetsOf(document)).toHaveLength(2)
  })

  it('gives an item its label, and its value if the item has none', () => {
    const { document } = resolve({
      widgetList: [
        { type: 'radio', options: { name: 'f_level', of: 'visit.level', dict: 'customer_level' } },
        {
          type: 'descriptions',
          options: {
            items: [
              { of: 'visit.level' },
              { of: 'visit.title', label: '叫什么', text: '{{ data.name }}' },
              { of: 'visit.title', value: 'title' },
            ],
          },
        },
      ],
    })

    expect(widgetsOf(document)).toEqual([
      { type: 'radio', options: { name: 'f_level', label: '级别', dict: 'customer_level' } },
      {
        type: 'descriptions',
        options: {
          items: [
            { label: '级别', bind: 'level', dict: 'customer_level' },
            { label: '叫什么', text: '{{ data.name }}' },
            { label: '标题', value: 'title' },
          ],
        },
      },
    ])
  })

  it('removes its item when it is retired, and changes the page’s texts when it is renamed', () => {
    const { document } = resolve(
      {
        widgetList: [
          { type: 'radio', options: { name: 'f_level', of: 'visit.level' } },
          { items: [{ of: 'visit.level' }, { of: 'visit.title', label: '叫什么' }] },
        ],
      },
      {},
      (field) => (field.name === 'level' ? { ...field, retired: true } : { ...field, label: '改了名' }),
    )

    expect(widgetsOf(document)).toMatchObject([
      { options: { name: 'f_level', hidden: true } },
      { items: [{ label: '改了名', bind: 'title' }] },
    ])
  })

  it('is reported with the nearest name if it is unknown', () => {
    const { problems } = resolve({
      widgetList: [
        { field: 'visit.titel' },
        { field: 'vist.title' },
        { fields: 'visit/basci' },
        { of: 'visit.leevl' },
      ],
    })

    expect(problems).toMatchObject([
      { at: '/widgetList/0', hint: 'did you mean "title"?' },
      { at: '/widgetList/1', code: 'WORD_UNKNOWN' },
      { at: '/widgetList/2', hint: 'did you mean "basic"?' },
      { at: '/widgetList/3', hint: 'did you mean "level"?' },
    ])
  })

  it('does not affect actions and conditions of lists that also have "field"', () => {
    const page = {
      formConfig: { dataSources: [{ body: { filters: [{ field: 'ext.a', op: 'eq', value: 1 }] } }] },
      widgetList: [
        { type: 'button', options: { on: { click: [{ do: 'set', field: 'rows.0', value: 1 }] } } },
      ],
    }

    expect(resolve(page)).toMatchObject({ document: page, problems: [] })
  })
})

describe('a body with a record', () => {
  /** Fields that the reader's role may not write are not sent. */
  const BY_RIGHTS = { $without: { var: 'user.fieldRights.visit' } }

  it('contains the module fields of the form, and the page’s additions', () => {
    const { document } = resolve({
      formConfig: {
        dataSources: [{ uniqueName: 'create', body: { record: 'visit', phones: ['{{ form.phone }}'] } }],
      },
      widgetList: [
        { type: 'cell-group', widgetList: [{ fields: 'visit/basic' }, { field: 'visit.total' }] },
        { type: 'cell-group', options: { fields: 'visit' }, widgetList: [] },
      ],
    })

    expect(sourcesOf(document)).toEqual([
      {
        uniqueName: 'create',
        body: {
          ...BY_RIGHTS,
          title: '{{ form.title }}',
          level: '{{ form.level }}',
          phones: ['{{ form.phone }}'],
          ext: { fields: 'visit' },
        },
      },
    ])
  })

  it('omits fields that the page excludes', () => {
    const { document } = resolve({
      formConfig: { dataSources: [{ body: { record: 'visit', without: ['level'] } }] },
      widgetList: [{ fields: 'visit/basic' }],
    })

    expect(sourcesOf(document)).toEqual([{ body: { ...BY_RIGHTS, title: '{{ form.title }}' } }])
  })

  it('reports an unknown module', () => {
    const { problems } = resolve({
      formConfig: { dataSources: [{ body: { record: 'vist' } }] },
      widgetList: [],
    })

    expect(problems).toMatchObject([{ code: 'WORD_UNKNOWN', at: '/formConfig/dataSources/0/body/record' }])
  })
})

describe('a part in which nothing is replaced', () => {
  const row = { type: 'cell-group', widgetList: [{ type: 'alert', options: { text: '{{ form.x }}' } }] }
  const page = { widgetList: [{ field: 'visit.title' }, { fragment: 'more' }, row] }

  it('is used as it is, with its own position, beside parts that are replaced', () => {
    const { document, originOf } = resolve(page, { more: [row, row] })

    expect(widgetsOf(document).slice(1)).toEqual([row, row, row])
    expect(widgetsOf(document)[3]).toBe(row)
    expect(originOf('/widgetList/3/widgetList/0/options/text')).toEqual({
      file: 'page.json',
      at: '/widgetList/2/widgetList/0/options/text',
    })
    expect(originOf('/widgetList/2/widgetList/0/type')).toEqual({
      file: 'more.json',
      at: '/1/widgetList/0/type',
    })
  })

  it.each([
    { text: '{{ with.label }}' },
    { '{{ with.label }}': 1 },
    { of: 'visit.level' },
    { chosen: 'visit' },
    { filtered: 'visit' },
    { deep: [{ type: 'fragment', ref: 'more' }] },
  ])('is not one with %j', (options) => {
    const item = { type: 'alert', options }

    expect(widgetsOf(resolve({ widgetList: [item] }, { more: [row] }).document)[0]).not.toBe(item)
  })
})

describe('a page whose references stand for more than a page may have', () => {
  const times = (count: number, item: Json): Json[] => Array.from({ length: count }, () => item)
  const line = { type: 'alert', options: { text: 'x' } }

  it.each([
    ['fields', { fields: 'visit' }],
    ['a field', { field: 'visit.title' }],
    ['a fragment', { fragment: 'one' }],
    ['an unknown fragment', { fragment: 'none' }],
    ['a list', { card: 'visit' }],
  ])('reports it once, where it begins, and replaces nothing more: %s', (_, item) => {
    const { document, problems } = resolve({ widgetList: times(40_000, item) }, { one: [line] })
    const excess = problems.filter(({ code }) => code === 'OPTION_INVALID')

    expect(excess).toMatchObject([{ file: 'page.json', at: `/widgetList/${MAX_REFERENCES}` }])
    expect(JSON.stringify(excess)).toContain(String(MAX_REFERENCES))
    expect(problems.length).toBeLessThanOrEqual(MAX_REFERENCES + 1)
    expect(JSON.stringify(document).length).toBeLessThan(1_000_000)
  })

  it('counts the widgets they stand for, those inside others too', () => {
    const many = [{ type: 'cell-group', widgetList: times(600, line) }]
    const { document, problems } = resolve({ widgetList: times(10, { fragment: 'many' }) }, { many })

    expect(problems).toMatchObject([{ code: 'TOO_MANY_WIDGETS', file: 'page.json', at: '/widgetList/8' }])
    expect(widgetsOf(document)).toHaveLength(8)
  })

  it('counts what parameters repeat inside each other', () => {
    const twice = { with: { it: [] }, widgetList: [{ type: 'x', a: '{{ with.it }}', b: '{{ with.it }}' }] }
    let inner: Json = [{ text: 'long enough to matter '.repeat(20) }]
    for (let level = 0; level < 40; level++) inner = [{ fragment: 'twice', with: { it: inner } }]
    const { problems } = resolve({ widgetList: inner }, { twice })

    expect(problems).toMatchObject([{ code: expect.stringMatching(/TOO_LARGE|TOO_MANY/) }])
  })

  it('accepts as many as allowed', () => {
    const { document, problems } = resolve(
      { widgetList: times(MAX_REFERENCES, { fragment: 'one' }) },
      { one: [line] },
    )

    expect(problems).toEqual([])
    expect(widgetsOf(document)).toHaveLength(MAX_REFERENCES)
  })
})
