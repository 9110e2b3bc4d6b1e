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

/** The form, for a new record and for one that is there. */
export function formPage(module: MergedModule, words: DerivedWords, isOwn: IsOwn): JsonObject {
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
        {
          uniqueName: 'create',
          requestURL: ownCall(name, 'create'),
          requestMethod: 'post',
          data: [variable('clientToken', 'DSV.clientToken')],
          body,
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
          return found === undefined ? [] : fieldWidgets(found, words, namesOf(found))
        })
        if (widgets.length === 0) return []
        const label = labelText(group.label) || labelText(module.label)
        return [container('cell-group', { name: `group_${group.name}`, label, inset: true }, widgets)]
      }),
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

/** Where the page knows the words of a record that a picker does not offer just now. */
const namesOf = ({ name, kind }: Field): JsonObject =>
  kindOf(kind).face === 'picker' ? { namesAt: [`data.detail.record.${name}`, `params.${name}`] } : {}

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
