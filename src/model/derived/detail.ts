import type { JsonObject } from '../../../runtime/core/json.ts'
import type { Behaviour, Field } from '../description.ts'
import { addressOf, writtenRule } from '../field-rights.ts'
import type { Inverse } from '../inverse.ts'
import { labelText } from '../labels.ts'
import { groupsOf, type MergedField, type MergedModule } from '../merge-module.ts'
import { formField, ownCall, variable } from '../page-parts.ts'
import { approvalParts, approvalTab, FOLLOWS_DECISIONS } from './approval.ts'
import { heldFiles, isHeldFile } from './held-files.ts'
import { HAS_FAILED } from './many.ts'
import {
  approvalTags,
  asShown,
  button,
  changeOf,
  container,
  factOf,
  lapsedTag,
  leftDaysTag,
  type Others,
  pathOf,
  rightOf,
  saysAny,
  statusOf,
  statusTags,
  worth,
} from './parts.ts'
import { poolParts } from './pool.ts'
import { isSubTable, subTable } from './sub-table.ts'
import { filesTab, followTab, inverseTab, isOpen } from './tabs.ts'
import { teamParts } from './team.ts'
import { transferParts } from './transfer.ts'
import { deletedToast, undoSource } from './undo.ts'
import { type Choice, versionParts } from './versions.ts'
import type { DerivedWords } from './words.ts'

/** What a detail shows of other modules. */
interface Related {
  readonly inverses: readonly Inverse[]
  readonly converts: readonly Choice[]
  /** Its records become others, or are made of others. */
  readonly isLinked: boolean
  readonly others: Others
}

/** The detail: title and status, facts by group, history, what may be done. */
export function detailPage(
  module: MergedModule,
  words: DerivedWords,
  { inverses, converts, isLinked, others }: Related,
): JsonObject {
  const { name } = module
  const status = statusOf(module)
  const can = (behaviour: Behaviour): boolean => module.behaviours.includes(behaviour)
  const approval = approvalParts(module, words)
  const versions = versionParts(module, words)
  const tabs = [
    ...(module.approval === undefined ? [] : [approvalTab(words)]),
    ...(can('follow') ? [followTab(module, words)] : []),
    ...inverses.map((inverse) => inverseTab(inverse, words, 'data.detail.record.title')),
    ...(can('files') ? [filesTab(module, words)] : []),
    ...versions.tabs,
  ]
  const transfer = transferParts(module, words)
  const team = teamParts(module, words)
  const pool = poolParts(module, words)
  const load = [...team.load, ...pool.load]
  const people = load.length === 0 ? [] : [{ fragment: 'pick/person' }]
  return {
    formConfig: {
      layoutType: 'H5',
      jsonVersion: -3,
      page: {
        title: labelText(module.label),
        permission: rightOf(name, 'view'),
        draft: false,
        params: [
          { name: 'id', type: 'String', required: true },
          ...(can('versions') ? [{ name: 'no', type: 'String', required: false }] : []),
        ],
        on: {
          ...(load.length === 0 ? {} : { load }),
          show: [{ do: 'refresh', if: { '!!': { var: 'data.detail' } } }],
          ...(module.approval === undefined ? {} : FOLLOWS_DECISIONS),
        },
      },
      dataSources: [
        ...ownSources(module, status),
        ...tabs.flatMap(({ sources }) => sources),
        ...transfer.sources,
        ...pool.sources,
        ...approval.sources,
        ...versions.sources,
      ],
    },
    widgetList: [
      ...versions.notes,
      container('cell-group', { name: 'head', inset: true }, [
        titleLine(module),
        ...worth(module.amount, 'data.detail.record', { name: 'worth', fontSize: '20px' }),
        ...badges([
          ...versions.tags,
          ...(status === undefined ? [] : statusTags(status, 'data.detail.record')),
          ...lapsedTag(module, words, 'data.detail.record'),
          ...leftDaysTag(module, words, 'data.detail.record'),
          ...approvalTags(module, 'data.detail.record'),
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
          ...pool.tabs,
          { label: words.log, value: 'log' },
        ],
      }),
      ...facts(module, words, others),
      ...(isLinked ? [{ fragment: 'detail/linked', with: { shown: isOpen('facts') } }] : []),
      ...tabs.flatMap(({ widgets }) => widgets),
      ...pool.widgets,
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
        ...moreButton(
          [...converts, ...versions.choices, ...printChoice(module, words), ...team.choices, ...pool.choices],
          words,
        ),
        ...moveButtons(module, status),
        ...approval.buttons,
        button('edit', words.edit, [{ do: 'navigate', url: `${pathOf(name, 'add')}?id={{ params.id }}` }], {
          type: 'primary',
          visibleOn: { in: ['edit', { var: 'data.detail.actions' }] },
        }),
        ...transfer.buttons,
        ...pool.buttons,
        button('delete', words.delete, deleteActions(words), {
          type: 'default',
          visibleOn: { in: ['delete', { var: 'data.detail.actions' }] },
        }),
      ]),
      ...transfer.sheets,
      ...people,
      ...team.sheets,
      ...pool.sheets,
    ],
  }
}

/** What the record is called, and the reader's star beside it. */
function titleLine({ name, behaviours }: MergedModule): JsonObject {
  const title: JsonObject = {
    type: 'static-text',
    options: {
      name: 'title',
      textContent: '{{ data.detail.record.title }}',
      fontSize: '20px',
      weight: 'bold',
    },
  }
  if (!behaviours.includes('star')) return title
  return container('line', { name: 'titleLine', grow: 'title', gap: 8, align: 'start' }, [
    title,
    { fragment: 'detail/star', with: { module: `m/${name}` } },
  ])
}

/** What the record itself is asked for and changed by. */
function ownSources(module: MergedModule, status: Field | undefined): readonly JsonObject[] {
  const { name } = module
  const no = module.behaviours.includes('versions') ? [variable('no', 'params.no')] : []
  return [
    {
      uniqueName: 'detail',
      requestURL: ownCall(name, 'detail'),
      requestMethod: 'get',
      params: [variable('id', 'params.id'), ...no],
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
    undoSource(name),
  ]
}

/** The fields by group, each with the products that it sells, then files; a group in which nothing is said is not there. */
function facts(module: MergedModule, words: DerivedWords, others: Others): readonly JsonObject[] {
  const shown = module.fields.map((field) => asShown(field, words))
  const byName = new Map(shown.map((field) => [field.name, field]))
  return [
    ...groupsOf(module).flatMap((group, i) => {
      const members = group.fields.flatMap((field) => byName.get(field) ?? [])
      const said = members.filter(
        (member) => member.rows === undefined && !isHeldFile(member) && !isSubTable(member),
      )
      const items = said.map((member) => factOf(member, 'data.detail.record', others))
      const tables = members.filter(isSubTable).map((member) => subTable(member, isOpen('facts')))
      const sells = members.some(({ retired, rows }) => retired !== true && rows !== undefined)
      if (items.length === 0 && i > 0 && !sells) return tables
      return [
        {
          type: 'descriptions',
          options: {
            name: `facts_${group.name}`,
            label: labelText(group.label) || words.facts,
            bind: 'data.detail.record',
            visibleOn:
              i === 0 || sells
                ? isOpen('facts')
                : { and: [isOpen('facts'), saysAny(said, 'data.detail.record')] },
            items: [...items, ...(i === 0 ? commonFacts(module, words) : [])],
          },
        },
        ...(sells ? [{ fragment: 'detail/product-lines', with: { shown: isOpen('facts') } }] : []),
        ...tables,
      ]
    }),
    ...shown.filter(isHeldFile).map((field) => heldFiles(field, 'data.detail.record', isOpen('facts'))),
  ]
}

/** What is worth something is printed. */
const printChoice = ({ name, amount }: MergedModule, words: DerivedWords): readonly Choice[] =>
  amount === undefined
    ? []
    : [
        {
          label: words.print,
          if: { '!!': { var: 'data.detail' } },
          then: [{ do: 'navigate', url: `${pathOf(name, 'print')}?id={{ params.id }}` }],
        },
      ]

const badges = (tags: readonly JsonObject[]): readonly JsonObject[] =>
  tags.length === 0 ? [] : [container('line', { name: 'badges', gap: 6, wrap: true }, tags)]

/** What is done now and then has its place behind 更多. */
const moreButton = (choices: readonly Choice[], words: DerivedWords): readonly JsonObject[] =>
  choices.length === 0
    ? []
    : [
        button(
          'more',
          words.more,
          [{ do: 'choose', title: words.more, items: choices.map((choice) => ({ ...choice })) }],
          { type: 'text', icon: 'MoreOutline', visibleOn: { or: choices.map((choice) => choice.if) } },
        ),
      ]

/** A button for each status the record may go to from where it is. */
function moveButtons(module: MergedModule, status: MergedField | undefined): readonly JsonObject[] {
  // What was agreed to is not written any more, and moves.
  const mayMove = module.approval === undefined ? 'edit' : 'move'
  if (status === undefined) return []
  const mine = writtenRule(addressOf(module, status))
  return (status.options ?? []).flatMap(({ value, label }, i) => {
    const from = Object.entries(module.statuses?.moves ?? {})
      .filter(([, to]) => to.includes(value))
      .map(([one]) => one)
    if (from.length === 0) return []
    const isHere = { in: [{ var: `data.detail.record.${status.name}` }, from] }
    return [
      button(
        `to_${/^\w+$/.test(value) ? value : `v${i + 1}`}`,
        labelText(label),
        [
          { do: 'set', data: 'to', value },
          { do: 'request', dsName: 'move', then: [{ do: 'refresh' }], else: fillIn(module, status, value) },
        ],
        {
          type: 'default',
          visibleOn: { and: [isHere, mine, { in: [mayMove, { var: 'data.detail.actions' }] }] },
        },
      ),
    ]
  })
}

/**
 * What a status asks for that is not filled in yet: the form opens with the status chosen. A record that somebody else moved is shown
 * as it is now.
 */
const fillIn = ({ name }: MergedModule, status: Field | undefined, value: string): readonly JsonObject[] => [
  {
    do: 'toast',
    if: { '!': { in: [{ var: 'error.code' }, ['NETWORK', 'TIMEOUT']] } },
    text: '{{ error.message }}',
  },
  { do: 'refresh', if: { in: [{ var: 'error.code' }, ['CONFLICT', 'REFUSED']] } },
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
        then: [
          {
            do: 'when',
            if: HAS_FAILED,
            then: [{ do: 'toast', text: '{{ result.failed.0.message }}' }],
            else: [deletedToast(words.deleted, words), { do: 'back' }],
          },
        ],
      },
    ],
  },
]

/** Labels of what the detail page of a module says of every record beside its fields. */
export const commonLabels = (module: MergedModule, words: DerivedWords): readonly string[] =>
  commonFacts(module, words).map(({ label }) => String(label))

const commonFacts = (module: MergedModule, words: DerivedWords): readonly JsonObject[] => [
  ...(module.number === undefined ? [] : [{ label: words.number, bind: 'record_no', copy: true }]),
  ...(module.behaviours.includes('owned') ? [{ label: words.owner, bind: 'owner_name' }] : []),
  { label: words.author, bind: 'created_by_name', hideEmpty: true },
  { label: words.createdAt, text: '{{ data.detail.record.created_at | date:YYYY-MM-DD HH:mm }}' },
  // A field may have been called so before records went back by themselves.
  ...(module.behaviours.includes('pool') && !module.fields.some(({ name }) => name === 'expire_at')
    ? [
        {
          label: words.recycledAt,
          text: '{{ data.detail.record.expire_at | date:YYYY-MM-DD HH:mm }}',
          hideEmpty: true,
        },
      ]
    : []),
]
