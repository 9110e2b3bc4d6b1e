import type { Clock, Feedback, ModalOptions, ToastOptions } from '../../runtime/core/ports.ts'
import { createStore, type Store } from './store.ts'

interface OpenModal extends ModalOptions {
  readonly kind: 'modal'
  readonly answer: (confirm: boolean) => void
}
interface OpenSheet {
  readonly kind: 'sheet'
  readonly title: string | undefined
  readonly items: readonly string[]
  readonly answer: (index: number) => void
}
export type Dialog = OpenModal | OpenSheet

/** What the shell shows above the pages. */
export interface FeedbackState {
  /** One toast or loading at a time; `id` changes with each (PLATFORM 6). */
  readonly notice: {
    readonly id: number
    readonly text: string
    readonly icon: NonNullable<ToastOptions['icon']>
  } | null
  /** The dialog in sight; others wait behind it. */
  readonly dialog: Dialog | null
}

/** The Feedback port as a store that the shell draws. */
export interface FeedbackStore extends Feedback {
  readonly state: Store<FeedbackState>
}

/**
 * Toast, loading, modal and action sheet with the single-instance rules of PLATFORM 6: a new toast replaces the old one and
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

  function ask(dialog: Dialog): void {
    waiting.push(dialog)
    showNext()
  }

  function closed<T>(answer: (value: T) => void): (value: T) => void {
    return (value) => {
      waiting.shift()
      showNext()
      answer(value)
    }
  }

  return {
    state,
    toast({ text, icon = 'none', durationMs = options.toastMs }) {
      if (text === '') return
      stopTimer()
      lastId += 1
      state.set({ ...state.get(), notice: { id: lastId, text, icon } })
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
    modal: (modal) =>
      new Promise((resolve) =>
        ask({ ...modal, kind: 'modal', answer: closed((confirm: boolean) => resolve({ confirm })) }),
      ),
    actionSheet: (items, title) =>
      new Promise((resolve) => ask({ kind: 'sheet', items, title, answer: closed(resolve) })),
  }
}
