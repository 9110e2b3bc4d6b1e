import type { JsonObject } from '../../../runtime/core/json.ts'
import { sourceOf } from '../form-fields.ts'
import { labelText } from '../labels.ts'
import type { MergedModule } from '../merge-module.ts'
import { formField, type IsOwn, ownCall, variable } from '../page-parts.ts'
import { cardOf } from './card.ts'
import { filterConditions, filterSheet, filtersOf } from './filters.ts'
import { button, container, holds, pathOf, rightOf, statusOf } from './parts.ts'
import type { DerivedWords } from './words.ts'

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
        cardOf(module),
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
