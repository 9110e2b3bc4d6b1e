import type { WidgetSpec } from '../page/widget-spec.ts'
import { code, flag, string, text } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** Common options of dialog and drawer: widgets of the page in a layer above it, with two buttons (PAGE-FORMAT, VForm, HOOKS 1.4). */
export const HOSTING = {
  kind: 'container',
  children: 'widgetList',
  estimatedHeight: 0,
  options: {
    ...NAMED,
    open: flag('currently open; older documents write `visible`'),
    label: text('title, where `title` is empty'),
    title: text(),
    disabled: flag('nothing in it can be used; older documents write `disabledMode`'),
    readMode: flag('all in it is drawn as text; false: never, also while the whole page is', null),
    showModal: flag('the page behind is darkened and cannot be used', true),
    showClose: flag('shows a cross that closes it', true),
    closeOnClickModal: flag('a tap outside closes it', true),
    closeOnPressEscape: flag('Escape closes it', true),
    okButtonLabel: text(),
    okButtonHidden: flag('without the button that says yes'),
    cancelButtonLabel: text(),
    cancelButtonHidden: flag('without the button that gives up'),
    onOkButtonClick: code('() ; false: it stays open'),
    onCancelButtonClick: code('() ; false: it stays open'),
    onDialogBeforeClose: code('() ; false: it stays open'),
    onClose: code(),
  },
} as const satisfies Omit<WidgetSpec, 'type' | 'events'>

const EVENTS = ['open', 'close', 'okButtonClick', 'cancelButtonClick', 'dialogBeforeClose'] as const

/** Widgets in the middle of the screen, opened by `show()`, `showDialog` or openSheet; vf-dialog of the private builds. */
export const dialog: WidgetSpec = {
  ...HOSTING,
  type: 'dialog',
  aliases: ['vf-dialog'],
  events: [...EVENTS, 'dialogOpened'],
  options: {
    ...HOSTING.options,
    width: string('CSS length; never wider than the screen'),
    fullscreen: flag('fills the screen'),
    onDialogOpened: code(),
  },
}
