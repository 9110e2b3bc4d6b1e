import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import type { Stored } from '../../../model/kind.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedField, MergedModule } from '../../../model/merge-module.ts'
import { text } from '../../kernel/text/text.ts'

/** The JSON type of a value, by how it is stored. Every field may be empty. */
const TYPES: Readonly<Record<Stored, JsonObject>> = {
  text: { type: ['string', 'null'] },
  number: { type: ['number', 'null'] },
  flag: { type: ['boolean', 'null'] },
  day: { type: ['string', 'null'], description: 'yyyy-MM-dd' },
  moment: { type: ['string', 'null'], description: 'yyyy-MM-dd HH:mm:ss' },
  texts: { type: ['array', 'null'], items: { type: 'string' } },
  json: {},
  none: {},
}

/** A value of a choice: states of the product's modules are numbers. */
const CODE: JsonObject = { type: ['string', 'number', 'null'] }

/** Rows of a sub-form. */
const rowsSchema = (fields: readonly Field[]): JsonObject => ({
  type: ['array', 'null'],
  items: { type: 'object', properties: schemasOf(fields) },
})

/** A field of a record in requests and answers. */
function valueSchema(field: Field): JsonObject {
  const { kind, label, help, since, dict, options, module, max, min } = field
  const { description, ...type } =
    field.fields === undefined
      ? kind === 'choice'
        ? CODE
        : TYPES[kindOf(kind).stored]
      : rowsSchema(field.fields)
  const isText = kindOf(kind).stored === 'text'
  const words = [
    description,
    help === undefined ? undefined : labelText(help),
    since === undefined ? undefined : text('api.since', { since }),
  ].filter(Boolean)
  return {
    ...type,
    title: labelText(label),
    ...(words.length > 0 ? { description: words.join('; ') } : {}),
    'x-kind': kind,
    ...(dict === undefined ? {} : { 'x-dict': dict }),
    ...(module === undefined ? {} : { 'x-module': module }),
    ...(options === undefined
      ? {}
      : {
          'x-options': options.map(
            ({ value, label: optionLabel }): Json => ({ value, label: labelText(optionLabel) }),
          ),
        }),
    ...(isText && max !== undefined ? { maxLength: max } : {}),
    ...(isText && min !== undefined ? { 'x-min-length': min } : {}),
  }
}

const isOffered = ({ retired }: Field): boolean => retired !== true
/** A tenant's own field of a product module is in `ext`. */
const isStoredInExt = ({ origin }: MergedField, module: MergedModule): boolean =>
  origin === 'tenant' && module.origin === 'vendor'

const schemasOf = (fields: readonly Field[]): JsonObject =>
  Object.fromEntries(fields.map((field) => [field.name, valueSchema(field)]))

/** True for a field that people fill in. */
export const isGiven = (field: Field): boolean =>
  isOffered(field) && kindOf(field.kind).derived !== true && field.readonly !== 'always'

/** The fields of a record that people fill in. */
export function inputSchema(module: MergedModule): JsonObject {
  const fields = module.fields.filter(isGiven)
  const ownFields = fields.filter((field) => isStoredInExt(field, module))
  const required = fields.filter((field) => field.required === true && !isStoredInExt(field, module))
  return {
    type: 'object',
    title: labelText(module.label),
    properties: {
      ...schemasOf(fields.filter((field) => !isStoredInExt(field, module))),
      ...(ownFields.length > 0 ? { ext: { type: 'object', properties: schemasOf(ownFields) } } : {}),
      clientToken: {
        type: 'string',
        description: 'A token of your own: the same write twice is written once.',
      },
    },
    'x-required': required.map(({ name }) => name),
  }
}

/** A record in an answer: the fields that the caller may see, and what the server adds. */
export function recordSchema(module: MergedModule): JsonObject {
  const ownFields = module.fields.filter((field) => isStoredInExt(field, module))
  return {
    type: 'object',
    title: labelText(module.label),
    required: ['id'],
    properties: {
      id: { type: 'string' },
      version: { type: 'integer' },
      ...schemasOf(module.fields.filter((field) => !isStoredInExt(field, module))),
      ...(ownFields.length > 0 ? { ext: { type: 'object', properties: schemasOf(ownFields) } } : {}),
    },
  }
}
