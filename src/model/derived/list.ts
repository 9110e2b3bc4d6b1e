import { isObject, type JsonObject } from '../../../runtime/core/json.ts'
import { addressOf, seenRule } from '../field-rights.ts'
import { sourceOf } from '../form-fields.ts'
import { labelText } from '../labels.ts'
import { tabsOf } from '../list-tabs.ts'
import type { MergedModule } from '../merge-module.ts'
import { distinct, formField, type IsOwn, ownCall } from '../page-parts.ts'
import { batchParts, NOT_PICKING } from './batch.ts'
import { cardOf } from './card.ts'
import { cellSources } from './cells.ts'
import { columnsOf, headOrders } from './columns.ts'
import { exportButton, exportSource } from './export.ts'
import { filterClear, filterConditions, filterNames, filterSheet, filtersOf } from './filters.ts'
import { listHead, listSources, SHOWN_AGAIN } from './list-parts.ts'
import { container, holds, pathOf, rightOf, sheetButton, statusOf } from './parts.ts'
import { poolLink } from './pool.ts'
import { sortSheet, sortsOf } from './sorts.ts'
import { viewParts } from './views.ts'
import type { DerivedWords } from './words.ts'

/** The list: search, tabs, filters, cards. */
export function listPage(module: MergedModule, words: DerivedWords, isOwn: IsOwn): JsonObject {
  const { name } = module
  const label = labelText(module.label)
  const filters = filtersOf(module, words)
  const sorts = sortsOf(module)
  const tabs = tabItems(module, words)
  const conditions = filters.flatMap(filterConditions)
  const request = { tab: '{{ form.tab }}', keyword: '{{ form.keyword }}', filters: conditions }
  const batch = batchParts(module, words, isOwn, request)
  const columns = columnsOf(module, words)
  const names = filterNames(filters, words)
  const views = viewParts(name, names, words)
  const sort = headOrders(columns)
  return {
    formConfig: {
      layoutType: 'H5',
      jsonVersion: -3,
      page: {
        title: label,
        permission: rightOf(name, 'view'),
        tabBar: true,
        draft: false,
        params: [{ name: 'tab', type: 'String', required: false }],
        on: {
          load: [
            { do: 'set', field: 'tab', value: '{{ params.tab }}', if: { '!!': { var: 'params.tab' } } },
            ...batch.load,
            ...views.load,
          ],
          show: SHOWN_AGAIN,
        },
      },
      dataSources: [
        ...listSources({
          list: ownCall(name, 'list'),
          count: ownCall(name, 'count'),
          filters: conditions,
          sort,
          counted: { tabs: tabs.map(({ value }) => value) },
        }),
        exportSource(name, { ...request, sort }),
        ...cellSources(ownCall(name, 'patch'), columns),
        ...distinct([...filters.flatMap((filter) => sourceOf(filter, isOwn)), ...batch.sources]),
      ],
    },
    widgetList: [
      ...listHead(module, words, tabs, tabsOf(module)[0].name),
      ...(sorts.length === 0 ? [formField('input', { name: 'sort', hidden: true })] : []),
      toolsOf(module, words, views.tool, batch.pick, filterClear(names, conditions, words)),
      formField('input', {
        name: 'nothingAct',
        hidden: true,
        valueOn: { if: [holds(name, 'add'), `${words.new}${label}`, ''] },
      }),
      views.tabs,
      container(
        'list',
        {
          name: 'rows',
          dsName: 'rows',
          itemHeight: 104,
          empty: words.none,
          emptyAction: '{{ form.nothingAct }}',
          columns,
          ...batch.chosen,
          on: {
            rowClick: [{ do: 'navigate', url: `${pathOf(name, 'detail')}?id={{ row.id }}` }],
            emptyClick: [{ do: 'navigate', url: pathOf(name, 'add') }],
          },
        },
        cardOf(module, words),
      ),
      {
        type: 'fab',
        options: {
          name: 'add',
          label: `${words.new}${label}`,
          on: { click: [{ do: 'navigate', url: pathOf(name, 'add') }] },
          visibleOn: { and: [holds(name, 'add'), NOT_PICKING] },
        },
      },
      ...batch.widgets,
      ...(sorts.length === 0 ? [] : [sortSheet(module, sorts, words)]),
      filterSheet(module, filters, words, exportButton(name, words)),
      views.sheet,
    ],
  }
}

/** The small buttons above the records, on one line of a phone: with a fifth, that of the pool, they are without their pictures. */
function toolsOf(
  module: MergedModule,
  words: DerivedWords,
  views: JsonObject,
  pick: JsonObject,
  clear: JsonObject,
): JsonObject {
  const isPooled = module.behaviours.includes('pool')
  const drawn = (buttons: readonly JsonObject[]) => (isPooled ? buttons.map(withoutIcon) : buttons)
  const gap = isPooled ? 4 : 8
  const sort =
    sortsOf(module).length === 0
      ? []
      : [sheetButton('sortButton', words.sort, 'UnorderedListOutline', 'sorts')]
  return container('line', { name: 'tools', justify: 'between', customClass: ['page-inset', 'page-tools'] }, [
    container(
      'line',
      { name: 'leftTools', gap, wrap: true },
      drawn([...sort, views, ...poolLink(module, words)]),
    ),
    container(
      'line',
      { name: 'filterTools', gap },
      drawn([pick, clear, sheetButton('filterButton', words.filter, 'FilterOutline', 'filters')]),
    ),
  ])
}

function withoutIcon(widget: JsonObject): JsonObject {
  const { icon: _, ...options } = isObject(widget.options) ? widget.options : {}
  return { ...widget, options }
}

/** The quick tabs as they are called; who does not see the status has none of its tabs. */
function tabItems(module: MergedModule, words: DerivedWords) {
  const field = statusOf(module)
  const whose: Readonly<Record<string, string>> = {
    all: words.all,
    mine: words.mine,
    team: words.team,
    collaborating: words.collaborating,
    starred: words.starred,
    recycling: words.recycling,
  }
  return tabsOf(module).map(({ name, status }) => {
    if (field === undefined || status === undefined) return { label: whose[name] ?? name, value: name }
    const label = labelText(field.options?.find(({ value }) => value === status)?.label ?? status)
    return { label, value: name, visibleOn: seenRule(addressOf(module, field)) }
  })
}
