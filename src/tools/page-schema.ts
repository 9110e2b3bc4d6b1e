import { FORM_KEYS, MODEL_OPTIONS, PAGE_EVENTS, SOURCE_KEYS } from '../../runtime/core/check/known-words.ts'
import { ACTIONS, type ActionValue } from '../../runtime/core/page/actions.ts'
import { DOCUMENT_SCHEMA } from '../../runtime/core/page/document-schema.ts'
import type { OptionSpec, WidgetRegistry, WidgetSpec } from '../../runtime/core/page/widget-spec.ts'
import {
  BARE_FIELD,
  CHECKED,
  CHOICES,
  COMMON_OPTIONS,
  CUSTOM_RULE,
  DATE_BOUNDS,
  FIELD,
  FOCUS_HOOKS,
  LIFE,
  NAMED,
  PICKER,
  PLACEHOLDER,
  ROWS,
  SHORTCUTS,
  TONE,
  UPLOAD,
} from '../../runtime/core/widgets/option-sets.ts'

type Schema = Readonly<Record<string, unknown>>
type Options = Readonly<Record<string, OptionSpec>>

const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` })
/** For readers of the file: `$schema`, `$comment`. */
const COMMENTS: Schema = { '^\\$': true }
const PLACE = '\\{\\{'
/** In a fragment, a parameter may replace a rule or a flag. */
const WHOLE_PARAMETER = '^\\{\\{ *with\\.\\w+ *\\}\\}$'
const BLANK_OR_PLACE: Schema = { type: 'string', pattern: `^$|${PLACE}` }

/**
 * The page format for editors: completion, hover text, and the refusals of the strict check: an unknown word, a value of a wrong type, an unknown
 * enumeration value. For a plain VForm document (without `formConfig.page`) only the structure is checked.
 */
export function pageSchema(registry: WidgetRegistry): Schema {
  const specs = registry.list()
  const defs = { ...VALUES, ...documentParts(specs), ...optionGroups(), ...actionParts() }
  const widgets = Object.fromEntries(specs.map((spec) => [optionsName(spec), widgetOptions(spec)]))
  return {
    $schema: 'https://json-schema.org/draft/2019-09/schema',
    title: 'vform page',
    description: 'Written by src/tools/generate.ts out of the widget specs; do not edit.',
    if: { required: ['formConfig'], properties: { formConfig: { required: ['page'] } }, type: 'object' },
    then: ref('page'),
    else: {
      if: { required: ['formConfig'], type: 'object' },
      then: {
        required: ['widgetList'],
        properties: { widgetList: { type: 'array' }, formConfig: { type: 'object' } },
      },
      else: ref('fragment'),
    },
    $defs: { ...defs, ...widgets },
  }
}

/** Schemas of option values by type. A text with placeholders can have any type; null and '' mean no value. */
const VALUES: Schema = {
  text: { type: ['string', 'number', 'boolean', 'null'] },
  boolean: { anyOf: [{ type: ['boolean', 'null'] }, BLANK_OR_PLACE] },
  number: {
    anyOf: [{ type: ['number', 'null'] }, { type: 'string', pattern: `^\\s*[-+]?[\\d.]*\\s*$|${PLACE}` }],
  },
  array: { anyOf: [{ type: ['array', 'null'] }, BLANK_OR_PLACE] },
  object: { anyOf: [{ type: ['object', 'null'] }, BLANK_OR_PLACE] },
  code: { type: ['string', 'null'] },
  rule: {
    description: 'JSON-Logic over form, row, params, user, dict, data',
    anyOf: [{ type: ['object', 'boolean', 'number', 'null'] }, { type: 'string', pattern: WHOLE_PARAMETER }],
  },
}

/** Keys that make an item a group of others. */
const FIELDS = ['field', 'fields'] as const
const PARTS = [...FIELDS, 'filters', 'card'] as const

function documentParts(specs: readonly WidgetSpec[]): Schema {
  const { page, right, param } = DOCUMENT_SCHEMA.definitions
  return {
    page: {
      type: 'object',
      required: ['widgetList', 'formConfig'],
      properties: { $schema: { type: 'string' }, widgetList: ref('widgets'), formConfig: ref('formConfig') },
      additionalProperties: false,
    },
    flag: { anyOf: [{ type: 'boolean' }, { type: 'string', pattern: WHOLE_PARAMETER }] },
    fragment: {
      description: 'a list of widgets, actions or conditions, or an object that has one',
      anyOf: [{ type: 'array', items: ref('part') }, ref('fragmentFile')],
    },
    fragmentFile: {
      type: 'object',
      properties: {
        $schema: { type: 'string' },
        with: { type: 'object', description: 'parameters and their defaults; null: has to be given' },
        widgetList: { type: 'array', items: ref('part') },
        actions: ref('actions'),
        items: { type: 'array' },
        dataSources: { type: 'array', items: ref('source') },
      },
      additionalProperties: false,
    },
    part: {
      if: { type: 'object', anyOf: ['type', 'fragment'].map((name) => ({ required: [name] })) },
      ...then(ref('widget')),
    },
    formConfig: closed(
      {
        ...Object.fromEntries(FORM_KEYS.map((name) => [name, true])),
        page: ref('settings'),
        dataSources: { type: ['array', 'null'], items: ref('source') },
        errShowType: { enum: ['undertext', 'toast', 'modal', '', null] },
      },
      { ...COMMENTS, '^on[A-Z]': ref('code') },
    ),
    settings: closed({
      ...page.properties,
      permission: { anyOf: [{ type: 'string' }, { type: 'array', items: ref('right') }] },
      params: { type: 'array', items: ref('param') },
      on: eventsOf(PAGE_EVENTS),
      scriptLimits: { type: 'object' },
    }),
    right: closed({ ...right.properties, if: ref('rule') }, COMMENTS, right.required),
    param: closed({ ...param.properties, default: true }, COMMENTS, param.required),
    source: { if: { required: ['fragment'] }, ...then(ref('reference')), else: ref('ownSource') },
    ownSource: closed(
      {
        ...Object.fromEntries(SOURCE_KEYS.map((name) => [name, true])),
        ...SOURCE_VALUES,
        params: ref('variables'),
        data: ref('variables'),
        headers: ref('variables'),
      },
      { ...COMMENTS, HandlerCode$: ref('code') },
      ['uniqueName'],
    ),
    variables: { type: ['array', 'null'], items: ref('variable') },
    variable: closed({
      name: { type: 'string' },
      type: { enum: ['String', 'Number', 'Boolean', 'Variable', 'Object', 'Array'] },
      value: true,
    }),
    widgets: { type: 'array', items: ref('widget') },
    reference: closed({ fragment: { type: 'string' }, with: { type: 'object' } }),
    field: closed({
      field: {
        type: 'string',
        pattern: `^(?:\\w+|${PLACE} *with\\.\\w+ *\\}\\})\\.\\w+$`,
        description: 'a field of a module: customer.mobile',
      },
      fields: { type: 'string', description: 'a module, or a group of it: customer/basic' },
      type: ref('type'),
      options: { type: 'object' },
      params: ref('variables'),
    }),
    parts: closed({
      filters: { type: 'string', description: 'the filters of a module: customer' },
      card: {
        type: 'string',
        description: 'what a card shows: customer.level, or customer for all that say so',
      },
      as: { type: 'string', description: 'how a card shows one field: title, sum, tag, line' },
      only: {
        anyOf: [{ type: 'array', items: { type: 'string' } }, ref('object')],
        description: 'which fields, in this order',
      },
      options: { anyOf: [ref('object')], description: 'by field; null takes one out' },
    }),
    widget: {
      if: { type: 'object', required: ['fragment'] },
      ...then(ref('reference')),
      else: {
        if: { anyOf: PARTS.map((name) => ({ type: 'object', required: [name] })) },
        ...then({
          if: { anyOf: FIELDS.map((name) => ({ required: [name] })) },
          ...then(ref('field')),
          else: ref('parts'),
        }),
        else: {
          if: { type: 'string' },
          ...then({ pattern: PLACE }),
          else: ref('ownWidget'),
        },
      },
    },
    type: { enum: specs.flatMap(storedTypes).sort() },
    ownWidget: {
      ...closed(WIDGET_VALUES, COMMENTS, ['type']),
      allOf: specs.map(widgetRule),
    },
    row: { type: 'object', properties: { cols: ref('widgets') } },
  }
}

const SOURCE_VALUES: Schema = {
  uniqueName: { type: 'string' },
  requestURL: { type: 'string' },
  requestMethod: { enum: ['get', 'post', 'put', 'delete', 'patch'] },
  auto: ref('rule'),
  fill: { type: 'string' },
  debounceMs: { type: 'number' },
  keep: ref('flag'),
  needed: ref('flag'),
  paging: closed({ items: { type: 'string' }, cursor: { type: 'string' }, next: { type: 'string' } }),
}

const WIDGET_VALUES: Schema = {
  type: ref('type'),
  options: { type: 'object' },
  formItemFlag: { type: 'boolean', description: 'true for a widget that has a value' },
  widgetList: ref('widgets'),
  cols: ref('widgets'),
  tabs: ref('widgets'),
  rows: { type: 'array', items: ref('row') },
  id: true,
  key: true,
  icon: true,
  category: { type: 'string' },
  internal: true,
  alias: true,
}

function closed(properties: Schema, patterns: Schema = COMMENTS, required: readonly string[] = []): Schema {
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties,
    patternProperties: patterns,
    additionalProperties: false,
  }
}

/** A key of JSON Schema, not a promise. */
const then = (schema: Schema): Schema => Object.fromEntries([['then', schema]])

const storedTypes = (spec: WidgetSpec): readonly string[] =>
  [spec.type, ...(spec.aliases ?? [])].flatMap((type) => [type, `m-${type}`])

const optionsName = (spec: WidgetSpec): string => `options.${spec.type}`

const widgetRule = (spec: WidgetSpec): Schema => ({
  if: { properties: { type: { enum: storedTypes(spec) } } },
  ...then({ properties: { options: ref(optionsName(spec)) } }),
})

/** Option sets that several widgets share, the larger ones first. */
const GROUPS: readonly (readonly [string, Options])[] = Object.entries({
  field: FIELD,
  'bare-field': BARE_FIELD,
  upload: UPLOAD,
  choices: CHOICES,
  named: NAMED,
  life: LIFE,
  rows: ROWS,
  picker: PICKER,
  checked: CHECKED,
  'custom-rule': CUSTOM_RULE,
  'focus-hooks': FOCUS_HOOKS,
  'date-bounds': DATE_BOUNDS,
  shortcuts: SHORTCUTS,
  tone: TONE,
  placeholder: PLACEHOLDER,
}).map(([name, options]) => [`set.${name}`, options])

/** Event → list of actions. */
const eventsOf = (events: readonly string[]): Schema =>
  closed(Object.fromEntries(events.map((event) => [event, ref('actions')])))

const optionGroups = (): Schema => ({
  common: {
    properties: {
      ...Object.fromEntries(MODEL_OPTIONS.map((name) => [name, { type: 'string' }])),
      of: {
        type: 'string',
        description: 'the field it is about, customer.level: where its label comes from',
      },
      ...Object.fromEntries(
        Object.entries(COMMON_OPTIONS)
          .filter(([name]) => name !== 'on')
          .map(([name, option]) => [name, optionSchema(option)]),
      ),
    },
    patternProperties: COMMENTS,
  },
  ...Object.fromEntries(GROUPS.map(([name, options]) => [name, { properties: optionProperties(options) }])),
})

function widgetOptions(spec: WidgetSpec): Schema {
  const grouped = new Set<string>()
  const groups = GROUPS.filter(([, options]) => {
    const isIn = Object.entries(options).every(
      ([name, option]) => !grouped.has(name) && JSON.stringify(spec.options[name]) === JSON.stringify(option),
    )
    if (isIn) for (const name of Object.keys(options)) grouped.add(name)
    return isIn
  })
  const ownOptions = Object.fromEntries(Object.entries(spec.options).filter(([name]) => !grouped.has(name)))
  const hooks = spec.events
    .map((event) => `on${event.charAt(0).toUpperCase()}${event.slice(1)}`)
    .filter((name) => spec.options[name] === undefined)
  return {
    type: 'object',
    allOf: [ref('common'), ...groups.map(([name]) => ref(name))],
    properties: {
      ...optionProperties(ownOptions),
      ...Object.fromEntries(hooks.map((name) => [name, ref('code')])),
      on: eventsOf(spec.events),
    },
    unevaluatedProperties: false,
  }
}

const optionProperties = (options: Options): Schema =>
  Object.fromEntries(Object.entries(options).map(([name, option]) => [name, optionSchema(option)]))

function optionSchema({ type, enum: words, default: initial, doc }: OptionSpec): Schema {
  const value = words === undefined ? valueSchema(type, initial) : enumeration(words)
  return doc === undefined ? value : { description: doc, ...value }
}

/** The default of an option is a valid value, whatever its type. */
function valueSchema(type: OptionSpec['type'], initial: unknown): Schema {
  if (type === 'any') return {}
  const value = ref(type === 'string' ? 'text' : type)
  return initial === null || initial === '' || fits(type, initial)
    ? value
    : { anyOf: [value, { const: initial }] }
}

function fits(type: OptionSpec['type'], value: unknown): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'string' || type === 'text' || type === 'code') return typeof value !== 'object'
  return typeof value === type
}

const enumeration = (words: readonly unknown[]): Schema => ({
  anyOf: [{ enum: [...words, null] }, BLANK_OR_PLACE],
})

function actionParts(): Schema {
  return {
    actions: { type: 'array', items: ref('action') },
    action: {
      if: { type: 'object', required: ['fragment'] },
      ...then(ref('reference')),
      else: { if: { type: 'string' }, ...then({ pattern: PLACE }), else: ref('ownAction') },
    },
    ownAction: {
      type: 'object',
      required: ['do'],
      properties: { do: { enum: Object.keys(ACTIONS) } },
      allOf: Object.entries(ACTIONS).map(([name, { keys, required }]) => ({
        if: { properties: { do: { const: name } } },
        ...then(
          closed(
            {
              do: true,
              if: ref('rule'),
              ...Object.fromEntries(Object.entries(keys).map(([key, kind]) => [key, ACTION_VALUES[kind]])),
            },
            COMMENTS,
            required,
          ),
        ),
      })),
    },
    choices: {
      type: 'array',
      items: {
        if: { type: 'object', required: ['label'] },
        ...then(closed({ label: { type: 'string' }, if: ref('rule'), then: ref('actions') })),
        else: { anyOf: [ref('reference'), { type: 'string', pattern: PLACE }] },
      },
    },
  }
}

const ACTION_VALUES: Readonly<Record<ActionValue, Schema>> = {
  text: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  json: {},
  rule: ref('rule'),
  actions: ref('actions'),
  choices: ref('choices'),
  source: { type: 'string' },
  object: ref('object'),
  query: { type: 'object' },
}
