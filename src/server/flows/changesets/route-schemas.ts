/** The body of a call on change sets or packages; a write requires its `clientToken`. */
export const body = (properties: object, required: readonly string[]) => ({
  body: {
    type: 'object',
    required,
    additionalProperties: false,
    properties: { clientToken: { type: 'string' }, ...properties },
  },
})
