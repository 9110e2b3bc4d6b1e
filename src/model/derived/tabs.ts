import type { JsonObject } from '../../../runtime/core/json.ts'
import { addressOf, seenRule } from '../field-rights.ts'
import { ownName } from '../form-fields.ts'
import type { Inverse } from '../inverse.ts'
import { labelText } from '../labels.ts'
import type { MergedModule } from '../merge-module.ts'
import { getSource, ownCall, variable } from '../page-parts.ts'
import { cardOf } from './card.ts'
import { button, container, hasValueRule, holds, pathOf, placeOf, rightOf, shownFields } from './parts.ts'
import type { DerivedWords } from './words.ts'

/** A tab of a detail page: its item, what it asks for and what it shows. */
export interface DetailTab {
  readonly item: JsonObject
  readonly sources: readonly JsonObject[]
  readonly widgets: readonly JsonObject[]
}

/** True while a tab is open. */
export const isOpen = (tab: string): JsonObject => ({ '==': [{ var: 'form.tab' }, tab] })

/** A small button above a list. */
const SMALL: JsonObject = {
  type: 'text',
  size: 'small',
  displayStyle: 'inline-block',
  icon: 'AddOutline',
}

const tools = (name: string, visibleOn: JsonObject, buttons: readonly JsonObject[]): JsonObject =>
  container('line', { name, gap: 8, justify: 'end', visibleOn, customClass: ['page-inset'] }, buttons)

/**
 * The records that name this one, and a button for one more.
 * @param title  address of this record's name, for the form of the new one
 */
export function inverseTab(inverse: Inverse, words: DerivedWords, title: string): DetailTab {
  return inverse.module.origin === 'tenant'
    ? ownTab(inverse, words, title)
    : shippedTab(inverse, words, title)
}

/** Records that name this one are found by who sees that they do. */
const seenTab = ({ module, field }: Inverse, mayView: JsonObject): JsonObject => ({
  and: [mayView, seenRule(addressOf(module, { name: field.name, origin: 'tenant' }))],
})

const rowsOf = (name: string, requestURL: string, called: string): JsonObject => ({
  uniqueName: name,
  requestURL,
  requestMethod: 'post',
  paging: { items: 'list', cursor: 'cursor', next: 'nextCursor' },
  data: [variable('cursor', 'DSV.cursor')],
  body: { limit: 20, filters: [{ field: called, op: 'eq', value: '{{ params.id }}' }] },
})

/**
 * The button for one more record that names this one: its form begins with it.
 * @param known  parameters of the form: this record's id, and its name
 */
function addTools(
  { module, tab }: Inverse,
  words: DerivedWords,
  { right, form, known, title }: { right: string; form: string; known: string; title: string },
): JsonObject {
  // Pressed before this record is there, the button would hand its name over as nothing.
  const mayAdd = {
    and: [isOpen(tab), { in: [right, { var: 'user.permissions' }] }, { '!!': [{ var: title }] }],
  }
  return tools(`inverse_${tab}_tools`, mayAdd, [
    button(
      `inverse_${tab}_add`,
      `${words.new}${labelText(module.label)}`,
      [
        {
          do: 'navigate',
          url: form,
          query: { [known]: '{{ params.id }}', [`${known}_name`]: `{{ ${title} }}` },
        },
      ],
      SMALL,
    ),
  ])
}

function shippedTab(inverse: Inverse, words: DerivedWords, title: string): DetailTab {
  const { module, field, called, tab, label } = inverse
  const { name, permission = name, pages = {} } = module
  const rows = `inverse_${tab}`
  const add = { right: `${permission}:add`, known: ownName(field.name), title }
  const line = (part: string, textContent: string, more: JsonObject): JsonObject => ({
    type: 'static-text',
    options: { name: `${rows}_${part}`, textContent, maxLines: 1, ...more },
  })
  const shown = shownFields(module).filter((one) => one.origin === 'tenant' && one.card === true)
  return {
    item: {
      label,
      value: tab,
      visibleOn: seenTab(inverse, { in: [`${permission}:view`, { var: 'user.permissions' }] }),
    },
    sources: [rowsOf(rows, `/mini/${name}/list`, called)],
    widgets: [
      ...(pages.form === undefined ? [] : [addTools(inverse, words, { ...add, form: pages.form })]),
      container(
        'list',
        {
          name: rows,
          dsName: rows,
          itemHeight: 72,
          visibleOn: isOpen(tab),
          empty: words.noneOf,
          ...(pages.detail === undefined
            ? {}
            : { on: { rowClick: [{ do: 'navigate', url: `${pages.detail}?id={{ row.id }}` }] } }),
        },
        [
          line('title', `{{ row.${module.title} }}`, { fontSize: '17px', weight: 'medium' }),
          ...shown.map((one) =>
            line(
              `card_${one.name}`,
              `${labelText(one.label)} ${placeOf({ ...one, name: ownName(one.name) }, 'row')}`,
              {
                fontSize: '13px',
                tone: 'secondary',
                visibleOn: hasValueRule({ ...one, name: ownName(one.name) }, 'row'),
              },
            ),
          ),
          line('foot', '{{ row.owner_name }}', {
            fontSize: '13px',
            tone: 'weak',
            visibleOn: { '!!': { var: 'row.owner_name' } },
          }),
        ],
      ),
    ],
  }
}

function ownTab(inverse: Inverse, words: DerivedWords, title: string): DetailTab {
  const { module, field, called, tab, label } = inverse
  const rows = `inverse_${tab}`
  const add = { right: rightOf(module.name, 'add'), known: field.name, title }
  return {
    item: { label, value: tab, visibleOn: seenTab(inverse, holds(module.name, 'view')) },
    sources: [rowsOf(rows, ownCall(module.name, 'list'), called)],
    widgets: [
      addTools(inverse, words, { ...add, form: pathOf(module.name, 'add') }),
      container(
        'list',
        {
          name: rows,
          dsName: rows,
          itemHeight: 104,
          visibleOn: isOpen(tab),
          empty: words.noneOf,
          on: { rowClick: [{ do: 'navigate', url: `${pathOf(module.name, 'detail')}?id={{ row.id }}` }] },
        },
        cardOf(without(module, field), words, `${rows}_`),
      ),
    ],
  }
}

/** Each row names this record by the field: its card need not say so. */
const without = (module: MergedModule, { name }: { readonly name: string }): MergedModule => ({
  ...module,
  fields: module.fields.filter((field) => field.name !== name),
})

/** What people did about the record, and a button to write more. */
export function followTab(module: MergedModule, words: DerivedWords): DetailTab {
  const type = `m/${module.name}`
  const mayFollow = { and: [isOpen('follow'), { in: ['follow', { var: 'data.detail.actions' }] }] }
  return {
    item: { label: words.follow, value: 'follow' },
    sources: [
      {
        uniqueName: 'follows',
        requestURL: '/mini/follow/list',
        requestMethod: 'post',
        paging: { items: 'list', cursor: 'cursor', next: 'nextCursor' },
        data: [variable('cursor', 'DSV.cursor')],
        body: { limit: 20, targetType: type, targetId: '{{ params.id }}' },
      },
    ],
    widgets: [
      tools('followTools', mayFollow, [
        button(
          'followAdd',
          words.writeFollow,
          [
            {
              do: 'navigate',
              url: '/pages/customer/my/follow/add',
              query: {
                targetType: type,
                targetId: '{{ params.id }}',
                targetName: '{{ data.detail.record.title }}',
              },
            },
          ],
          SMALL,
        ),
      ]),
      container(
        'timeline',
        {
          name: 'followRows',
          dsName: 'follows',
          visibleOn: isOpen('follow'),
          time: 'followed_at',
          who: 'author_name',
          title: '{{ row.result | dict:follow_result }}',
          content: '{{ row.content }}',
          tag: '{{ row.method | dict:follow_method }}',
          empty: words.noFollow,
          on: {
            rowClick: [{ do: 'navigate', url: '/pages/customer/my/follow/detail?id={{ row.id }}' }],
          },
        },
        [],
      ),
    ],
  }
}

/** Files of the record and of the follow-ups on it. */
export function filesTab(module: MergedModule, words: DerivedWords): DetailTab {
  return {
    item: { label: words.files, value: 'files' },
    sources: [getSource('files', ownCall(module.name, 'attachment/list'), [variable('id', 'params.id')])],
    widgets: [
      container(
        'list',
        {
          name: 'fileRows',
          dsName: 'files',
          itemHeight: 72,
          visibleOn: isOpen('files'),
          empty: words.noFiles,
          on: { rowClick: [{ do: 'openFile', url: '{{ row.url }}' }] },
        },
        [
          container('line', { name: 'fileLine', gap: 12, grow: 'fileName' }, [
            {
              type: 'image',
              options: {
                name: 'fileImage',
                src: '{{ row.url }}',
                alt: '{{ row.name }}',
                width: '48px',
                height: '48px',
                radius: 6,
                preview: true,
                visibleOn: { var: 'row.is_image' },
              },
            },
            {
              type: 'static-text',
              options: { name: 'fileName', textContent: '{{ row.name }}', fontSize: '15px', maxLines: 2 },
            },
          ]),
          {
            type: 'static-text',
            options: {
              name: 'fileFrom',
              textContent: '{{ row.user_name }} {{ row.at | date:YYYY-MM-DD }} {{ row.size_text }}',
              fontSize: '13px',
              tone: 'secondary',
              maxLines: 1,
            },
          },
        ],
      ),
    ],
  }
}
