import { isObject, type Json, type JsonObject } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedField, MergedModule } from '../../../model/merge-module.ts'
import { isTextCode, text } from '../../kernel/text/text.ts'
import type { ApiCall } from './document.ts'
import { isGiven } from './value-schema.ts'

/** A row on the page of a call: a field of the request, or one that filters can use. */
interface FieldRow extends JsonObject {
  readonly name: string
  readonly label: string
  readonly kind: string
  /** A word if it is required. */
  readonly must: string
  readonly note: string
}

/** A call as shown on its page: the request, as texts, and an example that can be copied. */
export function callPage(call: ApiCall): JsonObject {
  const { method, path, title, isPublic } = call
  const [sent, example] = sentBy(call)
  const address = method === 'get' && example !== null ? `${path}?${asQuery(example)}` : path
  const head = [
    `${method.toUpperCase()} ${address}`,
    ...(isPublic ? [] : [`Authorization: ${text('api.session')}`]),
    ...(method === 'get' ? [] : ['Content-Type: application/json']),
  ]
  const body = method === 'get' || example === null ? [] : ['', JSON.stringify(example, null, 2)]
  return {
    title,
    method: method.toUpperCase(),
    path,
    fields: [...sent],
    example: [...head, ...body].join('\n'),
  }
}

function sentBy({
  module,
  verb,
  method,
  body,
  query,
}: ApiCall): readonly [readonly FieldRow[], JsonObject | null] {
  if (method === 'get') return bySchema(query)
  if (module !== null && (verb === 'create' || verb === 'update')) return record(module, verb)
  if (module !== null && verb === 'list') return listRequest(module)
  return bySchema(body)
}

function record(module: MergedModule, verb: string): readonly [readonly FieldRow[], JsonObject] {
  const fields = module.fields.filter(isGiven)
  const shown = fields.filter((field, i) => i < MAX_EXAMPLE || field.required === true)
  const ownFields = shown.filter((field) => isAdded(field, module))
  const values = Object.fromEntries(
    shown.filter((field) => !isAdded(field, module)).map((field) => [field.name, sampleOf(field)]),
  )
  const ext = Object.fromEntries(ownFields.map((field) => [field.name, sampleOf(field)]))
  return [
    fields.map((field) => fieldRow(field, module)),
    {
      ...(verb === 'update' ? { id: SOME_ID, version: 1 } : {}),
      ...values,
      ...(ownFields.length > 0 ? { ext } : {}),
      clientToken: SOME_TOKEN,
    },
  ]
}

/** Enough to show the shape. */
const MAX_EXAMPLE = 6
const SOME_ID = '0198f2c4a1b27d3e'
const SOME_TOKEN = '5f0c2b6e-3a1d-4f7b-9c58-2f6f3f6c1a10'

const isAdded = ({ origin }: MergedField, module: MergedModule): boolean =>
  origin === 'tenant' && module.origin === 'vendor'
const nameIn = (field: MergedField, module: MergedModule): string =>
  isAdded(field, module) ? `ext.${field.name}` : field.name

const fieldRow = (field: MergedField, module: MergedModule): FieldRow => ({
  name: nameIn(field, module),
  label: labelText(field.label),
  kind: text(`kind.${field.kind}`),
  must: mustWord(field.required === true),
  note: noteOf(field),
})

function noteOf({ dict, options, min, max, help, since, module }: Field): string {
  const values = (options ?? []).map(({ value, label }) => `${value} ${labelText(label)}`)
  return [
    ...(dict === undefined ? [] : [text('api.dict', { dict })]),
    ...(module === undefined ? [] : [text('api.refers', { module })]),
    ...(values.length === 0 ? [] : [values.join('、')]),
    ...(min === undefined ? [] : [text('api.min', { min })]),
    ...(max === undefined ? [] : [text('api.max', { max })]),
    ...(help === undefined ? [] : [labelText(help)]),
    ...(since === undefined ? [] : [text('api.since', { since })]),
  ].join('；')
}

function listRequest(module: MergedModule): readonly [readonly FieldRow[], JsonObject] {
  const filterFields = module.fields.filter((field) => field.filter === true && field.retired !== true)
  const [first] = filterFields.filter(({ kind }) => kindOf(kind).stored === 'text')
  const sorted = module.fields.find(({ sort }) => sort === true)
  return [
    filterFields.map((field) => ({
      ...fieldRow(field, module),
      must: '',
      note: text('api.operators', { operators: kindOf(field.kind).operators.join(' ') }),
    })),
    {
      ...(first === undefined
        ? {}
        : { filters: [{ field: nameIn(first, module), op: 'eq', value: sampleOf(first) }] }),
      ...(sorted === undefined ? {} : { sort: [{ field: nameIn(sorted, module), dir: 'desc' }] }),
      limit: 20,
    },
  ]
}

/** An example value. */
function sampleOf({ kind, options, dict, label, min, default: usual }: Field): Json {
  const sample =
    options?.[0]?.value ?? (typeof usual === 'string' ? usual : dict === undefined ? SOME_ID : `<${dict}>`)
  const { stored } = kindOf(kind)
  if (kind === 'choice') return sample
  if (kind === 'choices') return [sample]
  if (kind === 'phone') return '13800000000'
  if (kind === 'email') return 'name@example.com'
  if (kind === 'url') return 'https://example.com'
  if (kind === 'ref' || kind === 'user' || kind === 'dept') return SOME_ID
  if (stored === 'number') return min ?? 100
  if (stored === 'flag') return true
  if (stored === 'day') return '2026-01-31'
  if (stored === 'moment') return '2026-01-31 09:00:00'
  if (stored === 'text') return labelText(label)
  return []
}

/** Names and types from a route's own schema. */
function bySchema(schema: object | null): readonly [readonly FieldRow[], JsonObject | null] {
  const { properties, required = [] } = (schema ?? {}) as JsonObject
  if (!isObject(properties)) return [[], null]
  const names = Array.isArray(required) ? required : []
  const rows = Object.entries(properties).map(([name, entry]): FieldRow => {
    const property = isObject(entry) ? entry : {}
    const code = `api.word.${name}`
    return {
      name,
      label: isTextCode(code) ? text(code) : '',
      kind: typeWord(property),
      must: mustWord(names.includes(name)),
      note: Array.isArray(property.enum) ? property.enum.map(String).join('、') : '',
    }
  })
  const shown = rows.filter(({ must }, i) => must !== '' || i < MAX_EXAMPLE)
  return [rows, Object.fromEntries(shown.map(({ name }) => [name, sampleBy(properties[name] ?? null)]))]
}

const mustWord = (is: boolean): string => (is ? text('api.must') : '')

const typeOf = ({ type }: JsonObject): string => String(Array.isArray(type) ? type[0] : (type ?? 'object'))

function typeWord(schema: JsonObject): string {
  const code = `api.type.${typeOf(schema)}`
  return isTextCode(code) ? text(code) : typeOf(schema)
}

function sampleBy(schema: Json): Json {
  const object = isObject(schema) ? schema : {}
  if (Array.isArray(object.enum)) return object.enum[0] ?? null
  const type = typeOf(object)
  if (type === 'array') return [sampleBy(object.items ?? null)]
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return 1
  return type === 'string' ? '…' : {}
}

const asQuery = (values: JsonObject): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join('&')
