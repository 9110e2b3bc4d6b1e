import { isObject, type JsonObject } from '../../../runtime/core/json.ts'
import type { Field } from '../description.ts'
import { bodyOf, fieldsOnForm } from '../form-fields.ts'
import { kindOf } from '../kinds/index.ts'
import { labelText } from '../labels.ts'
import type { MergedModule } from '../merge-module.ts'
import { formField, getSource, type IsOwn, ownCall, variable } from '../page-parts.ts'
import { button, container, holds, rightOf, shownFields } from './parts.ts'
import type { DerivedWords } from './words.ts'

/** True while rows are being chosen, and while none are. */
const PICKING: JsonObject = { '!=': [{ var: 'data.picked' }, null] }
export const NOT_PICKING: JsonObject = { '==': [{ var: 'data.picked' }, null] }
const IDS = '{{ data.picked | label:id }}'
const HAS_FAILED: JsonObject = { '!!': { var: 'result.failed.0' } }

/** Parts of a list page, each for its place there. */
export interface BatchParts {
  readonly sources: readonly JsonObject[]
  /** Small buttons above the list. */
  readonly tools: readonly JsonObject[]
  /** Below the list: what is done to the chosen rows, and what asks for more or tells of failures. */
  readonly widgets: readonly JsonObject[]
}

/** Fields that may be set on many records at once, as far as one widget holds their value. */
const patchedFields = (module: MergedModule): readonly Field[] =>
  shownFields(module).filter(
    ({ patch, kind, readonly }) =>
      patch === true &&
      readonly === undefined &&
      kindOf(kind).derived !== true &&
      kindOf(kind).parts === undefined,
  )

/** What is done to several records of a list at once: chosen, set, given away, deleted; all that are found are given away in the background. */
export function batchParts(
  module: MergedModule,
  words: DerivedWords,
  isOwn: IsOwn,
  list: JsonObject,
): BatchParts {
  const { name, behaviours } = module
  const isOwned = behaviours.includes('owned')
  const fields = patchedFields(module)
  const rights = ['del', ...(fields.length > 0 ? ['edit'] : []), ...(isOwned ? ['transfer'] : [])] as const
  const acts = { or: rights.map((action) => holds(name, action)) }
  return {
    sources: [
      manySource('deleteMany', ownCall(name, 'delete'), { ids: IDS }),
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
          ]
        : []),
      ...patchSources(name, fields, words, isOwn),
    ],
    tools: [
      small('pickButton', words.pick, 'CheckCircleOutline', [{ do: 'set', data: 'picked', value: [] }], {
        and: [NOT_PICKING, acts],
      }),
      ...(isOwned
        ? [
            small('allButton', words.transferAll, 'SendOutline', openTransfer('transferAll'), {
              and: [PICKING, holds(name, 'transfer')],
            }),
          ]
        : []),
    ],
    widgets: [
      container('action-bar', { name: 'batchBar', visibleOn: { '!!': { var: 'data.picked.0' } } }, [
        button('batchDelete', words.delete, deleteMany(words), {
          type: 'default',
          visibleOn: holds(name, 'del'),
        }),
        ...(fields.length === 0
          ? []
          : [
              button('batchPatch', words.patch, [{ do: 'openSheet', name: 'patchSheet' }], {
                type: 'default',
                visibleOn: holds(name, 'edit'),
              }),
            ]),
        ...(isOwned
          ? [
              button('batchTransfer', words.transfer, openTransfer('transferMany'), {
                type: 'primary',
                visibleOn: holds(name, 'transfer'),
              }),
            ]
          : []),
      ]),
      ...(fields.length === 0 ? [] : [patchSheet(fields, words, isOwn)]),
      ...(isOwned ? [transferSheet(words)] : []),
      resultSheet(words),
    ],
  }
}

const manySource = (uniqueName: string, requestURL: string, body: JsonObject): JsonObject => ({
  uniqueName,
  requestURL,
  requestMethod: 'post',
  data: [variable('clientToken', 'DSV.clientToken')],
  body,
})

const small = (
  name: string,
  label: string,
  icon: string,
  click: readonly JsonObject[],
  visibleOn: JsonObject,
): JsonObject =>
  button(name, label, click, { type: 'text', size: 'small', displayStyle: 'inline-block', icon, visibleOn })

/** What follows a call on several records: how many it did, and a sheet with those it did not. */
const told = (words: DerivedWords, before: readonly JsonObject[] = []): readonly JsonObject[] => [
  ...before,
  { do: 'set', data: 'result', value: '{{ result }}' },
  { do: 'set', data: 'picked', value: null },
  {
    do: 'when',
    if: HAS_FAILED,
    then: [{ do: 'openSheet', name: 'resultSheet' }],
    else: [{ do: 'toast', text: words.manyDone, icon: 'success' }],
  },
  { do: 'refresh' },
]

const deleteMany = (words: DerivedWords): readonly JsonObject[] => [
  {
    do: 'confirm',
    title: words.deleteTitle,
    content: words.deleteManyAsk,
    then: [{ do: 'request', dsName: 'deleteMany', then: [...told(words)] }],
  },
]

const openTransfer = (dsName: string): readonly JsonObject[] => [
  { do: 'set', data: 'giving', value: dsName },
  { do: 'openSheet', name: 'manySheet' },
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
            then: [{ do: 'request', dsName: 'transferAll', then: begun }],
            else: [{ do: 'request', dsName: 'transferMany', then: [...told(words, closing)] }],
          },
        ],
        { type: 'primary', disabledOn: { '!': { var: 'form.many_to' } } },
      ),
    ]),
  ])
}

/** The widget of a field on the sheet stands beside its filter, under a name of its own. */
const patchName = ({ name }: Field): string => `p_${name}`

const patchSources = (
  module: string,
  fields: readonly Field[],
  words: DerivedWords,
  isOwn: IsOwn,
): readonly JsonObject[] => [
  ...fields.map((field) => {
    const [value = null] = Object.values(bodyOf({ ...field, name: patchName(field) }, words))
    return manySource(`patch_${field.name}`, ownCall(module, 'patch'), { ids: IDS, [field.name]: value })
  }),
  ...fieldsOnForm(
    fields.map((field) => ({ ...field, name: patchName(field) })),
    words,
    isOwn,
  ).sources,
]

/** Which field, then what it shall be: left empty it is emptied. */
function patchSheet(fields: readonly Field[], words: DerivedWords, isOwn: IsOwn): JsonObject {
  const isChosen = ({ name }: Field): JsonObject => ({ '==': [{ var: 'form.patch_field' }, name] })
  // Whether a record may be without it is the record's own rule.
  const asked = (field: Field): readonly JsonObject[] =>
    fieldsOnForm(
      [{ ...field, name: patchName(field), required: false, default: null }],
      words,
      isOwn,
    ).widgets.map((widget) => ({
      ...widget,
      options: { ...(isObject(widget.options) ? widget.options : {}), visibleOn: isChosen(field) },
    }))
  return container('sheet', { name: 'patchSheet', label: words.patch }, [
    formField('radio', {
      name: 'patch_field',
      label: words.patchWhat,
      buttonStyle: true,
      optionItems: fields.map(({ name, label }) => ({ value: name, label: labelText(label) })),
      defaultValue: fields[0]?.name ?? null,
    }),
    ...fields.flatMap(asked),
    container(
      'action-bar',
      { name: 'patchBar' },
      fields.map((field) =>
        button(
          `patchDone_${field.name}`,
          words.done,
          [
            {
              do: 'request',
              dsName: `patch_${field.name}`,
              then: [...told(words, [{ do: 'closeSheet', name: 'patchSheet' }])],
            },
          ],
          { type: 'primary', visibleOn: isChosen(field) },
        ),
      ),
    ),
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
