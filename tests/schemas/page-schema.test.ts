import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../runtime/core/json.ts'

const SCHEMAS = join(import.meta.dirname, '../../schemas')
const SCHEMA = readFileSync(join(SCHEMAS, 'page.schema.json'), 'utf8')
const validate = new Ajv2019({ strict: false }).compile(JSON.parse(SCHEMA))

const files = ['pages', 'fragments'].flatMap((folder) =>
  readdirSync(join(SCHEMAS, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
)
const read = (file: string): Json => JSON.parse(readFileSync(join(SCHEMAS, file), 'utf8'))

const input = (options: object, more: object = {}) => ({
  type: 'input',
  formItemFlag: true,
  options: { name: 'a', label: '名称', ...options },
  ...more,
})
const page = (widget: object, settings: object = {}, config: object = {}) => ({
  widgetList: [widget],
  formConfig: { page: { title: '页', ...settings }, ...config },
})
const source = (more: object) =>
  page(input({}), {}, { dataSources: [{ uniqueName: 's', requestURL: '/a', requestMethod: 'get', ...more }] })
const click = (...actions: readonly object[]) =>
  page({ type: 'button', options: { name: 'b', on: { click: actions } } })

describe('the schema of pages, as an editor uses it', () => {
  it.each(files)('accepts the page %s', (file) => {
    expect(validate(read(file)) || validate.errors).toBe(true)
  })

  it.each<[string, object]>([
    ['a rule', input({ visibleOn: { '==': [{ var: 'form.b' }, 1] } })],
    ['a place in a number', input({ maxLength: '{{ data.most }}' })],
    ['a number as a text', input({ maxLength: '20' })],
    ['a comment', input({ $comment: '说明' })],
    ['a hook', input({ onChange: 'return 1' })],
    ['a field of a module', { field: 'customer.name', options: { placeholder: '全称' } }],
    ['a fragment with parameters', { fragment: 'pick/customer', with: { name: 'x' } }],
  ])('accepts a widget with %s', (_, widget) => {
    expect(validate(page(widget)) || validate.errors).toBe(true)
  })

  it.each<[string, object]>([
    ['an option nobody knows', page(input({ placehodler: '请填' }))],
    ['a text where true or false is asked', page(input({ required: 'yes' }))],
    ['a word where a number is asked', page(input({ maxLength: 'long' }))],
    ['an object where a text is asked', page(input({ placeholder: {} }))],
    ['a word the enumeration does not have', page(input({ type: 'telephone' }))],
    ['a rule as a text', page(input({ visibleOn: 'form.a == 1' }))],
    ['a list where a text is asked', page(input({ label: ['名称'] }))],
    ['an object where a list is asked', page({ type: 'radio', options: { name: 'r', optionItems: {} } })],
    ['an event the widget does not have', page(input({ on: { clik: [] } }))],
    ['one action where a list is asked', page(input({ on: { change: { do: 'back' } } }))],
    ['a type of widget nobody knows', page({ type: 'inptu', options: {} })],
    ['a key of a widget nobody knows', page(input({}, { optoins: {} }))],
    ['children that are no list', page({ type: 'line', options: {}, widgetList: {} })],
    ['a key of the page nobody knows', page(input({}), { needLogn: true })],
    ['a setting of the wrong type', page(input({}), { draft: 'yes' })],
    ['a word of a setting nobody knows', page(input({}), { onUnjudged: 'reject' })],
    ['an event of the page nobody knows', page(input({}), { on: { laod: [] } })],
    ['a parameter without a name', page(input({}), { params: [{ type: 'String' }] })],
    ['a parameter of no type', page(input({}), { params: [{ name: 'id', type: 'Text' }] })],
    ['a right without its name', page(input({}), { permission: [{ if: true }] })],
    ['a key of the form nobody knows', page(input({}), {}, { datasources: [] })],
    ['a key of a source nobody knows', source({ requestUrl: '/a' })],
    ['a method nobody knows', source({ requestMethod: 'GETT' })],
    ['a rule of a source as a text', source({ auto: 'form.a' })],
    ['a pause that is no number', source({ debounceMs: '300ms' })],
    ['a source without a name', page(input({}), {}, { dataSources: [{ requestURL: '/a' }] })],
    ['a variable of no type', source({ data: [{ name: 'a', type: 'Var', value: 'form.a' }] })],
    ['a key of paging nobody knows', source({ paging: { itmes: 'list' } })],
    ['an action nobody knows', click({ do: 'tost', text: '好' })],
    ['an action without do', click({ text: '好' })],
    ['an action without what it needs', click({ do: 'toast' })],
    ['a key of an action nobody knows', click({ do: 'toast', text: '好', colour: 'red' })],
    ['a text where an action takes a number', click({ do: 'back', delta: '2' })],
    ['a fault inside the lists of an action', click({ do: 'confirm', content: '?', then: [{ do: 'bak' }] })],
    ['a field of a module without its name', page({ field: 'customer' })],
    ['a key of a fragment nobody knows', page({ fragment: 'a/b', params: {} })],
  ])('refuses %s', (_, wrong) => {
    expect(validate(wrong)).toBe(false)
  })

  it('checks only the structure of a plain VForm document', () => {
    const document = {
      widgetList: [{ type: 'seal', options: { own: 1 } }],
      formConfig: { modelName: 'm', x: 1 },
    }

    expect(validate(document)).toBe(true)
    expect(validate({ ...document, widgetList: {} })).toBe(false)
  })

  it('is small: repeated parts are defined once', () => {
    expect(SCHEMA.split('\n').length).toBeLessThan(4_500)
  })
})

describe('the files of pages and fragments', () => {
  const MOST = 400

  it.each(files)('%s has at most 400 lines', (file) => {
    expect(readFileSync(join(SCHEMAS, file), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(MOST)
  })
})
