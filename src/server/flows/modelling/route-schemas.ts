/** Shapes that calls on modules and fields share. */
export const NAME = { type: 'string', minLength: 1, maxLength: 40 } as const
export const FIELD = { type: 'string', maxLength: 40 } as const
export const BASE = { type: 'integer', minimum: 0 } as const

/** A field as rules and pages name it, including its prefix. */
const CALLED = { type: 'string', maxLength: 60 } as const

/** The body of a write. */
export const body = (properties: object, required: readonly string[]) => ({
  body: {
    type: 'object',
    required: [...required, 'clientToken'],
    additionalProperties: false,
    properties: { clientToken: { type: 'string' }, ...properties },
  },
})

/** The parameters of a read: `module` and `name`; for what a rollup may aggregate also the records and the function. */
export const query = (required: readonly string[]) => ({
  type: 'object',
  required,
  properties: { module: NAME, name: CALLED, at: { type: 'string', maxLength: 90 }, of: FIELD },
})
