import type { JsonObject } from '../../../runtime/core/json.ts'
import { ownName } from '../form-fields.ts'
import type { Inverse } from '../inverse.ts'
import { labelText } from '../labels.ts'
import type { MergedModule } from '../merge-module.ts'
import { getSource, ownCall, variable } from '../page-parts.ts'
import { cardOf } from './card.ts'
import { button, container, holds, pathOf, placeOf, shownFields } from './parts.ts'
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
  const { module, tab } = inverse
  return module.origin === 'tenant'
    ? ownTab(inverse, words, title)
    : shippedTab(inverse, words, `inverse_${tab}`)
}

const rowsOf = (name: string, requestURL: string, called: string): JsonObject => ({
  uniqueName: name,
  requestURL,
  requestMethod: 'post',
  paging: { items: 'list', cursor: 'cursor', next: 'nextCursor' },
  data: [variable('cursor', 'DSV.cursor')],
  body: { limit: 20, filters: [{ field: called, op: 'eq', value: '{{ params.id }}' }] },
})

/** Records of the product's are made where their page is: their forms begin with what they know. */
function shippedTab({ module, called, tab, label }: Inverse, words: DerivedWords, rows: string): DetailTab {
  const { name, permission = name, pages = {}, title } = module
  const line = (part: string, textContent: string, more: JsonObject): JsonObject => ({
    type: 'static-text',
    options: { name: `${rows}_${part}`, textContent, maxLines: 1, ...more },
  })
  const shown = shownFields(module).filter((one) => one.origin === 'tenant' && one.card === true)
  return {
    item: { label, value: tab, visibleOn: { in: [`${permission}:view`, { var: 'user.permissions' }] } },
    sources: [rowsOf(rows, `/mini/${name}/list`, called)],
    widgets: [
      container(
        'list',
        {
          name: rows,
          dsName: rows,
          itemHeight: 72,
          visibleOn: isOpen(tab),
          empty: words.none,
          ...(pages.detail === undefined
            ? {}
            : { on: { rowClick: [{ do: 'navigate', url: `${pages.detail}?id={{ row.id }}` }] } }),
        },
        [
          line('title', `{{ row.${title} }}`, { fontSize: '17px', weight: 'medium' }),
          ...shown.map((one) =>
            line(
              `card_${one.name}`,
              `${labelText(one.label)} ${placeOf({ ...one, name: ownName(one.name) }, 'row')}`,
              {
                fontSize: '13px',
                tone: 'secondary',
                visibleOn: { '!!': { var: `row.${ownName(one.name)}` } },
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

function ownTab(
  { module, field, called, tab, label }: Inverse,
  words: DerivedWords,
  title: string,
): DetailTab {
  const rows = `inverse_${tab}`
  // Pressed before this record is there, the button would hand its name over as nothing.
  const mayAdd = { and: [isOpen(tab), holds(module.name, 'add'), { '!!': [{ var: title }] }] }
  return {
    item: { label, value: tab, visibleOn: holds(module.name, 'view') },
    sources: [rowsOf(rows, ownCall(module.name, 'list'), called)],
    widgets: [
      tools(`${rows}_tools`, mayAdd, [
        button(
          `${rows}_add`,
          `${words.new}${labelText(module.label)}`,
          [
            {
              do: 'navigate',
              url: pathOf(module.name, 'add'),
              query: { [field.name]: '{{ params.id }}', [`${field.name}_name`]: `{{ ${title} }}` },
            },
          ],
          SMALL,
        ),
      ]),
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
        cardOf(module, `${rows}_`),
      ),
    ],
  }
}

/** What people did about the record, and a button to write more. */
export function followTab(module: MergedModule, words: DerivedWords): DetailTab {
  const type = `m/${module.name}`
  const mayFollow = { and: [isOpen('follow'), { in: ['follow:add', { var: 'user.permissions' }] }] }
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
              query: { targetType: type, targetId: '{{ params.id }}' },
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
