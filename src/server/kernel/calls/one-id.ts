/** A query string that names one record. */
export const ONE_ID = {
  querystring: {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string', minLength: 1, maxLength: 64 },
      cursor: { type: 'string', maxLength: 2000 },
      types: { type: 'string', maxLength: 200 },
    },
  },
} as const

/** What {@link ONE_ID} reads. */
export interface OneId {
  readonly Querystring: { readonly id: string; readonly cursor?: string; readonly types?: string }
}
