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
    open: flag('on the screen now'),
    type: choice(
      ['center', 'top', 'bottom', 'left', 'right', 'message', 'dialog', 'share'],
      'where it comes from; message, dialog and share have contents of their own',
    ),
    label: text('title; dialog and share have one of their own when it is empty'),
    animation: flag('300 ms; without it it stands there at once', true),
    maskClick: flag('a tap beside it closes it; never with dialog', true),
    maskColor: string('CSS colour behind it', 'rgba(0,0,0,0.4)'),
    backgroundColor: string('CSS colour of the layer'),
    borderRadius: string('CSS length, as in 12px'),
    content: text('dialog and message: the words'),
    tone: choice(
      ['', 'success', 'warn', 'info', 'error'],
      'dialog and message: the colour of the title or bar; a message without one is a success',
    ),
    mode: choice(['base', 'input'], 'dialog: words, or a text box whose text `confirm` has'),
    value: text('dialog: what the text box starts with'),
    placeholder: text('dialog: in the empty text box'),
    maxlength: number('dialog: signs in the text box; -1 = any', -1),
    confirmText: text('dialog: the right button'),
    cancelText: text('dialog and share: the other button'),
    showClose: flag('dialog: with a cancel button', true),
    beforeClose: flag('dialog and share: stays open; the page closes it'),
    duration: number('message: ms on the screen; 0 = stays', 3000),
    items: list('share: [{name, label, icon}]; empty = WeChat, Alipay, QQ, Sina'),
  },
}
