import { isObject, type Json, type JsonObject, listOf, objectsIn } from '../../../runtime/core/json.ts'
import type { Field } from '../description.ts'
import { isDrawn, isWritten } from '../drawn-fields.ts'
import { addressOf, rightsEntity, withRight, writtenOnly } from '../field-rights.ts'
import { firstStatus } from '../first-status.ts'
import { bareWidgets, bodyOf, placesOf, type ReferredModule, sourceOf, withNames } from '../form-fields.ts'
import { kindOf } from '../kinds/index.ts'
import { labelText } from '../labels.ts'
import { groupsOf, type MergedField, type MergedModule } from '../merge-module.ts'
import { type IsOwn, ownCall, variable } from '../page-parts.ts'
import { parentField } from '../tree.ts'
import { type LockedForm, lockedForm } from './locked.ts'
import { button, changeOf, container, pathOf, placeOf, rightOf, shownFields, statusOf } from './parts.ts'
import type { DerivedWords } from './words.ts'

/** What a form knows of other modules. */
interface Around {
  readonly isOwn: IsOwn
  /** A new record may begin with what another one says. */
  readonly isMade: boolean
  /** Modules by name, for what a field refers to. */
  readonly others: ReadonlyMap<string, ReferredModule>
}

/** The form, for a new record and for one that is there. */
export function formPage(
  module: MergedModule,
  words: DerivedWords,
  { isOwn, isMade, others }: Around,
): JsonObject {
  const { name } = module
  const shown = shownFields(module).filter((field) => isDrawn(field, module))
  const fields = shown.filter(isWritten)
  const values = Object.assign({}, ...fields.map((field) => bodyOf(field, words))) as JsonObject
  const body = writtenOnly(rightsEntity(module), values)
  const above = parentField(module)
  const sources = [
    ...new Map(
      fields
        .flatMap((field) =>
          sourceOf(field, isOwn).map((source) => (field === above ? outsideOf(source) : source)),
        )
        .map((source) => [source.uniqueName, source]),
    ).values(),
  ]
  const byName = new Map(shown.map((one) => [one.name, one]))
  const isNamed = fields.some((field) => field.name === module.title)
  // A record that this one belongs to opens the form with itself filled in.
  const given = fields.filter(({ inverse }) => inverse !== undefined)
  const status = statusOf(module)
  const locked = lockedForm(module, fields, words)
  return {
    formConfig: {
      layoutType: 'H5',
      jsonVersion: -3,
      page: {
        title: `{{ data.title | default:${words.new}${labelText(module.label).replace(/[|{}]/g, '')} }}`,
        permission: [
          { if: { '!!': { var: 'params.id' } }, permission: rightOf(name, 'edit') },
          { permission: rightOf(name, 'add') },
        ],
        draft: true,
        params: [
          { name: 'id', type: 'String', required: false },
          ...(isNamed ? [{ name: 'name', type: 'String', required: false }] : []),
          ...(isMade
            ? [
                { name: 'of', type: 'String', required: false },
                { name: 'ofId', type: 'String', required: false },
              ]
            : []),
          ...given.flatMap(({ name: one }) => [
            { name: one, type: 'String', required: false },
            { name: `${one}_name`, type: 'String', required: false },
          ]),
          ...(status === undefined ? [] : [{ name: `to_${status.name}`, type: 'String', required: false }]),
        ],
        on: {
          load: [
            { do: 'set', data: 'title', value: `${words.new}${labelText(module.label)}` },
            {
              do: 'set',
              if: { '!!': { var: 'params.id' } },
              data: 'title',
              value: `${words.edit}${labelText(module.label)}`,
            },
            ...given.flatMap(({ name: one }) => [fromParameter(one), fromParameter(`${one}_name`)]),
            // Made in place of a record that was searched for and not there.
            ...(isNamed ? [fromParameter(module.title, 'name')] : []),
            ...(status === undefined
              ? []
              : [
                  {
                    do: 'set',
                    if: { '!!': { var: `params.to_${status.name}` } },
                    field: status.name,
                    value: `{{ params.to_${status.name} }}`,
                    keep: true,
                  },
                ]),
          ],
        },
      },
      dataSources: [
        {
          uniqueName: 'detail',
          requestURL: ownCall(name, 'detail'),
          requestMethod: 'get',
          params: [variable('id', 'params.id')],
          auto: { '!!': { var: 'params.id' } },
          needed: true,
          fill: 'record',
        },
        ...(isMade ? [carriedInto(name)] : []),
        {
          uniqueName: 'create',
          requestURL: ownCall(name, 'create'),
          requestMethod: 'post',
          data: [variable('clientToken', 'DSV.clientToken')],
          body: isMade ? { ...body, made_of: MADE_OF } : body,
        },
        {
          uniqueName: 'update',
          ...changeOf(name),
          body,
        },
        ...sources,
      ],
    },
    widgetList: [
      ...locked.notes,
      ...groupsOf(module).flatMap((group) => {
        const fieldsOfGroup = group.fields.flatMap((field) => byName.get(field) ?? [])
        const locking = locked.locking(fieldsOfGroup)
        const widgets = fieldsOfGroup.flatMap((found) => {
          const places = placesOf(others.get(found.module ?? ''))
          return found.rows === undefined
            ? bareWidgets(found, words, places)
                .map((widget) => (found === status ? following(widget, module, found) : widget))
                .map((widget) => (locking === null ? locked.withLock(widget, found) : widget))
                .map((widget) => withRight(widget, addressOf(module, found), true))
                .flatMap(withNames)
            : [productLines(module, found, locking === null ? locked : null)]
        })
        if (widgets.length === 0) return []
        const label = labelText(group.label) || labelText(module.label)
        const options = { name: `group_${group.name}`, label, inset: true }
        return [container('cell-group', { ...options, ...locking }, widgets)]
      }),
      ...(shown.some(({ rows }) => rows !== undefined) ? [{ fragment: 'sheet/products' }] : []),
      container('action-bar', { name: 'bar', visibleOn: locked.savedOn }, [
        button(
          'save',
          words.save,
          [{ do: 'save', ...waitingAs(module, fields, words), else: [whereGone(name, fields)] }],
          { type: 'primary' },
        ),
      ]),
    ],
  }
}

/** What follows a save of a record that somebody took away meanwhile: what was filled in can be copied, and there is a way on. */
const whereGone = (name: string, fields: readonly MergedField[]): JsonObject => ({
  fragment: 'act/gone',
  with: { list: pathOf(name, 'index'), copy: fields.flatMap(lineOf).join('\n'), copied: 'form' },
})

/** A line of a copy; none for what was chosen, and for files, rows and places. */
function lineOf(field: MergedField): readonly string[] {
  const { stored, index, attributes } = kindOf(field.kind)
  const isTyped = TYPED.has(stored) && index !== 'ref' && !attributes.includes('options')
  return isTyped ? [`${labelText(field.label)}：${placeOf(field, 'form')}`] : []
}

const TYPED: ReadonlySet<string> = new Set(['text', 'number', 'day', 'moment'])

/** How a record that waits for the network is told from others: what it is, and its name as it was typed. */
function waitingAs(
  { label, title }: MergedModule,
  onForm: readonly Field[],
  words: DerivedWords,
): JsonObject {
  const isTyped = onForm.some(({ name, kind }) => name === title && kind === 'text')
  return {
    queue: `${words.new}${labelText(label)}`,
    queueChanged: `${words.edit}${labelText(label)}`,
    ...(isTyped ? { queueText: `{{ form.${title} }}` } : {}),
  }
}

/** What a record may be put below: neither itself nor what stands below it. */
const outsideOf = (source: JsonObject): JsonObject => ({
  ...source,
  params: [...listOf(source.params), variable('outside', 'params.id')],
})

const MADE_OF: JsonObject = { module: '{{ params.of }}', id: '{{ params.ofId }}' }

/** What a record begins with that is made of another. */
const carriedInto = (name: string): JsonObject => ({
  uniqueName: 'carried',
  requestURL: `/mini/convert?to=${name}`,
  requestMethod: 'get',
  params: [variable('of', 'params.of'), variable('id', 'params.ofId')],
  auto: { '!!': { var: 'params.ofId' } },
  fill: 'record',
})

/**
 * The choices of a status: a new record begins anywhere, or where it is approved with the first one; one that is there stays or, once it is agreed to,
 * goes where its module says.
 */
function following(widget: JsonObject, module: MergedModule, status: MergedField): JsonObject {
  const options = isObject(widget.options) ? widget.options : {}
  const now: JsonObject = { var: `data.detail.record.${status.name}` }
  const agreed: JsonObject = { '==': [{ var: 'data.detail.record.approval_status' }, 2] }
  const first = firstStatus(module)
  const rules = (value: Json, next: readonly JsonObject[]): readonly JsonObject[] => {
    if (first === undefined) return next
    return [value === first ? { '!': agreed } : { '==': [now, value] }, { and: [agreed, { or: next }] }]
  }
  const from = (value: Json): readonly string[] =>
    Object.entries(module.statuses?.moves ?? {}).flatMap(([one, to]) =>
      to.includes(String(value)) ? [one] : [],
    )
  const optionItems = objectsIn(options.optionItems).map(({ value = null, ...item }) => ({
    ...item,
    value,
    visibleOn: { or: rules(value, [{ '!': now }, { in: [now, [value, ...from(value)]] }]) },
  }))
  return { ...widget, options: { ...options, optionItems } }
}

/** Products with price and quantity, as the forms of the product's own modules have them. @param locked  null where their group is locked */
function productLines(module: MergedModule, field: MergedField, locked: LockedForm | null): JsonObject {
  const own = locked === null ? { options: {} } : locked.withLock({ options: {} }, field)
  const { options } = withRight(own, addressOf(module, field), true)
  const { disabledOn: _, ...rights } = isObject(options) ? options : {}
  return {
    fragment: 'form/product-lines',
    with: { module: module.name, required: field.required === true, ...rights },
  }
}

/** Takes a parameter of the page into a field, where it is given. */
const fromParameter = (field: string, param = field): JsonObject => ({
  do: 'set',
  if: { '!!': { var: `params.${param}` } },
  field,
  value: `{{ params.${param} }}`,
})
