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
  /** Default: the shell's text. */
  readonly cancelText: string | undefined
  readonly items: readonly string[]
  readonly answer: (index: number) => void
}
/** Each dialog has its own `id`. Only its first answer counts, so that a second tap on a button does not answer the next dialog. */
export type Dialog = OpenModal | OpenSheet

/** The feedback that the shell shows above the pages. */
interface FeedbackState {
  /** One toast or loading at a time; `id` changes with each one (SHELL 3). */
  readonly notice: {
    readonly id: number
    readonly text: string
    readonly icon: NonNullable<ToastOptions['icon']>
    readonly act?: ToastOptions['act']
  } | null
  /** The visible dialog; others are queued. */
  readonly dialog: Dialog | null
}

/** The Feedback port as a store that the shell's views read. */
export interface FeedbackStore extends Feedback {
  readonly state: Store<FeedbackState>
  /** A toast stays while somebody points at its button or has the focus on it; its time then begins again (SHELL 3). */
  readonly hold: (isHeld: boolean) => void
}

/**
 * Toast, loading, modal and action sheet, one of each at a time (SHELL 3): a new toast replaces the old one and restarts its time, after a toast a
 * running loading is shown again, dialogs are queued.
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
  let shownMs = options.toastMs

  function showLoading(): void {
    const [id, text] = [...loadings].at(-1) ?? []
    state.set({ ...state.get(), notice: id === undefined ? null : { id, text: text ?? '', icon: 'loading' } })
  }

  function startTimer(): void {
    stopTimer = options.clock.after(shownMs, showLoading)
  }

  function showNext(): void {
    state.set({ ...state.get(), dialog: waiting[0] ?? null })
  }

  /** Queues a dialog; `make` gets its id and the function that closes it with an answer. */
  function enqueueDialog<T>(make: (id: number, answer: (value: T) => void) => Dialog): Promise<T> {
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
      shownMs = durationMs
      startTimer()
    },
    hold(isHeld) {
      if (state.get().notice?.act === undefined) return
      stopTimer()
      if (!isHeld) startTimer()
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
      confirm: await enqueueDialog<boolean>((id, answer) => ({ ...modal, kind: 'modal', id, answer })),
    }),
    actionSheet: (items, title, cancelText) =>
      enqueueDialog<number>((id, answer) => ({ kind: 'sheet', id, items, title, cancelText, answer })),
  }
}

/** The port for a page: default texts of dialogs are in the page's language, like the page's own texts. */
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
