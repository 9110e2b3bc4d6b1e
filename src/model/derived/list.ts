import type { JsonObject } from '../../../runtime/core/json.ts'
import type { Field } from '../description.ts'
import { sourceOf } from '../form-fields.ts'
import { kindOf } from '../kinds/index.ts'
import { labelText } from '../labels.ts'
import type { MergedModule } from '../merge-module.ts'
import { formField, type IsOwn, ownCall, variable } from '../page-parts.ts'
import { filterConditions, filterSheet, filtersOf } from './filters.ts'
import {
  button,
  container,
  holds,
  pathOf,
  placeOf,
  rightOf,
  shownFields,
  statusOf,
  statusTags,
} from './parts.ts'
import type { DerivedWords } from './words.ts'

const CARD_MOST = 4

/** The list: search, tabs, filters, cards. */
export function listPage(module: MergedModule, words: DerivedWords, isOwn: IsOwn): JsonObject {
  const { name } = module
  const label = labelText(module.label)
  const filters = filtersOf(module)
  const status = statusOf(module)
  const tabs = [
    { label: words.all, value: 'all' },
    ...(module.behaviours.includes('owned') ? [{ label: words.mine, value: 'mine' }] : []),
    ...(status?.options ?? []).map((option) => ({
      label: labelText(option.label),
      value: `status_${option.value}`,
    })),
  ]
  return {
    formConfig: {
      layoutType: 'H5',
      jsonVersion: -3,
      page: {
        title: label,
        permission: rightOf(name, 'view'),
        tabBar: true,
        draft: false,
        on: {
          show: ['rows', 'counts'].map((dsName) => ({
            do: 'refresh',
            if: { '!!': { var: 'data.counts' } },
            dsName,
          })),
        },
      },
      dataSources: [
        {
          uniqueName: 'rows',
          requestURL: ownCall(name, 'list'),
          requestMethod: 'post',
          paging: { items: 'list', cursor: 'cursor', next: 'nextCursor' },
          data: [
            variable('tab', 'form.tab'),
            variable('keyword', 'form.keyword'),
            variable('cursor', 'DSV.cursor'),
          ],
          body: { limit: 20, filters: filters.flatMap(filterConditions) },
        },
        {
          uniqueName: 'counts',
          requestURL: ownCall(name, 'count'),
          requestMethod: 'post',
          auto: true,
          body: { tabs: tabs.map(({ value }) => value) },
        },
        ...filters.flatMap((one) => sourceOf(one, isOwn)),
      ],
    },
    widgetList: [
      formField('search-bar', {
        name: 'keyword',
        label: words.search,
        labelHidden: true,
        placeholder: words.search,
        sticky: true,
        recent: true,
        maxLength: 50,
      }),
      formField('quick-tabs', {
        name: 'tab',
        label,
        labelHidden: true,
        sticky: true,
        defaultValue: 'all',
        counts: 'data.counts',
        optionItems: tabs,
      }),
      ...(filters.length === 0
        ? []
        : [
            container('line', { name: 'tools', gap: 8, justify: 'end', customClass: ['page-inset'] }, [
              button('filterButton', words.filter, [{ do: 'openSheet', name: 'filters' }], {
                type: 'text',
                size: 'small',
                displayStyle: 'inline-block',
                icon: 'FilterOutline',
              }),
            ]),
          ]),
      container(
        'list',
        {
          name: 'rows',
          dsName: 'rows',
          itemHeight: 104,
          empty: words.none,
          on: { rowClick: [{ do: 'navigate', url: `${pathOf(name, 'detail')}?id={{ row.id }}` }] },
        },
        cardOf(module, status),
      ),
      {
        type: 'fab',
        options: {
          name: 'add',
          label: words.new,
          on: { click: [{ do: 'navigate', url: pathOf(name, 'add') }] },
          visibleOn: holds(name, 'add'),
        },
      },
      ...(filters.length === 0 ? [] : [filterSheet(filters, words)]),
    ],
  }
}

/** Title and status, then the fields that say they belong on a card, else the first that say something. */
function cardOf(module: MergedModule, status: Field | undefined): readonly JsonObject[] {
  const others = shownFields(module).filter(({ name }) => name !== module.title && name !== status?.name)
  const chosen = others.filter(({ card }) => card === true)
  const lines = (chosen.length > 0 ? chosen : others.filter(({ kind }) => kindOf(kind).long !== true)).slice(
    0,
    CARD_MOST,
  )
  return [
    container('line', { name: 'head', gap: 8, grow: 'title' }, [
      {
        type: 'static-text',
        options: {
          name: 'title',
          textContent: '{{ row.title }}',
          fontSize: '17px',
          weight: 'medium',
          maxLines: 1,
        },
      },
      ...(status === undefined ? [] : statusTags(status)),
    ]),
    ...lines.map((one) => ({
      type: 'static-text',
      options: {
        name: `card_${one.name}`,
        textContent: `${labelText(one.label)} ${placeOf(one, 'row')}`,
        fontSize: '13px',
        tone: 'secondary',
        maxLines: 1,
        visibleOn: { '!!': { var: `row.${one.name}` } },
      },
    })),
    {
      type: 'static-text',
      options: {
        name: 'foot',
        textContent: module.behaviours.includes('owned')
          ? '{{ row.owner_name }} · {{ row.created_at | date:YYYY-MM-DD }}'
          : '{{ row.created_at | date:YYYY-MM-DD }}',
        fontSize: '13px',
        tone: 'weak',
        maxLines: 1,
      },
    },
  ]
}
