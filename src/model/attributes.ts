import { BEHAVIOURS, type Field, type ModuleDescription } from './description.ts'

/** A JSON schema, as far as attributes need one. */
export type Schema = Readonly<Record<string, unknown>>

/** Names of fields and modules; the tenant's own must fit as well. */
export const NAME = /^[a-z]\w{0,39}$/
/** Columns every record has: no field may be called so. */
export const RESERVED: ReadonlySet<string> = new Set([
  'id',
  'tenant_id',
  'module',
  'version',
  'ext',
  'created_by',
  'created_at',
  'updated_by',
  'updated_at',
  'deleted_at',
  'owner_id',
  'owner_dept_id',
  'actions',
  'client_token',
  'confirm',
])

const LABEL: Schema = {
  anyOf: [
    { type: 'string', minLength: 1, maxLength: 60 },
    {
      type: 'object',
      minProperties: 1,
      additionalProperties: { type: 'string', minLength: 1, maxLength: 60 },
    },
  ],
}
const flag = (description: string): Schema => ({ type: 'boolean', description })
const text = (description: string, maxLength = 200): Schema => ({
  type: 'string',
  description,
  minLength: 1,
  maxLength,
})
const rule = (description: string): Schema => ({ type: 'object', description })
const integer = (description: string, minimum: number, maximum: number): Schema => ({
  type: 'integer',
  description,
  minimum,
  maximum,
})

/** What an attribute of a field may hold. A test keeps this table and {@link Field} in step. */
export const FIELD_ATTRIBUTES: Readonly<Record<keyof Field, Schema>> = {
  name: { type: 'string', pattern: NAME.source, description: 'the key of its value' },
  kind: { type: 'string', description: 'what it holds' },
  label: { ...LABEL, description: 'what people read' },
  required: { type: ['boolean', 'object'], description: 'true, or a rule over the record' },
  unique: { enum: ['refuse', 'warn'], description: 'the same value twice in a tenant' },
  default: { description: 'a value, now, me, or { "rule": … }' },
  search: flag('found by the keyword of lists and by the search'),
  filter: flag('offered in the filter sheet'),
  sort: flag('offered as a sort'),
  card: flag('shown on the card of the list'),
  patch: flag('may be set on many records at once'),
  readonly: {
    enum: ['always', 'created'],
    description: 'nobody writes it; or nobody once the record exists',
  },
  mask: { enum: ['pool'], description: 'hidden in part while the record lies in a pool' },
  help: { ...LABEL, description: 'a line under the field' },
  import: {
    type: 'array',
    items: text('a column title', 40),
    maxItems: 20,
    description: 'what files call it',
  },
  since: text('since when it is there: a version, a day', 40),
  retired: flag('kept in old records, offered nowhere'),
  min: { type: 'number', description: 'fewest characters, or the smallest number; included' },
  max: { type: 'number', description: 'most characters, or the largest number; included' },
  decimals: integer('digits behind the point', 0, 6),
  pattern: text('a regular expression the whole text has to fit', 500),
  form: { enum: ['mobile', 'landline', 'any'], description: 'which phone numbers' },
  most: integer('most values, files or rows', 1, 200),
  dict: { type: 'string', pattern: NAME.source, description: 'a dictionary' },
  options: {
    type: 'array',
    minItems: 1,
    maxItems: 100,
    description: 'values kept with the module',
    items: {
      type: 'object',
      required: ['value', 'label'],
      additionalProperties: false,
      properties: {
        value: { type: 'string', pattern: '^\\S(?:.{0,62}\\S)?$' },
        label: LABEL,
        color: { type: 'string' },
      },
    },
  },
  module: { type: 'string', pattern: NAME.source, description: 'the module that is referred to' },
  inverse: {
    type: 'object',
    description: 'the list on the other side',
    required: ['tab', 'label'],
    additionalProperties: false,
    properties: { tab: { type: 'string', pattern: NAME.source }, label: LABEL },
  },
  formula: rule('JSON-Logic over the record'),
  result: { enum: ['number', 'text', 'day', 'flag'], description: 'what the formula gives' },
  worked: rule('JSON-Logic over the record: the value is worked out and stored when it is written'),
  rollup: {
    type: 'object',
    description: 'what is counted over the records of another module that name this one',
    required: ['module', 'by', 'of'],
    additionalProperties: false,
    properties: {
      module: { type: 'string', pattern: NAME.source },
      by: { type: 'string', pattern: NAME.source },
      of: { enum: ['count', 'sum', 'min', 'max', 'latest'] },
      field: { type: 'string', pattern: NAME.source },
    },
  },
  fields: { type: 'array', minItems: 1, maxItems: 20, description: 'fields of a row' },
  rows: {
    enum: ['product'],
    description: 'rows are products with price and quantity; the field is called lines',
  },
  number: text('pattern of a number, as KH{yyyyMMdd}{0000}', 40),
}

/** Attributes of a field that every kind takes. */
export const COMMON_ATTRIBUTES: readonly (keyof Field)[] = [
  'name',
  'kind',
  'label',
  'required',
  'unique',
  'default',
  'search',
  'filter',
  'sort',
  'card',
  'patch',
  'readonly',
  'mask',
  'help',
  'import',
  'since',
  'retired',
]

/** Fields of one module. */
export const MAX_FIELDS = 200

/** What a key of a module may hold; `fields` and `groups` are checked one by one. */
export const MODULE_ATTRIBUTES: Readonly<Record<keyof ModuleDescription, Schema>> = {
  name: { type: 'string', pattern: NAME.source, description: 'the name in addresses and permissions' },
  label: { ...LABEL, description: 'what people read' },
  store: { enum: ['record'], description: 'it lives by this description alone: no table, no code' },
  icon: text('an icon of the product', 40),
  title: { type: 'string', pattern: NAME.source, description: 'the field that names a record' },
  number: text('pattern of the record’s number, as GD{yyyyMMdd}{000}', 40),
  behaviours: {
    type: 'array',
    items: { type: 'string', enum: BEHAVIOURS },
    uniqueItems: true,
    description: 'what records can do',
  },
  fields: { type: 'array', minItems: 1, maxItems: MAX_FIELDS, description: 'what is recorded' },
  groups: {
    type: 'array',
    maxItems: 20,
    description: 'parts of form and detail',
    items: {
      type: 'object',
      required: ['name', 'label', 'fields'],
      additionalProperties: false,
      properties: {
        name: { type: 'string', pattern: NAME.source },
        label: LABEL,
        fields: { type: 'array', items: { type: 'string', pattern: NAME.source }, uniqueItems: true },
      },
    },
  },
  pages: {
    type: 'object',
    description: 'pages of its own; derived ones where there are none',
    additionalProperties: false,
    properties: { list: text('a path'), detail: text('a path'), form: text('a path') },
  },
  permission: { type: 'string', pattern: NAME.source, description: 'the module whose rights count' },
  tabs: {
    type: 'array',
    items: { type: 'string', pattern: NAME.source },
    description: 'quick tabs of the list',
  },
  defaultSort: { type: 'string', pattern: '^[a-z]\\w* (?:asc|desc)$', description: 'as "created_at desc"' },
  statuses: {
    type: 'object',
    description: 'a field and the moves it may make',
    required: ['field', 'moves'],
    additionalProperties: false,
    properties: {
      field: { type: 'string', pattern: NAME.source },
      moves: {
        type: 'object',
        additionalProperties: { type: 'array', items: { type: 'string' }, uniqueItems: true },
      },
    },
  },
  menu: {
    type: 'object',
    description: 'where the entry stands',
    required: ['place'],
    additionalProperties: false,
    properties: { place: { enum: ['work', 'home', 'none'] }, order: { type: 'integer' } },
  },
  amount: { type: 'string', pattern: NAME.source, description: 'the field that says what a record is worth' },
  print: {
    type: 'object',
    description: 'who signs its printed page: parties where a customer is required, unless it says otherwise',
    required: ['signs'],
    additionalProperties: false,
    properties: { signs: { enum: ['parties', 'internal'] } },
  },
  until: {
    type: 'string',
    pattern: NAME.source,
    description: 'the field that says to which day a record holds',
  },
  approval: {
    type: 'object',
    description: 'how records are approved, where the tenant does not decide otherwise',
    required: ['steps'],
    additionalProperties: false,
    properties: {
      beyond: { type: 'object' },
      open: { type: 'array', items: { type: 'string', pattern: NAME.source }, uniqueItems: true },
      steps: {
        type: 'array',
        maxItems: 10,
        items: {
          type: 'object',
          required: ['kind', 'mode'],
          additionalProperties: false,
          properties: {
            kind: { enum: ['superior', 'dept_leader', 'role', 'user'] },
            value: { type: 'string', pattern: '^[\\w-]{1,64}$' },
            mode: { enum: ['all', 'any'] },
            min_amount: { type: 'number', minimum: 0 },
            below_min: { type: 'boolean' },
            when: {
              type: 'array',
              maxItems: 50,
              items: {
                type: 'object',
                required: ['field'],
                minProperties: 2,
                maxProperties: 2,
                additionalProperties: false,
                properties: {
                  field: { type: 'string', pattern: NAME.source },
                  is: { type: 'string' },
                  from: { type: 'number' },
                  to: { type: 'number' },
                  below: { type: 'number' },
                },
              },
            },
          },
        },
      },
    },
  },
  convert: {
    type: 'object',
    description: 'what a record becomes: by module, its fields and those of this one that they begin with',
    additionalProperties: {
      type: 'object',
      additionalProperties: { type: 'string', pattern: NAME.source },
    },
  },
  tile: {
    type: 'object',
    description: 'its number on the home page',
    required: ['label'],
    additionalProperties: false,
    properties: { label: LABEL },
  },
}

/** Keys without which there is no module. */
export const MODULE_NEEDS: readonly (keyof ModuleDescription)[] = [
  'name',
  'label',
  'title',
  'behaviours',
  'fields',
]
