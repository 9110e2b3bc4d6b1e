import {
  COMMON_ATTRIBUTES,
  FIELD_ATTRIBUTES,
  MODULE_ATTRIBUTES,
  MODULE_NEEDS,
  type Schema,
} from './attributes.ts'
import type { Field } from './description.ts'
import { KIND_NAMES, kindOf } from './kinds/index.ts'

/** The written format of a module, for editors; {@link checkModule} says the same with sentences. */
export function moduleSchema(): Schema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'module',
    description: 'Written by src/tools/generate.ts out of src/model; do not edit.',
    type: 'object',
    required: MODULE_NEEDS,
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      ...MODULE_ATTRIBUTES,
      fields: { ...MODULE_ATTRIBUTES.fields, items: { $ref: '#/definitions/field' } },
    },
    definitions: {
      field: {
        type: 'object',
        required: ['name', 'kind', 'label'],
        properties: { kind: { enum: KIND_NAMES } },
        allOf: KIND_NAMES.map((name) => ({
          if: { properties: { kind: { const: name } } },
          then: fieldSchema(name),
        })),
      },
    },
  }
}

function fieldSchema(name: Field['kind']): Schema {
  const { attributes, needs = [] } = kindOf(name)
  const properties = [...COMMON_ATTRIBUTES, ...attributes].map((key) => [key, FIELD_ATTRIBUTES[key]])
  return {
    properties: {
      ...Object.fromEntries(properties),
      ...(attributes.includes('fields')
        ? { fields: { ...FIELD_ATTRIBUTES.fields, items: { $ref: '#/definitions/field' } } }
        : {}),
    },
    additionalProperties: false,
    ...(needs.length === 0
      ? {}
      : { allOf: needs.map((ways) => ({ anyOf: ways.map((key) => ({ required: [key] })) })) }),
  }
}
