import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import type { Field } from '../description.ts'
import { addressOf, setWithAny } from '../field-rights.ts'
import type { MergedModule } from '../merge-module.ts'
import { formField, getSource, type IsOwn, ownCall, variable } from '../page-parts.ts'
import { afterMany, IDS, manySource } from './many.ts'
import { button, container, holds, rightOf, small } from './parts.ts'
import { patchedFields, patchSources, patchWidgets } from './patch.ts'
import { openRelease, releaseSheet, releaseWords } from './release.ts'
import { deletedToast, undoSource } from './undo.ts'
import type { DerivedWords } from './words.ts'

/** True before the first row is chosen, and while none are being chosen. */
const NONE_YET: readonly JsonObject[] = [
  { '!=': [{ var: 'data.picked' }, null] },
  { '!': { var: 'data.picked.0' } },
]
export const NOT_PICKING: JsonObject = { '==': [{ var: 'data.picked' }, null] }

/** Somebody has one of the chosen rows who may give it back. */
const CAN_RELEASE: JsonObject = { some: [{ var: 'data.picked' }, { in: ['release', { var: 'actions' }] }] }

/** Parts of a list page, each for its place there. */
export interface BatchParts {
  /** What the page does when it is loaded. */
  readonly load: readonly JsonObject[]
  readonly sources: readonly JsonObject[]
  /** The small button above the list that begins the choice. It goes then, so it is the first at the right: nothing moves to its place. */
  readonly pick: JsonObject
  /** Options of the list whose rows are chosen. */
  readonly chosen: JsonObject
  /** Below the list: what is done to the chosen rows, and what asks for more or tells of failures. */
  readonly widgets: readonly JsonObject[]
}

/** What is done to several records of a list at once: chosen, set, given away, deleted; all that are found are given away in the background. */
export function batchParts(
  module: MergedModule,
  words: DerivedWords,
  isOwn: IsOwn,
  list: JsonObject,
): BatchParts {
  const { name, behaviours } = module
  const isOwned = behaviours.includes('owned')
  const isPooled = behaviours.includes('pool')
  const fields = patchedFields(module).map((field) => ({ ...field, address: addressOf(module, field) }))
  const part = (field: Field, value: Json): JsonObject => ({ [field.name]: value })
  const rights = [
    'del',
    ...(fields.length > 0 ? ['edit'] : []),
    ...(isOwned ? ['transfer'] : []),
    ...(isPooled ? ['release'] : []),
  ] as const
  const acts = { or: rights.map((action) => holds(name, action)) }
  return {
    load: isPooled ? [...releaseWords(words), { do: 'set', data: 'results', value: 'resultSheet' }] : [],
    sources: [
      manySource('deleteMany', ownCall(name, 'delete'), { ids: IDS }),
      undoSource(name),
      ...(isOwned
        ? [
            getSource('receivers', `/mini/user/options?may=${rightOf(name, 'edit')}`, [
              variable('keyword', 'DSV.search'),
            ]),
            manySource('transferMany', ownCall(name, 'transfer'), {
              ids: IDS,
              toUserId: '{{ form.many_to }}',
            }),
            manySource('transferAll', ownCall(name, 'transfer/many'), {
              list,
              toUserId: '{{ form.many_to }}',
            }),
            {
              uniqueName: 'found',
              requestURL: ownCall(name, 'list'),
              requestMethod: 'post',
              body: { ...list, limit: 1, withTotal: true },
            },
          ]
        : []),
      ...patchSources({ call: ownCall(name, 'patch'), fields, part }, words, isOwn),
    ],
    chosen: { selection: 'picked', disabledOn: { '!': acts } },
    pick: small('pickButton', words.pick, [{ do: 'set', data: 'picked', value: [] }], {
      icon: 'CheckCircleOutline',
      visibleOn: { and: [NOT_PICKING, acts] },
    }),
    widgets: [
      ...(isOwned
        ? [
            container(
              'action-bar',
              { name: 'allBar', visibleOn: { and: [...NONE_YET, holds(name, 'transfer')] } },
              [
                button(
                  'allButton',
                  words.transferAll,
                  [...openTransfer('transferAll'), ...countFound(words)],
                  {
                    type: 'default',
                  },
                ),
              ],
            ),
          ]
        : []),
      container('action-bar', { name: 'batchBar', visibleOn: { '!!': { var: 'data.picked.0' } } }, [
        button('batchDelete', words.delete, deleteMany(words), {
          type: 'default',
          visibleOn: holds(name, 'del'),
        }),
        ...(fields.length === 0
          ? []
          : [
              setWithAny(
                button('batchPatch', words.patch, [{ do: 'openSheet', name: 'patchSheet' }], {
                  type: 'default',
                  visibleOn: holds(name, 'edit'),
                }),
                fields.map(({ address }) => address),
              ),
            ]),
        ...(isPooled
          ? [
              button('batchRelease', words.release, openRelease, {
                type: 'default',
                visibleOn: CAN_RELEASE,
              }),
            ]
          : []),
        ...(isOwned
          ? [
              button('batchTransfer', words.transfer, openTransfer('transferMany'), {
                type: 'primary',
                visibleOn: holds(name, 'transfer'),
              }),
            ]
          : []),
      ]),
      ...(fields.length === 0
        ? []
        : [
            container(
              'sheet',
              { name: 'patchSheet', label: words.patchHead },
              patchWidgets(fields, words, isOwn),
            ),
          ]),
      ...(isOwned ? [transferSheet(words)] : []),
      ...(isPooled ? [releaseSheet(name, IDS)] : []),
      resultSheet(words),
    ],
  }
}

const deleteMany = (words: DerivedWords): readonly JsonObject[] => [
  {
    do: 'confirm',
    title: words.deleteTitle,
    content: words.deleteManyAsk,
    then: [
      {
        do: 'request',
        dsName: 'deleteMany',
        then: [...afterMany(words, [], deletedToast(words.manyDone, words))],
      },
    ],
  },
]

const openTransfer = (dsName: string): readonly JsonObject[] => [
  { do: 'set', data: 'giving', value: dsName },
  { do: 'openSheet', name: 'manySheet' },
]

/** The question that follows says how many are found, as soon as that is known. */
const countFound = (words: DerivedWords): readonly JsonObject[] => [
  { do: 'set', data: 'foundText', value: null },
  {
    do: 'request',
    dsName: 'found',
    silent: true,
    then: [{ do: 'set', data: 'foundText', value: words.transferAllFound }],
  },
]

function transferSheet(words: DerivedWords): JsonObject {
  const closing = [{ do: 'closeSheet', name: 'manySheet' }]
  const isAll = { '==': [{ var: 'data.giving' }, 'transferAll'] }
  const begun = [
    ...closing,
    { do: 'set', data: 'picked', value: null },
    { do: 'toast', text: words.transferBegun },
    { do: 'navigate', url: '/pages/my/transfer/index' },
  ]
  return container('sheet', { name: 'manySheet', label: words.transfer }, [
    formField('select', {
      name: 'many_to',
      label: words.transferTo,
      remote: true,
      filterable: true,
      dsEnabled: true,
      dsName: 'receivers',
      dataSetName: 'list',
      labelKey: 'name',
      valueKey: 'id',
    }),
    container('action-bar', { name: 'manyBar' }, [
      button(
        'manyDone',
        words.done,
        [
          {
            do: 'when',
            if: isAll,
            then: [
              {
                do: 'confirm',
                title: words.transferAll,
                content: words.transferAllAsk,
                then: [{ do: 'request', dsName: 'transferAll', then: begun }],
              },
            ],
            else: [{ do: 'request', dsName: 'transferMany', then: [...afterMany(words, closing)] }],
          },
        ],
        { type: 'primary', disabledOn: { '!': { var: 'form.many_to' } } },
      ),
    ]),
  ])
}

function resultSheet(words: DerivedWords): JsonObject {
  return container('sheet', { name: 'resultSheet', label: words.result }, [
    {
      type: 'static-text',
      options: {
        name: 'resultHead',
        textContent: words.resultHead,
        fontSize: '15px',
        customClass: ['page-inset'],
      },
    },
    container('list', { name: 'resultRows', bind: 'data.result.failed', flat: true, itemHeight: 64 }, [
      {
        type: 'static-text',
        options: { name: 'resultName', textContent: words.resultName, fontSize: '16px', maxLines: 1 },
      },
      {
        type: 'static-text',
        options: {
          name: 'resultWhy',
          textContent: '{{ row.message }}',
          fontSize: '13px',
          tone: 'danger',
          preWrap: true,
        },
      },
    ]),
    container('action-bar', { name: 'resultBar' }, [
      button('resultDone', words.understood, [{ do: 'closeSheet', name: 'resultSheet' }], {
        type: 'primary',
      }),
    ]),
  ])
}
