import type { JsonObject } from '../../../runtime/core/json.ts'
import type { Inverse } from '../inverse.ts'
import { labelText } from '../labels.ts'
import { ownCall, variable } from '../page-parts.ts'
import { cardOf } from './card.ts'
import { button, container, holds, pathOf } from './parts.ts'
import type { DerivedWords } from './words.ts'

/** A tab of a detail page: its item, what it asks for and what it shows. */
export interface DetailTab {
  readonly item: JsonObject
  readonly sources: readonly JsonObject[]
  readonly widgets: readonly JsonObject[]
}

/** True while a tab is open. */
export const isOpen = (tab: string): JsonObject => ({ '==': [{ var: 'form.tab' }, tab] })

/**
 * The records that name this one, and a button for one more.
 * @param title  address of this record's name, for the form of the new one
 */
export function inverseTab(
  { module, field, tab, label }: Inverse,
  words: DerivedWords,
  title: string,
): DetailTab {
  const rows = `inverse_${tab}`
  const mayAdd = { and: [isOpen(tab), holds(module.name, 'add')] }
  return {
    item: { label, value: tab, visibleOn: holds(module.name, 'view') },
    sources: [
      {
        uniqueName: rows,
        requestURL: ownCall(module.name, 'list'),
        requestMethod: 'post',
        paging: { items: 'list', cursor: 'cursor', next: 'nextCursor' },
        data: [variable('cursor', 'DSV.cursor')],
        body: { limit: 20, filters: [{ field: field.name, op: 'eq', value: '{{ params.id }}' }] },
      },
    ],
    widgets: [
      container(
        'line',
        { name: `${rows}_tools`, gap: 8, justify: 'end', visibleOn: mayAdd, customClass: ['page-inset'] },
        [
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
            { type: 'text', size: 'small', displayStyle: 'inline-block', icon: 'AddOutline' },
          ),
        ],
      ),
      container(
        'list',
        {
          name: rows,
          dsName: rows,
          itemHeight: 104,
          visibleOn: isOpen(tab),
          empty: words.none,
          on: { rowClick: [{ do: 'navigate', url: `${pathOf(module.name, 'detail')}?id={{ row.id }}` }] },
        },
        cardOf(module, `${rows}_`),
      ),
    ],
  }
}
