import type { WidgetSpec } from '../page/widget-spec.ts'
import { MOMENT } from './date.ts'
import { flag } from './option-kinds.ts'
import { formats } from './option-sets.ts'

/** A day and a time. */
export const datetime: WidgetSpec = {
  ...MOMENT,
  type: 'datetime',
  options: {
    ...MOMENT.options,
    ...formats('YYYY-MM-DD HH:mm'),
    hideSecond: flag('without seconds, even if the format has them'),
  },
}
