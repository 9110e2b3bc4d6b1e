import type { WidgetSpec } from '../page/widget-spec.ts'
import { dialog, HOSTING } from './dialog.ts'
import { choice, code, string } from './option-kinds.ts'

/** Widgets that come from a side of the screen, opened by `show()`, `showDrawer` or openSheet; vf-drawer of the private builds. */
export const drawer: WidgetSpec = {
  ...HOSTING,
  type: 'drawer',
  aliases: ['vf-drawer'],
  events: dialog.events.map((name) => (name === 'dialogOpened' ? 'drawerOpened' : name)),
  options: {
    ...HOSTING.options,
    direction: choice(
      ['rtl', 'ltr', 'ttb', 'btt'],
      'the way it comes in: from the right, left, top or bottom',
    ),
    size: string('CSS length: its width, or height from top and bottom; never larger than the screen'),
    onDrawerOpened: code(),
  },
}
