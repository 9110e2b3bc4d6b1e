import { ACTIONS } from '../../runtime/core/page/actions.ts'
import { DOCUMENT_SCHEMA } from '../../runtime/core/page/document-schema.ts'
import type { OptionSpec, WidgetRegistry, WidgetSpec } from '../../runtime/core/page/widget-spec.ts'
import { COMMON_OPTIONS } from '../../runtime/core/widgets/index.ts'

type Schema = Readonly<Record<string, unknown>>

/**
 * The page format for editors: completion, hover text and a first check while typing. It says what is known and forbids
 * nothing else, as the parser does.
 */
export function pageSchema(registry: WidgetRegistry): Schema {
  const specs = registry.list()
  const { widget, formConfig, ...definitions } = DOCUMENT_SCHEMA.definitions
  return {
    ...DOCUMENT_SCHEMA,
    title: 'vform page',
    description: 'Written by src/tools/generate.ts out of the widget specs; do not edit.',
    definitions: {
      ...definitions,
      formConfig: { ...formConfig, description: 'settings of the whole form' },
      widget: {
        ...widget,
        properties: {
          ...widget.properties,
          type: { anyOf: [{ enum: specs.flatMap(storedTypes).sort() }, { type: 'string' }] },
          fragment: { type: 'string', description: 'name of a widget list under schemas/fragments' },
          formItemFlag: { type: 'boolean', description: 'true for a widget that has a value' },
        },
        allOf: specs.map(widgetRule),
      },
      common: { properties: optionProperties(COMMON_OPTIONS) },
      rule: {
        description: 'JSON-Logic over form, row, params, user, dict, data',
        type: ['object', 'boolean', 'null'],
      },
      actions: { type: 'array', items: { $ref: '#/definitions/action' } },
      action: { type: 'object', required: ['do'], properties: { do: { enum: Object.keys(ACTIONS) } } },
      ...Object.fromEntries(specs.map((spec) => [optionsName(spec), widgetOptions(spec)])),
    },
  }
}

function storedTypes(spec: WidgetSpec): readonly string[] {
  return [spec.type, ...(spec.aliases ?? [])].flatMap((type) => [type, `m-${type}`])
}

function optionsName(spec: WidgetSpec): string {
  return `options.${spec.type}`
}

function widgetRule(spec: WidgetSpec): Schema {
  const options = {
    allOf: [{ $ref: '#/definitions/common' }, { $ref: `#/definitions/${optionsName(spec)}` }],
  }
  return {
    if: { properties: { type: { enum: storedTypes(spec) } }, required: ['type'] },
    then: { properties: { options } },
  }
}

function widgetOptions(spec: WidgetSpec): Schema {
  const events = Object.fromEntries(spec.events.map((event) => [event, { $ref: '#/definitions/actions' }]))
  return {
    properties: {
      ...optionProperties(spec.options),
      on: { type: 'object', description: 'event → list of actions', properties: events },
    },
  }
}

function optionProperties(options: Readonly<Record<string, OptionSpec>>): Schema {
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, optionSchema(option)]))
}

/** The type is a hint, not a refusal: a document with another type still loads. */
function optionSchema(option: OptionSpec): Schema {
  const type = TYPES[option.type]
  return {
    ...(option.doc === undefined ? {} : { description: option.doc }),
    default: option.default,
    ...(option.enum === undefined ? {} : { anyOf: [{ enum: option.enum }, {}] }),
    ...(option.type === 'rule' ? { $ref: '#/definitions/rule' } : {}),
    ...(type === undefined || option.enum !== undefined ? {} : { anyOf: [{ type }, {}] }),
  }
}

const TYPES: Readonly<Record<OptionSpec['type'], string | undefined>> = {
  string: 'string',
  text: 'string',
  code: 'string',
  number: 'number',
  boolean: 'boolean',
  array: 'array',
  object: 'object',
  any: undefined,
  rule: undefined,
}
