import type { JsonObject } from '../../../runtime/core/json.ts'
import type { Field } from '../description.ts'
import { isDrawn, isWritten } from '../drawn-fields.ts'
import { bodyOf, fieldWidgets, sourceOf } from '../form-fields.ts'
import { kindOf } from '../kinds/index.ts'
import { labelText } from '../labels.ts'
import { groupsOf, type MergedModule } from '../merge-module.ts'
import { type IsOwn, ownCall, variable } from '../page-parts.ts'
import { button, changeOf, container, rightOf, shownFields, statusOf } from './parts.ts'
import type { DerivedWords } from './words.ts'

/** The form, for a new record and for one that is there. @param isMadeOfOthers  a new one may begin with what another record says */
export function formPage(
  module: MergedModule,
  words: DerivedWords,
  isOwn: IsOwn,
  isMadeOfOthers = false,
): JsonObject {
  const { name } = module
  const shown = shownFields(module).filter((one) => isDrawn(one, module))
  const fields = shown.filter(isWritten)
  const body = Object.assign({}, ...fields.map((one) => bodyOf(one, words))) as JsonObject
  const sources = [
    ...new Map(
      fields.flatMap((one) => sourceOf(one, isOwn)).map((source) => [source.uniqueName, source]),
    ).values(),
  ]
  const byName = new Map(shown.map((one) => [one.name, one]))
  // A record that this one belongs to opens the form with itself filled in.
  const given = fields.filter(({ inverse }) => inverse !== undefined)
  const status = statusOf(module)
  const isNew = { '!': { var: 'params.id' } }
  return {
    formConfig: {
      layoutType: 'H5',
      jsonVersion: -3,
      page: {
        title: '{{ data.title }}',
        permission: [
          { if: { '!!': { var: 'params.id' } }, permission: rightOf(name, 'edit') },
          { permission: rightOf(name, 'add') },
        ],
        draft: true,
        params: [
          { name: 'id', type: 'String', required: false },
          ...(isMadeOfOthers
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
            ...given.map(({ name: one }) => ({
              do: 'set',
              if: { '!!': { var: `params.${one}` } },
              field: one,
              value: `{{ params.${one} }}`,
            })),
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
          fill: 'record',
        },
        ...(isMadeOfOthers ? [carriedInto(name)] : []),
        {
          uniqueName: 'create',
          requestURL: ownCall(name, 'create'),
          requestMethod: 'post',
          data: [variable('clientToken', 'DSV.clientToken')],
          body: isMadeOfOthers ? { ...body, made_of: MADE_OF } : body,
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
      ...groupsOf(module).flatMap((group) => {
        const widgets = group.fields.flatMap((one) => {
          const found = byName.get(one)
          if (found === undefined) return []
          return found.rows === undefined ? fieldWidgets(found, words, namesOf(found)) : [productLines(name)]
        })
        if (widgets.length === 0) return []
        const label = labelText(group.label) || labelText(module.label)
        return [container('cell-group', { name: `group_${group.name}`, label, inset: true }, widgets)]
      }),
      ...(shown.some(({ rows }) => rows !== undefined) ? [{ fragment: 'sheet/products' }] : []),
      container('action-bar', { name: 'bar' }, [
        button(
          'save',
          words.save,
          [
            {
              do: 'when',
              if: isNew,
              then: [submit('create', words, { queue: `${words.new}${labelText(module.label)}` })],
              else: [submit('update', words, { base: 'data.detail.record' })],
            },
          ],
          { type: 'primary' },
        ),
      ]),
    ],
  }
}

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

/** Products with price and quantity, as the forms of the product's own modules have them. */
const productLines = (module: string): JsonObject => ({ fragment: 'form/product-lines', with: { module } })

/** Where the page knows the words of a record that a picker does not offer just now. */
const namesOf = ({ name, kind }: Field): JsonObject =>
  kindOf(kind).face === 'picker'
    ? { namesAt: [`data.detail.record.${name}`, `params.${name}`, `data.carried.record.${name}`] }
    : {}

function submit(dsName: string, words: DerivedWords, more: JsonObject): JsonObject {
  const saved = [{ do: 'toast', text: words.saved, icon: 'success' }, { do: 'back' }]
  return {
    do: 'submit',
    dsName,
    ...more,
    then: saved,
    ...(more.queue === undefined ? {} : { queued: [{ do: 'toast', text: words.queued }, { do: 'back' }] }),
  }
}
