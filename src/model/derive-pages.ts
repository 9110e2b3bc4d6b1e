import { isObject, type Json, type JsonObject } from '../../runtime/core/json.ts'
import type { Field } from './description.ts'
import {
  bodyOf,
  fieldWidgets,
  formField,
  type IsOwn,
  optionItems,
  ownCall,
  sourceOf,
  variable,
} from './form-fields.ts'
import { kindOf } from './kinds/index.ts'
import { labelText } from './labels.ts'
import { groupsOf, type MergedModule } from './merge-module.ts'

/** Pages a module has without anybody drawing them. */
export const DERIVED_PAGES = ['index', 'detail', 'add'] as const
export type DerivedPage = (typeof DERIVED_PAGES)[number]

/** Words of derived pages, from the text catalogue. */
export type DerivedWords = Readonly<
  Record<
    | 'new'
    | 'edit'
    | 'save'
    | 'saved'
    | 'delete'
    | 'deleted'
    | 'deleteTitle'
    | 'deleteAsk'
    | 'all'
    | 'mine'
    | 'filter'
    | 'reset'
    | 'done'
    | 'none'
    | 'search'
    | 'facts'
    | 'log'
    | 'noLog'
    | 'owner'
    | 'number'
    | 'author'
    | 'createdAt'
    | 'from'
    | 'until'
    | 'required'
    | 'queued'
    | 'lng'
    | 'lat'
    | 'locate',
    string
  >
>

const pathOf = (name: string, page: DerivedPage): string => `/pages/m/${name}/${page}`
const rightOf = (name: string, action: string): string => `m.${name}:${action}`

/** The page of a module of a tenant's own. "Customise" writes it out as an ordinary page. */
export function derivePage(
  page: DerivedPage,
  module: MergedModule,
  words: DerivedWords,
  isOwn: IsOwn,
): JsonObject {
  if (page === 'index') return listPage(module, words, isOwn)
  return page === 'detail' ? detailPage(module, words) : formPage(module, words, isOwn)
}

/** Fields in the order of the groups, those that are retired left out. */
function shownFields(module: MergedModule): readonly Field[] {
  const byName = new Map(module.fields.map((field) => [field.name, field]))
  return groupsOf(module).flatMap(({ fields }) =>
    fields.flatMap((name) => {
      const field = byName.get(name)
      return field === undefined || field.retired === true ? [] : [field]
    }),
  )
}

// ── list

const CARD_MOST = 4

function listPage(module: MergedModule, words: DerivedWords, isOwn: IsOwn): JsonObject {
  const { name } = module
  const label = labelText(module.label)
  const filters = shownFields(module).filter(
    (field) => isFiltered(module, field) && filterWidget(field, words) !== null,
  )
  const status = module.fields.find((field) => field.name === module.statuses?.field)
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

const isFiltered = (module: MergedModule, { name, filter }: Field): boolean =>
  filter === true || module.statuses?.field === name

/** Title and status, then the fields that say they belong on a card, else the first that say something. */
function cardOf(module: MergedModule, status: Field | undefined): readonly JsonObject[] {
  const others = shownFields(module).filter(({ name }) => name !== module.title && name !== status?.name)
  const chosen = others.filter(({ card }) => card === true)
  const lines = (chosen.length > 0 ? chosen : others.filter(({ kind }) => isShort(kind))).slice(0, CARD_MOST)
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

const isShort = (kind: Field['kind']): boolean =>
  !['long-text', 'files', 'pictures', 'lines', 'rollup'].includes(kind)

const TONES = ['primary', 'warning', 'success', 'danger', 'default'] as const

function statusTags(status: Field, root = 'row'): readonly JsonObject[] {
  return (status.options ?? []).map(({ value, label, color }, i) => ({
    type: 'tag',
    options: {
      name: `is_${value.replace(/\W/g, '_')}`,
      text: labelText(label),
      tone: color ?? TONES[i % TONES.length] ?? 'default',
      visibleOn: { '==': [{ var: `${root}.${status.name}` }, value] },
    },
  }))
}

/** A place of a text that shows the field's value in words. */
function placeOf({ name, kind, dict, options }: Field, root: string): string {
  const at = `${root}.${name}`
  const { index, stored } = kindOf(kind)
  if (index === 'ref' || kind === 'region') return `{{ ${at}_name }}`
  if (dict !== undefined) return `{{ ${at} | dict:${dict} }}`
  if (options !== undefined) return `{{ ${at}_name }}`
  if (kind === 'money') return `{{ ${at} | money }}`
  if (kind === 'percent') return `{{ ${at} }}%`
  if (kind === 'flag' || kind === 'location') return `{{ ${at}_name }}`
  if (stored === 'moment') return `{{ ${at} | date:YYYY-MM-DD HH:mm }}`
  return stored === 'texts' ? `{{ ${at} | join:、 }}` : `{{ ${at} }}`
}

// ── filters

/** How a field is asked for in the filter sheet; null for a kind that has no filter there. */
function filterWidget(one: Field, words: DerivedWords): readonly JsonObject[] | null {
  const name = `f_${one.name}`
  const label = labelText(one.label)
  const { stored, index } = kindOf(one.kind)
  if (one.dict !== undefined)
    return [formField('checkbox', { name, label, dict: one.dict, buttonStyle: true })]
  if (one.options !== undefined)
    return [formField('checkbox', { name, label, optionItems: optionItems(one), buttonStyle: true })]
  if (index === 'ref') {
    const { type, options = {} } = kindOf(one.kind).widget(one)
    return [formField(type, { ...options, name, label, multiple: true })]
  }
  if (stored === 'number')
    return [
      formField('number', { name: `${name}_from`, label: `${label} ${words.from}` }),
      formField('number', { name: `${name}_to`, label: `${label} ${words.until}` }),
    ]
  if (stored === 'day' || stored === 'moment') return [formField('date-range', { name, label })]
  if (stored === 'flag') return [formField('switch', { name, label })]
  return stored === 'text' ? [formField('input', { name, label, trim: true, maxLength: 50 })] : null
}

/** The conditions of a list request for what the sheet holds. */
function filterConditions(one: Field): readonly JsonObject[] {
  const name = `f_${one.name}`
  const filled = (path: string): JsonObject => ({ '!!': { var: path } })
  const { stored, index } = kindOf(one.kind)
  const condition = (rule: JsonObject, op: string, value: Json): JsonObject => ({
    $if: rule,
    field: one.name,
    op,
    value,
  })
  if (one.dict !== undefined || one.options !== undefined || index === 'ref')
    return [condition(filled(`form.${name}`), 'in', `{{ form.${name} }}`)]
  if (stored === 'number')
    return [
      condition({ '!=': [{ var: `form.${name}_from` }, null] }, 'gte', `{{ form.${name}_from }}`),
      condition({ '!=': [{ var: `form.${name}_to` }, null] }, 'lte', `{{ form.${name}_to }}`),
    ]
  if (stored === 'day') return [condition(filled(`form.${name}`), 'between', `{{ form.${name} }}`)]
  if (stored === 'moment')
    return [
      condition(filled(`form.${name}.0`), 'gte', `{{ form.${name}.0 }} 00:00:00`),
      condition(filled(`form.${name}.1`), 'lte', `{{ form.${name}.1 }} 23:59:59`),
    ]
  if (stored === 'flag') return [condition(filled(`form.${name}`), 'eq', true)]
  return [condition(filled(`form.${name}`), 'contains', `{{ form.${name} }}`)]
}

function filterSheet(fields: readonly Field[], words: DerivedWords): JsonObject {
  const widgets = fields.flatMap((one) => filterWidget(one, words) ?? [])
  const names = widgets.map(({ options }) => (isObject(options) ? String(options.name) : ''))
  return container('sheet', { name: 'filters', label: words.filter }, [
    ...widgets,
    container('action-bar', { name: 'filtersBar' }, [
      button(
        'filterReset',
        words.reset,
        names.map((name) => ({ do: 'set', field: name, value: null })),
        { type: 'default' },
      ),
      button('filterDone', words.done, [{ do: 'closeSheet', name: 'filters' }], { type: 'primary' }),
    ]),
  ])
}

// ── detail

function detailPage(module: MergedModule, words: DerivedWords): JsonObject {
  const { name } = module
  const status = module.fields.find((one) => one.name === module.statuses?.field)
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
          requestURL: ownCall(name, 'update'),
          requestMethod: 'post',
          data: [
            variable('clientToken', 'DSV.clientToken'),
            variable('id', 'params.id'),
            variable('version', 'data.detail.record.version'),
          ],
          body: status === undefined ? {} : { [status.name]: '{{ data.to }}' },
        },
        {
          uniqueName: 'delete',
          requestURL: ownCall(name, 'delete'),
          requestMethod: 'post',
          data: [variable('clientToken', 'DSV.clientToken')],
          body: { ids: ['{{ params.id }}'] },
        },
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
        optionItems: [
          { label: words.facts, value: 'facts' },
          { label: words.log, value: 'log' },
        ],
      }),
      ...groupsOf(module).flatMap((group, i) => {
        const members = group.fields.flatMap((one) => byName.get(one) ?? [])
        const items = members.filter(({ retired }) => retired !== true).map(factOf)
        if (items.length === 0 && i > 0) return []
        return [
          {
            type: 'descriptions',
            options: {
              name: `facts_${group.name}`,
              label: labelText(group.label) || words.facts,
              bind: 'data.detail.record',
              visibleOn: { '==': [{ var: 'form.tab' }, 'facts'] },
              items: [...items, ...(i === 0 ? commonFacts(module, words) : [])],
            },
          },
        ]
      }),
      container(
        'timeline',
        {
          name: 'logRows',
          dsName: 'log',
          visibleOn: { '==': [{ var: 'form.tab' }, 'log'] },
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
        button('delete', words.delete, deleteActions(words), {
          type: 'default',
          visibleOn: { in: ['delete', { var: 'data.detail.actions' }] },
        }),
      ]),
    ],
  }
}

/** A button for each status the record may go to from where it is. */
function moveButtons(module: MergedModule, status: Field | undefined): readonly JsonObject[] {
  return (status?.options ?? []).flatMap(({ value, label }) => {
    const from = Object.entries(module.statuses?.moves ?? {})
      .filter(([, to]) => to.includes(value))
      .map(([one]) => one)
    if (from.length === 0) return []
    const isHere = { in: [{ var: `data.detail.record.${status?.name}` }, from] }
    return [
      button(
        `to_${value.replace(/\W/g, '_')}`,
        labelText(label),
        [
          { do: 'set', data: 'to', value },
          { do: 'request', dsName: 'move', then: [{ do: 'refresh' }] },
        ],
        { type: 'default', visibleOn: { and: [isHere, { in: ['edit', { var: 'data.detail.actions' }] }] } },
      ),
    ]
  })
}

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

function factOf(one: Field): JsonObject {
  const fact = { label: labelText(one.label), hideEmpty: true }
  if (one.kind === 'phone') return { ...fact, bind: one.name, dial: true, copy: true }
  if (one.dict !== undefined && !kindOf(one.kind).several) return { ...fact, bind: one.name, dict: one.dict }
  return { ...fact, text: placeOf(one, 'data.detail.record') }
}

const commonFacts = (module: MergedModule, words: DerivedWords): readonly JsonObject[] => [
  ...(module.number === undefined ? [] : [{ label: words.number, bind: 'record_no', copy: true }]),
  ...(module.behaviours.includes('owned') ? [{ label: words.owner, bind: 'owner_name' }] : []),
  { label: words.author, bind: 'created_by_name', hideEmpty: true },
  { label: words.createdAt, text: '{{ data.detail.record.created_at | date:YYYY-MM-DD HH:mm }}' },
]

// ── form

function formPage(module: MergedModule, words: DerivedWords, isOwn: IsOwn): JsonObject {
  const { name } = module
  const fields = shownFields(module).filter(isWritten)
  const body = Object.assign({}, ...fields.map((one) => bodyOf(one, words))) as JsonObject
  const sources = [
    ...new Map(
      fields.flatMap((one) => sourceOf(one, isOwn)).map((source) => [source.uniqueName, source]),
    ).values(),
  ]
  const byName = new Map(fields.map((one) => [one.name, one]))
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
        params: [{ name: 'id', type: 'String', required: false }],
        on: {
          load: [
            { do: 'set', data: 'title', value: `${words.new}${labelText(module.label)}` },
            {
              do: 'set',
              if: { '!!': { var: 'params.id' } },
              data: 'title',
              value: `${words.edit}${labelText(module.label)}`,
            },
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
          requestURL: ownCall(name, 'update'),
          requestMethod: 'post',
          data: [
            variable('clientToken', 'DSV.clientToken'),
            variable('id', 'params.id'),
            variable('version', 'data.detail.record.version'),
          ],
          body,
        },
        ...sources,
      ],
    },
    widgetList: [
      ...groupsOf(module).flatMap((group) => {
        const widgets = group.fields.flatMap((one) => {
          const found = byName.get(one)
          return found === undefined ? [] : fieldWidgets(found, words)
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

const isWritten = (one: Field): boolean => one.readonly !== 'always' && !kindOf(one.kind).derived

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

// ── parts

const container = (type: string, options: JsonObject, widgetList: readonly JsonObject[]): JsonObject => ({
  type,
  category: 'container',
  options,
  widgetList,
})

const button = (name: string, label: string, click: readonly JsonObject[], more: JsonObject): JsonObject => ({
  type: 'button',
  options: { name, label, on: { click }, ...more },
})

const holds = (module: string, action: string): JsonObject => ({
  in: [rightOf(module, action), { var: 'user.permissions' }],
})
