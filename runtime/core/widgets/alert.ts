import type { WidgetSpec } from '../page/widget-spec.ts'
import { choice, code, flag, string, text } from './option-kinds.ts'
import { LIFE, NAMED } from './option-sets.ts'

/** A notice in the page that can be closed. */
export const alert: WidgetSpec = {
  type: 'alert',
  kind: 'static',
  aliases: ['notice'],
  estimatedHeight: 56,
  events: ['click', 'close'],
  options: {
    ...NAMED,
    ...LIFE,
    label: text(),
    title: text('the text'),
    description: text('smaller text below it'),
    type: choice(['info', 'success', 'warning', 'error', 'default']),
    closable: flag('a cross closes it', true),
    showIcon: flag(),
    center: flag(),
    closeText: text(),
    effect: string(undefined, 'light'),
    onClose: code(),
  },
}
