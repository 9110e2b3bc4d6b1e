import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resolvePointer } from '../../runtime/core/page/pointer.ts'
import { printPage } from '../../runtime/core/page/print.ts'
import { parsePage } from '../../runtime/core/parse-page.ts'
import { readPage } from '../../runtime/core/read-page.ts'
import { createRegistry } from '../../runtime/core/widgets/index.ts'

const registry = createRegistry()
const types = registry.list().map(({ type }) => type)

const name = fc.constantFrom('a', 'b', 'a/b', '~', '', '中文', '__proto__', 'constructor', '/widgetList/0')
const value = fc.oneof(
  fc.constantFrom('{{ a | money }}', '{{ b', '/(/', 'ds', true, null, 3),
  fc.jsonValue({ maxDepth: 2 }),
)
const rule = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  name.map((path) => ({ var: path })),
)
const options = fc.record(
  {
    name,
    label: value,
    validation: value,
    visibleOn: rule,
    valueOn: rule,
    dsName: value,
    on: fc.oneof(
      value,
      fc.dictionary(
        fc.constant('click'),
        fc.array(
          fc.record({ do: fc.constantFrom('toast', 'set', 'x'), text: value }, { requiredKeys: ['do'] }),
        ),
      ),
    ),
    'x/y~1z': value,
  },
  { requiredKeys: [] },
)
const { widget } = fc.letrec<{ widget: unknown; list: unknown }>((tie) => ({
  list: fc.oneof(
    { weight: 9, arbitrary: fc.array(tie('widget'), { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.jsonValue() },
  ),
  widget: fc.oneof(
    { maxDepth: 4 },
    fc.record(
      { type: fc.constantFrom(...types, 'inptu', 'moon'), formItemFlag: fc.boolean(), options },
      { requiredKeys: ['type'] },
    ),
    fc.constantFrom({ fragment: 'f' }, { fragment: 'none' }, { type: 'fragment' }, 7, null),
    fc.record({
      type: fc.constantFrom('grid', 'tab', 'sub-form', 'list', 'moon'),
      options,
      widgetList: tie('list'),
      cols: tie('list'),
      tabs: tie('list'),
    }),
    fc.record({ type: fc.constant('table'), options, rows: fc.array(fc.record({ cols: tie('list') })) }),
  ),
}))
const formConfig = fc.record(
  {
    page: fc.oneof(fc.record({ title: value, on: value, params: value }, { requiredKeys: [] }), value),
    dataSources: fc.oneof(fc.array(fc.record({ uniqueName: name, auto: rule, body: value })), value),
    functions: value,
  },
  { requiredKeys: [] },
)
const document = fc.record({ widgetList: fc.array(widget, { maxLength: 4 }), formConfig })
const fragments = {
  f: [{ type: 'input', options: { name: 'a', visibleOn: { nope: 1 } } }, { fragment: 'f' }],
}

it('any JSON is parsed without an exception, and every reported pointer exists in it', () => {
  fc.assert(
    fc.property(
      fc.oneof({ weight: 1, arbitrary: fc.jsonValue() }, { weight: 4, arbitrary: document }),
      (input) => {
        const result = parsePage(input, { registry, fragments })

        const problems = result.ok ? result.warnings : result.problems
        if (!result.ok) expect(problems.length).toBeGreaterThan(0)
        const isText = typeof input === 'string'
        const lost = problems.filter(({ at }) => !isText && resolvePointer(input, at) === undefined)
        expect(lost).toEqual([])
      },
    ),
    { numRuns: 400 },
  )
})

it('any value is parsed without an exception', () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withNullPrototype: true,
    withObjectString: true,
  })
  fc.assert(
    fc.property(anything, fc.constantFrom('widgetList', 'formConfig', 'options'), (input, key) => {
      for (const given of [input, { widgetList: [], formConfig: {}, [key]: input }]) {
        expect(typeof parsePage(given, { registry }).ok).toBe('boolean')
      }
    }),
  )
})

it('a parsed document is exported without loss, and the input is not changed', () => {
  fc.assert(
    fc.property(document, (input) => {
      const before = JSON.stringify(input)
      const result = parsePage(input, { registry })

      expect(JSON.stringify(input)).toBe(before)
      if (result.ok) expect(JSON.stringify(printPage(result.page))).toBe(before)
    }),
  )
})

it('a document that was validated once is parsed as the same page; an unvalidated one is parsed too', () => {
  fc.assert(
    fc.property(
      fc.oneof({ weight: 1, arbitrary: fc.jsonValue() }, { weight: 4, arbitrary: document }),
      (input) => {
        const judged = parsePage(input, { registry, fragments })
        const read = readPage(input, { registry, fragments })

        if (judged.ok) expect(read).toMatchObject({ ok: true, page: judged.page })
        else expect(typeof read.ok).toBe('boolean')
      },
    ),
    { numRuns: 400 },
  )
})

const corpus = fileURLToPath(new URL('../../../shared/vform/corpus', import.meta.url))
const documents = existsSync(corpus) ? readdirSync(corpus).filter((file) => file.endsWith('.json')) : []
if (documents.length === 0) console.info(`no real documents at ${corpus}: only generated ones are tried`)

describe.runIf(documents.length > 0)('real documents', () => {
  it.each(documents)('%s loads and is exported without loss', (file) => {
    const input: unknown = JSON.parse(readFileSync(`${corpus}/${file}`, 'utf8'))

    const result = parsePage(input, { registry })

    expect(result).toMatchObject({ ok: true })
    if (result.ok) expect(printPage(result.page)).toEqual(input)
  })
})
