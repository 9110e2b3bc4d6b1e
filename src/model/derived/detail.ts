import type { JsonObject } from '../../../runtime/core/json.ts'
import type { Behaviour, Field } from '../description.ts'
import type { Inverse } from '../inverse.ts'
import { labelText } from '../labels.ts'
import { groupsOf, type MergedModule } from '../merge-module.ts'
import { formField, ownCall, variable } from '../page-parts.ts'
import { button, changeOf, container, factOf, pathOf, rightOf, statusOf, statusTags } from './parts.ts'
import { filesTab, followTab, inverseTab, isOpen } from './tabs.ts'
import { transferParts } from './transfer.ts'
import type { DerivedWords } from './words.ts'

/** The detail: title and status, facts by group, history, what may be done. */
export function detailPage(
  module: MergedModule,
  words: DerivedWords,
  inverses: readonly Inverse[],
): JsonObject {
  const { name } = module
  const status = statusOf(module)
  const can = (behaviour: Behaviour): boolean => module.behaviours.includes(behaviour)
  const tabs = [
    ...(can('follow') ? [followTab(module, words)] : []),
    ...inverses.map((one) => inverseTab(one, words, 'data.detail.record.title')),
    ...(can('files') ? [filesTab(module, words)] : []),
  ]
  const transfer = transferParts(module, words)
  const byName = new Map(module.fields.map((one) => [one.name, one]))
  return {
    formConfig: {
      layoutType: 'H5',
      jsonVersion: -3,
      page: {
        title: labelText(module.label),
        permission: rightOf(name, 'view'),
        draft: false,
        params: [{ name: 'id', type: 'String', required: true }],
        on: { show: [{ do: 'refresh', if: { '!!': { var: 'data.detail' } } }] },
      },
      dataSources: [
        {
          uniqueName: 'detail',
          requestURL: ownCall(name, 'detail'),
          requestMethod: 'get',
          params: [variable('id', 'params.id')],
          auto: true,
          needed: true,
        },
        {
          uniqueName: 'log',
          requestURL: ownCall(name, 'log'),
          requestMethod: 'get',
          params: [variable('id', 'params.id'), variable('cursor', 'DSV.cursor')],
          paging: { items: 'list', cursor: 'cursor', next: 'nextCursor' },
        },
        {
          uniqueName: 'move',
          ...changeOf(name),
          body: status === undefined ? {} : { [status.name]: '{{ data.to }}' },
        },
        {
          uniqueName: 'delete',
          requestURL: ownCall(name, 'delete'),
          requestMethod: 'post',
          data: [variable('clientToken', 'DSV.clientToken')],
          body: { ids: ['{{ params.id }}'] },
        },
        ...tabs.flatMap(({ sources }) => sources),
        ...transfer.sources,
      ],
    },
    widgetList: [
      container('cell-group', { name: 'head', inset: true }, [
        {
          type: 'static-text',
          options: {
            name: 'title',
            textContent: '{{ data.detail.record.title }}',
            fontSize: '20px',
            weight: 'bold',
            maxLines: 3,
          },
        },
        ...(status === undefined
          ? []
          : [
              container(
                'line',
                { name: 'badges', gap: 6, wrap: true },
                statusTags(status, 'data.detail.record'),
              ),
            ]),
      ]),
      formField('quick-tabs', {
        name: 'tab',
        label: words.facts,
        labelHidden: true,
        sticky: true,
        defaultValue: 'facts',
        counts: 'data.detail.related',
        optionItems: [
          { label: words.facts, value: 'facts' },
          ...tabs.map(({ item }) => item),
          { label: words.log, value: 'log' },
        ],
      }),
      ...groupsOf(module).flatMap((group, i) => {
        const members = group.fields.flatMap((one) => byName.get(one) ?? [])
        const items = members
          .filter(({ retired }) => retired !== true)
          .map((one) => factOf(one, 'data.detail.record'))
        if (items.length === 0 && i > 0) return []
        return [
          {
            type: 'descriptions',
            options: {
              name: `facts_${group.name}`,
              label: labelText(group.label) || words.facts,
              bind: 'data.detail.record',
              visibleOn: isOpen('facts'),
              items: [...items, ...(i === 0 ? commonFacts(module, words) : [])],
            },
          },
        ]
      }),
      ...tabs.flatMap(({ widgets }) => widgets),
      container(
        'timeline',
        {
          name: 'logRows',
          dsName: 'log',
          visibleOn: isOpen('log'),
          groupByDay: false,
          time: 'at',
          who: 'user_name',
          title: '{{ row.title }}',
          content: '{{ row.text }}',
          empty: words.noLog,
        },
        [],
      ),
      container('action-bar', { name: 'bar' }, [
        ...moveButtons(module, status),
        button('edit', words.edit, [{ do: 'navigate', url: `${pathOf(name, 'add')}?id={{ params.id }}` }], {
          type: 'primary',
          visibleOn: { in: ['edit', { var: 'data.detail.actions' }] },
        }),
        ...transfer.buttons,
        button('delete', words.delete, deleteActions(words), {
          type: 'default',
          visibleOn: { in: ['delete', { var: 'data.detail.actions' }] },
        }),
      ]),
      ...transfer.sheets,
    ],
  }
}

/** A button for each status the record may go to from where it is. */
function moveButtons(module: MergedModule, status: Field | undefined): readonly JsonObject[] {
  return (status?.options ?? []).flatMap(({ value, label }, i) => {
    const from = Object.entries(module.statuses?.moves ?? {})
      .filter(([, to]) => to.includes(value))
      .map(([one]) => one)
    if (from.length === 0) return []
    const isHere = { in: [{ var: `data.detail.record.${status?.name}` }, from] }
    return [
      button(
        `to_${/^\w+$/.test(value) ? value : `v${i + 1}`}`,
        labelText(label),
        [
          { do: 'set', data: 'to', value },
          { do: 'request', dsName: 'move', then: [{ do: 'refresh' }], else: fillIn(module, status, value) },
        ],
        { type: 'default', visibleOn: { and: [isHere, { in: ['edit', { var: 'data.detail.actions' }] }] } },
      ),
    ]
  })
}

/** What a status asks for that is not filled in yet: the form opens with the status chosen. */
const fillIn = ({ name }: MergedModule, status: Field | undefined, value: string): readonly JsonObject[] => [
  {
    do: 'toast',
    if: { '!': { in: [{ var: 'error.code' }, ['NETWORK', 'TIMEOUT']] } },
    text: '{{ error.message }}',
  },
  {
    do: 'navigate',
    if: { '==': [{ var: 'error.type' }, 'VALIDATION'] },
    url: pathOf(name, 'add'),
    query: { id: '{{ params.id }}', [`to_${status?.name}`]: value },
  },
]

const deleteActions = (words: DerivedWords): readonly JsonObject[] => [
  {
    do: 'confirm',
    title: words.deleteTitle,
    content: words.deleteAsk,
    then: [
      {
        do: 'request',
        dsName: 'delete',
        then: [{ do: 'toast', text: words.deleted, icon: 'success' }, { do: 'back' }],
      },
    ],
  },
]

const commonFacts = (module: MergedModule, words: DerivedWords): readonly JsonObject[] => [
  ...(module.number === undefined ? [] : [{ label: words.number, bind: 'record_no', copy: true }]),
  ...(module.behaviours.includes('owned') ? [{ label: words.owner, bind: 'owner_name' }] : []),
  { label: words.author, bind: 'created_by_name', hideEmpty: true },
  { label: words.createdAt, text: '{{ data.detail.record.created_at | date:YYYY-MM-DD HH:mm }}' },
]
