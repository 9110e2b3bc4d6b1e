import type { JsonObject } from '../../../runtime/core/json.ts'
import type { Field } from '../description.ts'
import { placesOf } from '../form-fields.ts'
import { kindOf } from '../kinds/index.ts'
import { labelText } from '../labels.ts'
import { groupsOf, type MergedField, type MergedModule } from '../merge-module.ts'
import { ownCall, variable } from '../page-parts.ts'
import type { DerivedWords } from './words.ts'

/** Pages a module has without anybody drawing them. */
export const DERIVED_PAGES = ['index', 'detail', 'add', 'print', 'pool'] as const
export type DerivedPage = (typeof DERIVED_PAGES)[number]

export const pathOf = (name: string, page: DerivedPage): string => `/pages/m/${name}/${page}`
const PATH = /^\/pages\/m\/([a-z]\w{0,39})\/(index|detail|add|print|pool)$/

/** The module and the page at the path of a derived page; null at any other. */
export function derivedAt(path: string): { readonly module: string; readonly page: DerivedPage } | null {
  const [, module, name] = PATH.exec(path) ?? []
  const page = DERIVED_PAGES.find((one) => one === name)
  return module === undefined || page === undefined ? null : { module, page }
}
export const rightOf = (name: string, action: string): string => `m.${name}:${action}`

/** The call that changes the page's record, as it was read. */
export const changeOf = (name: string): JsonObject => ({
  requestURL: ownCall(name, 'update'),
  requestMethod: 'post',
  data: [
    variable('clientToken', 'DSV.clientToken'),
    variable('id', 'params.id'),
    variable('version', 'data.detail.record.version'),
  ],
})

/** Fields in the order of the groups, those that are retired left out. */
export function shownFields(module: MergedModule): readonly MergedField[] {
  const byName = new Map(module.fields.map((field) => [field.name, field]))
  return groupsOf(module).flatMap(({ fields }) =>
    fields.flatMap((name) => {
      const field = byName.get(name)
      return field === undefined || field.retired === true ? [] : [field]
    }),
  )
}

/** The field that holds the status of a module that has one. */
export const statusOf = ({ fields, statuses }: MergedModule): MergedField | undefined =>
  fields.find(({ name }) => name === statuses?.field)

const TONES = ['primary', 'warning', 'success', 'danger', 'default'] as const

/** The field of a status with a colour for each of its values. */
export const withTones = <F extends Field>(status: F): F => ({
  ...status,
  options: (status.options ?? []).map((one, i) => ({ ...one, color: one.color ?? TONES[i % TONES.length] })),
})

/** The status of a record as a tag, one for each value it may have. */
export function statusTags(status: Field, root = 'row', prefix = ''): readonly JsonObject[] {
  return (withTones(status).options ?? []).map(({ value, label, color }, i) => ({
    type: 'tag',
    options: {
      name: `${prefix}is_${/^\w+$/.test(value) ? value : `v${i + 1}`}`,
      text: labelText(label),
      ...tagColour(color),
      visibleOn: { '==': [{ var: `${root}.${status.name}` }, value] },
    },
  }))
}

/** What a tag is told of a colour: a tone by its word, any other by its value. */
export const tagColour = (color = 'default'): JsonObject =>
  /^(?:#|rgb)/i.test(color) ? { color } : { tone: color }

/** Where a record stands, as the dictionary of the product numbers it, and the tone that it is said in. */
const APPROVAL_TONES = ['default', 'primary', 'success', 'danger', 'default'] as const

/** Where a record of a module that is approved stands. @param root  address of the record @param prefix  keeps its names apart on a page with other cards */
export const approvalTags = (
  { approval }: Pick<MergedModule, 'approval'>,
  root = 'row',
  prefix = '',
): readonly JsonObject[] =>
  approval === undefined
    ? []
    : APPROVAL_TONES.map((tone, status) => ({
        type: 'tag',
        options: {
          name: `${prefix}approval${status}`,
          text: `{{ ${root}.approval_status | dict:approval_status }}`,
          tone,
          visibleOn: { '==': [{ var: `${root}.approval_status` }, status] },
        },
      }))

/** Says that the day to which a record holds has passed. */
export const lapsedTag = (
  { until }: Pick<MergedModule, 'until'>,
  words: Pick<DerivedWords, 'lapsed'>,
  root = 'row',
  prefix = '',
): readonly JsonObject[] =>
  until === undefined
    ? []
    : [
        {
          type: 'tag',
          options: {
            name: `${prefix}lapsed`,
            text: words.lapsed,
            tone: 'danger',
            visibleOn: { var: `${root}.lapsed` },
          },
        },
      ]

/** Remaining days from which a record is marked, as those of the product are. */
const FEW_DAYS = 3

/** A record that soon returns to its pool. A field of this name is from before records did so by themselves. */
export function leftDaysTag(
  { behaviours, fields }: Pick<MergedModule, 'behaviours' | 'fields'>,
  words: Pick<DerivedWords, 'leftDays'>,
  root = 'row',
  prefix = '',
): readonly JsonObject[] {
  if (!behaviours.includes('pool') || fields.some(({ name }) => name === 'left_days')) return []
  const days = { var: `${root}.left_days` }
  return [
    {
      type: 'tag',
      options: {
        name: `${prefix}left`,
        text: words.leftDays.replace('{days}', `{{ ${root}.left_days }}`),
        tone: 'warning',
        visibleOn: { and: [{ '!=': [days, null] }, { '<=': [days, FEW_DAYS] }] },
      },
    },
  ]
}

/** A line that shows the field is there where it says something; 0 is said. */
export function hasValueRule({ name, kind, result }: Field, root: string): JsonObject {
  const isNumber = kindOf(kind).stored === 'number' || kind === 'rollup' || result === 'number'
  // A record that its reader does not see has no name.
  const said = !isNumber && kindOf(kind).index === 'ref' ? `${name}_name` : name
  return filledRule({ var: `${root}.${said}` }, isNumber)
}

/** A field of a form is filled in; 0 and an unticked box are values. */
export const isFilledRule = ({ kind }: Field, value: JsonObject): JsonObject =>
  filledRule(value, ['number', 'flag'].includes(kindOf(kind).stored))

/** A detail says something of one of the fields at least; an unticked box is said, too. `root` is the address of the record. */
export const saysAny = (fields: readonly Field[], root: string): JsonObject => ({
  or: fields.map((field) =>
    kindOf(field.kind).stored === 'flag'
      ? isFilledRule(field, { var: `${root}.${field.name}` })
      : hasValueRule(field, root),
  ),
})

/** @param zeroCounts  0 and false are values */
const filledRule = (value: JsonObject, zeroCounts: boolean): JsonObject =>
  zeroCounts ? { '!=': [value, null] } : { '!!': value }

/** A place of a text that shows the field's value in words. */
export const placeOf = (field: Field, root: string): string =>
  kindOf(field.kind).place(`${root}.${field.name}`, field)

/** Modules by name. */
export type Others = ReadonlyMap<string, MergedModule>

/** The field as a detail shows it: a value of one that is not filled in any more says so. */
export const asShown = <F extends Field>(field: F, words: Pick<DerivedWords, 'retired'>): F =>
  field.retired === true
    ? { ...field, label: words.retired.replace('{label}', labelText(field.label)) }
    : field

/** A row of a detail that says the field's value; `root` is the address of the record. One record of another module opens by a tap. */
export function factOf(field: Field, root: string, others?: Others): JsonObject {
  const colours = kindOf(field.kind).colours?.(field) ?? null
  const page = field.kind === 'ref' ? placesOf(others?.get(field.module ?? '')).show : undefined
  return {
    label: labelText(field.label),
    hideEmpty: true,
    ...(kindOf(field.kind).fact?.(field) ?? { text: placeOf(field, root) }),
    ...(colours === null ? {} : { bind: field.name, ...colours }),
    ...(page === undefined ? {} : { url: `${String(page)}?id={{ ${root}.${field.name} }}` }),
  }
}

export const container = (
  type: string,
  options: JsonObject,
  widgetList: readonly JsonObject[],
): JsonObject => ({
  type,
  category: 'container',
  options,
  widgetList,
})

export const button = (
  name: string,
  label: string,
  click: readonly JsonObject[],
  more: JsonObject,
): JsonObject => ({
  type: 'button',
  options: { name, label, on: { click }, ...more },
})

/** A small button above a list that opens a sheet. @param more  what else happens then */
export const sheetButton = (
  name: string,
  label: string,
  icon: string,
  sheet: string,
  more: readonly JsonObject[] = [],
): JsonObject => small(name, label, [{ do: 'openSheet', name: sheet }, ...more], { icon })

/** A button that is no more than its words. */
export const small = (
  name: string,
  label: string,
  click: readonly JsonObject[],
  more: JsonObject = {},
): JsonObject =>
  button(name, label, click, { type: 'text', size: 'small', displayStyle: 'inline-block', ...more })

/** The reader holds a right of the module. */
export const holds = (module: string, action: string): JsonObject => ({
  in: [rightOf(module, action), { var: 'user.permissions' }],
})

/** What a record of a module with an amount is worth, where one looks first. */
export const worth = (
  amount: string | undefined,
  root: string,
  { name, fontSize }: { readonly name: string; readonly fontSize: string },
): readonly JsonObject[] =>
  amount === undefined
    ? []
    : [
        {
          type: 'static-text',
          options: {
            name,
            textContent: `{{ ${root}.${amount} | money }}`,
            fontSize,
            weight: 'medium',
            tone: 'primary',
            maxLines: 1,
            visibleOn: { '!=': [{ var: `${root}.${amount}` }, null] },
          },
        },
      ]
