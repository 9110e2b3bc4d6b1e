import type { JsonObject } from '../json.ts'
import type { Ports } from '../ports.ts'

/** How an invalid field is reported (`formConfig.errShowType`): below it, or as a toast or a dialog, where only the first error is shown. */
export type ErrorMode = 'undertext' | 'toast' | 'modal'

export function errorModeOf({ errShowType }: JsonObject): ErrorMode {
  return errShowType === 'toast' || errShowType === 'modal' ? errShowType : 'undertext'
}

/** Shows the message away from the field if the form wants that; nothing for `undertext`. */
export function showError(
  config: JsonObject,
  { feedback, text }: Pick<Ports, 'feedback' | 'text'>,
  message: string,
): void {
  const mode = errorModeOf(config)
  if (mode === 'toast') feedback.toast({ text: message })
  if (mode === 'modal')
    void feedback.modal({ title: text('popup.title'), content: message, showCancel: false })
}
