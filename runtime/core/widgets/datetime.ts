import type { WidgetSpec } from '../page/widget-spec.ts'
import { MOMENT } from './date.ts'
import { flag, string } from './option-kinds.ts'

/** A day and a time. */
export const datetime: WidgetSpec = {
  ...MOMENT,
  type: 'datetime',
  options: {
    ...MOMENT.options,
    format: string('how it is shown, and stored unless valueFormat says otherwise', 'YYYY-MM-DD HH:mm'),
    hideSecond: flag('without seconds, even if the format has them'),
  },
}
