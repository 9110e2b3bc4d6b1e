import type { Json } from '../json.ts'
import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, flag, list, string, text } from './option-kinds.ts'
import { FIELD } from './option-sets.ts'
import { asSlots } from './slots.ts'

/** Ours: chosen entries in slots, ordered by dragging, keyboard or buttons; each slot has a minimum and maximum. */
export const sortableSlots: WidgetSpec = {
  type: 'sortable-slots',
  kind: 'field',
  emptyValue: {},
  normalize: (value) => asSlots(value) as Json,
  estimatedHeight: 900,
  events: ['change'],
  options: {
    ...FIELD,
    defaultValue: any(undefined, {}),
    slots: list('[{key, title, min, max}]; min and max are included'),
    slotsBind: string('path to such a list, used instead of `slots`'),
    candidates: any('the entries each slot may hold: {key: [{id, title, icon}]}', {}),
    candidatesBind: string('path to such lists, used instead of `candidates`'),
    fixed: list('[{slot, at: first or last, title, icon}]: entries at a fixed position'),
    addLabel: text('text before the entries that can be added'),
    orderOnly: flag('entries can only be reordered, not added or removed'),
  },
  text: (value) =>
    Object.values(asSlots(value))
      .map((ids) => ids.length)
      .join(' / '),
}
