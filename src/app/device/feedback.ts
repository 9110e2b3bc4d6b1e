import type { Clock, Feedback, ModalOptions, Text, ToastOptions } from '../../../runtime/core/ports.ts'
import { createStore, type Store } from '../store.ts'

interface OpenModal extends ModalOptions {
  readonly kind: 'modal'
  readonly id: number
  readonly answer: (confirm: boolean) => void
}
interface OpenSheet {
  readonly kind: 'sheet'
  readonly id: number
  readonly title: string | undefined
  /** Default: the shell's own word. */
  readonly cancelText: string | undefined
  readonly items: readonly string[]
  readonly answer: (index: number) => void
}
/** `id` differs with each. Only the first answer counts: a second tap on a button must not answer the dialog behind it. */
export type Dialog = OpenModal | OpenSheet

/** What the shell shows above the pages. */
interface FeedbackState {
  /** One toast or loading at a time; `id` changes with each (SHELL 3). */
  readonly notice: {
    readonly id: number
    readonly text: string
    readonly icon: NonNullable<ToastOptions['icon']>
    readonly act?: ToastOptions['act']
  } | null
  /** The dialog in sight; others wait behind it. */
  readonly dialog: Dialog | null
}

/** The Feedback port as a store that the shell draws. */
export interface FeedbackStore extends Feedback {
  readonly state: Store<FeedbackState>
}

/**
 * Toast, loading, modal and action sheet with the single-instance rules of SHELL 3: a new toast replaces the old one and
 * restarts its time, a toast gives way to a running loading when it ends, dialogs are queued.
 */
export function createFeedback(options: {
  clock: Clock
  toastMs: number
  loadingText: () => string
}): FeedbackStore {
  const state = createStore<FeedbackState>({ notice: null, dialog: null })
  const loadings = new Map<number, string>()
  const waiting: Dialog[] = []
  let lastId = 0
  let stopTimer = () => {}

  function showLoading(): void {
    const [id, text] = [...loadings].at(-1) ?? []
    state.set({ ...state.get(), notice: id === undefined ? null : { id, text: text ?? '', icon: 'loading' } })
  }

  function showNext(): void {
    state.set({ ...state.get(), dialog: waiting[0] ?? null })
  }

  /** Queues a dialog; `make` is given its id and the function that closes it with an answer. */
  function ask<T>(make: (id: number, answer: (value: T) => void) => Dialog): Promise<T> {
    lastId += 1
    const id = lastId
    return new Promise((resolve) => {
      waiting.push(
        make(id, (value) => {
          if (waiting[0]?.id !== id) return
          waiting.shift()
          showNext()
          resolve(value)
        }),
      )
      showNext()
    })
  }

  return {
    state,
    toast({ text, icon = 'none', durationMs = options.toastMs, act }) {
      if (text === '') return
      stopTimer()
      lastId += 1
      const ended = act && {
        label: act.label,
        run() {
          stopTimer()
          showLoading()
          act.run()
        },
      }
      state.set({ ...state.get(), notice: { id: lastId, text, icon, act: ended } })
      stopTimer = options.clock.after(durationMs, showLoading)
    },
    loading(text = options.loadingText()) {
      lastId += 1
      const id = lastId
      stopTimer()
      loadings.set(id, text)
      showLoading()
      return () => {
        const inSight = state.get().notice?.icon === 'loading'
        loadings.delete(id)
        if (inSight) showLoading()
      }
    },
    modal: async (modal) => ({
      confirm: await ask<boolean>((id, answer) => ({ ...modal, kind: 'modal', id, answer })),
    }),
    actionSheet: (items, title, cancelText) =>
      ask<number>((id, answer) => ({ kind: 'sheet', id, items, title, cancelText, answer })),
  }
}

/** The port as a page gets it: the words that a dialog brings along are in the page's language, as its question is. */
export function feedbackIn(text: Text, feedback: Feedback): Feedback {
  return {
    toast: feedback.toast,
    loading: (words = text('feedback.loading')) => feedback.loading(words),
    modal: (modal) =>
      feedback.modal({
        confirmText: text('feedback.confirm'),
        cancelText: text('feedback.cancel'),
        ...modal,
      }),
    actionSheet: (items, title) => feedback.actionSheet(items, title, text('feedback.cancel')),
  }
}
