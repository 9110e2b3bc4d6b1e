import type { JsonObject } from '../../../runtime/core/json.ts'
import { rightName } from '../field-rights.ts'
import { maskedInPools } from '../followed-fields.ts'
import { sourceOf } from '../form-fields.ts'
import { labelText } from '../labels.ts'
import type { MergedModule } from '../merge-module.ts'
import { distinct, formField, getSource, type IsOwn, ownCall, variable } from '../page-parts.ts'
import { NOT_PICKING } from './batch.ts'
import { cardOf } from './card.ts'
import { columnsOf, headOrders } from './columns.ts'
import { filterClear, filterConditions, filterNames, filterSheet, filtersOf } from './filters.ts'
import { listHead, listSources, SHOWN_AGAIN } from './list-parts.ts'
import { button, container, holds, pathOf, rightOf, sheetButton, small } from './parts.ts'
import { openRelease, releaseSheet, releaseWords } from './release.ts'
import { isOpen } from './tabs.ts'
import type { Choice } from './versions.ts'
import type { DerivedWords } from './words.ts'

/** The module without what its records have no more of in a pool: owners, and fields that are masked there. */
const inPool = (module: MergedModule): MergedModule => ({
  ...module,
  behaviours: module.behaviours.filter((behaviour) => behaviour !== 'owned'),
  fields: module.fields.filter((field) => !maskedInPools(module).has(rightName(module, field))),
})

/** What is asked of the pools of the module. */
const callOf = (name: string, verb: string): string => ownCall(name, `pool/${verb}`)

/** A call on records of a pool. */
const poolCall = (uniqueName: string, requestURL: string, body: JsonObject): JsonObject => ({
  uniqueName,
  requestURL,
  requestMethod: 'post',
  data: [variable('clientToken', 'DSV.clientToken')],
  body,
})

/** Gives the chosen records to the chosen people, in turn. */
const assignCall = (name: string): JsonObject =>
  poolCall('assign', callOf(name, 'assign'), {
    ids: '{{ data.ids }}',
    toUserIds: '{{ data.receivers | label:id }}',
    mode: 'roundRobin',
  })

/** What a page with people to choose from, to give records to, begins with. */
const receiving = (name: string): readonly JsonObject[] => [
  { do: 'set', data: 'may', value: rightOf(name, 'edit') },
  { do: 'set', data: 'picker', value: 'personSheet' },
]

/** The records that nobody has, by the parts of the product's own pools. */
export function poolPage(described: MergedModule, words: DerivedWords, isOwn: IsOwn): JsonObject {
  const module = inPool(described)
  const { name } = module
  const label = labelText(module.label)
  const filters = filtersOf(module, words)
  const conditions = filters.flatMap(filterConditions)
  const columns = columnsOf(module, words)
    .filter((column) => column.name !== 'owner_name')
    .map(({ edit: _, editOn: __, ...column }) => column)
  const path = `m/${name}`
  const calls = `${path}/pool`
  return {
    formConfig: {
      layoutType: 'H5',
      jsonVersion: -3,
      page: {
        title: words.poolOf.replace('{label}', label),
        permission: rightOf(name, 'pool'),
        draft: false,
        params: [{ name: 'poolId', type: 'String', required: false }],
        on: {
          load: [
            ...receiving(name),
            { do: 'set', data: 'results', value: 'resultSheet' },
            {
              do: 'request',
              dsName: 'pools',
              then: [
                { do: 'set', data: 'pools', value: '{{ result.list }}' },
                { do: 'set', data: 'pool', value: '{{ result.list.0 }}' },
                { do: 'set', data: 'quota', value: '{{ result.list.0.quota }}' },
                { do: 'set', data: 'holding', value: '{{ result.list.0.holding }}' },
                { do: 'set', data: 'ready', value: true },
              ],
            },
          ],
          show: SHOWN_AGAIN,
        },
      },
      dataSources: [
        ...listSources({
          list: callOf(name, 'list'),
          count: callOf(name, 'count'),
          filters: conditions,
          sort: headOrders(columns),
          beside: [variable('poolId', 'data.pool.id')],
          auto: { '!!': { var: 'data.pool' } },
        }),
        poolCall('claim', callOf(name, 'claim'), { poolId: '{{ row.pool_id }}', ids: ['{{ row.id }}'] }),
        poolCall('claimMany', callOf(name, 'claim'), {
          poolId: '{{ data.pool.id }}',
          ids: '{{ data.picked | label:id }}',
        }),
        assignCall(name),
        poolCall('deleteMany', callOf(name, 'delete'), { ids: '{{ data.picked | label:id }}' }),
        ...distinct(filters.flatMap((filter) => sourceOf(filter, isOwn))),
      ],
    },
    widgetList: [
      ...listHead(
        module,
        words,
        [
          { label: words.all, value: 'all' },
          { label: words.poolToday, value: 'today' },
          { label: words.poolReturned, value: 'returned' },
        ],
        'all',
      ),
      { fragment: 'pool/quota', with: { module: path } },
      formField('input', { name: 'sort', hidden: true }),
      container('line', { name: 'filterTools', gap: 8, justify: 'end', customClass: ['page-inset'] }, [
        small('pickButton', words.pick, [{ do: 'set', data: 'picked', value: [] }], {
          icon: 'CheckCircleOutline',
          visibleOn: { and: [{ '!!': { var: 'data.pool' } }, NOT_PICKING] },
        }),
        filterClear(filterNames(filters, words), conditions, words),
        sheetButton('filterButton', words.filter, 'FilterOutline', 'filters'),
      ]),
      {
        type: 'empty',
        options: {
          name: 'noPool',
          text: words.poolMember,
          visibleOn: { and: [{ var: 'data.ready' }, { '!': { var: 'data.pool' } }] },
        },
      },
      container(
        'list',
        {
          name: 'rows',
          dsName: 'rows',
          itemHeight: 132,
          visibleOn: { '!!': { var: 'data.pool' } },
          empty: words.poolEmpty,
          columns,
          selection: 'picked',
          disabledOn: { '!': { var: 'data.pool' } },
          on: { rowClick: [{ do: 'navigate', url: `${pathOf(name, 'detail')}?id={{ row.id }}` }] },
        },
        [...cardOf(module, words, 'card_'), { fragment: 'pool/card-foot', with: { calls } }],
      ),
      { fragment: 'pool/batch-bar', with: { label, module: path, calls } },
      filterSheet(module, filters, words),
      { fragment: 'pick/person' },
      { fragment: 'sheet/assign' },
      { fragment: 'sheet/result' },
    ],
  }
}

/** The way from the list of a module to its pool. */
export const poolLink = ({ name, behaviours }: MergedModule, words: DerivedWords): readonly JsonObject[] =>
  behaviours.includes('pool')
    ? [
        small('poolButton', words.pool, [{ do: 'navigate', url: pathOf(name, 'pool') }], {
          icon: 'LoopOutline',
          visibleOn: holds(name, 'pool'),
        }),
      ]
    : []

/** Parts of a detail page whose records lie in a pool at times. */
interface PoolParts {
  readonly load: readonly JsonObject[]
  readonly sources: readonly JsonObject[]
  readonly buttons: readonly JsonObject[]
  readonly choices: readonly Choice[]
  readonly tabs: readonly JsonObject[]
  readonly widgets: readonly JsonObject[]
  readonly sheets: readonly JsonObject[]
}

const NOTHING: PoolParts = {
  load: [],
  sources: [],
  buttons: [],
  choices: [],
  tabs: [],
  widgets: [],
  sheets: [],
}

/** Claims, assigns and gives back the record of a detail page, and says who had it. */
export function poolParts({ name, behaviours }: MergedModule, words: DerivedWords): PoolParts {
  if (!behaviours.includes('pool')) return NOTHING
  const can = (action: string): JsonObject => ({ in: [action, { var: 'data.detail.actions' }] })
  return {
    load: [...receiving(name), { do: 'set', data: 'isDetail', value: true }, ...releaseWords(words)],
    sources: [
      poolCall('claim', callOf(name, 'claim'), {
        poolId: '{{ data.detail.record.pool_id }}',
        ids: ['{{ params.id }}'],
      }),
      assignCall(name),
      getSource('owners', ownCall(name, 'owner-record'), [variable('id', 'params.id')]),
    ],
    buttons: [
      button(
        'assign',
        words.assign,
        [
          { do: 'set', data: 'may', value: rightOf(name, 'edit') },
          { do: 'set', data: 'ids', value: ['{{ params.id }}'] },
          { do: 'set', data: 'what', value: '{{ data.detail.record.title }}' },
          { do: 'set', data: 'without', value: null },
          { do: 'set', data: 'adding', value: null },
          { do: 'set', data: 'sheet', value: 'assign' },
          { do: 'openSheet', name: 'personSheet' },
        ],
        { type: 'default', visibleOn: can('assign') },
      ),
      button(
        'claim',
        words.claim,
        [
          {
            do: 'request',
            dsName: 'claim',
            else: [{ fragment: 'act/claim-refused', with: { detail: pathOf(name, 'detail') } }],
            then: [{ do: 'toast', text: words.claimed, icon: 'success' }, { do: 'refresh' }],
          },
        ],
        { type: 'primary', visibleOn: can('claim') },
      ),
    ],
    choices: [
      {
        label: words.release,
        if: can('release'),
        then: [...openRelease],
      },
    ],
    tabs: [{ label: words.owners, value: 'owner' }],
    widgets: [
      container(
        'timeline',
        {
          name: 'ownerRows',
          dsName: 'owners',
          visibleOn: isOpen('owner'),
          groupByDay: false,
          time: 'at',
          who: 'user_name',
          title: '{{ row.title }}',
          content: '{{ row.text }}',
          empty: words.noOwners,
        },
        [],
      ),
    ],
    sheets: [releaseSheet(name, ['{{ params.id }}']), { fragment: 'sheet/assign' }],
  }
}
