import type { WidgetSpec } from '../page/widget-spec.ts'
import { flag, string, text } from './option-kinds.ts'
import { NAMED, ROWS } from './option-sets.ts'

/** What happened, grouped by day. Its widgetList, if any, is drawn under each entry. */
export const timeline: WidgetSpec = {
  type: 'timeline',
  kind: 'page',
  children: 'template',
  estimatedHeight: 480,
  events: ['rowClick', 'emptyClick'],
  options: {
    ...NAMED,
    ...ROWS,
    time: string('key of the time', 'created_at'),
    title: text('first line; may contain placeholders', '{{ row.title }}'),
    content: text('the text; may contain placeholders', '{{ row.content }}'),
    who: string('key of the person’s name', 'user_name'),
    avatar: string('key of the person’s picture', 'avatar'),
    images: string('key of the pictures: [{name,url}]', 'images'),
    tag: text('small label beside the name'),
    quiet: string('key that marks a system event, drawn grey', 'system'),
    groupByDay: flag('a heading for each day', true),
    end: text('text after the last row'),
    retry: text(),
  },
}
