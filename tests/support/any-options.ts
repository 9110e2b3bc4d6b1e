import fc from 'fast-check'
import type { Json, JsonObject } from '../../runtime/core/json.ts'
import type { OptionSpec, WidgetSpec } from '../../runtime/core/page/widget-spec.ts'
import { aWidget } from './a-page.ts'

/** Options that start, name or bind something; a generated one would break the page. */
const OWN = new Set(['name', 'on', 'bind', 'dict', 'dsName', 'dsEnabled', 'picking', 'readMode', 'type'])

/** The widget `f` with these options, as in a document; containers are empty. */
export function written(spec: WidgetSpec, options: JsonObject, name = 'f'): JsonObject {
  const inner =
    spec.children === undefined
      ? {}
      : {
          category: 'container',
          [spec.children === 'rowList' || spec.children === 'template' ? 'widgetList' : spec.children]: [],
        }
  return aWidget(spec.type, name, options, inner)
}

/** Options of the declared types, some of them of another type: such a document still loads. */
export function optionsOf(spec: WidgetSpec): fc.Arbitrary<JsonObject> {
  const model = Object.fromEntries(
    Object.entries(spec.options)
      .filter(([name]) => !OWN.has(name) && !name.endsWith('On'))
      .map(([name, option]) => [
        name,
        fc.oneof({ weight: 5, arbitrary: arbitraryOf(name, option) }, { weight: 1, arbitrary: ANY }),
      ]),
  )
  return fc.record(model, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>
}

/** As read from a document: JSON has no -0. */
export function asJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json
}

const ANY = fc.jsonValue({ maxDepth: 2 }).map(asJson)
const ITEMS = fc.array(
  fc.record(
    { label: fc.string(), value: fc.oneof(fc.string(), fc.integer()), disabled: fc.boolean() },
    { requiredKeys: ['value'] },
  ),
  { maxLength: 4 },
)

function arbitraryOf(name: string, option: OptionSpec): fc.Arbitrary<Json> {
  if (option.enum !== undefined) return fc.constantFrom(...option.enum)
  if (name === 'optionItems') return ITEMS as fc.Arbitrary<Json>
  switch (option.type) {
    case 'boolean':
      return fc.boolean()
    case 'number':
      return fc.oneof(
        fc.integer({ min: -1000, max: 1000 }),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map(asJson),
      )
    case 'array':
      return fc.array(ANY, { maxLength: 3 })
    case 'object':
      return fc.dictionary(fc.string(), ANY, { maxKeys: 3 }) as fc.Arbitrary<Json>
    case 'code':
      return fc.constant('')
    case 'any':
      return ANY
    default:
      return fc.string()
  }
}
