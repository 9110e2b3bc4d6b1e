import type { Clock, Feedback, ModalOptions, Text } from '../core/ports.ts'
import './dialogs.css'

interface DialogParts {
  readonly text: Text
  readonly clock: Clock
  /** Where notices and dialogs are appended; default the document's body. */
  readonly place?: HTMLElement
}

const TOAST_MS = 1500

/**
 * The Feedback port by the browser's own means: a notice that is read aloud, and `<dialog>` for questions, which keeps the focus inside and
 * closes by Escape (an answer of "no"). A host with dialogs of its own hands in those instead.
 */
export function createDialogs({ text, clock, place = document.body }: DialogParts): Feedback {
  let endNotice = () => {}

  /** One notice at a time: a new one takes the place of the old. @returns what takes it away, once */
  function notice(words: string, act?: { readonly label: string; readonly run: () => unknown }): () => void {
    endNotice()
    const element = newElement('div', 'vf-told', words)
    element.setAttribute('role', 'status')
    const end = () => element.remove()
    if (act) {
      const button = newElement('button', 'vf-told-act', act.label)
      button.addEventListener('click', () => {
        end()
        act.run()
      })
      element.append(button)
    }
    place.append(element)
    endNotice = end
    return end
  }

  return {
    toast({ text: words, durationMs = TOAST_MS, act }) {
      if (words === '') return
      clock.after(durationMs, notice(words, act))
    },
    loading: (words = text('feedback.loading')) => notice(words),
    modal: async (options) => ({
      confirm: (await ask(place, options.title, options.content, answers(options, text))) === 1,
    }),
    actionSheet: (items, title = '', cancelText = text('feedback.cancel')) =>
      ask(place, title, '', [...items, cancelText]).then((at) => (at < items.length ? at : -1)),
  }
}

/** The buttons of a question; the last one is what it is answered with when it is agreed to. */
function answers(
  { showCancel = true, cancelText, confirmText }: ModalOptions,
  text: Text,
): readonly string[] {
  const confirm = confirmText ?? text('feedback.confirm')
  return [showCancel ? (cancelText ?? text('feedback.cancel')) : '', confirm]
}

/** Shows a dialog with a button for each word that is not empty. @returns the index of the one pressed, -1 when it was closed */
function ask(
  place: HTMLElement,
  title: string | undefined,
  content: string,
  words: readonly string[],
): Promise<number> {
  const dialog = newElement('dialog', 'vf-ask', '')
  if (title) dialog.append(newElement('h2', '', title))
  if (content !== '') dialog.append(newElement('p', '', content))
  return new Promise((answer) => {
    const close = (at: number) => {
      dialog.remove()
      answer(at)
    }
    words.forEach((word, at) => {
      if (word === '') return
      const button = newElement('button', '', word)
      button.addEventListener('click', () => close(at))
      dialog.append(button)
    })
    dialog.addEventListener('cancel', () => close(-1))
    place.append(dialog)
    dialog.showModal()
  })
}

function newElement<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  words: string,
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  element.className = className
  element.textContent = words
  if (element instanceof HTMLButtonElement) element.type = 'button'
  return element
}
