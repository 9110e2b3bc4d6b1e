/**
 * The part of a document's structure that the parser relies on. Everything else is kept as it is and never
 * rejected. `src/tools/generate.ts` compiles it into `document-validator.generated.js`, so that no code is made at run time.
 */
export const DOCUMENT_SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  required: ['widgetList', 'formConfig'],
  properties: {
    widgetList: { $ref: '#/definitions/widgets' },
    formConfig: { $ref: '#/definitions/formConfig' },
  },
  definitions: {
    widgets: { type: 'array', items: { $ref: '#/definitions/widget' } },
    widget: {
      type: 'object',
      anyOf: [
        { required: ['type'] },
        { required: ['fragment'], properties: { fragment: { type: 'string', pattern: '.' } } },
      ],
      properties: {
        type: { type: 'string', pattern: '.' },
        options: { type: 'object' },
        widgetList: { $ref: '#/definitions/widgets' },
        cols: { $ref: '#/definitions/widgets' },
        tabs: { $ref: '#/definitions/widgets' },
        rows: { type: 'array', items: { $ref: '#/definitions/row' } },
      },
    },
    row: { type: 'object', properties: { cols: { $ref: '#/definitions/widgets' } } },
    formConfig: {
      type: 'object',
      properties: {
        page: { $ref: '#/definitions/page' },
        dataSources: {
          type: ['array', 'null'],
          items: { type: 'object', properties: { uniqueName: { type: 'string' } } },
        },
      },
    },
    page: {
      type: 'object',
      properties: {
        title: { type: 'string' },
        navigationBar: { enum: ['default', 'none'] },
        needLogin: { type: 'boolean' },
        permission: {
          anyOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#/definitions/right' } }],
        },
        params: { type: 'array', items: { $ref: '#/definitions/param' } },
        pullDownRefresh: { type: 'boolean' },
        share: { type: 'boolean' },
        tabBar: { type: 'boolean' },
        draft: { type: 'boolean' },
        onUnjudged: { enum: ['refuse', 'log'] },
        texts: {
          type: 'object',
          additionalProperties: { type: 'object', additionalProperties: { type: 'string' } },
        },
        on: { type: 'object' },
      },
    },
    right: {
      type: 'object',
      required: ['permission'],
      properties: { permission: { type: 'string', pattern: ':' } },
    },
    param: {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string', pattern: '.' },
        type: { enum: ['String', 'Number', 'Boolean'] },
        required: { type: 'boolean' },
      },
    },
  },
} as const
