import { type Problem, phrase } from '../../../runtime/core/errors.ts'
import { isObject, type JsonObject } from '../../../runtime/core/json.ts'
import type { Field } from '../description.ts'
import { ownName } from '../form-fields.ts'
import { kindOf } from '../kinds/index.ts'
import { labelText } from '../labels.ts'
import { LABEL_PLACE, nameOfOwn } from '../own-on-pages.ts'
import { chosenFields, type Models } from './chosen.ts'
import type { Placed } from './list-references.ts'
import { fieldOf, unknownName, withoutOverridden } from './named.ts'

/** The words of a field's value in a text; records of the product have the words of `customer_id` beside it, as `customer_name`. */
const wordsAt = (field: Field, root: string): string =>
  field.kind === 'ref'
    ? `{{ ${root}.${field.name.replace(/_id$/, '')}_name }}`
    : kindOf(field.kind).place(`${root}.${field.name}`, field)

type Line = (field: Field, label: string) => JsonObject

const textLine = (textContent: string, options: JsonObject): JsonObject => ({
  type: 'static-text',
  options: { textContent, maxLines: 1, ...options },
})
const isFilled = ({ name }: Field): JsonObject => ({ '!!': { var: `row.${name}` } })

/** How a card shows a value. */
const LINES = {
  line: (field, label) =>
    textLine(`${label} ${wordsAt(field, 'row')}`, {
      fontSize: '13px',
      tone: 'secondary',
      visibleOn: isFilled(field),
    }),
  title: (field) => textLine(wordsAt(field, 'row'), { fontSize: '16px', weight: 'medium' }),
  sum: (field) => textLine(wordsAt(field, 'row'), { fontSize: '17px', weight: 'medium', tone: 'primary' }),
  tag: (field) => ({
    type: 'tag',
    options: {
      bind: `row.${field.name}`,
      ...(field.dict === undefined ? {} : { dict: field.dict }),
      visibleOn: isFilled(field),
    },
  }),
} as const satisfies Readonly<Record<string, Line>>

const isLine = (name: string): name is keyof typeof LINES => Object.hasOwn(LINES, name)

/** `{ "card": "customer.level", "as": "tag" }`: one value; `{ "card": "customer" }`: all that say `card`, and the place of those a tenant added. */
export function referredCard(item: JsonObject, models: Models): Placed {
  const of = String(item.card)
  if (of.includes('.')) return oneLine(of, item, models)
  const { chosen, problems } = chosenFields(item, { of, mark: 'card' }, models)
  const lines = chosen.map(({ field, options }) => lineOf(field, { as: 'line', ...options }))
  const place = {
    type: 'line',
    category: 'container',
    options: { name: `${of}Card`, vertical: true, gap: 2, card: of },
    widgetList: [],
  }
  return {
    items: [...lines.flatMap(({ items }) => items), place],
    sources: [],
    problems: [...problems, ...lines.flatMap((line) => line.problems)],
  }
}

function oneLine(of: string, { as = 'line', options }: JsonObject, { model, vendor }: Models): Placed {
  const [module = '', name = ''] = of.split('.')
  const tenantField = model(module) === undefined ? null : nameOfOwn(name)
  if (tenantField !== null) return ownLine(module, tenantField, { as, ...(isObject(options) ? options : {}) })
  const field = fieldOf(model, module, name)
  if ('problem' in field) return { items: [], sources: [], problems: [field.problem] }
  if (field.retired === true) return { items: [], sources: [], problems: [] }
  const more = withoutOverridden(isObject(options) ? options : {}, field, vendor(module))
  return { ...lineOf(field, { as, ...more }), sources: [] }
}

/** A value of the tenant's own; its label, words and dictionary follow from the tenant's description. */
function ownLine(module: string, own: string, lineOptions: JsonObject): Placed {
  const standIn: Field = { name: ownName(own), kind: 'text', label: LABEL_PLACE }
  return { ...lineOf(standIn, { ...lineOptions, own: `${module}.${own}` }), sources: [] }
}

function lineOf(
  field: Field,
  { as, label, ...more }: JsonObject,
): { readonly items: readonly JsonObject[]; readonly problems: readonly Problem[] } {
  const lineType = String(as)
  if (!isLine(lineType))
    return { items: [], problems: [unknownName(phrase('lines of a card'), lineType, Object.keys(LINES))] }
  const { type, options } = LINES[lineType](field, String(label ?? labelText(field.label)))
  const name = lineType === 'line' ? `card_${field.name}` : field.name
  const lineOptions = { name, ...(isObject(options) ? options : {}), ...more }
  return {
    items: [
      {
        type: type ?? null,
        options: Object.fromEntries(Object.entries(lineOptions).filter(([, value]) => value !== null)),
      },
    ],
    problems: [],
  }
}

/** Where a detail page has its record. */
const RECORD = 'data.detail.record'

/** `{ "facts": "customer/basic", "only": […], "options": { … } }`: rows of a detail. */
export function referredFacts(item: JsonObject, models: Models): Placed {
  const { chosen, problems } = chosenFields(item, { of: String(item.facts), mark: null }, models)
  return {
    items: chosen.map(({ field, options }) => {
      const label = options.label ?? labelText(field.label)
      const hasValue = 'bind' in options || 'text' in options
      return { label, ...(hasValue ? {} : factValue(field)), ...options }
    }),
    sources: [],
    problems,
  }
}

/** What a row says: the value as it lies there where that can be read, else its words. */
function factValue(field: Field): JsonObject {
  const { name, dict, kind } = field
  if (dict !== undefined) return { bind: name, dict }
  if (kind === 'ref') return { bind: `${name.replace(/_id$/, '')}_name` }
  const at = `${RECORD}.${name}`
  const place = kindOf(kind).place(at, field)
  const beside = /^\{\{ (.+)_name \}\}$/.exec(place)?.[1]
  if (beside === at) return { bind: `${name}_name` }
  return place === `{{ ${at} }}` ? { bind: name } : { text: place }
}
