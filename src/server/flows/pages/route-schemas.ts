/** Shapes that calls on pages share. */
export const PATH = { type: 'string', minLength: 1, maxLength: 200 } as const
/** A document, or the text of one. */
export const DOCUMENT = { anyOf: [{ type: 'object' }, { type: 'string' }] } as const
export const REVISION = { type: 'integer', minimum: 0, maximum: 2_000_000_000 } as const
export const STAMP = { type: 'string', maxLength: 100 } as const
export const config = { permission: 'system:form' } as const

export const body = (properties: object, required: readonly string[]) => ({
  body: {
    type: 'object',
    required,
    additionalProperties: false,
    properties: { path: PATH, clientToken: { type: 'string' }, ...properties },
  },
})

export const query = (properties: object = {}) => ({
  querystring: { type: 'object', required: ['path'], properties: { path: PATH, ...properties } },
})
