import type { WidgetSpec } from '../page/widget-spec.ts'
import { choice, flag, list, number, string, text } from './option-kinds.ts'
import { NAMED } from './option-sets.ts'

/** A layer above the page, opened by the actions openSheet and closeSheet or by the option `open`. */
export const popup: WidgetSpec = {
  type: 'popup',
  kind: 'page',
  children: 'widgetList',
  estimatedHeight: 0,
  events: ['open', 'close', 'maskClick', 'confirm', 'select'],
  options: {
    ...NAMED,
    open: flag('currently open'),
    type: choice(
      ['center', 'top', 'bottom', 'left', 'right', 'message', 'dialog', 'share'],
      'where it appears; message, dialog and share have predefined contents',
    ),
    label: text('title; dialog and share have a default title'),
    animation: flag('opens and closes with an animation of 300 ms', true),
    maskClick: flag('a tap outside closes it; never with dialog', true),
    maskColor: string('CSS colour of the backdrop', 'rgba(0,0,0,0.4)'),
    backgroundColor: string('CSS colour of the popup'),
    borderRadius: string('CSS length, as in 12px'),
    content: text('dialog and message: the text'),
    tone: choice(
      ['', 'success', 'warn', 'info', 'error'],
      'dialog and message: the colour of the title or bar; a message without a tone is a success',
    ),
    mode: choice(['base', 'input'], 'dialog: a text, or a text box whose content is passed to `confirm`'),
    value: text('dialog: initial content of the text box'),
    placeholder: text('dialog: placeholder of the text box'),
    maxlength: number('dialog: maximum number of characters in the text box; -1 = any', -1),
    confirmText: text('dialog: label of the right button'),
    cancelText: text('dialog and share: label of the other button'),
    showClose: flag('dialog: with a cancel button', true),
    beforeClose: flag('dialog and share: stays open until the page closes it'),
    duration: number('message: ms until it closes; 0 = never', 3000),
    items: list('share: [{name, label, icon}]; empty = WeChat, Alipay, QQ, Sina'),
  },
}
